"""Moves in words, and what the other player has done since one's own last action."""

from collections.abc import Iterable
from typing import Final

from ludex.core.game import Action
from ludex.core.match import Match
from ludex.core.messages import ListOf, Message, Parameter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import DeployUnit, EnemyAction, HexAction, Move, UndeployUnit, UnitAction
from ludex.games.skirmish.rules.engine import events
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.rules.scenario.scenario import name_title

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


def report(match: Match[Position, View], ply: int) -> Message | None:
    """What the other player has done since the last action of the player to move; None if that was the last one."""
    game, mover = match.game, match.game.to_move(match.positions[ply])
    assert isinstance(game, Skirmish)
    begin = ply
    while begin > 0 and match.moves[begin - 1].player != mover:
        begin -= 1
    if begin == ply:
        return None
    plies = range(begin, ply)
    deeds = (*_orders(game, match, plies), *_losses(game, match, plies, mover)) or (Message("skirmish.did_nothing"),)
    return Message("skirmish.report", {"player": 2 - mover, "deeds": ListOf(deeds)})


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
