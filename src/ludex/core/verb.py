"""Types for the verbs that a game defines, such as `ludex quoridor solve`.

A verb is a function with Typer's annotations that returns a `VerbResult`. Its parameter `board` is made from --preset
and the game's options, `executor` from --executor, --workers and --address, and `progress` is a progress bar. Every
other parameter is a flag or an argument. The command line adds --json.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludex.core.game import Json

Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""`with progress(label, total) as advance: advance(amount)`"""


@dataclass(frozen=True, slots=True)
class VerbResult:
    """The result of a verb, as JSON and as text."""

    document: Mapping[str, Json]
    """The document that --json prints; a true `interrupted` in it ends the command with the code of an interruption."""
    render: Callable[[], Any]
    """Returns the same as a rich renderable; called only without --json."""


@contextmanager
def silent(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar that shows nothing."""
    yield lambda amount: None
