"""A learner against an agent, one plain game at a time: what `OpponentBatch` must equal."""

from dataclasses import dataclass

import numpy as np

from ludex.core.agent import AnyAgent
from ludex.core.game import Mask, Observation
from ludex.core.limit import Limit
from ludex.core.seeding import CHANCE, agent_stream, generator
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import DeployUnit, UndeployUnit
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import places, points, units_of


@dataclass
class Came:
    """What a step brought."""

    reward: float
    score: float | None
    final: Observation | None


class SlowVersus:
    """One lane. `seat` is 0, 1, or None for both."""

    def __init__(self, game: Skirmish, seed: int, lane: int, seat: int | None, agent: AnyAgent | None) -> None:
        self.game, self.seed, self.lane = game, seed, lane
        self.adapter, self.agent = SeatAdapter(game), agent
        self.episode = 0
        self.seat = seat
        self._begin()

    @property
    def observed(self) -> Observation:
        return self.adapter.observe(self.game.view(self.position, self.position.to_move))

    @property
    def mask(self) -> Mask:
        return self.adapter.mask(self.position.to_move, self.game.legal(self.position))

    def step(self, action: int, next_seat: int | None) -> Came:
        """The learner's action, in the seat's index, and the agent's answers."""
        learner = self.position.to_move
        reward = self._ply(self.adapter.action(learner, action), learner)
        while True:
            outcome = self.game.outcome(self.position)
            if outcome is not None:
                final = self.adapter.observe(self.game.view(self.position, learner))
                self.episode += 1
                self.seat = next_seat
                self._begin()
                return Came(reward, outcome.scores[learner], final)
            if self.seat in (None, self.position.to_move):
                return Came(reward, None, None)
            reward += self._answer(learner)

    def _begin(self) -> None:
        self.ply = 0
        self.position = self.game.initial(generator(self.seed, 0, CHANCE, lane=self.lane, episode=self.episode))
        while self.seat not in (None, self.position.to_move):
            self._answer(0)

    def _answer(self, learner: int) -> float:
        mover = self.position.to_move
        rng = generator(self.seed, self.ply + 1, agent_stream(mover), lane=self.lane, episode=self.episode)
        assert self.agent is not None
        view = self.game.view(self.position, mover)
        decision = self.agent.decide(view, self.game.legal(self.position), rng=rng, limit=Limit())
        return self._ply(decision.action, learner)

    def _ply(self, action: int, learner: int) -> float:
        """Play, and say what it was worth to the learner."""
        self.ply += 1
        before, mover = self.position, self.position.to_move
        rng = generator(self.seed, self.ply, CHANCE, lane=self.lane, episode=self.episode)
        self.position = self.game.apply(before, action, rng)
        reward = standing(self.game, self.position, learner) - standing(self.game, before, learner)
        if mover == learner:
            meaning = self.game.table.decode(before, action)
            if isinstance(meaning, DeployUnit):
                reward += placement(self.game, (meaning.col, meaning.row), learner)
            if isinstance(meaning, UndeployUnit):
                taken = places(self.game, before)[meaning.unitId]
                assert taken is not None
                reward -= placement(self.game, taken, learner)
        return reward


def standing(game: Skirmish, position: Position, player: int) -> float:
    """A player's reward for damage, points and the end, by the config."""
    terms = game.scenario.game.rewards
    shares = []
    for side in (1, 2):
        units = [unit for unit in game.units if unit.player == side]
        states = units_of(game, position)
        lost = sum(unit.value * (1 - states[unit.id].wounds / unit.type.wounds) for unit in units)
        shares.append(lost / sum(unit.value for unit in units))
    reward = terms.damage_dealt * shares[1 - player] + terms.damage_taken * shares[player]
    reward += terms.objective_point * points(position)[player]
    outcome = game.outcome(position)
    if outcome is not None:
        reward += {1.0: terms.win, 0.0: terms.draw, -1.0: terms.loss}[outcome.scores[player]]
    return reward


def placement(game: Skirmish, place: tuple[int, int], player: int) -> float:
    """The shaping of one placement, by the config."""
    terms, grid = game.scenario.game.rewards.deployment, game.scenario.grid
    where = grid.index(*place)
    nearest = min(int(grid.distance[where, objective]) for objective in game.scenario.objectives)
    hidden = np.mean([not game.sees[where, enemy] for enemy in game.scenario.pools[1 - player]])
    return float(
        terms.per_placement + terms.near_objective * max(0.0, 1 - nearest / grid.cols) + terms.in_cover * hidden
    )
