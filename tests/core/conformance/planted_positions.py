"""Planted bugs of games: positions as JSON, views and observations."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ludex.core.errors import BadPosition
from ludex.core.game import Action, AnyGame, Json, Mask, Observation, Player
from ludex.core.seeding import Rng
from tests.core.conformance.planted_rules import Plant, altered
from tests.core.conformance.toy_games import Clues, Guess, Heap, Nim, Riddle, UnsampledGuess, require_keys


class DumpTuple(Nim):
    def dump(self, state: Heap) -> Json:
        return {"pile": state.pile, "turn": state.turn, "moves": ()}  # type: ignore[dict-item]

    def load(self, data: Json) -> Heap:
        known = require_keys(data, ("pile", "turn", "moves"))
        if known["moves"] != []:
            raise BadPosition("moves")
        return super().load({"pile": known["pile"], "turn": known["turn"]})


@dataclass(frozen=True)
class Notes(Heap):
    notes: list[int] = field(default_factory=list)


class DumpShared(Nim):
    """Gives its own list away, or takes that of the document."""

    def initial(self, rng: Rng) -> Heap:
        return Notes(self.START, 0)

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        return Notes(after.pile, after.turn, [])

    def dump(self, state: Heap) -> Json:
        assert isinstance(state, Notes)
        return {"pile": state.pile, "turn": state.turn, "notes": state.notes}  # type: ignore[dict-item]

    def load(self, data: Json) -> Heap:
        known = require_keys(data, ("pile", "turn", "notes"))
        if not isinstance(known["notes"], list) or not all(type(note) is int for note in known["notes"]):
            raise BadPosition("notes")
        heap = super().load({"pile": known["pile"], "turn": known["turn"]})
        return Notes(heap.pile, heap.turn, known["notes"])


class LoadTakesList(DumpShared):
    def dump(self, state: Heap) -> Json:
        assert isinstance(state, Notes)
        return {"pile": state.pile, "turn": state.turn, "notes": list(state.notes)}


@dataclass(frozen=True)
class Memory(Heap):
    greedy: bool = False
    """The first move took three: then the last one loses."""


class LoadAccepts(Nim):
    def load(self, data: Json) -> Heap:
        return super().load(data) if isinstance(data, dict) else Heap(self.START, 0)


class LoadDefaults(Nim):
    def load(self, data: Json) -> Heap:
        return super().load({"turn": 0, **data} if isinstance(data, dict) else data)


class LoadConverts(Nim):
    def load(self, data: Json) -> Heap:
        if isinstance(data, dict) and isinstance(data.get("pile"), str):
            data = {**data, "pile": int(str(data["pile"]))}
        return super().load(data)


class LoadOverflows(Nim):
    def load(self, data: Json) -> Heap:
        if isinstance(data, dict) and type(data.get("pile")) is int:
            np.array([data["pile"]], np.int8)
        return super().load(data)


class LoadWithoutMoves(Nim):
    def load(self, data: Json) -> Heap:
        return Heap(-1, 0) if isinstance(data, dict) and data == {"pile": -1, "turn": 0} else super().load(data)


class LoadEats(Nim):
    def load(self, data: Json) -> Heap:
        heap = super().load(data)
        assert isinstance(data, dict)
        data.clear()
        return heap


POSITIONS = {
    "dump with a tuple": Plant(DumpTuple, {"dump_json"}),
    "dump with a number of numpy": Plant(
        altered(Nim, dump=lambda game, state: {"pile": np.int64(state.pile), "turn": state.turn}), {"dump_json"}
    ),
    "dump with a NaN": Plant(
        altered(Nim, dump=lambda game, state: {"pile": state.pile, "turn": state.turn, "value": float("nan")}),
        {"dump_json"},
    ),
    "dump shared": Plant(DumpShared, {"dump_private", "load_unchanged"}),
    "document kept": Plant(LoadTakesList, {"load_unchanged"}),
    "lossy load": Plant(
        altered(Nim, load=lambda game, data: replace(Nim.load(game, data), turn=0)), {"load_restores", "load_plays_on"}
    ),
    "load accepts garbage": Plant(LoadAccepts, {"load_refuses"}),
    "load fills in a missing key": Plant(LoadDefaults, {"load_refuses"}),
    "load converts": Plant(LoadConverts, {"load_refuses"}),
    "load overflows": Plant(LoadOverflows, {"load_total"}),
    "load of a position without moves": Plant(LoadWithoutMoves, {"load_total"}),
    "load eats its document": Plant(LoadEats, {"load_unchanged"}),
}


class TypeOfObservation(Nim):
    def observe(self, view: Heap) -> Observation:
        return {"pile": np.array([view.pile], np.float32 if view.turn else np.float64)}


class NanObservation(Nim):
    def observe(self, view: Heap) -> Observation:
        return {"share": np.array([view.pile / 7 if view.pile else np.nan])}


class SharedObservation(Nim):
    def __init__(self) -> None:
        self.kept: dict[Heap, Observation] = {}

    def observe(self, view: Heap) -> Observation:
        return self.kept.setdefault(view, super().observe(view))


class BlindPlayer(Nim):
    """Player 1 does not see the pile, and yet the information is said to be perfect."""

    def view(self, state: Heap, player: Player) -> Heap:
        return state if player == 0 else replace(state, pile=min(state.pile, 1))


class SaidPerfect(Guess):
    def __init__(self) -> None:
        super().__init__()
        self.info = replace(self.info, information="perfect")


@dataclass(frozen=True)
class Leak(Clues):
    secret: int = field(default=-1, compare=False)
    """Left out of the equality, as if that hid it."""


class LeakyView(Guess):
    def view(self, state: Riddle, player: Player) -> Clues:
        clues = super().view(state, player)
        return Leak(clues.tried, clues.luck, clues.turn, clues.found, state.secret)


class LeakToSecond(Guess):
    def view(self, state: Riddle, player: Player) -> Clues:
        clues = super().view(state, player)
        return replace(clues, found=state.secret) if player == 1 else clues


class LeakyMask(Guess):
    """The mask leaves the secret out: allowed by the rules, but it tells."""

    def legal(self, state: Riddle) -> Mask:
        mask = super().legal(state)
        if mask.sum() > 1:
            mask[state.secret] = False
        return mask


class LeakyText(Guess):
    def action_text(self, state: Riddle, action: Action) -> str:
        return super().action_text(state, action) + ("!" if action == state.secret else "")

    def parse_action(self, state: Riddle, text: str) -> Action:
        return super().parse_action(state, text[:2] if text.endswith("!") and len(text) == 3 else text)


class ClosedNim(Nim):
    """Views are no positions, and nothing draws a position from one."""

    def view(self, state: Heap, player: Player) -> Any:
        return state.pile, state.turn

    def observe(self, view: Any) -> Observation:
        return super().observe(Heap(*view))


class ForgetfulSample(Guess):
    """Draws a position without a guess."""

    def sample_state(self, view: Clues, rng: Rng) -> Riddle:
        return replace(super().sample_state(view, rng), tried=(False,) * self.NUMBERS)


class SampleFromProcess(Guess):
    def sample_state(self, view: Clues, rng: Rng) -> Riddle:
        return super().sample_state(view, Rng(random.getrandbits(64)))


def unchanged_secret(game: AnyGame, state: Heap, player: Player, rng: Rng) -> Heap:
    return state


VIEWS = {
    "hidden without vary_secret": Plant(Guess, {"secret_declared"}, vary_secret=None),
    "hides nothing": Plant(
        altered(Nim, info=replace(Nim.info, information="hidden"), sample_state=lambda game, view, rng: view),
        {"secret_varies"},
        vary_secret=unchanged_secret,
    ),
    "observation changes shape": Plant(
        altered(Nim, observe=lambda game, view: {"pile": np.zeros(view.pile, np.float32)}), {"observation_form"}
    ),
    "observation changes type": Plant(TypeOfObservation, {"observation_form"}),
    "observation is a list": Plant(
        altered(Nim, observe=lambda game, view: {"pile": [view.pile]}), {"observation_form"}
    ),
    "observation with a NaN": Plant(NanObservation, {"observation_finite"}),
    "shared observation": Plant(SharedObservation, {"observation_private"}),
    "false perfect information, one player": Plant(BlindPlayer, {"perfect_view", "state_sampled"}),
    "false perfect information": Plant(SaidPerfect, {"perfect_view", "state_sampled"}),
    "leaky view": Plant(LeakyView, {"secret_hidden", "state_sampled"}),
    "leak to the second player": Plant(LeakToSecond, {"secret_hidden"}),
    "leaky mask": Plant(LeakyMask, {"secret_hidden"}),
    "view that is no position": Plant(ClosedNim, {"state_sampled"}),
    "hidden without sample_state": Plant(UnsampledGuess, {"state_sampled"}),
    "sample with another view": Plant(ForgetfulSample, {"state_sampled"}),
    "sample from the process": Plant(SampleFromProcess, {"sample_deterministic"}),
    "leaky text": Plant(LeakyText, {"secret_hidden"}),
}
