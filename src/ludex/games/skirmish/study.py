"""What a deployment is worth: the same player in the battle after different ways to place its units."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ludex.core.executor import Executor
from ludex.core.match import play
from ludex.core.registry import make, make_agent
from ludex.core.statistics import gain95
from ludex.games.skirmish.engine.layout import DEPLOYMENT, HEX, NOWHERE, PHASE, UNIT_WORDS, UNITS
from ludex.games.skirmish.engine.turning import half_turn
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.refusal import deadlock


@dataclass(frozen=True)
class Bout:
    """One game of a player against an opponent: a task for an executor."""

    preset: str
    player: str
    opponent: str
    seat: int
    """0 or 1: whom the player plays."""
    seed: int


@dataclass(frozen=True)
class Played:
    """What a bout came to."""

    score: float
    """-1, 0 or 1 for the player."""
    placed: tuple[int, ...]
    """Where its units stood when the battle began, by id, as it sees the board from its own end."""


@dataclass(frozen=True)
class Way:
    """One way to deploy, over many bouts; bouts 2k and 2k + 1 have the same seed and swapped seats."""

    player: str
    bouts: tuple[Played, ...]

    @property
    def scores(self) -> NDArray[np.float64]:
        """[bouts]: 0, a half or 1."""
        return (np.array([one.score for one in self.bouts]) + 1) / 2

    def gain_over(self, other: "Way") -> tuple[float, float, float]:
        """How much more it scores on the same seeds and seats, with the ends of the 95 % interval over pairs."""
        return gain95((self.scores - other.scores).reshape(-1, 2).mean(axis=1).tolist())

    def heat(self, hexes: int) -> NDArray[np.float64]:
        """float64[hexes]: the share of the games in which one of its units stood there when the battle began."""
        counts = np.zeros(hexes)
        for one in self.bouts:
            np.add.at(counts, list(one.placed), 1)
        return counts / len(self.bouts)


@lru_cache(maxsize=4)
def _game(preset: str) -> Skirmish:
    game = make("skirmish", preset)
    assert isinstance(game, Skirmish)
    return game


def fight_out(bout: Bout) -> Played:
    """Play one bout. Raises `DeploymentDeadlockError` where the deployment cannot be finished."""
    game = _game(bout.preset)
    names = (bout.player, bout.opponent) if bout.seat == 0 else (bout.opponent, bout.player)
    match = play(game, [make_agent(game, name) for name in names], seed=bout.seed)
    outcome = match.outcome
    if outcome is None:
        raise deadlock(game.scenario, match.state, f"seed {bout.seed}: ")
    begins = next(one for one in match.positions if one.words[PHASE] != DEPLOYMENT)
    shown = half_turn(game.scenario).hexes[bout.seat]
    own = [number for number, unit in enumerate(game.units) if unit.player - 1 == bout.seat]
    hexes = [int(begins.words[UNITS + number * UNIT_WORDS + HEX]) for number in own]
    return Played(outcome.scores[bout.seat], tuple(int(shown[where]) for where in hexes if where != NOWHERE))


def compare(
    executor: Executor,
    preset: str,
    players: Sequence[str],
    opponent: str,
    games: int,
    seed: int,
    advance: Callable[[int], None],
) -> list[Way]:
    """As many games of each player against an opponent, on the same seeds, half of them from either seat."""
    bouts = [
        Bout(preset, player, opponent, number % 2, seed + number // 2) for player in players for number in range(games)
    ]
    found: dict[int, Played] = {}
    for index, one in executor.run(fight_out, bouts):
        found[index] = one
        advance(1)
    return [
        Way(player, tuple(found[place * games + number] for number in range(games)))
        for place, player in enumerate(players)
    ]
