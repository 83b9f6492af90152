"""How an agent of a game for one is measured: by the game's own slice, which knows what is worth counting."""

from collections.abc import Callable, Mapping
from typing import Protocol

from ludex.core.executor import Executor
from ludex.core.game import AnyGame, Json
from ludex.core.limit import Limit
from ludex.core.spec import Ref


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
