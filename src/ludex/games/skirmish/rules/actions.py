"""Actions as they are meant, and the one table that numbers them. The branches are documented in `engine.branches`."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ludex.core.errors import MalformedAction
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.branches import branch_sizes
from ludex.games.skirmish.rules.position import Position
from ludex.games.skirmish.rules.scenario import Scenario


@dataclass(frozen=True)
class Meaning:
    """What an action means. Field names such as unitId are the original document's."""

    word: ClassVar[str]
    """What its text begins with."""
    parts: ClassVar[tuple[str, ...]] = ()
    """What follows the word."""
    contract_name: ClassVar[str | None] = None
    """The contract's name, read as well as the shorter word."""
    phases: ClassVar[tuple[str, ...]] = ("deployment",)

    @property
    def text(self) -> str:
        """One word: `deploy/003/12.7`, `activate/003`, `move/12.7`, `shoot/104`, `wait`, `confirm` or `confirm/1`."""
        values = [str(value) for value in vars(self).values() if value is not None]
        if "col.row" in self.parts:
            values[-2:] = [".".join(values[-2:])]
        return "/".join([self.word, *values])


@dataclass(frozen=True)
class UnitAction(Meaning):
    """An action of an own unit."""

    parts = ("unit",)
    unitId: str  # noqa: N815


@dataclass(frozen=True)
class EnemyAction(Meaning):
    """An action of the active unit on an enemy."""

    parts = ("enemy",)
    targetId: str  # noqa: N815


@dataclass(frozen=True)
class HexAction(Meaning):
    """A hex that the active unit goes to."""

    parts = ("col.row",)
    col: int
    row: int


@dataclass(frozen=True)
class DeployUnit(Meaning):
    """Place a unit of the own force on a hex of the own pool."""

    word, parts, contract_name = "deploy", ("unit", "col.row"), "deploy_unit"
    unitId: str  # noqa: N815
    col: int
    row: int


class PassDeployment(Meaning):
    """Nothing can be placed: let the other player go on, or face the deadlock."""

    word, contract_name = "pass", "pass_deployment"


class UndeployUnit(UnitAction):
    """Take a placed unit back."""

    word, contract_name = "undeploy", "undeploy_unit"


@dataclass(frozen=True)
class ConfirmDeployment(Meaning):
    """End the own deployment; a player that is named has to be the current deployer."""

    word, contract_name = "confirm", "confirm_deployment"
    player: int | None = None


class Activate(UnitAction):
    """Choose the unit that acts."""

    word, phases = "activate", ("move", "shoot", "charge", "fight")


class Move(HexAction):
    """Walk to a hex."""

    word, phases = "move", ("move",)


class Advance(Meaning):
    """Roll a die for more steps."""

    word, phases = "advance", ("move",)


class Shoot(EnemyAction):
    """Fire at an enemy."""

    word, phases = "shoot", ("shoot",)


class Charge(EnemyAction):
    """Roll to charge an enemy."""

    word, phases = "charge", ("charge",)


class ChargeDestination(HexAction):
    """Take this side of the charged enemy."""

    word, phases = "land", ("charge",)


class Fight(EnemyAction):
    """Strike an enemy."""

    word, phases = "fight", ("fight",)


class Wait(Meaning):
    """The active unit does no more in this phase."""

    word, phases = "wait", ("move", "shoot", "charge", "fight")


_KINDS: Final[tuple[type[Any], ...]] = (
    *(DeployUnit, PassDeployment, UndeployUnit, ConfirmDeployment, Activate, Move, Advance),
    *(Shoot, Charge, ChargeDestination, Fight, Wait),
)
"""In the order of the branches."""
_BY_WORD: Final = {name: kind for kind in _KINDS for name in (kind.word, kind.contract_name) if name is not None}
DEPLOYMENT_START = "deployment_start"
"""The contract's name of what the engine does before the first action: it builds the pools. The first event has it."""


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
        kind = _KINDS[branch]
        if kind is DeployUnit:
            unit, slot = divmod(inside, self.hex_slots)
            if unit < len(self._ids[player]) and slot < len(self._pools[player]):
                return DeployUnit(self._ids[player][unit], *self._grid.col_row(self._pools[player][slot]))
            return None
        if kind is Move:
            return Move(*self._grid.col_row(inside)) if self._grid.exists[inside] else None
        if kind is ChargeDestination:
            return self._side(position, inside)
        if issubclass(kind, UnitAction | EnemyAction):
            ids = self._ids[1 - player if issubclass(kind, EnemyAction) else player]
            return kind(ids[inside]) if inside < len(ids) else None
        meaning: Meaning = kind()
        return meaning

    def encode(self, position: Position, meaning: Meaning) -> int | None:
        """The index of an action for the player to move; None if there is none, such as a hex outside the pool."""
        player = position.to_move
        begin = self.begins[_KINDS.index(type(meaning))]
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
        if isinstance(meaning, UnitAction):
            unit = _place(self._ids[player], meaning.unitId)
            return None if unit is None else begin + unit
        if isinstance(meaning, EnemyAction):
            unit = _place(self._ids[1 - player], meaning.targetId)
            return None if unit is None else begin + unit
        others = isinstance(meaning, ConfirmDeployment) and meaning.player not in (None, player + 1)
        return None if others else begin

    def parse(self, text: str) -> Meaning:
        """What a word says, whether or not it can be done. Raises `MalformedAction`."""
        word, *rest = text.split("/")
        kind = _BY_WORD.get(word)
        if text == DEPLOYMENT_START:
            raise MalformedAction(f"{text} is the engine's own action: the match has begun with it")
        if kind is ConfirmDeployment and len(rest) == 1 and rest[0] in ("1", "2"):
            return ConfirmDeployment(int(rest[0]))
        if kind is None or len(rest) != len(kind.parts):
            quoted = repr(text) if len(text) <= 40 else f"a text of {len(text)} characters"
            known = ", ".join("/".join((kind.word, *kind.parts)) for kind in _KINDS)
            raise MalformedAction(f"{quoted} names no action: expected one of {known}")
        values: list[str | int] = []
        for what, value in zip(kind.parts, rest, strict=True):
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
            off_board = re.fullmatch(r"(0|-?[1-9][0-9]{0,8})\.(0|-?[1-9][0-9]{0,8})", text)
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


def _place(items: tuple[Any, ...], item: Any) -> int | None:
    return items.index(item) if item in items else None
