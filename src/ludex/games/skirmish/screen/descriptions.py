"""Moves and what came of them in words: every roll, wound and point, and what the other player has done."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from ludex.core.game import Action, Json, Player, legal_actions
from ludex.core.match import Match
from ludex.core.messages import ListOf, Message, Parameter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import (
    DeployUnit,
    EnemyAction,
    HexAction,
    Meaning,
    Move,
    UndeployUnit,
    UnitAction,
)
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.rules.scenario import name_title

REASONS: Final = {
    "annihilation": "skirmish.reason_annihilation",
    "points": "skirmish.reason_points",
    "surviving value": "skirmish.reason_value",
    "equal points and value": "skirmish.reason_equal",
}
"""The messages of the reasons for which a match ends."""
ROLLS: Final = {events.HIT_ROLL: "hit", events.WOUND_ROLL: "wound", events.SAVE_ROLL: "save"}
_RESULTS: Final = (events.DAMAGED, events.DESTROYED)
_GOES_ON: Final = (events.WOUND_ROLL, events.SAVE_ROLL, *_RESULTS)
"""What follows a hit stands behind it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened: a sentence, or the rolls of one attack with their results."""

    parts: list[tuple[int, Message, tuple[int, int, int]]]
    """Each with the kind of its event and the event's numbers."""

    def document(self) -> dict[str, Json]:
        """As JSON: sentences in every language, a roll also as its die, what it needed and whether it succeeded."""
        return {"parts": [_part(*part) for part in self.parts]}


def event_lines(game: Skirmish, position: Position) -> list[Line]:
    """What happened in the last ply, one line each; every attack of a weapon has a line with its rolls."""
    lines: list[Line] = []
    for what, first, second, third in position.events.tolist():
        numbers = (first, second, third)
        part = (what, _MESSAGES[what](game, *numbers), numbers)
        if what in _GOES_ON:
            lines[-1].parts.append(part)
        else:
            lines.append(Line([part]))
    return lines


def event_texts(game: Skirmish, position: Position) -> list[str]:
    """The same in English, for a terminal."""
    texts = []
    for line in event_lines(game, position):
        indent = "  " if line.parts[0][0] == events.HIT_ROLL else ""
        texts.append(indent + " · ".join(message.text() for _, message, _ in line.parts))
    return texts


def texts_of(message: Message) -> dict[str, Json]:
    """A sentence in every language, as JSON."""
    return {str(language): text for language, text in message.texts().items()}


def _part(what: int, message: Message, numbers: tuple[int, int, int]) -> dict[str, Json]:
    text = texts_of(message)
    if what not in ROLLS:
        return {"text": text}
    die, needed, good = numbers
    return {"text": text, "roll": ROLLS[what], "die": die, "needed": needed, "good": bool(good)}


def choice_texts(game: Skirmish, position: Position) -> list[str]:
    """The legal actions, one text per kind of action: `activate/01 02`, `move/HEX (23)`, `wait`."""
    meanings = [game.table.decode(position, action) for action in legal_actions(game.legal(position))]
    known = [meaning for meaning in meanings if meaning is not None]
    return [_choices(game, list(alike)) for _, alike in groupby(known, key=type)]


def _choices(game: Skirmish, alike: list[Meaning]) -> str:
    """All legal actions of one kind."""
    texts = [meaning.text for meaning in alike]
    if isinstance(alike[0], DeployUnit):
        units = dict.fromkeys(meaning.unitId for meaning in alike if isinstance(meaning, DeployUnit))
        return f"deploy/UNIT/HEX, {' '.join(units)} on {len(alike) // len(units)} free hexes of the zone"
    if isinstance(alike[0], Move):
        return f"move/HEX ({len(alike)})"
    word, *rest = texts[0].split("/")
    return f"{word}/{' '.join(text.split('/')[1] for text in texts)}" if rest else word


def _hex(game: Skirmish, where: int) -> str:
    return game.scenario.grid.name(where)


def _id(game: Skirmish, unit: int) -> Message:
    return Message("skirmish.unit", {"id": game.units[unit].id, "name": name_title(game.units[unit].name)})


def _roll(name: str) -> Callable[[Skirmish, int, int, int], Message]:
    return lambda game, die, needed, good: Message(
        f"skirmish.{name}_{'succeeds' if good else 'fails'}", {"die": die, "needed": needed}
    )


def _event(name: str, **parameters: Parameter) -> Message:
    return Message(f"skirmish.event_{name}", parameters)


_MESSAGES: dict[int, Callable[[Skirmish, int, int, int], Message]] = {
    events.DEPLOYED: lambda game, unit, where, _: _event("deployed", unit=_id(game, unit), hex=_hex(game, where)),
    events.UNDEPLOYED: lambda game, unit, where, _: _event("undeployed", unit=_id(game, unit), hex=_hex(game, where)),
    events.PASSED: lambda game, player, *_: _event("passed", player=player + 1),
    events.CONFIRMED: lambda game, player, *_: _event("confirmed", player=player + 1),
    events.PHASE_BEGAN: lambda game, phase, player, turn: _event(
        "phase", turn=turn, player=player + 1, phase=Message(f"skirmish.phase_{layout.PHASES[phase]}")
    ),
    events.SCORED: lambda game, player, points, total: _event("scored", player=player + 1, points=points, total=total),
    events.MOVED: lambda game, unit, here, there: _event(
        "moved", unit=_id(game, unit), here=_hex(game, here), there=_hex(game, there)
    ),
    events.ADVANCE_ROLL: lambda game, unit, die, _: _event("advances", unit=_id(game, unit), count=die),
    events.CHARGE_ROLL: lambda game, unit, first, second: _event(
        "charges", unit=_id(game, unit), first=first, second=second, total=first + second
    ),
    events.CHARGE_FAILED: lambda game, unit, target, _: _event(
        "charge_failed", unit=_id(game, unit), target=_id(game, target)
    ),
    events.ATTACKED: lambda game, unit, target, weapon: _event(
        "attacks", unit=_id(game, unit), target=_id(game, target), weapon=name_title(game.weapons[weapon].name)
    ),
    events.HIT_ROLL: _roll("hit"),
    events.WOUND_ROLL: _roll("wound"),
    events.SAVE_ROLL: _roll("save"),
    events.DAMAGED: lambda game, unit, lost, left: _event("damaged", unit=game.units[unit].id, lost=lost, left=left),
    events.DESTROYED: lambda game, unit, where, _: _event("destroyed", unit=game.units[unit].id, hex=_hex(game, where)),
    events.FLED: lambda game, unit, *_: _event("fled", unit=_id(game, unit)),
    events.DEPLOYMENT_START: lambda game, first, second, _: (
        _event("deployment_start_even", count=first)
        if first == second
        else _event("deployment_start", first=first, second=second)
    ),
    events.ENDED: lambda game, result, *_: _event("ended", reason=Message(REASONS[layout.reason_of(result)])),
}


