"""Holding a tournament: the one function behind `ludex tournament` and the jobs that play one."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from ludex.arena.journal import Journal, opened
from ludex.arena.saved_tournament import DOCUMENT, Plan, SavedTournament, journal_of, open_tournament
from ludex.arena.schedules import Format, format_of
from ludex.arena.seeds import seed_for
from ludex.arena.terms import Terms
from ludex.arena.tournament import Tournament, check_field, hold
from ludex.core.clock import Clock
from ludex.core.errors import BadOption
from ludex.core.executor import Executor
from ludex.core.folders import tournaments_folder
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.registry import resolve
from ludex.core.spec import Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSetup:
    """What a tournament is held from."""

    board: AnyGame
    agents: tuple[str, ...]
    services: Ref
    format: str | None = None
    games: int = 100
    """Per meeting; in a league per agent."""
    rounds: int | None = None
    """Of a Swiss tournament."""
    seed: int | None = None
    """None is 0; drawn where code of others plays a game with dice or secrets."""
    limit: Limit
    clock: Clock | None = None
    opening_plies: int = 0
    name: str | None = None
    """Saves it in the folder of tournaments, or resumes it there."""
    journal: Path | None = None
    """A file that keeps its pairs, for one without a name."""

    @property
    def plan(self) -> Format:
        """How the agents meet. Raises `BadOption`."""
        players = self.board.info.players
        return format_of(self.format, players=players, agents=len(self.agents), games=self.games, rounds=self.rounds)

    @property
    def planned(self) -> int:
        """How many games there will be."""
        return self.plan.meetings * self.games

    def terms(self) -> Terms:
        """What determines the games; a seed that has to be drawn is drawn here, or found where it was drawn before."""
        return Terms.of(
            self.board,
            self.agents,
            seed=self._seed(),
            limit=self.limit,
            clock=self.clock,
            opening_plies=self.opening_plies,
            services=self.services,
            forfeits=True,
        )

    def _seed(self) -> int:
        if self.name is None:
            return seed_for(self.board, self.agents, self.seed, self.journal)
        journal = journal_of(tournaments_folder(), self.name)
        if self.seed is None and (journal.parent / DOCUMENT).is_file():
            return SavedTournament.open(journal.parent).terms.seed
        return seed_for(self.board, self.agents, self.seed, journal)


def hold_tournament(setup: TournamentSetup, executor: Executor, advance: Callable[[int], None]) -> Tournament:
    """Play a tournament, or what is missing of one that was interrupted. No result depends on the executor."""
    if setup.name is not None and setup.journal is not None:
        raise BadOption("--name and --journal do not go together: a tournament with a name has a journal of its own")
    terms, plan = setup.terms(), setup.plan
    check_field(setup.board, terms, resolve(setup.services)())
    with _kept(setup, terms, plan) as journal:
        return hold(terms, plan, games=setup.games, executor=executor, journal=journal, advance=advance)


def _kept(setup: TournamentSetup, terms: Terms, plan: Format) -> "AbstractContextManager[Journal | None]":
    if setup.name is not None:
        return open_tournament(tournaments_folder(), setup.name, terms, Plan(plan.name, setup.games, setup.rounds))
    return nullcontext() if setup.journal is None else opened(setup.journal, terms)
