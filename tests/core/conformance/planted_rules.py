"""Planted bugs of games: declarations, turns, masks, moves, outcomes, chance, repetition, and actions as texts."""

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ludex.core.conformance.walk import VarySecret
from ludex.core.errors import IllegalAction
from ludex.core.game import Action, AnyGame, Mask, Observation, Outcome, Player
from ludex.core.seeding import Rng
from tests.core.conformance.toy_games import AbortingNim, Dash, Guess, Heap, Nim, Pig, Riddle, vary_secret

T = TypeVar("T")


@dataclass(frozen=True)
class Plant:
    """A bug, and the checks under which it must be found: these and no others."""

    make: Callable[[], AnyGame]
    checks: set[str]
    vary_secret: VarySecret | None = vary_secret
    plays: int = 3
    """In so many plays it shows."""


def altered(base: type[T], **members: Any) -> type[T]:
    """The class with other methods or declarations."""
    return type("Altered", (base,), members)


def declaring(base: type[Nim], **declarations: Any) -> Callable[[], AnyGame]:
    """The game with other declarations."""
    return altered(base, info=replace(base.info, **declarations))


def overwrite(value: Any, **changes: Any) -> None:
    """Change what is frozen."""
    for name, change in changes.items():
        object.__setattr__(value, name, change)


