"""Actions as they are meant, and the one table that numbers them. The branches are documented in `engine.branches`."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludex.core.errors import MalformedAction
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.branches import branch_sizes
from ludex.games.skirmish.rules.position import Position
from ludex.games.skirmish.rules.scenario.scenario import Scenario

# Field names such as unitId are the original document's.


@dataclass(frozen=True, slots=True)
class DeployUnit:
    """Place a unit of the own force on a hex of the own pool."""

    unitId: str  # noqa: N815
    col: int
    row: int


@dataclass(frozen=True, slots=True)
class PassDeployment:
    """Nothing can be placed: let the other player go on, or face the deadlock."""


@dataclass(frozen=True, slots=True)
class UndeployUnit:
    """Take a placed unit back."""

    unitId: str  # noqa: N815


@dataclass(frozen=True, slots=True)
class ConfirmDeployment:
    """End the own deployment; a player that is named has to be the current deployer."""

    player: int | None = None


@dataclass(frozen=True, slots=True)
class Activate:
    """Choose the unit that acts."""

    unitId: str  # noqa: N815


@dataclass(frozen=True, slots=True)
class Move:
    """Walk to a hex."""

    col: int
    row: int


@dataclass(frozen=True, slots=True)
class Advance:
    """Roll a die for more steps."""


@dataclass(frozen=True, slots=True)
class Shoot:
    """Fire at an enemy."""

    targetId: str  # noqa: N815


@dataclass(frozen=True, slots=True)
class Charge:
    """Roll to charge an enemy."""

    targetId: str  # noqa: N815


@dataclass(frozen=True, slots=True)
class ChargeDestination:
    """Take this side of the charged enemy."""

    col: int
    row: int


@dataclass(frozen=True, slots=True)
class Fight:
    """Strike an enemy."""

    targetId: str  # noqa: N815


@dataclass(frozen=True, slots=True)
class Wait:
    """The active unit does no more in this phase."""


Meaning: TypeAlias = (
    DeployUnit
    | PassDeployment
    | UndeployUnit
    | ConfirmDeployment
    | Activate
    | Move
    | Advance
    | Shoot
    | Charge
    | ChargeDestination
    | Fight
    | Wait
)

_WORDS: dict[type[Meaning], str] = {
    DeployUnit: "deploy",
    PassDeployment: "pass",
    UndeployUnit: "undeploy",
    ConfirmDeployment: "confirm",
    Activate: "activate",
    Move: "move",
    Advance: "advance",
    Shoot: "shoot",
    Charge: "charge",
    ChargeDestination: "land",
    Fight: "fight",
    Wait: "wait",
}
_KIND_OF_BRANCH: tuple[Any, ...] = tuple(_WORDS)
_BRANCHES = {kind: branch for branch, kind in enumerate(_KIND_OF_BRANCH)}
_ABOUT_ENEMIES = (Shoot, Charge, Fight)
_ABOUT_UNITS = (*_ABOUT_ENEMIES, UndeployUnit, Activate)
_KINDS: dict[str, Any] = {word: kind for kind, word in _WORDS.items()}
CONTRACT_NAMES: dict[type[Meaning], str] = {
    DeployUnit: "deploy_unit",
    PassDeployment: "pass_deployment",
    UndeployUnit: "undeploy_unit",
    ConfirmDeployment: "confirm_deployment",
}
"""The contract's names of actions, read as well as the shorter words."""
DEPLOYMENT_START = "deployment_start"
"""The contract's name of what the engine does before the first action: it builds the pools. The first event has it."""
_LONG = {name: _WORDS[kind] for kind, name in CONTRACT_NAMES.items()}


