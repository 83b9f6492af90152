"""Positions of Skirmish as people edit them: units with their wounds, the phase, the turn and the points.

What is edited stands at the beginning of its phase: every unit of the player whose turn it is may act again, as far as
there is something to do. A position that was only read keeps the units that have acted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ludex.core.editing import Setting, Tool, setting_choice, setting_number
from ludex.core.errors import BadPosition, MalformedAction
from ludex.core.game import AnyGame, Mask, Player
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Move
from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.play import settle
from ludex.games.skirmish.rules.engine.records import thread_scratch
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.rules.scenario import name_title
from ludex.games.skirmish.rules.serialization import UnitDump, position_of

PHASES: Final = ("deployment", "move", "shoot", "charge", "fight")
REMOVE, WOUND = "remove", "wound"
NUMBERS: Final = ("turn", "player", "to_move", "rolled")
PAIRS: Final = ("points", "undeploys_left")
WORDS: Final = ("phase", "doing", "fight_stage", "active", "target")
KEYS: Final = ("phase", "turn", "player", "to_move", "points", "active", "doing", "rolled", "target", "fight_stage")
"""The lines of a text before those of the units; `undeploys_left` and `confirmed` follow where they differ."""
NO_ACTIVATION: Final = {"active": None, "doing": "nothing", "rolled": 0, "target": None, "fight_stage": "chargers"}
"""No unit has been activated."""


@dataclass(frozen=True, slots=True)
class SkirmishDraft:
    """A position as its dump has it."""

    game: Skirmish
    dump: Mapping[str, Any]

    @property
    def text(self) -> str:
        fresh = {**NO_ACTIVATION, **_terms(self.game)}
        keys = [key for key in (*KEYS, *_terms(self.game)) if key not in fresh or self.dump[key] != fresh[key]]
        lines = [f"{key} {_format_value(self.dump[key])}" for key in keys]
        return "\n".join([*lines, *(f"unit {unit}" for unit in self.dump["units"])])

    @property
    def view(self) -> View:
        return View(_load_position(self.game, self.dump), 0)

    @property
    def places(self) -> Mask:
        """The walks to every hex."""
        mask = np.zeros(self.game.info.num_actions, np.bool_)
        grid = self.game.scenario.grid
        begin = self.game.table.begins[branches.MOVE]
        mask[begin : begin + grid.size] = grid.exists
        return mask

    @property
    def to_move(self) -> Player:
        return int(self.dump["to_move"]) - 1

    @property
    def tools(self) -> Sequence[Tool]:
        units = [
            Tool(
                name=unit.id,
                title=Message(
                    "skirmish.edit_unit", {"unit": name_title(unit.name), "id": unit.id, "player": unit.player}
                ),
                symbol=unit.id,
            )
            for unit in self.game.units
        ]
        wound = Tool(name=WOUND, title=Message("skirmish.edit_wound"))
        return [*units, wound, Tool(name=REMOVE, title=Message("skirmish.edit_remove"), symbol="⌫", key="e")]

    @property
    def settings(self) -> Sequence[Setting]:
        scenario, points = self.game.scenario.game, self.dump["points"]
        most = scenario.turns * scenario.scoring.most_per_turn
        players = {str(player): Message("skirmish.edit_side", {"player": player}) for player in (1, 2)}
        phases = {phase: Message(f"skirmish.phase_{phase}") for phase in PHASES}
        return [
            _setting("phase", self.dump["phase"], choices=phases),
            _setting("player", self.dump["player"], choices=players),
            _setting("turn", max(1, self.dump["turn"]), bounds=(1, scenario.turns)),
            *(_setting(f"points_{player}", points[player - 1], bounds=(0, most)) for player in (1, 2)),
        ]

    def put(self, tool: str, place: str) -> "SkirmishDraft":
        """A unit on a hex, whole if it was destroyed; or what stands there loses a wound, or is taken away."""
        name = place.removeprefix(f"{Move.word}/")
        units = [UnitDump.read(text) for text in self.dump["units"]]
        ids = [unit.id for unit in units]
        if tool not in (*ids, WOUND, REMOVE):
            raise BadPosition.of(Message("skirmish.position_tool", {"tool": tool[:20]}))
        self._require_ground(name)
        here = next((index for index, unit in enumerate(units) if unit.hex == name), None)
        if tool in ids:
            index = ids.index(tool)
            if here is not None and here != index:
                raise BadPosition.of(Message("skirmish.position_taken", {"hex": name, "unit": ids[here]}))
            whole = self.game.units[index].type.wounds
            units[index] = UnitDump(tool, name, units[index].wounds or whole, ("deployed",))
        elif here is None:
            raise BadPosition.of(Message("skirmish.position_nobody", {"hex": name}))
        else:
            units[here] = self._reduce_unit(units[here], tool)
        return self._begin_phase(units, {})

    def set(self, setting: str, value: str) -> "SkirmishDraft":
        """The phase, whose turn it is, which turn, or a player's points."""
        known = {each.name: each for each in self.settings}
        if setting not in known:
            raise BadPosition.of(Message("skirmish.position_tool", {"tool": setting[:20]}))
        units = [UnitDump.read(text) for text in self.dump["units"]]
        if known[setting].bounds is None:
            choice = setting_choice(known[setting], value)
            return self._begin_phase(units, {setting: choice if setting == "phase" else int(choice)})
        number = setting_number(known[setting], value)
        if setting == "turn":
            return self._begin_phase(units, {"turn": number})
        points = [*self.dump["points"]]
        points[int(setting == "points_2")] = number
        return replace(self, dump={**self.dump, "points": points})

    def position(self, rng: Rng) -> Position:
        """The position, and from there on to where a player has a choice: nothing may be left to do in a phase."""
        words, work = self.view.position.words.copy(), thread_scratch()
        settle(self.game.constants, words, work)
        return Position(words.tobytes())

    def _require_ground(self, name: str) -> None:
        scenario = self.game.scenario
        try:
            where = scenario.grid.parse(name)
        except MalformedAction:
            raise BadPosition.of(Message("skirmish.position_hex", {"hex": name[:20]})) from None
        if scenario.walls[where]:
            raise BadPosition.of(Message("skirmish.position_wall", {"hex": name}))

    def _reduce_unit(self, unit: UnitDump, tool: str) -> UnitDump:
        """A unit with a wound less, or taken away: before the battle it waits, in the battle it is destroyed."""
        if tool == WOUND and unit.wounds > 1:
            return unit._replace(wounds=unit.wounds - 1)
        if tool == REMOVE and self.dump["phase"] == "deployment":
            return unit._replace(hex=None, marks=())
        return unit._replace(hex=None, wounds=0)

    def _begin_phase(self, units: list[UnitDump], changes: Mapping[str, Any]) -> "SkirmishDraft":
        """The draft at the beginning of its phase, where every unit of the player may act."""
        dump = {**self.dump, **NO_ACTIVATION, **changes}
        deploying = dump["phase"] == "deployment"
        dump["turn"] = 0 if deploying else max(1, dump["turn"])
        dump["to_move"] = dump["player"]
        owners = {unit.id: unit.player for unit in self.game.units}
        acts = "fight" != dump["phase"] != "deployment"
        marked = []
        for unit in units:
            ready = acts and unit.wounds > 0 and owners[unit.id] == dump["player"] and unit.hex is not None
            deployed = unit.hex is not None or (not deploying and unit.wounds == 0)
            # In the battle, who was never placed cannot come any more.
            wounds = unit.wounds if deploying or deployed else 0
            marks = (*(("deployed",) * (deployed or not deploying)), *(("ready",) * ready))
            marked.append(unit._replace(wounds=wounds, marks=marks))
        return _check_draft(self.game, {**dump, "units": [unit.text for unit in marked]})


