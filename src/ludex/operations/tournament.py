"""A tournament: many agents against each other; `ludex tournament` and jobs, which go on with one of the same name."""

from contextlib import AbstractContextManager
from typing import Final, Literal, Self

from pydantic import BaseModel

from ludex.arena.journal import Journal
from ludex.arena.saved_tournament import DOCUMENT, Plan, SavedTournament, journal_of, open_tournament
from ludex.arena.schedules import Format, format_of
from ludex.arena.standings import MeetingRow, Standings, TournamentRow
from ludex.arena.terms import Terms
from ludex.arena.tournament import Tournament, check_field, hold
from ludex.core.folders import tournaments_folder
from ludex.core.game import AnyGame
from ludex.core.registry import resolve
from ludex.operations.duel import NOTHING
from ludex.operations.operation import Context, Interrupted, Operation, Result, option
from ludex.operations.requests import Agent, ClockedGames, DrawnSeed, Name, check_pairs, journal_at, seed_for


class TournamentRequest(ClockedGames):
    """Let many agents play each other."""

    kind: Literal["tournament"]
    agents: list[Agent] = option(
        ..., min_length=2, max_length=64, parse="ludex.arena.entrants:split_entrants", completion="agents"
    )
    format: Literal["round-robin", "gauntlet", "swiss", "league"] | None = option(
        None,
        metavar="round-robin|gauntlet|swiss",
        default_text="round-robin; in a game for one player a league on the same seeds",
    )
    games: int = option(100, suggestion=10, ge=1, le=10**6)
    rounds: int | None = option(None, ge=1, le=1000, default_text="as many as a knock-out would have")
    seed: DrawnSeed = None
    name: Name | None = option(None, order=60)

    @property
    def players(self) -> list[str]:
        return self.agents

    def plan(self, board: AnyGame) -> Format:
        """How the agents meet. Raises `BadOption`."""
        players = board.info.players
        return format_of(self.format, players=players, agents=len(self.agents), games=self.games, rounds=self.rounds)

    def check_games(self, board: AnyGame) -> None:
        self.plan(board)
        check_pairs(board, self.games)
        _ = self.game_clock


class ScoredRow(TournamentRow):
    """The result of one agent, with its points."""

    points: float


class Forfeit(BaseModel):
    """A game that an agent lost by a fault."""

    agent: str
    pair: int
    agents: list[str]
    swapped: bool
    seed: str
    ply: int
    code: str
    message: str


class TournamentResult(Result):
    """The table of a tournament, best first."""

    game: str
    preset: str
    format: str
    agents: list[str]
    games: int
    seed: int
    standings: list[ScoredRow]
    superiority: list[list[float | None]]
    meetings: list[MeetingRow]
    rounds: list[list[list[str]]]
    prior_pairs: int | None
    forfeits: list[Forfeit]
    interrupted: bool

    @classmethod
    def of(cls, tournament: Tournament) -> Self:
        """The table of a tournament in which a pair was finished."""
        terms, standings = tournament.terms, Standings.of(tournament)
        return cls(
            game=terms.game,
            preset=terms.preset,
            format=tournament.format,
            agents=[*terms.agents],
            games=tournament.games,
            seed=terms.seed,
            standings=[ScoredRow(points=row.score * row.games, **dict(row)) for row in standings.table()],
            superiority=standings.superiorities(),
            meetings=standings.meetings(),
            rounds=[[[terms.agents[agent] for agent in met] for met in meetings] for meetings in tournament.rounds],
            prior_pairs=standings.prior_pairs,
            forfeits=[
                Forfeit(
                    agent=terms.agents[key.seats[game.loser]],
                    pair=key.index,
                    agents=[terms.agents[agent] for agent in key.seats],
                    swapped=game.swapped,
                    seed=str(game.seed),
                    ply=len(game.actions),
                    code=game.fault.code,
                    message=game.fault.message,
                )
                for key, game in tournament.faults
                if game.fault is not None
            ],
            interrupted=tournament.interrupted,
        )


def run(request: TournamentRequest, context: Context) -> TournamentResult:
    """Play, or what is missing of a tournament that was interrupted. No result depends on the executor."""
    board = request.board()
    name, plan = request.name or context.name, request.plan(board)
    terms = request.terms(board, request.agents, _seed(request, board, name, context), context, forfeits=True)
    check_field(board, terms, resolve(context.services)())
    if name is not None and context.works_on is not None:
        context.works_on({"tournament": name})
    with (
        _journal(request, name, terms, plan, context) as journal,
        context.progress(plan.name, plan.meetings * request.games) as advance,
    ):
        tournament = hold(terms, plan, games=request.games, executor=context.executor, journal=journal, advance=advance)
    if not tournament.pairs:
        raise Interrupted(NOTHING.format(unit="pair"))
    return TournamentResult.of(tournament)


def _seed(request: TournamentRequest, board: AnyGame, name: str | None, context: Context) -> int:
    """A seed that has to be drawn is drawn here, or read where it was drawn before."""
    if name is None:
        return seed_for(board, request.agents, request.seed, context.journal)
    journal = journal_of(tournaments_folder(), name)
    if request.seed is None and (journal.parent / DOCUMENT).is_file():
        return SavedTournament.open(journal.parent).terms.seed
    return seed_for(board, request.agents, request.seed, journal)


def _journal(
    request: TournamentRequest, name: str | None, terms: Terms, plan: Format, context: Context
) -> "AbstractContextManager[Journal | None]":
    if name is None:
        return journal_at(context.journal, terms)
    return open_tournament(tournaments_folder(), name, terms, Plan(plan.name, request.games, request.rounds))


TOURNAMENT: Final = Operation(id="tournament", request=TournamentRequest, run=run, isolated=True)
