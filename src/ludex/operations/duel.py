"""A duel: two agents over many games with swapped seats; `ludex match` and jobs."""

from typing import Any, Final, Literal, Self

from ludex.arena.duel import SEATS, Duel, duel, pairs_of
from ludex.arena.pairs import Fault, record_of
from ludex.arena.sprt import Sprt
from ludex.arena.statistics import elo
from ludex.core.errors import BadOption, Unsupported
from ludex.core.game import AnyGame
from ludex.operations.operation import Context, Interrupted, Operation, Result, option
from ludex.operations.requests import Agent, ClockedGames, DrawnSeed, journal_at, seed_for

GAMES: Final = 100
SPRT_GAMES: Final = 20_000
"""A sequential test of 10 Elo is decided within these, nearly always."""
NOTHING: Final = "interrupted before the first {unit} was finished: nothing to report"


class DuelRequest(ClockedGames):
    """Let two agents play many games with swapped seats."""

    kind: Literal["duel"]
    agents: list[Agent] = option(
        ..., min_length=1, max_length=64, parse="ludex.arena.entrants:split_entrants", completion="agents"
    )
    games: int | None = option(None, ge=1, le=10**9, default_text=f"{GAMES}; with --sprt {SPRT_GAMES}")
    sprt: str | None = option(None, min_length=1, max_length=64, metavar="ELO0,ELO1")
    seed: DrawnSeed = None

    @property
    def players(self) -> list[str]:
        return self.agents

    @property
    def test(self) -> Sprt | None:
        """The sequential test that may end it early."""
        return None if self.sprt is None else Sprt.parse(self.sprt)

    @property
    def planned(self) -> int:
        """How many games there are at most."""
        if self.games is not None:
            return self.games
        return GAMES if self.sprt is None else SPRT_GAMES

    def check_games(self, board: AnyGame) -> None:
        if len(self.agents) != 2:
            raise BadOption(f"--agents needs two players, A,B, found {len(self.agents)}: {', '.join(self.agents)!r}")
        if board.info.players != 2:
            raise Unsupported(f"{board.info.id} has one player: use eval or tournament, not match")
        pairs_of(self.planned)
        _ = self.test, self.game_clock


class DuelResult(Result):
    """What was played, and how sure it is; lists have one entry per agent."""

    game: str
    preset: str
    agents: list[str]
    games: int
    wins: tuple[int, int]
    draws: int
    score: float
    ci95: tuple[float, float]
    elo: float | None
    seed: int
    distinct_games: int
    ms_per_move: list[float]
    ms_p99: list[float]
    ms_max: list[float]
    time_forfeits: tuple[int, int]
    sprt: dict[str, Any] | None
    interrupted: bool
    fault: Fault | None
    """What an agent did that ended it."""

    @property
    def failure(self) -> str | None:
        return None if self.fault is None else self.fault.message

    @classmethod
    def of(cls, result: Duel) -> Self:
        """The account of a duel in which a pair was finished."""
        terms, move_times = result.terms, [result.move_times(0), result.move_times(1)]
        same = ("wins", "draws", "score", "ci95", "distinct_games", "time_forfeits", "interrupted")
        figures: dict[str, Any] = {name: getattr(result, name) for name in same}
        return cls(
            **figures,
            game=terms.game,
            preset=terms.preset,
            seed=terms.seed,
            agents=[*terms.agents],
            games=len(result.played),
            elo=elo(result.score),
            ms_per_move=[times.mean for times in move_times],
            ms_p99=[times.p99 for times in move_times],
            ms_max=[times.longest for times in move_times],
            sprt=None if result.sprt is None else result.sprt.to_json(),
            fault=None if result.fault is None else Fault.of(result.fault),
        )


def run(request: DuelRequest, context: Context) -> DuelResult:
    """Play, and return the account. Raises an agent's fault before the first pair."""
    board = request.board()
    seed = seed_for(board, request.agents, request.seed, context.journal)
    terms = request.terms(board, request.agents, seed, context)
    with (
        journal_at(context.journal, terms) as journal,
        context.progress(" - ".join(request.agents), request.planned) as advance,
    ):
        result = duel(
            terms, games=request.planned, executor=context.executor, sprt=request.test, journal=journal, advance=advance
        )
    if not result.pairs:
        raise result.fault or Interrupted(NOTHING.format(unit="pair"))
    if context.keep is not None:
        for played in result.played:
            context.keep(record_of(terms, SEATS, played))
    return DuelResult.of(result)


DUEL: Final = Operation(id="duel", request=DuelRequest, run=run)
