"""Batch environments with one planted bug each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.errors import IllegalAction
from ludex.core.game import Action, AnyGame, Observation, Player
from ludex.core.seeding import CHANCE, Rng, generator
from tests.core.conformance.planted_rules import altered
from tests.core.conformance.toy_games import GameLanes, Nim, OpenGuess


@dataclass(frozen=True)
class BatchPlant:
    """A bug, and the checks under which it must be found: these and no others."""

    make: Callable[[AnyGame, int], GameLanes]
    checks: set[str]
    game: Callable[[], AnyGame] = Nim


class TooFewActions(GameLanes):
    def __init__(self, game: AnyGame, num_lanes: int) -> None:
        super().__init__(game, num_lanes)
        self.num_actions -= 1


class Crashing(GameLanes):
    def move(self, lane: int, action: Action) -> None:
        if self.plies[lane] == 2:
            raise ZeroDivisionError
        super().move(lane, action)


class ResetKeepsEpisodes(GameLanes):
    def reset(self, seed: int) -> tuple[Observation, Info]:
        episodes = self.episode.copy()
        answer = super().reset(seed)
        self.episode[:] = episodes
        return answer


class StaleMask(GameLanes):
    """The mask shown is that of the ply before."""

    def __init__(self, game: AnyGame, num_lanes: int) -> None:
        super().__init__(game, num_lanes)
        self.shown = np.zeros_like(self.mask)

    def show(self, lane: int) -> None:
        before = self.mask[lane].copy()
        super().show(lane)
        self.shown[lane] = before if self.plies[lane] else self.mask[lane]

    def info(self) -> Info:
        return super().info() | {"mask": self.shown}


class WrongPlayer(GameLanes):
    def show(self, lane: int) -> None:
        super().show(lane)
        self.player[lane] = self.plies[lane] > 0 and 1 - self.player[lane]


class StaleObservation(GameLanes):
    def show(self, lane: int) -> None:
        copies = {name: array[lane].copy() for name, array in self.obs.items()}
        super().show(lane)
        if self.plies[lane] > 1:
            self.keep(self.obs, lane, copies)


class OtherType(GameLanes):
    def keep(self, buffers: dict[str, NDArray[Any]], lane: int, observation: Observation) -> None:
        super().keep(buffers, lane, {name: array.astype(np.float64) for name, array in observation.items()})


class ObservationNotReset(GameLanes):
    def begin(self, lane: int) -> None:
        copies = {name: array[lane].copy() for name, array in self.obs.items()}
        super().begin(lane)
        if self.episode[lane]:
            self.keep(self.obs, lane, copies)


class NoAutoReset(GameLanes):
    """A lane that ended shows its end and begins only in the next step."""

    def end(self, lane: int, mover: Player) -> None:
        last = self.game.observe(self.game.view(self.states[lane], mover))
        super().end(lane, mover)
        self.keep(self.obs, lane, last)
        self.mask[lane] = False


class SharedDice(GameLanes):
    def rng(self, lane: int) -> Rng:
        return generator(self.seed, self.plies[lane], CHANCE, episode=int(self.episode[lane]))


class RewardOfOther(GameLanes):
    def end(self, lane: int, mover: Player) -> None:
        super().end(lane, mover)
        self.reward[lane] = -self.reward[lane]


class RewardNan(GameLanes):
    shaped = True

    def move(self, lane: int, action: Action) -> None:
        super().move(lane, action)
        self.reward[lane] = np.nan


class NeverEnds(GameLanes):
    def end(self, lane: int, mover: Player) -> None:
        super().end(lane, mover)
        self.terminated[lane] = False


class TruncatesEarly(GameLanes):
    def end(self, lane: int, mover: Player) -> None:
        self.truncated[lane] = self.terminated[lane]
        super().end(lane, mover)

    def show(self, lane: int) -> None:
        super().show(lane)
        if self.plies[lane]:
            self.truncated[lane] = False


class FinalOfNext(GameLanes):
    """The final observation is taken after the new episode began."""

    def end(self, lane: int, mover: Player) -> None:
        super().end(lane, mover)
        self.keep(self.final_obs, lane, {name: array[lane] for name, array in self.obs.items()})


class IllegalExecuted(GameLanes):
    def refuse_illegal(self, actions: NDArray[np.int64]) -> None:
        for lane in range(self.num_lanes):
            if not 0 <= actions[lane] < self.num_actions or not self.mask[lane, actions[lane]]:
                actions[lane] = np.flatnonzero(self.mask[lane])[0]


class IllegalWrongError(GameLanes):
    def refuse_illegal(self, actions: NDArray[np.int64]) -> None:
        assert all(0 <= action < self.num_actions for action in actions)
        assert all(self.mask[lane, action] for lane, action in enumerate(actions))


class IllegalUnnamed(GameLanes):
    def refuse_illegal(self, actions: NDArray[np.int64]) -> None:
        try:
            super().refuse_illegal(actions)
        except IllegalAction:
            raise IllegalAction("some lane has an illegal action") from None


class MovesBeforeRefusal(GameLanes):
    """Lanes before the first illegal action have already moved."""

    def step(self, actions: NDArray[np.int64]) -> Step:
        try:
            self.refuse_illegal(actions)
        except IllegalAction:
            for lane, action in enumerate(actions):
                if not 0 <= action < self.num_actions or not self.mask[lane, action]:
                    raise
                self.move(lane, int(action))
        return super().step(actions)


class Tired(GameLanes):
    """The second run from a seed is not the first."""

    def __init__(self, game: AnyGame, num_lanes: int) -> None:
        super().__init__(game, num_lanes)
        self.seeds: set[int] = set()

    def reset(self, seed: int) -> tuple[Observation, Info]:
        used, self.seeds = seed in self.seeds, self.seeds | {seed}
        return super().reset(seed + 5 if used else seed)


BATCHES: dict[str, BatchPlant] = {
    "too few actions": BatchPlant(TooFewActions, {"lanes_declared"}),
    "crashes": BatchPlant(Crashing, {"answered"}),
    "old four-tuple": BatchPlant(
        altered(GameLanes, step=lambda lanes, actions: GameLanes.step(lanes, actions)[:4]), {"answered"}
    ),
    "observation of another type": BatchPlant(OtherType, {"reset_equal"}),
    "stale mask": BatchPlant(StaleMask, {"mask_equal"}),
    "wrong player": BatchPlant(WrongPlayer, {"player_equal"}),
    "stale observation": BatchPlant(StaleObservation, {"observation_equal"}),
    "observation not reset": BatchPlant(ObservationNotReset, {"auto_reset"}),
    "no auto-reset": BatchPlant(NoAutoReset, {"auto_reset"}),
    "episode uncounted": BatchPlant(
        altered(GameLanes, info=lambda lanes: GameLanes.info(lanes) | {"episode": np.zeros(lanes.num_lanes, np.int64)}),
        {"episode_counted"},
    ),
    "episodes kept by reset": BatchPlant(ResetKeepsEpisodes, {"repeatable"}),
    "dice shared by lanes": BatchPlant(SharedDice, {"observation_equal", "final_observation"}, OpenGuess),
    "reward of the other player": BatchPlant(RewardOfOther, {"reward_equal"}),
    "reward is NaN": BatchPlant(RewardNan, {"reward_form"}),
    "never ends": BatchPlant(NeverEnds, {"terminated_equal"}),
    "truncates early": BatchPlant(TruncatesEarly, {"truncated_rightly"}),
    "final observation of the next episode": BatchPlant(FinalOfNext, {"final_observation"}),
    "illegal raises another error": BatchPlant(IllegalWrongError, {"illegal_refused"}),
    "illegal executed": BatchPlant(IllegalExecuted, {"illegal_refused"}),
    "illegal lane unnamed": BatchPlant(IllegalUnnamed, {"illegal_named"}),
    "moves before refusing": BatchPlant(MovesBeforeRefusal, {"illegal_unmoved"}),
    "another run from the same seed": BatchPlant(Tired, {"repeatable"}, OpenGuess),
}
