"""Two agents over many side-swapped pairs, on any executor, with an honest account of the result."""

from collections.abc import Callable
from dataclasses import dataclass

from ludex.arena.pairs import Pair, PairTask, PlayedGame, play_pairs
from ludex.arena.statistics import elo, interval95
from ludex.core.errors import BadOption, Unsupported
from ludex.core.executor import Executor
from ludex.core.game import AnyGame, Json
from ludex.core.limit import Limit
from ludex.core.spec import Ref

MOST_PAIRS = 50
"""A task has at most so many pairs, so that an interruption loses little of quick games."""
TASKS = 64
"""Slow games are cut into about as many tasks. Neither depends on the workers, and so no result does."""


@dataclass(frozen=True, slots=True)
class Duel:
    """What was played."""

    game: str
    preset: str
    agents: tuple[str, str]
    seed: int
    pairs: tuple[Pair, ...]
    interrupted: bool

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
        return interval95([(first.points + second.points) / 2 for first, second in self.pairs])

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

    def ms_per_move(self, agent: int) -> float:
        moves = sum(game.moves[agent] for game in self.played)
        return 1000 * sum(game.seconds[agent] for game in self.played) / moves if moves else 0.0

    def to_json(self) -> dict[str, Json]:
        """The shape of `ludex match --json`."""
        return {
            "game": self.game,
            "preset": self.preset,
            "agents": list(self.agents),
            "games": len(self.played),
            "wins": list(self.wins),
            "draws": self.draws,
            "score": self.score,
            "ci95": list(self.ci95),
            "elo": elo(self.score),
            "seed": self.seed,
            "distinct_games": self.distinct_games,
            "ms_per_move": [self.ms_per_move(0), self.ms_per_move(1)],
            "interrupted": self.interrupted,
        }


def duel(
    game: AnyGame,
    agents: tuple[str, str],
    *,
    games: int,
    seed: int,
    executor: Executor,
    limit: Limit | None = None,
    opening_plies: int = 0,
    services: Ref | None = None,
    advance: Callable[[int], None] = lambda games: None,
) -> Duel:
    """Play `games` seeded games with swapped seats. Ctrl-C ends it with the pairs finished so far."""
    if game.info.players != 2:
        raise Unsupported(f"{game.info.id} has one player: use eval, not match")
    if games < 2 or games % 2:
        raise BadOption(f"games must be even and at least 2, since seats are swapped, found {games}")
    pairs = games // 2
    size = max(1, min(MOST_PAIRS, pairs // TASKS))
    budget = limit or Limit()
    tasks = (
        PairTask(
            game=game.info.id,
            preset=game.info.preset,
            agents=agents,
            limits=(budget.time_ms, budget.depth, budget.nodes),
            seed=seed,
            first=first,
            count=min(size, pairs - first),
            opening_plies=opening_plies,
            services=services,
        )
        for first in range(0, pairs, size)
    )
    finished: dict[int, list[Pair]] = {}
    interrupted = False
    results = executor.run(play_pairs, tasks)
    try:
        for index, result in results:
            finished[index] = result
            advance(2 * len(result))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        results.close()
    played = tuple(pair for index in sorted(finished) for pair in finished[index])
    return Duel(game.info.id, game.info.preset, agents, seed, played, interrupted)
