"""Positions that come from outside: everything about them is checked."""

from itertools import pairwise
from typing import Any

from ludex.core.errors import BadPosition, MalformedAction
from ludex.core.game import Json
from ludex.games.quoridor.rules.board import geometry, wall_of
from ludex.games.quoridor.rules.movegen import free_slots
from ludex.games.quoridor.rules.notation import action_of
from ludex.games.quoridor.rules.paths import UNREACHABLE, distance
from ludex.games.quoridor.rules.position import Position, add_wall, standing, words

_KEYS = {"pawns", "walls", "left", "turn", "ply", "seen"}


def read_position(data: Json, size: int, walls: int, max_plies: int) -> Position:
    """The position of a dump. Raises `BadPosition` unless it can be played from."""
    if not isinstance(data, dict) or set(data) != _KEYS:
        raise BadPosition(f"expected an object with {', '.join(sorted(_KEYS))}, found {data!r}")
    turn = _number(data["turn"], "turn", 0, 1)
    ply = _number(data["ply"], "ply", 0, max_plies)
    if turn != ply % 2:
        raise BadPosition(f"after {ply} plies it is player {ply % 2}'s turn, found {turn}")
    white, black = _two(data["pawns"], "pawns")
    pawns = (_square(white, size), _square(black, size))
    if pawns[0] == pawns[1]:
        raise BadPosition(f"both pawns stand on {white}")
    if pawns[0] // size == size - 1 and pawns[1] // size == 0:
        raise BadPosition("both pawns stand on their goals")
    stocks = _two(data["left"], "left")
    left = (_number(stocks[0], "left", 0, walls), _number(stocks[1], "left", 0, walls))
    position = Position(pawns, (0, 0), left, turn, ply, (standing(pawns, turn),))
    names = _list(data["walls"], "walls")
    if len(names) != 2 * walls - sum(left):
        raise BadPosition(f"{len(names)} walls stand and {sum(left)} are left, but there are {2 * walls} in all")
    for player, name in enumerate(("white", "black")):
        put, moved = walls - left[player], (ply + 1 - player) // 2
        if put > moved:
            raise BadPosition(f"{name} has put {put} walls in {moved} moves")
    position = _put_walls(position, names, size)
    row = words(position, size)
    for player, name in enumerate(("white", "black")):
        if distance(row, player, size, geometry(size)) == UNREACHABLE:
            raise BadPosition(f"{name} has no path to its goal")
    return position._replace(seen=_read_seen(data["seen"], position, len(names), size))


def _put_walls(position: Position, names: list[Any], size: int) -> Position:
    for name in names:
        action = _action(name, size)
        if action < size * size:
            raise BadPosition(f"{name!r} is a square, expected a wall such as e3h")
        slot, vertical = wall_of(action, size)
        low, high = free_slots(words(position, size), size, geometry(size), vertical)
        if not (int(low) | int(high) << 64) >> slot & 1:
            raise BadPosition(f"the wall {name} overlaps or crosses another")
        position = position._replace(walls=add_wall(position.walls, action, size))
    return position


def _read_seen(values: Any, position: Position, walls: int, size: int) -> tuple[int, ...]:
    seen = tuple(_number(value, "seen", 0, (1 << 17) - 1) for value in _list(values, "seen"))
    if not seen or seen[-1] != standing(position.pawns, position.turn):
        raise BadPosition("the last of 'seen' must be the position itself")
    if any(before & 1 == after & 1 for before, after in pairwise(seen)):
        raise BadPosition("the turns in 'seen' do not alternate")
    if any(max(value >> 9, value >> 1 & 255) >= size * size for value in seen):
        raise BadPosition("a pawn in 'seen' is not on the board")
    if len(seen) > position.ply - walls + 1:
        raise BadPosition(f"'seen' has {len(seen)} positions after {position.ply} plies, {walls} of them walls")
    return seen


def _square(name: Any, size: int) -> int:
    action = _action(name, size)
    if action >= size * size:
        raise BadPosition(f"{name!r} is a wall, expected a square such as e1")
    return action


def _action(name: Any, size: int) -> int:
    if not isinstance(name, str):
        raise BadPosition(f"expected a text such as e1 or e3h, found {name!r}")
    try:
        return action_of(name, size)
    except MalformedAction as error:
        raise BadPosition(error.message) from error


def _number(value: Any, key: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadPosition(f"{key!r} must be a whole number in {least}..{most}, found {value!r}")
    return value


def _list(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadPosition(f"{key!r} must be a list, found {value!r}")
    return value


def _two(value: Any, key: str) -> list[Any]:
    if len(_list(value, key)) != 2:
        raise BadPosition(f"{key!r} must have two values, found {value!r}")
    return _list(value, key)