class ApplyMutates(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        overwrite(state, pile=after.pile)
        return after


class LegalMutates(Nim):
    def legal(self, state: Heap) -> Mask:
        mask = super().legal(state)
        overwrite(state, pile=max(state.pile - 1, 0))
        return mask


class ParseMutates(Nim):
    def parse_action(self, state: Heap, text: str) -> Action:
        overwrite(state, turn=1 - state.turn)
        return super().parse_action(state, text)


class RefusalMutates(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        try:
            return super().apply(state, action, rng)
        except IllegalAction:
            overwrite(state, turn=1 - state.turn)
            raise


class SecondPlayerAlone(Guess):
    def __init__(self) -> None:
        super().__init__(players=1)

    def to_move(self, state: Riddle) -> Player:
        return 1


class EmptyMask(Nim):
    def legal(self, state: Heap) -> Mask:
        return super().legal(state) & (state.pile > 1)

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        if state.pile == 1:
            raise IllegalAction("nothing can be taken")
        return super().apply(state, action, rng)


class SharedMask(Nim):
    def __init__(self) -> None:
        self.masks: dict[int, Mask] = {}

    def legal(self, state: Heap) -> Mask:
        return self.masks.setdefault(state.pile, super().legal(state))


def ending(**changes: Any) -> type[Nim]:
    """Nim with other outcomes."""

    def outcome(game: Nim, state: Heap) -> Outcome | None:
        usual = Nim.outcome(game, state)
        return usual and replace(usual, **changes)

    return altered(Nim, outcome=outcome)


class IllegalAccepted(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        return super().apply(state, min(action, state.pile - 1) if state.pile and 0 <= action < 3 else action, rng)


class MoveAfterTheEnd(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        return state if not state.pile and 0 <= action < 3 else super().apply(state, action, rng)


class NegativeAccepted(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        return super().apply(state, action % 3 if -3 <= action < 0 else action, rng)


class LegalRefused(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        if state.pile == 3 and action == 2:
            raise IllegalAction("too greedy")
        return super().apply(state, action, rng)


RULES = {
    "no actions": Plant(declaring(Nim, num_actions=0), {"declarations"}),
    "three players": Plant(declaring(Nim, players=3), {"declarations"}),
    "no phases": Plant(declaring(Nim, phases=()), {"declarations"}),
    "id with a space": Plant(declaring(Nim, id="the game"), {"declarations"}),
    "unknown chance": Plant(declaring(Nim, chance="deterministic"), {"declarations"}),
    "apply mutates": Plant(ApplyMutates, {"arguments_unchanged"}),
    "legal mutates": Plant(LegalMutates, {"arguments_unchanged"}),
    "parse mutates": Plant(ParseMutates, {"arguments_unchanged"}),
    "refusal mutates": Plant(RefusalMutates, {"refusal_unchanged"}),
    "third player": Plant(altered(Nim, to_move=lambda game, state: state.turn + 1), {"turn", "first_turn"}),
    "player of numpy": Plant(altered(Nim, to_move=lambda game, state: np.int64(state.turn)), {"turn", "file_equal"}),
    "second player of one": Plant(SecondPlayerAlone, {"turn"}),
    "second player begins": Plant(altered(Nim, initial=lambda game, rng: Heap(game.START, 1)), {"first_turn"}),
    "undeclared phase": Plant(
        altered(Nim, phase=lambda game, state: "play" if state.pile > 2 else "endgame"), {"phase"}
    ),
    "mask of ints": Plant(
        altered(Nim, legal=lambda game, state: Nim.legal(game, state).astype(np.int64)), {"mask_form"}
    ),
    "mask too long": Plant(
        altered(Nim, legal=lambda game, state: np.append(Nim.legal(game, state), False)), {"mask_form"}
    ),
    "empty mask": Plant(EmptyMask, {"mask_live", "load_total"}),
    "mask after the end": Plant(
        altered(Nim, legal=lambda game, state: Nim.legal(game, state) | (state.pile == 0)), {"mask_end"}
    ),
    "shared mask": Plant(SharedMask, {"mask_private"}),
    "one score for two": Plant(ending(scores=(0.0,)), {"outcome_form"}),
    "score out of range": Plant(ending(scores=(3.0, -3.0)), {"outcome_form"}),
    "no reason": Plant(ending(reason=""), {"outcome_form"}),
    "false zero sum": Plant(ending(scores=(1.0, 1.0)), {"zero_sum"}),
    "illegal accepted": Plant(IllegalAccepted, {"illegal_refused"}),
    "move after the end": Plant(MoveAfterTheEnd, {"illegal_refused"}),
    "negative accepted": Plant(NegativeAccepted, {"range_refused"}),
    "legal refused": Plant(LegalRefused, {"legal_accepted"}),
    "undeclared abort": Plant(altered(AbortingNim, info=Nim.info), {"abort_declared"}),
    "too long": Plant(declaring(Nim, max_plies=3), {"length"}),
}


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


class LoadedDie(Pig):
    def apply(self, state: Dash, action: Action, rng: Rng) -> Dash:
        # The worse of two rolls.
        return min((super(LoadedDie, self).apply(state, action, rng) for _ in range(2)), key=lambda dash: dash.gained)


class FewerSides(Pig):
    def chance_outcomes(self, state: Dash, action: Action) -> Sequence[tuple[float, Dash]]:
        outcomes = super().chance_outcomes(state, action)
        return [(chance * 1.5, after) for chance, after in outcomes[:2]] if len(outcomes) > 2 else outcomes


class MoreThanCertain(Pig):
    def chance_outcomes(self, state: Dash, action: Action) -> Sequence[tuple[float, Dash]]:
        return [(chance + 0.01, after) for chance, after in super().chance_outcomes(state, action)]


class ListedTwice(Pig):
    def chance_outcomes(self, state: Dash, action: Action) -> Sequence[tuple[float, Dash]]:
        return [(chance / 2, after) for chance, after in super().chance_outcomes(state, action) for _ in range(2)]


CHANCE = {
    "loaded die": Plant(LoadedDie, {"outcomes_followed"}, None),
    "outcome left out": Plant(FewerSides, {"outcomes_followed"}, None),
    "probabilities of more than 1": Plant(MoreThanCertain, {"outcomes_form"}, None),
    "outcome listed twice": Plant(ListedTwice, {"outcomes_form"}, None),
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


class TextWithSpace(Nim):
    def action_text(self, state: Heap, action: Action) -> str:
        return f"take {action + 1}"

    def parse_action(self, state: Heap, text: str) -> Action:
        return super().parse_action(state, text.replace("take ", "take", 1))


class OtherDigits(Nim):
    """`int` reads digits of every script."""

    def parse_action(self, state: Heap, text: str) -> Action:
        if text.startswith("take") and len(text) == 5 and text[4].isdecimal() and int(text[4]) in (1, 2, 3):
            return int(text[4]) - 1
        return super().parse_action(state, text)


class ParseJudges(Nim):
    def parse_action(self, state: Heap, text: str) -> Action:
        action = super().parse_action(state, text)
        if action >= state.pile:
            raise IllegalAction("not now")
        return action


class ParseRemembers(Nim):
    """Texts mean what they meant when they were first read."""

    def __init__(self) -> None:
        self.read: dict[str, Action] = {}

    def action_text(self, state: Heap, action: Action) -> str:
        return f"left{state.pile - action - 1}"

    def parse_action(self, state: Heap, text: str) -> Action:
        if len(text) != 5 or text[:4] != "left" or text[4] not in "0123456":
            return super().parse_action(state, "no")
        return self.read.setdefault(text, max(0, min(2, state.pile - 1 - int(text[4]))))


TEXTS = {
    "text with a space": Plant(TextWithSpace, {"text_form"}),
    "texts collide": Plant(
        altered(Nim, action_text=lambda game, state, action: f"take{min(action, 1) + 1}"), {"text_unique", "file_equal"}
    ),
    "text unread": Plant(
        altered(Nim, action_text=lambda game, state, action: f"T{action + 1}"), {"text_parsed", "file_equal"}
    ),
    "text remembered": Plant(ParseRemembers, {"text_parsed", "file_equal"}),
    "garbage raises another error": Plant(
        altered(Nim, parse_action=lambda game, state, text: ["take1", "take2", "take3"].index(text)),
        {"garbage_refused"},
    ),
    "digits of other scripts": Plant(OtherDigits, {"garbage_refused"}),
    "parse judges": Plant(ParseJudges, {"legality_unparsed"}),
}