_WORDS: Final = {
    **{"deploy": "goes", "move": "goes", "land": "goes", "undeploy": "taken_back", "confirm": "confirms"},
    **{"pass": "passes", "activate": "acts", "advance": "advances", "shoot": "shoots", "charge": "charges"},
    **{"fight": "strikes", "wait": "done"},
}
"""The messages of what a unit does, by the words of the actions."""


def move_words(game: Skirmish, position: Position, action: Action) -> Message:
    """A legal move: the unit by its name and number, what it does, and to whom or where."""
    meaning = game.table.decode(position, action)
    assert meaning is not None
    parameters: dict[str, Parameter] = {}
    if isinstance(meaning, DeployUnit | UnitAction):
        parameters["unit"] = unit_words(game, meaning.unitId)
    elif position.active is not None:
        parameters["unit"] = unit_words(game, game.units[position.active].id)
    if isinstance(meaning, EnemyAction):
        parameters["target"] = unit_words(game, meaning.targetId)
    if isinstance(meaning, DeployUnit | HexAction):
        grid = game.scenario.grid
        parameters["hex"] = grid.name(grid.index(meaning.col, meaning.row))
    return Message(f"skirmish.words_{_WORDS[meaning.word]}", parameters)


def unit_words(game: Skirmish, unit_id: str) -> Message:
    """A unit by its name and number."""
    name = next(unit.name for unit in game.units if unit.id == unit_id)
    return Message("skirmish.words_unit", {"name": name_title(name), "id": unit_id})


class Report(NamedTuple):
    """What a player has done in a turn."""

    player: Player
    text: Message
    own: Message
    """The same to that player."""

    def document(self) -> dict[str, Json]:
        """As JSON, in every language."""
        return {"player": self.player, "text": texts_of(self.text), "own": texts_of(self.own)}


def report(match: Match[Position, View], ply: int) -> Report | None:
    """What the other player has done since the last action of the player to move; None if that was the last one."""
    game, mover = match.game, match.game.to_move(match.positions[ply])
    assert isinstance(game, Skirmish)
    begin = ply
    while begin > 0 and match.moves[begin - 1].player != mover:
        begin -= 1
    if begin == ply:
        return None
    plies = range(begin, ply)
    deeds = (*_orders(game, match, plies), *_losses(game, match, plies, mover))
    parameters: dict[str, Parameter] = {"player": 2 - mover, "deeds": ListOf(deeds)}
    end = "" if deeds else "_nothing"
    text, own = (Message(f"skirmish.{name}{end}", parameters) for name in ("report", "report_own"))
    return Report(1 - mover, text, own)


def _orders(game: Skirmish, match: Match[Position, View], plies: range) -> Iterable[Message]:
    """What was done in these plies, one message per kind."""
    placed, moved = set[str](), set[int | None]()
    targets: dict[str, dict[str, None]] = {"shoot": {}, "charge": {}, "fight": {}}
    for ply in plies:
        before = match.positions[ply]
        meaning = game.table.decode(before, match.moves[ply].action)
        if isinstance(meaning, DeployUnit):
            placed.add(meaning.unitId)
        elif isinstance(meaning, UndeployUnit):
            placed.discard(meaning.unitId)
        elif isinstance(meaning, Move):
            moved.add(before.active)
        elif isinstance(meaning, EnemyAction):
            targets[before.phase][meaning.targetId] = None
    if placed:
        yield Message("skirmish.did_place", {"count": len(placed)})
    if moved:
        yield Message("skirmish.did_move", {"count": len(moved)})
    for phase, units in targets.items():
        if units:
            yield Message(f"skirmish.did_{phase}", {"targets": _units(game, units)})


def _losses(game: Skirmish, match: Match[Position, View], plies: range, victim: int) -> Iterable[Message]:
    """What a player lost in these plies."""
    wounds, destroyed = 0, list[str]()
    for ply in plies:
        for what, first, second, _ in match.positions[ply + 1].events.tolist():
            if what not in (events.DAMAGED, events.DESTROYED) or game.units[first].player != victim + 1:
                continue
            if what == events.DAMAGED:
                wounds += second
            else:
                destroyed.append(game.units[first].id)
    if wounds:
        yield Message("skirmish.did_wound", {"count": wounds})
    if destroyed:
        yield Message("skirmish.did_destroy", {"targets": _units(game, destroyed)})


def _units(game: Skirmish, ids: Iterable[str]) -> ListOf:
    return ListOf(tuple(unit_words(game, unit) for unit in ids))