class ActionTable:
    """Maps indices and actions. A slot counts in the list of the player to move, as it stood when deployment began."""

    def __init__(self, scenario: Scenario) -> None:
        self._grid = scenario.grid
        self._pools = scenario.pools
        self._ids = tuple(tuple(unit.id for unit in force) for force in scenario.forces)
        game = scenario.game
        self.hex_slots = game.deployment_max_hex_slots
        self.unit_slots = game.deployment_max_unit_slots
        self.sizes = branch_sizes(self.unit_slots, self.hex_slots, scenario.grid.size)
        self.begins = tuple(sum(self.sizes[:branch]) for branch in range(branches.BRANCHES))
        self.num_actions = sum(self.sizes)

    @property
    def deployment_action_dim(self) -> int:
        """The size of the deployment branch with its pass, as the contract has it."""
        return self.unit_slots * self.hex_slots + 1

    def decode(self, position: Position, action: int) -> Meaning | None:
        """What an index means for the player to move; None if it means nothing, such as an unused slot."""
        player = position.to_move
        branch = bisect_right(self.begins, action) - 1
        inside = action - self.begins[branch]
        kind = _KIND_OF_BRANCH[branch]
        if kind is DeployUnit:
            unit, slot = divmod(inside, self.hex_slots)
            if unit < len(self._ids[player]) and slot < len(self._pools[player]):
                return DeployUnit(self._ids[player][unit], *self._grid.col_row(self._pools[player][slot]))
            return None
        if kind is Move:
            return Move(*self._grid.col_row(inside)) if self._grid.exists[inside] else None
        if kind is ChargeDestination:
            return self._side(position, inside)
        if kind in _ABOUT_UNITS:
            ids = self._ids[1 - player if kind in _ABOUT_ENEMIES else player]
            return kind(ids[inside]) if inside < len(ids) else None
        meaning: Meaning = kind()
        return meaning

    def encode(self, position: Position, meaning: Meaning) -> int | None:
        """The index of an action for the player to move; None if there is none, such as a hex outside the pool."""
        player = position.to_move
        begin = self.begins[_BRANCHES[type(meaning)]]
        if isinstance(meaning, DeployUnit):
            unit = _place(self._ids[player], meaning.unitId)
            where = self._grid.find(meaning.col, meaning.row)
            slot = None if where is None else _place(self._pools[player], where)
            return None if unit is None or slot is None else begin + unit * self.hex_slots + slot
        if isinstance(meaning, Move):
            where = self._grid.find(meaning.col, meaning.row)
            return None if where is None else begin + where
        if isinstance(meaning, ChargeDestination):
            sides = [self._side(position, side) for side in range(branches.SIDES)]
            return begin + sides.index(meaning) if meaning in sides else None
        if isinstance(meaning, Shoot | Charge | Fight):
            enemy = _place(self._ids[1 - player], meaning.targetId)
            return None if enemy is None else begin + enemy
        if isinstance(meaning, UndeployUnit | Activate):
            own = _place(self._ids[player], meaning.unitId)
            return None if own is None else begin + own
        others = isinstance(meaning, ConfirmDeployment) and meaning.player not in (None, player + 1)
        return None if others else begin

    def text(self, meaning: Meaning) -> str:
        """One word: `deploy/003/12.7`, `activate/003`, `move/12.7`, `shoot/104`, `wait`, `confirm` or `confirm/1`."""
        parts = [_WORDS[type(meaning)]]
        if isinstance(meaning, DeployUnit | UndeployUnit | Activate):
            parts.append(meaning.unitId)
        if isinstance(meaning, Shoot | Charge | Fight):
            parts.append(meaning.targetId)
        if isinstance(meaning, ConfirmDeployment) and meaning.player is not None:
            parts.append(str(meaning.player))
        if isinstance(meaning, DeployUnit | Move | ChargeDestination):
            parts.append(f"{meaning.col}.{meaning.row}")
        return "/".join(parts)

    def parse(self, text: str) -> Meaning:
        """What a word says, whether or not it can be done. Raises `MalformedAction`."""
        word, *rest = text.split("/")
        word = _LONG.get(word, word)
        if text == DEPLOYMENT_START:
            raise MalformedAction(f"{text} is the engine's own action: the match has begun with it")
        if word == "confirm" and len(rest) == 1 and rest[0] in ("1", "2"):
            return ConfirmDeployment(int(rest[0]))
        kind = _KINDS.get(word)
        expected = _EXPECTED.get(word)
        if kind is None or expected is None or len(rest) != len(expected):
            quoted = repr(text) if len(text) <= 40 else f"a text of {len(text)} characters"
            known = ", ".join("/".join((name, *parts)) for name, parts in _EXPECTED.items())
            raise MalformedAction(f"{quoted} names no action: expected one of {known}")
        values: list[str | int] = []
        for what, value in zip(expected, rest, strict=True):
            if what == "col.row":
                values += self._col_row(kind, value)
            elif value not in self._ids[0] and value not in self._ids[1]:
                raise MalformedAction(f"{text!r} names no unit: there is no {value!r}")
            else:
                values.append(value)
        meaning: Meaning = kind(*values)
        return meaning

    def _col_row(self, kind: type[Meaning], text: str) -> tuple[int, int]:
        """The hex that a text names. A placement may name one off the board, for rule 4 to refuse it."""
        try:
            return self._grid.col_row(self._grid.parse(text))
        except MalformedAction:
            off_board = re.fullmatch(r"(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)", text)
            if kind is not DeployUnit or off_board is None:
                raise
            return int(off_board[1]), int(off_board[2])

    def _side(self, position: Position, side: int) -> ChargeDestination | None:
        target = int(position.words[layout.TARGET])
        if target == layout.NONE:
            return None
        there = int(position.words[layout.UNITS + target * layout.UNIT_WORDS + layout.HEX])
        where = int(self._grid.neighbours[there, side])
        return None if where == layout.NOWHERE else ChargeDestination(*self._grid.col_row(where))


_EXPECTED: dict[str, tuple[str, ...]] = {
    "deploy": ("unit", "col.row"),
    "pass": (),
    "undeploy": ("unit",),
    "confirm": (),
    "activate": ("unit",),
    "move": ("col.row",),
    "advance": (),
    "shoot": ("enemy",),
    "charge": ("enemy",),
    "land": ("col.row",),
    "fight": ("enemy",),
    "wait": (),
}


def _place(items: tuple[Any, ...], item: Any) -> int | None:
    return items.index(item) if item in items else None
