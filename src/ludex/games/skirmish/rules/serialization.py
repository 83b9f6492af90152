"""Positions as JSON, checked on the way in."""

from typing import Any, Final, Literal, NamedTuple

import numpy as np
from pydantic import Field, ValidationError

from ludex.core.errors import BadPosition, MalformedAction
from ludex.core.game import Json
from ludex.core.messages import Message
from ludex.core.options import complaint
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.events import NAMES
from ludex.games.skirmish.rules.engine.layout import MOST_HEXES
from ludex.games.skirmish.rules.engine.records import EVENT_WORDS, MOST_EVENTS
from ludex.games.skirmish.rules.position import MARKS, UNPLACED, Position, unit_states
from ludex.games.skirmish.rules.scenario import Scenario
from ludex.games.skirmish.rules.scenario_files import Schema

NOTHING: Final = "-"
NO_PLACE: Final = "{}.{}".format(*UNPLACED)
_DIGITS: Final = 5


class UnitDump(NamedTuple):
    """One unit: where it stands, what it can still take, and its marks."""

    id: str
    hex: str | None
    wounds: int
    marks: tuple[str, ...]

    @property
    def text(self) -> str:
        """`01 12.7 5 deployed+ready`, with -1.-1 for no hex and a dash for no marks."""
        return f"{self.id} {self.hex or NO_PLACE} {self.wounds} {'+'.join(self.marks) or NOTHING}"

    @classmethod
    def read(cls, text: str) -> "UnitDump":
        """The unit that a text describes. Raises `BadPosition`."""
        parts = text.split(" ")
        if len(parts) != 4 or not parts[2].isdecimal() or len(parts[2]) > _DIGITS:
            raise BadPosition(f"'units': expected 'id hex wounds marks', found {text!r}")
        unit, where, wounds, listed = parts
        marks = tuple(mark for mark in MARKS if mark in listed.split("+"))
        dump = cls(unit, None if where == NO_PLACE else where, int(wounds), marks)
        if dump.text != text:
            raise BadPosition(f"'units': expected {dump.text!r}, found {text!r}")
        return dump


class PositionDump(Schema):
    """A whole position under readable names."""

    phase: Literal["deployment", "move", "shoot", "charge", "fight", "over"]
    """No player is ever to move in the command phase."""
    turn: int = Field(ge=0)
    player: int = Field(ge=1, le=2)
    to_move: int = Field(ge=1, le=2)
    active: str | None
    doing: Literal["nothing", "advancing", "charging"]
    rolled: int = Field(ge=0, le=12)
    target: str | None
    fight_stage: Literal["chargers", "alternating"]
    result: Literal[0, 1, 2, 3, 4, 9, 10, 11]
    """See `layout`: LIVE, DRAWN, or how the game was won and, with WON_BY_SECOND, by whom."""
    plies: int = Field(ge=0)
    passes: int = Field(ge=0)
    points: tuple[int, int]
    undeploys_left: tuple[int, int]
    confirmed: tuple[bool, bool]
    units: tuple[str, ...]
    """One text per unit, see `UnitDump`."""
    events: str
    """What happened in the last ply: four numbers per event, see `engine.events`."""


_NUMBERS: Final = {
    "turn": layout.TURN,
    "rolled": layout.ROLLED,
    "result": layout.RESULT,
    "plies": layout.PLIES,
    "passes": layout.PASSES,
}
_PLAYERS: Final = {"player": layout.PLAYER, "to_move": layout.TO_MOVE}
_UNITS: Final = {"active": layout.ACTIVE, "target": layout.TARGET}
_NAMED: Final = {
    "phase": (layout.PHASE, layout.PHASES),
    "doing": (layout.DOING, ("nothing", "advancing", "charging")),
    "fight_stage": (layout.FIGHT_STAGE, ("chargers", "alternating")),
}
_PAIRS: Final = {"points": layout.POINTS, "undeploys_left": layout.UNDEPLOYS, "confirmed": layout.CONFIRMED}
"""The words of the keys: numbers, players from 1 on, units by id, one of several names, and one word per player."""