class SkirmishEditor:
    """Reads the lines that `SkirmishDraft.text` writes."""

    files: Final[Mapping[str, Any]] = {}

    def read(self, game: AnyGame, text: str) -> SkirmishDraft:
        """Lines such as `phase move`, `turn 2`, `player 1`, `points 5 10` and `unit 01 12.7 5 deployed+ready`."""
        assert isinstance(game, Skirmish)
        dump: dict[str, Any] = {**NO_ACTIVATION, **_terms(game), "turn": 1, "player": 1, "points": [0, 0], "units": []}
        for line in filter(None, map(str.strip, text.splitlines())):
            key, _, value = line.partition(" ")
            if key == "unit":
                dump["units"].append(" ".join(value.split()))
            elif key in (*KEYS, *_terms(game)) and value:
                dump[key] = _read_value(key, value, line)
            else:
                raise BadPosition.of(Message("skirmish.position_line", {"line": line[:40]}))
        if "phase" not in dump:
            raise BadPosition.of(Message("skirmish.position_line", {"line": text[:40]}))
        dump.setdefault("to_move", dump["player"])
        return _check_draft(game, dump)

    def of(self, game: AnyGame, view: View) -> SkirmishDraft:
        assert isinstance(game, Skirmish)
        return _check_draft(game, game.dump(view.position))


def _setting(name: str, value: Any, **limits: Any) -> Setting:
    return Setting(name=name, title=Message(f"skirmish.edit_{name}"), value=str(value), **limits)


def _terms(game: Skirmish) -> dict[str, Any]:
    """What a deployment begins with."""
    most = game.scenario.config.max_undeploys
    return {"undeploys_left": [most, most], "confirmed": [False, False]}


def _read_value(key: str, value: str, line: str) -> Any:
    words = value.split()
    if key in WORDS:
        return value
    if key == "confirmed":
        return [word == "yes" for word in words]
    if not all(word.isascii() and word.isdecimal() and len(word) < 6 for word in words) or len(words) != 1 + (
        key in PAIRS
    ):
        raise BadPosition.of(Message("skirmish.position_line", {"line": line[:40]}))
    numbers = [int(word) for word in words]
    return numbers if key in PAIRS else numbers[0]


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join("yes" if each is True else "no" if each is False else str(each) for each in value)
    return str(value)


def _check_draft(game: Skirmish, dump: Any) -> SkirmishDraft:
    """A draft that the rules can load; how many plies led to it is left out. Raises `BadPosition`."""
    whole = {**dump, "plies": 0, "passes": 0, "events": "", "result": dump.get("result", 0)}
    try:
        _load_position(game, whole)
    except BadPosition as error:
        if error.explanation is not None:
            raise
        raise BadPosition.of(Message("skirmish.position_refused", {"reason": error.message[:200]})) from error
    return SkirmishDraft(game, whole)


def _load_position(game: Skirmish, dump: Mapping[str, Any]) -> Position:
    """The position of a dump, which `Game.load` refuses where nothing is left to do in the phase."""
    return position_of(game.scenario, {**dump}, game.info.max_plies)


EDITOR: Final = SkirmishEditor()
