"""What determines games between agents: the board, the players, the seed and the budget."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from pydantic import TypeAdapter

from ludex.core.clock import Clock
from ludex.core.game import AnyGame, Json
from ludex.core.journal import header_with
from ludex.core.limit import Limit
from ludex.core.spec import Ref

FORMAT: Final = "ludex-journal"
FORMAT_VERSION: Final = 1


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
        board = (info.id, info.version, info.preset, info.players)
        bounds = (budget.time_ms, budget.depth, budget.nodes)
        return cls(*board, agents, seed, *bounds, clock, opening_plies, services, forfeits)

    @classmethod
    def from_header(cls, header: Mapping[str, Any], players: int) -> Self:
        """The terms in the header of a journal, for so many players; services are not part of it.

        Raises `KeyError`, `TypeError` or `ValueError` for what is missing or ill-typed.
        """
        terms = {name: header[name] for name in ("game", "version", "preset", "agents", "depth", "nodes", "forfeits")}
        clock = None if header["clock"] is None else Clock(*header["clock"])
        terms |= {"seed": int(header["seed"]), "time_ms": header["movetime"], "clock": clock}
        terms |= {"opening_plies": header["opening_plies"], "players": players, "services": None}
        return TypeAdapter(cls).validate_python(terms)

    def header(self) -> dict[str, Json]:
        """The first line of a journal: what determines the games."""
        board: dict[str, Json] = {"game": self.game, "version": self.version, "preset": self.preset}
        players: dict[str, Json] = {"agents": list(self.agents), "seed": str(self.seed)}
        return header_with(FORMAT, FORMAT_VERSION, {**board, **players, **self.conditions, "forfeits": self.forfeits})

    @property
    def conditions(self) -> dict[str, Json]:
        """The budget and the opening, as documents have them."""
        return {
            "movetime": self.time_ms,
            "depth": self.depth,
            "nodes": self.nodes,
            "clock": None if self.clock is None else [self.clock.remaining_ms, self.clock.increment_ms],
            "opening_plies": self.opening_plies,
        }

    @property
    def limit(self) -> Limit:
        return Limit(time_ms=self.time_ms, depth=self.depth, nodes=self.nodes)

    @property
    def timed(self) -> bool:
        """Whether any agent's time is bounded."""
        bounded = self.time_ms is not None or self.clock is not None
        return bounded or any("movetime=" in agent for agent in self.agents)