def text_of(scenario: Scenario, position: Position) -> Json:
    """The position as a JSON object."""
    words, units = position.words.tolist(), scenario.units
    texts: dict[str, Json] = {
        **{key: words[word] for key, word in _NUMBERS.items()},
        **{key: words[word] + 1 for key, word in _PLAYERS.items()},
        **{key: None if words[word] == layout.NONE else units[words[word]].id for key, word in _UNITS.items()},
        **{key: names[words[word]] for key, (word, names) in _NAMED.items()},
        **{key: words[word : word + 2] for key, word in _PAIRS.items()},
        "confirmed": [bool(flag) for flag in words[layout.CONFIRMED : layout.CONFIRMED + 2]],
        "units": [
            UnitDump(
                unit.id,
                None if state.hex is None else scenario.grid.name(state.hex),
                state.wounds,
                tuple(mark for mark in MARKS if getattr(state, mark)),
            ).text
            for unit, state in zip(units, unit_states(position, len(units)), strict=True)
        ],
        "events": " ".join(map(str, position.events.ravel().tolist())),
    }
    return {key: texts[key] for key in PositionDump.model_fields}


def position_of(scenario: Scenario, data: Json, max_plies: int) -> Position:
    """The position a dump describes. Raises `BadPosition` for anything that no play of this scenario can be."""
    try:
        dump = PositionDump.model_validate(_tuples(data))
    except ValidationError as error:
        raise BadPosition(complaint(error, PositionDump)) from error
    ids = {unit.id: index for index, unit in enumerate(scenario.units)}
    _require_bounds(scenario, dump, max_plies)
    words = np.zeros(layout.STATE_WORDS, np.int16)
    words[layout.UNITS :: layout.UNIT_WORDS] = layout.NOWHERE
    for key, word in _NUMBERS.items():
        words[word] = getattr(dump, key)
    for key, word in _PLAYERS.items():
        words[word] = getattr(dump, key) - 1
    for key, word in _UNITS.items():
        words[word] = _unit(key, getattr(dump, key), ids)
    for key, (word, names) in _NAMED.items():
        words[word] = names.index(getattr(dump, key))
    for key, word in _PAIRS.items():
        words[word : word + 2] = getattr(dump, key)
    listed = [UnitDump.read(text) for text in dump.units]
    _place_units(scenario, listed, ids, words)
    _require_sense(scenario, dump, listed, words)
    return Position(words.tobytes(), _events(dump.events))


def _require_bounds(scenario: Scenario, dump: PositionDump, max_plies: int) -> None:
    """Raise for a number that is larger than the scenario allows."""
    game = scenario.game
    for key, values, most in (
        ("turn", (dump.turn,), game.turns),
        ("plies", (dump.plies,), max_plies),
        ("passes", (dump.passes,), dump.plies),
        ("points", dump.points, game.turns * game.scoring.most_per_turn),
        ("undeploys_left", dump.undeploys_left, scenario.config.max_undeploys),
    ):
        for value in values:
            if not 0 <= value <= most:
                raise BadPosition.of(Message("skirmish.position_range", {"key": key, "most": most, "found": value}))


def _events(text: str) -> bytes:
    try:
        numbers = np.array([int(word) for word in text.split(" ") if text], np.int64)
    except (ValueError, OverflowError) as error:
        raise BadPosition(f"'events': expected whole numbers, found {text[:80]!r}") from error
    if " ".join(map(str, numbers.tolist())) != text:
        raise BadPosition(f"'events': expected plain numbers with one space between, found {text[:80]!r}")
    if len(numbers) % EVENT_WORDS or len(numbers) > MOST_EVENTS * EVENT_WORDS:
        raise BadPosition(f"'events': expected {EVENT_WORDS} numbers each of at most {MOST_EVENTS} events")
    kinds = numbers[::EVENT_WORDS]
    if (numbers < -1).any() or (numbers > MOST_HEXES).any() or (kinds >= len(NAMES)).any():
        raise BadPosition("'events': expected kinds and numbers that events have")
    return numbers.astype(np.int16).tobytes()


