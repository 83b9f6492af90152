"""Planted bugs of games: positions as JSON."""

from dataclasses import dataclass, field, replace

import numpy as np

from ludex.core.errors import BadPosition
from ludex.core.game import Action, Json, Outcome, Player
from ludex.core.seeding import Rng
from tests.core.conformance.planted_bug import Plant, altered
from tests.core.conformance.toy_games import Heap, Nim, require_keys


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


class ForgetfulDump(Nim):
    """What the dump leaves out shows at the end of the match only."""

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        greedy = action == 2 if state.pile == self.START else getattr(state, "greedy", False)
        return Memory(after.pile, after.turn, greedy)

    def outcome(self, state: Heap) -> Outcome | None:
        outcome = super().outcome(state)
        swapped = outcome is not None and getattr(state, "greedy", False)
        return replace(outcome, scores=outcome.scores[::-1]) if outcome and swapped else outcome

    def view(self, state: Heap, player: Player) -> Heap:
        return Heap(state.pile, state.turn)

    def load(self, data: Json) -> Heap:
        heap = super().load(data)
        # Right at the end, so that only playing on shows the loss.
        return Memory(heap.pile, heap.turn, False)


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


class LoadEats(Nim):
    def load(self, data: Json) -> Heap:
        heap = super().load(data)
        assert isinstance(data, dict)
        data.clear()
        return heap


PLANTS = {
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
    "forgetful dump": Plant(ForgetfulDump, {"load_restores", "load_plays_on"}, plays=8),
    "load accepts garbage": Plant(LoadAccepts, {"load_refuses"}),
    "load fills in a missing key": Plant(LoadDefaults, {"load_refuses"}),
    "load raises another error": Plant(
        altered(Nim, load=lambda game, data: Heap(data["pile"], data["turn"])), {"load_refuses"}
    ),
    "load converts": Plant(LoadConverts, {"load_refuses"}),
    "load overflows": Plant(LoadOverflows, {"load_total"}),
    "load eats its document": Plant(LoadEats, {"load_unchanged"}),
}
