"""How strong a network is, and where it places its units: scores, deployment metrics and the worth of placements."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludex.arena.statistics import gain95, interval95
from ludex.core.game import Mask, Observation
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponent_batch import DeploymentMetrics, OpponentBatch
from ludex.games.skirmish.env.opponents import (
    Opponent,
    OpponentLike,
    Policy,
    opponent_of,
)
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.hexes import NO_DISTANCE, sight_table
from ludex.learn.runs import Row

NOT_PLACED = -1


@dataclass(frozen=True)
class Ground:
    """What a scenario's hexes are like, by player and hex slot as that player counts: float64[2, slots]."""

    front: NDArray[np.float64]
    """How near the enemy's zone is, as minus the steps to it."""
    objective: NDArray[np.float64]
    """How near the nearest objective is, as minus the steps to it."""
    cover: NDArray[np.float64]
    """The share of the enemy's zone that does not see it."""
    hexes: NDArray[np.int64]
    """int64[2, slots]: the hex itself, as its player sees the board from its own end."""


def ground_of(game: Skirmish) -> Ground:
    """The ground of a game's scenario."""
    scenario, distance = game.scenario, game.scenario.grid.distance
    orientation = half_turn(scenario)
    sees = sight_table(scenario.grid, scenario.walls)
    measures = np.zeros((3, 2, game.table.hex_slots))
    slots = np.zeros((2, game.table.hex_slots), np.int64)
    for player, pool in enumerate(scenario.pools):
        enemies = list(scenario.pools[1 - player])
        # The player's slots are the pool by the hexes as it sees them.
        for slot, where in enumerate(sorted(pool, key=lambda h: int(orientation.hexes[player][h]))):
            slots[player, slot] = orientation.hexes[player][where]
            measures[0, player, slot] = -float(distance[where, enemies].min(initial=NO_DISTANCE))
            measures[1, player, slot] = -float(distance[where, list(scenario.objectives)].min(initial=NO_DISTANCE))
            measures[2, player, slot] = 1.0 - float(np.mean(sees[where, enemies])) if enemies else 1.0
    front, objective, cover = measures
    return Ground(front, objective, cover, slots)


@dataclass
class PlacementLog:
    """The placements of a learner in many lanes, and the outcome of each when the game was over."""

    game: Skirmish
    num_lanes: int
    rows: list[tuple[float, ...]] = field(default_factory=list)
    """One per placed unit: front, objective, cover, whether it survived, the share of it that was lost, and the share
    of the enemy's value that it destroyed itself."""

    def __post_init__(self) -> None:
        self._ground = ground_of(self.game)
        units = self.game.units
        self._wounds, self._value = np.array([(unit.type.wounds, unit.type.value) for unit in units], float).T
        self._owner = np.array([unit.player - 1 for unit in units])
        self._dealt = np.zeros((self.num_lanes, len(units)))
        self._slots = np.full((self.num_lanes, self.game.table.unit_slots), NOT_PLACED)
        self._games = 0
        self._stood = np.zeros(self.game.scenario.grid.size)

    def note(self, actions: NDArray[np.int64], placing: NDArray[np.bool_]) -> None:
        """`deploy_unit` indices in the lanes of `placing: bool[N]`, in the indices of the player that placed."""
        lanes = np.flatnonzero(placing)
        units, hexes = np.divmod(actions[lanes], self.game.table.hex_slots)
        self._slots[lanes, units] = hexes

    def credit(self, before: NDArray[np.int16], after: NDArray[np.int16], acting: NDArray[np.bool_]) -> None:
        """Credit the enemy's losses of a ply to the unit that was active, in the lanes of `acting: bool[N]`.

        `before` and `after` are the positions around the ply, int16[N, words].
        """
        lanes = np.flatnonzero(acting & np.not_equal(before[:, layout.ACTIVE], layout.NONE))
        units = before[lanes, layout.ACTIVE]
        lost = (self._wounds_in(before[lanes]) - self._wounds_in(after[lanes])) / self._wounds * self._value
        enemy = self._owner != self._owner[units][:, None]
        self._dealt[lanes, units] += (lost * enemy).sum(axis=1) / (self._value * enemy).sum(axis=1)

    def settle(self, ended: NDArray[np.bool_], seats: NDArray[np.int8], states: NDArray[np.int16]) -> None:
        """Close the account of lanes that ended in `states: int16[N, words]`, with the learner in `seats: int8[N]`."""
        ground = self._ground
        for lane in np.flatnonzero(ended).tolist():
            seat = int(seats[lane])
            self._games += 1
            wounds = self._wounds_in(states[lane])
            lost = 1.0 - wounds / self._wounds
            for unit_slot, unit in enumerate(np.flatnonzero(self._owner == seat).tolist()):
                slot = self._slots[lane, unit_slot]
                if slot != NOT_PLACED:
                    where = (ground.front[seat, slot], ground.objective[seat, slot], ground.cover[seat, slot])
                    self._stood[ground.hexes[seat, slot]] += 1
                    outcome = (float(wounds[unit] > 0), float(lost[unit]), float(self._dealt[lane, unit]))
                    self.rows.append((*map(float, where), *outcome))
            self._slots[lane] = NOT_PLACED
            self._dealt[lane] = 0.0

    def _wounds_in(self, states: NDArray[np.int16]) -> NDArray[np.int16]:
        """int16[..., units]: what each unit can still take in `states: int16[..., words]`."""
        wounds: NDArray[np.int16] = states[..., layout.UNITS + layout.WOUNDS :: layout.UNIT_WORDS]
        return wounds[..., : len(self._wounds)]

    def heat(self) -> NDArray[np.float64]:
        """float64[hexes]: the share of the games in which a unit was placed there, seen from the own end."""
        return self._stood / max(1, self._games)

    def correlations(self) -> Row:
        """Correlations of placements and outcomes, -1 to 1; None where one of the two never varies."""
        table = np.array(self.rows).reshape(-1, 6)
        row: Row = {}
        for place, where in enumerate(("front", "objective", "cover")):
            for outcome, what in enumerate(("survival", "damage_taken", "damage_dealt"), 3):
                row[f"placement_{where}_{what}"] = _correlation(table[:, place], table[:, outcome])
        return row


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    if len(first) < 2 or first.std() == 0.0 or second.std() == 0.0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