def _place_units(scenario: Scenario, listed: list[UnitDump], ids: dict[str, int], words: Any) -> None:
    ids_listed = [unit.id for unit in listed]
    if ids_listed != list(ids):
        raise BadPosition(f"'units': expected {', '.join(ids)} in this order, found {', '.join(ids_listed) or 'none'}")
    occupants: dict[int, str] = {}
    for unit, index in zip(listed, ids.values(), strict=True):
        most = scenario.units[index].type.wounds
        if not 0 <= unit.wounds <= most:
            raise BadPosition.of(
                Message("skirmish.position_wounds", {"unit": unit.id, "most": most, "found": unit.wounds})
            )
        where = layout.NOWHERE if unit.hex is None else _hex(scenario, unit.id, unit.hex)
        on_board = "deployed" in unit.marks and unit.wounds > 0
        if on_board != (where != layout.NOWHERE):
            raise BadPosition.of(Message("skirmish.position_placed", {"unit": unit.id}))
        if where in occupants and where != layout.NOWHERE:
            raise BadPosition(f"unit {unit.id}: {unit.hex} is taken by {occupants[where]}")
        occupants[where] = unit.id
        at = layout.UNITS + index * layout.UNIT_WORDS
        words[at + layout.HEX] = where
        words[at + layout.WOUNDS] = unit.wounds
        words[at + layout.MARKS] = sum(MARKS[mark] for mark in unit.marks)


def _require_sense(scenario: Scenario, dump: PositionDump, listed: list[UnitDump], words: Any) -> None:
    """What the phase, the active unit and the result say of each other."""
    deploying = dump.phase == "deployment"
    deployed = all("deployed" in unit.marks for unit in listed)
    if deploying == (dump.turn > 0):
        raise BadPosition.of(Message("skirmish.position_turn", {"found": dump.turn}))
    if not deploying and not deployed:
        raise BadPosition(f"'phase': expected deployment while units are to be placed, found {dump.phase}")
    if (dump.result != layout.LIVE) != (dump.phase == "over"):
        raise BadPosition(f"'result': expected 0 exactly while the game is live, found {dump.result} in {dump.phase}")
    acting = dump.active is not None
    if acting and (deploying or dump.phase == "over"):
        raise BadPosition(f"'active': expected null in the phase {dump.phase}, found {dump.active!r}")
    allowed = {"move": ("nothing", "advancing"), "charge": ("nothing", "charging")}.get(dump.phase, ("nothing",))
    if dump.doing not in allowed or (dump.doing != "nothing" and not acting):
        raise BadPosition(
            f"'doing': expected one of {', '.join(allowed)} in the phase {dump.phase}, found {dump.doing}"
        )
    if (dump.target is not None) != (dump.doing == "charging") or (dump.rolled > 0) != (dump.doing != "nothing"):
        raise BadPosition(
            "'target' and 'rolled': expected them exactly while a unit charges, or rolled while it advances"
        )
    for key, word, owner in (("active", layout.ACTIVE, dump.to_move), ("target", layout.TARGET, 3 - dump.to_move)):
        unit = int(words[word])
        if unit != layout.NONE and (scenario.units[unit].player != owner or listed[unit].hex is None):
            raise BadPosition(f"{key!r}: expected a unit of player {owner} on the board, found {listed[unit].id}")


def _tuples(data: Json) -> Any:
    """JSON's lists as the tuples that strict schemas want."""
    if isinstance(data, list):
        return tuple(map(_tuples, data))
    return {key: _tuples(value) for key, value in data.items()} if isinstance(data, dict) else data


def _unit(key: str, value: str | None, ids: dict[str, int]) -> int:
    if value is not None and value not in ids:
        raise BadPosition(f"{key!r}: expected one of {', '.join(ids)}, found {value!r}")
    return layout.NONE if value is None else ids[value]


def _hex(scenario: Scenario, unit: str, text: str) -> int:
    try:
        where = scenario.grid.parse(text)
    except MalformedAction as error:
        raise BadPosition(f"unit {unit}: {error.message}") from error
    if scenario.walls[where]:
        raise BadPosition(f"unit {unit}: expected a hex without a wall, found {text!r}")
    return where
