"""What determines games between agents: the board, the players, the seed and the budget."""

from dataclasses import dataclass
from typing import Self

from ludex.core.clock import Clock
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.spec import Ref


@dataclass(frozen=True, slots=True)
class Terms:
    """Who meets on which board, and how. Every pair of games follows from these and its index."""

    game: str
    version: int
    preset: str
    players: int
    agents: tuple[str, ...]
    seed: int
    time_ms: int | None
    """This and the next two are the common budget: a `Limit` itself holds a flag that cannot travel."""
    depth: int | None
    nodes: int | None
    clock: Clock | None
    """What each player has for a whole game."""
    opening_plies: int
    services: Ref | None
    """`() -> Services`, called in the worker."""
    forfeits: bool
    """Whether an agent's fault loses its game, rather than end everything with an error."""

    @classmethod
    def of(
        cls,
        game: AnyGame,
        agents: tuple[str, ...],
        *,
        seed: int,
        limit: Limit | None = None,
        clock: Clock | None = None,
        opening_plies: int = 0,
        services: Ref | None = None,
        forfeits: bool = False,
    ) -> Self:
        """The terms on a board."""
        info, budget = game.info, limit or Limit()
        return cls(
            game=info.id,
            version=info.version,
            preset=info.preset,
            players=info.players,
            agents=agents,
            seed=seed,
            time_ms=budget.time_ms,
            depth=budget.depth,
            nodes=budget.nodes,
            clock=clock,
            opening_plies=opening_plies,
            services=services,
            forfeits=forfeits,
        )

    @property
    def limit(self) -> Limit:
        return Limit(time_ms=self.time_ms, depth=self.depth, nodes=self.nodes)

    @property
    def timed(self) -> bool:
        """Whether any agent's time is bounded."""
        bounded = self.time_ms is not None or self.clock is not None
        return bounded or any("movetime=" in agent for agent in self.agents)
