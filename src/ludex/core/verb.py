"""What a game's own verbs are made of, such as `ludex quoridor solve`.

A verb is a function with Typer's annotations that returns a `Telling`. It may ask for a `board`, made from --preset and
the game's options, for `progress`, and for an `executor`, made from --executor, --workers and --address; every other
parameter is a flag or an argument of its own. The command line adds --json.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludex.core.game import Json

Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""`with progress(label, total) as advance: advance(amount)`"""


@dataclass(frozen=True, slots=True)
class Telling:
    """What a verb has to say."""

    document: Mapping[str, Json]
    """What --json prints."""
    told: Callable[[], Any]
    """The same for people, as something rich can render; made only when it is wanted."""


@contextmanager
def silent(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Progress that nobody watches."""
    yield lambda amount: None
