"""Planted bugs of games: chance and repetition."""

import itertools
import random
from dataclasses import replace

import numpy as np

from ludex.core.game import Action, Mask, Observation, Outcome
from ludex.core.seeding import Rng
from tests.core.conformance.planted_bug import Plant, declaring
from tests.core.conformance.toy_games import Guess, Heap, Nim, Riddle


class NoFirstPosition(Nim):
    def initial(self, rng: Rng) -> Heap:
        raise KeyError("no file")


class InitialFromProcess(Guess):
    def initial(self, rng: Rng) -> Riddle:
        rng.bits()
        return Riddle(random.randrange(self.NUMBERS), (False,) * self.NUMBERS, 0, 0)


class InitialDraws(Nim):
    def initial(self, rng: Rng) -> Heap:
        rng.below(2)
        return super().initial(rng)


class HiddenDice(Guess):
    def __init__(self) -> None:
        super().__init__()
        self.rolls = itertools.cycle(range(6))

    def apply(self, state: Riddle, action: Action, rng: Rng) -> Riddle:
        after = super().apply(state, action, rng)
        return replace(after, luck=state.luck + 1 + next(self.rolls))


class ProcessDice(Guess):
    def apply(self, state: Riddle, action: Action, rng: Rng) -> Riddle:
        return replace(super().apply(state, action, rng), luck=state.luck + random.randint(1, 6))


class ApplyDraws(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        return replace(after, turn=after.turn ^ rng.below(1))


class ApplyDrawsByState(Nim):
    """As a kernel would, past the methods of the generator."""

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        rng.state = rng.state + 1
        return after


class RestlessObservation(Nim):
    def __init__(self) -> None:
        self.count = itertools.count()

    def observe(self, view: Heap) -> Observation:
        return {**super().observe(view), "noise": np.array(next(self.count), np.float32)}


class IdleProcessDraw(Nim):
    def legal(self, state: Heap) -> Mask:
        np.random.random()
        return super().legal(state)


class Remembers(Nim):
    """The first match changes how later ones begin."""

    ended = False

    def outcome(self, state: Heap) -> Outcome | None:
        self.ended |= state.pile == 0
        return super().outcome(state)

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        return replace(after, pile=after.pile - 1) if self.ended and state.pile == self.START else after


PLAYED_AGAIN = {"replay_equal", "file_equal", "load_plays_on"}
"""Where a match cannot be repeated."""


PLANTS = {
    "no first position": Plant(NoFirstPosition, {"initial_made"}),
    "initial from random": Plant(InitialFromProcess, {"initial_deterministic", "replay_equal", "file_equal"}),
    "initial draws": Plant(InitialDraws, {"initial_undrawn"}),
    "hidden dice": Plant(HiddenDice, {"apply_deterministic", *PLAYED_AGAIN}),
    "dice of the process": Plant(ProcessDice, {"apply_deterministic", "global_chance", *PLAYED_AGAIN}),
    "draws though chance is none": Plant(ApplyDraws, {"apply_undrawn"}),
    "draws like a kernel": Plant(ApplyDrawsByState, {"apply_undrawn"}),
    "chance never used": Plant(declaring(Nim, chance="sampled"), {"chance_sampled"}),
    "restless observation": Plant(
        RestlessObservation, {"answers_deterministic", "load_restores", "load_plays_on", "observation_private"}
    ),
    "idle draw": Plant(IdleProcessDraw, {"global_chance"}),
    "remembers earlier matches": Plant(Remembers, PLAYED_AGAIN),
}
