"""Types for the tools of a game: its verbs, such as `ludex quoridor solve`, and how its agents are measured.

A verb is a function with Typer's annotations that returns a `VerbResult`. Its parameter `board` is made from --preset
and the game's options, `executor` from --executor, --workers and --address, and `progress` is a progress bar. Every
other parameter is a flag or an argument. The command line adds --json.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from ludex.core.executor import Executor
from ludex.core.game import AnyGame, Json
from ludex.core.limit import Limit
from ludex.core.spec import Ref

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


class Evaluate(Protocol):
    """What `ToolsSpec.evaluate` names."""

    def __call__(
        self,
        game: AnyGame,
        agent: str,
        *,
        games: int,
        seed: int,
        limit: Limit,
        services: Ref | None,
        executor: Executor,
        advance: Callable[[int], None],
    ) -> Mapping[str, Json]:
        """Let the agent of this reference play, and say how it did. No result depends on the executor.

        `services` names what a worker calls to get its `Services`; `advance` hears of finished games. The answer has
        `games`, how many were finished, `interrupted`, whether Ctrl-C came before the last, and if any were finished
        `win_rate`, `ci95` and `ms_per_move`; whatever else a slice counts comes after these.
        """
        ...
