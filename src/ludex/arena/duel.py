"""Two agents over many side-swapped pairs, on any executor, with an honest account of the result."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ludex.arena.journal import Journal
from ludex.arena.match_runner import play_isolated, play_pairs
from ludex.arena.pairs import Pair, PairKey, PlayedGame, pair_score, pair_tasks, task_size
from ludex.arena.sprt import Evidence, Sprt
from ludex.arena.statistics import MoveTimes, interval95
from ludex.arena.terms import Terms
from ludex.core.errors import AgentFault, BadOption, Unsupported
from ludex.core.executor import Executor

SEATS = (0, 1)
"""A duel's only encounter."""


@dataclass(frozen=True, slots=True)
class Duel:
    """What was played."""

    terms: Terms
    pairs: tuple[Pair, ...]
    interrupted: bool
    sprt: Evidence | None
    """How the sequential test stands after these pairs; None if there was none."""
    fault: AgentFault | None = None
    """What ended it early: an agent crashed, was silent or moved illegally."""

    @property
    def played(self) -> list[PlayedGame]:
        return [game for pair in self.pairs for game in pair]

    @property
    def wins(self) -> tuple[int, int]:
        return sum(game.points > 0.5 for game in self.played), sum(game.points < 0.5 for game in self.played)

    @property
    def draws(self) -> int:
        return sum(game.points == 0.5 for game in self.played)

    @property
    def score(self) -> float:
        """The first agent's share of the points."""
        return sum(game.points for game in self.played) / len(self.played)

    @property
    def ci95(self) -> tuple[float, float]:
        return interval95([pair_score(pair) for pair in self.pairs])

    @property
    def win_rate(self) -> float:
        """The first agent's share of games won."""
        return self.wins[0] / len(self.played)

    @property
    def win_rate_ci95(self) -> tuple[float, float]:
        return interval95([((first.points > 0.5) + (second.points > 0.5)) / 2 for first, second in self.pairs])

    @property
    def distinct_games(self) -> int:
        """Different games played. Far below `games`, the interval says less than it seems to."""
        return len({(game.swapped, game.actions) for game in self.played})

    @property
    def time_forfeits(self) -> tuple[int, int]:
        """Games that each agent lost on time."""
        losers = [game.lost_on_time for game in self.played]
        return losers.count(0), losers.count(1)

    def move_times(self, agent: int) -> MoveTimes:
        return MoveTimes.of([micros for game in self.played for micros in game.micros[agent]])


def duel(
    terms: Terms,
    *,
    games: int,
    executor: Executor,
    sprt: Sprt | None = None,
    journal: Journal | None = None,
    advance: Callable[[int], None] = lambda games: None,
) -> Duel:
    """Play `games` seeded games with swapped seats, or fewer if the sequential test is decided before.

    The test reads pairs in the order of their indices and never past a missing one, so that its verdict does not
    depend on which worker is faster. Pairs of the journal are not played again. Ctrl-C and an agent's fault end the
    duel with the pairs finished so far; a fault before the first pair raises `AgentFault`.
    """
    if terms.players != 2:
        raise Unsupported(f"{terms.game} has one player: use eval or tournament, not match")
    if len(terms.agents) != 2:
        raise BadOption(f"a duel is between two agents, found {len(terms.agents)}: {', '.join(terms.agents)}")
    pairs = pairs_of(games)
    size = task_size(pairs, one_by_one=sprt is not None or journal is not None)
    recorded = {} if journal is None else {key: pair for key, pair in journal.pairs.items() if key.index < pairs}
    missing = (index for index in range(pairs) if PairKey(SEATS, index) not in recorded)
    finished: dict[int, Pair] = {}
    evidence = None if sprt is None else Evidence(sprt)
    interrupted, fault = False, None
    results = executor.run(play_pairs, pair_tasks(terms, SEATS, missing, size), play_isolated)
    try:
        for batch in batches(recorded, results, journal):
            finished |= {key.index: pair for key, pair in batch.items()}
            advance(2 * len(batch))
            if evidence is not None:
                evidence = _extend_evidence(evidence, finished)
                if evidence.verdict != "undecided":
                    break
    except KeyboardInterrupt:
        interrupted = True
    except AgentFault as error:
        if not finished:
            raise
        fault = error
    finally:
        results.close()
    counted = sorted(finished) if evidence is None else range(evidence.pairs)
    return Duel(terms, tuple(finished[index] for index in counted), interrupted, evidence, fault)


def pairs_of(games: int) -> int:
    """How many pairs so many games are. Raises `BadOption` if they are none."""
    if games < 2 or games % 2:
        raise BadOption(f"games must be even and at least 2, since seats are swapped, found {games}")
    return games // 2


def batches(
    kept: Mapping[PairKey, Pair], results: Iterable[tuple[int, Mapping[PairKey, Pair]]], journal: Journal | None
) -> Iterator[Mapping[PairKey, Pair]]:
    """First the recorded pairs, then the new ones, each recorded before it is yielded."""
    yield kept
    for _, fresh in results:
        if journal is not None:
            journal.append(fresh)
        yield fresh


def _extend_evidence(evidence: Evidence, finished: Mapping[int, Pair]) -> Evidence:
    while evidence.verdict == "undecided" and evidence.pairs in finished:
        evidence = evidence.after(pair_score(finished[evidence.pairs]))
    return evidence
