"""Many agents against each other, on any executor: who met, what came of it, and who was at fault."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from ludex.arena.duel import batches, pairs_of
from ludex.arena.entrants import UGI, make_entrant
from ludex.arena.journal import Journal
from ludex.arena.match_runner import play_isolated, play_pairs
from ludex.arena.pairs import Pair, PairKey, PairTask, PlayedGame, pair_tasks, task_size
from ludex.arena.schedules import Format, Meeting, Round
from ludex.arena.terms import Terms
from ludex.arena.ugi_go import words_of
from ludex.core.errors import BadOption
from ludex.core.executor import Executor
from ludex.core.game import AnyGame
from ludex.core.log import logger
from ludex.core.services import Services

log = logger("arena")


@dataclass(frozen=True)
class Tournament:
    """What was played."""

    terms: Terms
    format: str
    rounds: tuple[Round, ...]
    """Those that were begun."""
    pairs: Mapping[PairKey, Pair]
    """In the order of their keys, not of completion."""
    interrupted: bool

    @cached_property
    def meetings(self) -> Mapping[Meeting, Sequence[Pair]]:
        """The pairs of those who met, by their indices."""
        meetings: dict[Meeting, list[Pair]] = {}
        for key, pair in self.pairs.items():
            meetings.setdefault(key.seats, []).append(pair)
        return meetings

    @property
    def games(self) -> int:
        return sum(map(len, self.pairs.values()))

    @property
    def faults(self) -> Iterator[tuple[PairKey, PlayedGame]]:
        """The games that were forfeited."""
        return ((key, game) for key, pair in self.pairs.items() for game in pair if game.fault is not None)


def check_field(game: AnyGame, terms: Terms, services: Services) -> None:
    """Find out before the first game whether every agent can take part; an engine is started once to see."""
    if len(set(terms.agents)) != len(terms.agents):
        raise BadOption(f"each agent of a tournament has a name of its own, found {', '.join(terms.agents)}")
    for agent in terms.agents:
        entrant = make_entrant(game, agent, services)
        entrant.close()
        if agent.startswith(UGI) and terms.clock is None and not words_of(entrant.budget(terms.limit), 0):
            raise BadOption(f"{agent} needs a limit: --movetime, --depth, --nodes or --clock")


def hold(
    terms: Terms,
    plan: Format,
    *,
    games: int,
    executor: Executor,
    journal: Journal | None = None,
    advance: Callable[[int], None] = lambda games: None,
) -> Tournament:
    """Let the agents of the terms play, each meeting over so many games. Pairs of the journal are not played again.

    No result depends on the executor. Ctrl-C ends the tournament with the pairs finished so far.
    """
    count = _pairs_a_meeting(terms, games)
    size = task_size(count, one_by_one=journal is not None)
    recorded = {} if journal is None else journal.pairs
    finished: dict[PairKey, Pair] = {}
    rounds: list[Round] = []
    interrupted = False
    try:
        while meetings := plan.next_round(rounds, _points(terms, finished)):
            keys = _keys(meetings, len(rounds), count)
            rounds.append(meetings)
            there = {key: recorded[key] for key in keys if key in recorded}
            missing = [key for key in keys if key not in there]
            results = executor.run(play_pairs, _tasks(terms, meetings, missing, size), play_isolated)
            try:
                for batch in batches(there, results, journal):
                    finished |= batch
                    advance(sum(map(len, batch.values())))
                    if batch is not there:
                        _log_faults(terms, batch)
            finally:
                results.close()
    except KeyboardInterrupt:
        interrupted = True
    ordered = {key: finished[key] for key in sorted(finished)}
    return Tournament(terms, plan.name, tuple(rounds), ordered, interrupted)


def so_far(terms: Terms, plan: Format, *, games: int, pairs: Mapping[PairKey, Pair]) -> Tournament:
    """What these pairs are of a tournament that may still go on: `interrupted` if some are missing."""
    count = _pairs_a_meeting(terms, games)
    finished: dict[PairKey, Pair] = {}
    rounds: list[Round] = []
    complete = True
    while complete and (meetings := plan.next_round(rounds, _points(terms, finished))):
        indices = range(len(rounds) * count, (len(rounds) + 1) * count)
        rounds.append(meetings)
        # Of the pairs rather than of the keys: there may be few of a million.
        there = {key: pair for key, pair in pairs.items() if key.seats in meetings and key.index in indices}
        finished |= there
        complete = len(there) == len(meetings) * count
    ordered = {key: finished[key] for key in sorted(finished)}
    return Tournament(terms, plan.name, tuple(rounds), ordered, interrupted=not complete)


def _pairs_a_meeting(terms: Terms, games: int) -> int:
    if terms.players == 2:
        return pairs_of(games)
    if games < 1:
        raise BadOption(f"games must be at least 1, found {games}")
    return games


def _keys(meetings: Round, earlier: int, count: int) -> list[PairKey]:
    """The pairs of a round, in which each meeting is so many, after so many earlier rounds."""
    return [PairKey(meeting, earlier * count + index) for meeting in meetings for index in range(count)]


def _tasks(terms: Terms, meetings: Round, missing: Sequence[PairKey], size: int) -> Iterator[PairTask]:
    """A task of every meeting, then the next of each: the table means something long before the end."""
    by_meeting: dict[Meeting, list[int]] = {meeting: [] for meeting in meetings}
    for key in missing:
        by_meeting[key.seats].append(key.index)
    queues = (pair_tasks(terms, meeting, indices, size) for meeting, indices in by_meeting.items())
    for turn in zip_longest(*queues):
        yield from (task for task in turn if task is not None)


def _points(terms: Terms, finished: Mapping[PairKey, Pair]) -> list[float]:
    """Of every agent, one point per game."""
    points = [0.0] * len(terms.agents)
    for key, pair in finished.items():
        own = sum(game.points for game in pair)
        for agent, share in zip(key.seats, (own, len(pair) - own), strict=False):
            points[agent] += share
    return points


def _log_faults(terms: Terms, batch: Mapping[PairKey, Pair]) -> None:
    for key, pair in batch.items():
        for game in pair:
            if game.fault is not None:
                log.warning(
                    "forfeit",
                    agent=terms.agents[key.seats[game.loser]],
                    code=game.fault.code,
                    message=game.fault.message,
                    seed=game.seed,
                    ply=len(game.actions),
                )
