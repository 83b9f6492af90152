"""Planted bugs of games: declarations, turns, masks, moves and outcomes."""

from dataclasses import replace

import numpy as np

from ludex.core.errors import DeclaredAbort, IllegalAction
from ludex.core.game import Action, Mask, Outcome, Player
from ludex.core.seeding import Rng
from tests.core.conformance.planted_bug import Plant, altered, declaring, overwrite
from tests.core.conformance.toy_games import AbortingNim, Guess, Heap, Nim, Riddle


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


class ViewMutates(Nim):
    def view(self, state: Heap, player: Player) -> Heap:
        overwrite(state, turn=player)
        return state


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


class HighScore(Nim):
    def outcome(self, state: Heap) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=tuple(3 * score for score in outcome.scores))


class OneScore(Nim):
    def outcome(self, state: Heap) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=(0.0,))


class NoReason(Nim):
    def outcome(self, state: Heap) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, reason="")


class EverybodyWins(Nim):
    def outcome(self, state: Heap) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=(1.0, 1.0))


class IllegalAccepted(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        return super().apply(state, min(action, state.pile - 1) if state.pile and 0 <= action < 3 else action, rng)


class MoveAfterTheEnd(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        return state if not state.pile and 0 <= action < 3 else super().apply(state, action, rng)


class IllegalWrongError(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        if 0 <= action < 3 and action >= state.pile:
            raise ValueError("no")
        return super().apply(state, action, rng)


class NegativeAccepted(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        return super().apply(state, action % 3 if -3 <= action < 0 else action, rng)


class RangeWrongError(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        if not self.legal(state)[action]:
            raise IllegalAction("no")
        return super().apply(state, action % 3, rng)


class LegalRefused(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        if state.pile == 3 and action == 2:
            raise IllegalAction("too greedy")
        return super().apply(state, action, rng)


class LegalCrashes(Nim):
    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        return [after][0 if after.pile != 2 else 5]


class StrayAbort(Nim):
    info = replace(Nim.info, aborts=("odd",))

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        if after.pile == 1:
            raise DeclaredAbort("of another code")
        return after


PLANTS = {
    "no actions": Plant(declaring(Nim, num_actions=0), {"declarations"}),
    "three players": Plant(declaring(Nim, players=3), {"declarations"}),
    "no phases": Plant(declaring(Nim, phases=()), {"declarations"}),
    "id with a space": Plant(declaring(Nim, id="the game"), {"declarations"}),
    "unknown chance": Plant(declaring(Nim, chance="deterministic"), {"declarations"}),
    "apply mutates": Plant(ApplyMutates, {"arguments_unchanged"}),
    "legal mutates": Plant(LegalMutates, {"arguments_unchanged"}),
    "view mutates": Plant(ViewMutates, {"arguments_unchanged"}),
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
    "empty mask": Plant(EmptyMask, {"mask_live"}),
    "mask after the end": Plant(
        altered(Nim, legal=lambda game, state: Nim.legal(game, state) | (state.pile == 0)), {"mask_end"}
    ),
    "shared mask": Plant(SharedMask, {"mask_private"}),
    "score out of range": Plant(HighScore, {"outcome_form"}),
    "one score for two": Plant(OneScore, {"outcome_form"}),
    "no reason": Plant(NoReason, {"outcome_form"}),
    "false zero sum": Plant(EverybodyWins, {"zero_sum"}),
    "illegal accepted": Plant(IllegalAccepted, {"illegal_refused"}),
    "move after the end": Plant(MoveAfterTheEnd, {"illegal_refused"}),
    "illegal raises another error": Plant(IllegalWrongError, {"illegal_refused"}),
    "negative accepted": Plant(NegativeAccepted, {"range_refused"}),
    "out of range raises another error": Plant(RangeWrongError, {"range_refused"}),
    "legal refused": Plant(LegalRefused, {"legal_accepted"}),
    "legal crashes": Plant(LegalCrashes, {"legal_accepted"}),
    "undeclared abort": Plant(altered(AbortingNim, info=Nim.info), {"abort_declared"}),
    "abort of another code": Plant(StrayAbort, {"abort_declared"}),
    "too long": Plant(declaring(Nim, max_plies=3), {"length"}),
}