class PlacementRule:
    """A policy of the deployment alone: another policy, `first` for the first free hexes, or `uniform` for chance.

    It never takes a unit back.
    """

    def __init__(self, game: Skirmish, rule: Policy | str, seed: int) -> None:
        table = game.table
        self._placements = table.sizes[branches.DEPLOY]
        self._undeploys = slice(table.begins[branches.UNDEPLOY], table.begins[branches.UNDEPLOY + 1])
        self._rule = rule
        self._random = np.random.default_rng(seed)

    def __call__(self, obs: Observation, masks: Mask) -> NDArray[np.int64]:
        allowed = masks.copy()
        allowed[:, self._undeploys] = False
        if callable(self._rule):
            return self._rule(obs, allowed)
        places = allowed[:, : self._placements]
        weights = self._random.random(places.shape) if self._rule == "uniform" else 1.0
        placement = np.where(places, weights, -1.0).argmax(axis=1)
        actions: NDArray[np.int64] = np.where(places.any(axis=1), placement, allowed.argmax(axis=1))
        return actions


class ComposedPlayer:
    """A player whose units one chooser places and another leads in battle."""

    def __init__(self, placement: Opponent, battle: Opponent) -> None:
        self._placement, self._battle = placement, battle

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        placing = np.equal(batch.lanes.states[lanes, layout.PHASE], layout.DEPLOYMENT)
        actions = np.zeros(len(lanes), np.int64)
        for player, part in ((self._placement, placing), (self._battle, ~placing)):
            if part.any():
                actions[part] = player.choose(batch, lanes[part])
        return actions


MOST_LANES = 256


@dataclass(frozen=True)
class Evaluation:
    """The results of a policy's games against one opponent."""

    opponent: str
    scores: NDArray[np.float64]
    """[games]: -1, 0 or 1 for the policy; games 2k and 2k + 1 are from either seat.

    They are neighbours in a lane or, where each lane plays an odd number of games, in two lanes: seats alternate both
    from game to game and from lane to lane.
    """
    metrics: DeploymentMetrics
    placements: PlacementLog

    @property
    def win_rate(self) -> float:
        """Draws count half."""
        return float((self.scores.mean() + 1) / 2)

    @property
    def ci95(self) -> tuple[float, float]:
        """Over pairs of games with swapped seats."""
        return interval95(((self.scores.reshape(-1, 2).mean(axis=1) + 1) / 2).tolist())

    def gain_over(self, other: "Evaluation") -> tuple[float, float, float]:
        """How much more it scores against the same opponent on the same dice, with its interval over pairs."""
        pairs = (self.scores - other.scores).reshape(-1, 2).mean(axis=1) / 2
        return gain95(pairs.tolist())

    def row(self) -> Row:
        """As a row of a run's metrics."""
        return {
            "opponent": self.opponent,
            "games": len(self.scores),
            "win_rate": self.win_rate,
            "ci95": list(self.ci95),
            **self.metrics.named(),
            **self.placements.correlations(),
            "hex_slots": self.metrics.hex_slots.tolist(),
            "unit_slots": self.metrics.unit_slots.tolist(),
        }


def evaluate(
    game: Skirmish,
    player: OpponentLike,
    opponent: OpponentLike,
    name: str,
    games: int,
    seed: int,
    *,
    most_lanes: int = MOST_LANES,
    advance: Callable[[int], None] = lambda games: None,
) -> Evaluation:
    """Play `games`, an even number, half of them from either seat; `advance(n)` is called for games that ended."""
    if games < 2 or games % 2:
        raise ValueError(f"games must be even and at least 2, for half are played from either seat; found {games}")
    lanes = max(count for count in range(1, min(games, most_lanes) + 1) if games % count == 0)
    learner = opponent_of(game, player)
    batch = OpponentBatch(game, lanes, seat="alternating", opponent=opponent)
    log = PlacementLog(game, lanes)
    each = games // lanes
    scores = np.zeros((lanes, each))
    played = np.zeros(lanes, np.int64)
    batch.reset(seed)
    while (playing := played < each).any():
        seats, ours, before = batch.seats, batch.learner_to_move & playing, batch.states.copy()
        placing = batch.deploying & ours
        actions, ended = batch.tick(learner, playing)
        log.note(actions, placing & (actions < game.table.sizes[branches.DEPLOY]))
        score, finals = batch.ends
        log.credit(before, np.where(ended[:, None], finals, batch.states), ours & ~placing)
        scores[ended, played[ended]] = score[ended]
        log.settle(ended, seats, finals)
        played += ended
        advance(int(ended.sum()))
    return Evaluation(name, scores.reshape(-1), batch.metrics, log)
