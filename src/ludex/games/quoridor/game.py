"""Quoridor as a `Game` of the contract, and positions that come from outside. The rules are kernels in `movegen`."""

from collections.abc import Sequence
from itertools import pairwise
from operator import index
from typing import Any

import numpy as np

from ludex.core.errors import BadPosition, IllegalAction, MalformedAction
from ludex.core.game import Action, GameInfo, Json, Mask, Observation, Outcome, Player
from ludex.core.messages import Message
from ludex.core.record import seat_name
from ludex.core.seeding import Rng
from ludex.games.quoridor.options import QuoridorOptions
from ludex.games.quoridor.rules.board import Row, action_name, action_of, geometry, square_name, wall_action, wall_of
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES, free_slots, is_legal, legal_mask, pawn_moves
from ludex.games.quoridor.rules.paths import UNREACHABLE, distance
from ludex.games.quoridor.rules.position import STATE_WORDS, Position, add_wall, standing, starting, wall_actions, words

PHASE = "play"
WINS = (Outcome((1.0, -1.0), "goal reached"), Outcome((-1.0, 1.0), "goal reached"))
REPETITION = Outcome((0.0, 0.0), "third repetition")
TOO_LONG = Outcome((0.0, 0.0), "move limit")
REPETITIONS = 3


class Quoridor:
    """The game on one board. Both players see everything: the view is the position."""

    def __init__(self, options: QuoridorOptions, preset: str) -> None:
        self.size = options.size
        self.walls = options.walls
        self.geometry = geometry(options.size)
        self.squares = options.size**2
        self.info = GameInfo(
            id="quoridor",
            version=1,
            preset=preset,
            players=2,
            num_actions=self.squares + 2 * (options.size - 1) ** 2,
            max_plies=4 * self.squares,
            chance="none",
            information="perfect",
            zero_sum=True,
            phases=(PHASE,),
        )

    def initial(self, rng: Rng) -> Position:
        return starting(self.size, self.walls)

    def to_move(self, state: Position) -> Player:
        return state.turn

    def phase(self, state: Position) -> str:
        return PHASE

    def legal(self, state: Position) -> Mask:
        mask = np.zeros(self.info.num_actions, np.bool_)
        if self.outcome(state) is None:
            scratch = np.empty(STATE_WORDS, np.uint64)
            legal_mask(words(state, self.size), self.size, self.geometry, scratch, mask)
        return mask

    def apply(self, state: Position, action: Action, rng: Rng) -> Position:
        action = index(action)
        if not 0 <= action < self.info.num_actions:
            raise IllegalAction(f"action {action} does not exist: expected 0..{self.info.num_actions - 1}")
        if self.outcome(state) is not None:
            raise IllegalAction(f"{action_name(action, self.size)} cannot be played: the game is over")
        row = words(state, self.size)
        if not is_legal(row, action, self.size, self.geometry):
            raise IllegalAction.of(refusal(row, state, action, self.size))
        return self._move_pawn(state, action) if action < self.squares else self._put_wall(state, action)

    def outcome(self, state: Position) -> Outcome | None:
        for player, goal in enumerate((self.size - 1, 0)):
            if state.pawns[player] // self.size == goal:
                return WINS[player]
        if state.seen.count(state.seen[-1]) >= REPETITIONS:
            return REPETITION
        return TOO_LONG if state.ply >= self.info.max_plies else None

    def view(self, state: Position, player: Player) -> Position:
        return state

    def observe(self, view: Position) -> Observation:
        """`planes` uint8[4, size, size]: white, black, horizontal, vertical walls; `counts` int32[3]: stocks, turn."""
        planes = np.zeros((4, self.squares), np.uint8)
        planes[0, view.pawns[0]] = 1
        planes[1, view.pawns[1]] = 1
        for plane, walls in enumerate(view.walls, 2):
            planes[plane] = [walls >> slot & 1 for slot in range(self.squares)]
        counts = np.array([*view.left, view.turn], np.int32)
        return {"planes": planes.reshape(4, self.size, self.size), "counts": counts}

    def action_text(self, state: Position, action: Action) -> str:
        return action_name(action, self.size)

    def parse_action(self, state: Position, text: str) -> Action:
        return action_of(text, self.size)

    def dump(self, state: Position) -> Json:
        return {
            "pawns": [square_name(pawn, self.size) for pawn in state.pawns],
            "walls": [action_name(action, self.size) for action in wall_actions(state, self.size)],
            "left": list(state.left),
            "turn": state.turn,
            "ply": state.ply,
            "seen": list(state.seen),
        }

    def load(self, data: Json) -> Position:
        return read_position(data, self.size, self.walls, self.info.max_plies)

    def _move_pawn(self, state: Position, square: int) -> Position:
        pawns = (square, state.pawns[1]) if state.turn == 0 else (state.pawns[0], square)
        turn = 1 - state.turn
        return state._replace(pawns=pawns, turn=turn, ply=state.ply + 1, seen=(*state.seen, standing(pawns, turn)))

    def _put_wall(self, state: Position, action: Action) -> Position:
        left = tuple(stock - (player == state.turn) for player, stock in enumerate(state.left))
        turn = 1 - state.turn
        return Position(
            pawns=state.pawns,
            walls=add_wall(state.walls, action, self.size),
            left=(left[0], left[1]),
            turn=turn,
            ply=state.ply + 1,
            seen=(standing(state.pawns, turn),),
        )


def refusal(row: Row, position: Position, action: int, size: int) -> Message:
    """One sentence for a move that `is_legal` refused."""
    name = action_name(action, size)
    if action < size * size:
        moves = np.empty(MOST_PAWN_MOVES, np.int64)
        count = pawn_moves(row, size, moves)
        reach = ", ".join(square_name(int(square), size) for square in sorted(moves[:count]))
        pawn = square_name(position.pawns[position.turn], size)
        return Message("quoridor.refused_reach", {"pawn": pawn, "move": name, "squares": reach})
    if position.left[position.turn] == 0:
        return Message("quoridor.refused_none_left", {"move": name})
    blocking = _in_the_way(position, action, size)
    if blocking is None:
        return Message("quoridor.refused_cut_off", {"move": name})
    verb, wall = blocking
    return Message(f"quoridor.refused_{verb}", {"move": name, "wall": wall})


def _in_the_way(position: Position, action: int, size: int) -> tuple[str, str] | None:
    """What a wall does to another one, and to which."""
    slot, vertical = wall_of(action, size)
    step = size if vertical else 1
    near = [("crosses", slot, not vertical), *(("overlaps", slot + by, vertical) for by in (0, -step, step))]
    for verb, other, upright in near:
        # Around the board, slots are named by no wall.
        if other >= 0 and position.walls[upright] >> other & 1:
            return verb, action_name(wall_action(other, upright, size), size)
    return None


_KEYS = {"pawns", "walls", "left", "turn", "ply", "seen"}


def read_position(data: Json, size: int, walls: int, max_plies: int) -> Position:
    """The position of a dump. Raises `BadPosition` unless it can be played from."""
    if not isinstance(data, dict) or set(data) != _KEYS:
        raise BadPosition(f"expected an object with {', '.join(sorted(_KEYS))}, found {data!r}")
    turn = _number(data["turn"], "turn", 0, 1)
    ply = _number(data["ply"], "ply", 0, max_plies)
    if turn != ply % 2:
        raise BadPosition(f"after {ply} plies it is player {ply % 2}'s turn, found {turn}")
    stocks = _two(data["left"], "left")
    left = (_number(stocks[0], "left", 0, walls), _number(stocks[1], "left", 0, walls))
    names = _list(data["walls"], "walls")
    for player, name in enumerate(("white", "black")):
        put, moved = walls - left[player], (ply + 1 - player) // 2
        if put > moved:
            raise BadPosition(f"{name} has put {put} walls in {moved} moves")
    position = set_up(_two(data["pawns"], "pawns"), names, left, ply, size, walls)
    return position._replace(seen=_read_seen(data["seen"], position, len(names), size))


def set_up(
    pawns: Sequence[Any], names: Sequence[Any], left: tuple[int, int], ply: int, size: int, walls: int
) -> Position:
    """The position of pawns and walls by their names, after so many plies. Raises `BadPosition`."""
    white, black = (_square(pawn, size) for pawn in pawns)
    if white == black:
        raise BadPosition.of(Message("quoridor.position_same_square", {"square": square_name(white, size)}))
    if white // size == size - 1 and black // size == 0:
        raise BadPosition.of(Message("quoridor.position_both_won"))
    turn = ply % 2
    position = Position((white, black), (0, 0), left, turn, ply, (standing((white, black), turn),))
    if len(names) != 2 * walls - sum(left):
        counts = {"stand": len(names), "left": sum(left), "count": 2 * walls}
        raise BadPosition.of(Message("quoridor.position_walls", counts))
    position = _put_walls(position, names, size)
    row = words(position, size)
    for player in range(2):
        if distance(row, player, size, geometry(size)) == UNREACHABLE:
            name = seat_name("quoridor", player)
            raise BadPosition.of(Message("quoridor.position_no_path", {"player": name}))
    return position


def _put_walls(position: Position, names: Sequence[Any], size: int) -> Position:
    for name in names:
        action = _action(name, size)
        if action < size * size:
            raise BadPosition.of(Message("quoridor.position_no_wall", {"name": name}))
        slot, vertical = wall_of(action, size)
        low, high = free_slots(words(position, size), size, geometry(size), vertical)
        if not (int(low) | int(high) << 64) >> slot & 1:
            raise BadPosition.of(Message("quoridor.position_wall_taken", {"wall": name}))
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
        raise BadPosition.of(Message("quoridor.position_no_square", {"name": name}))
    return action


def _action(name: Any, size: int) -> int:
    if not isinstance(name, str):
        raise BadPosition(f"expected a text such as e1 or e3h, found {name!r}")
    try:
        return action_of(name, size)
    except MalformedAction as error:
        raise BadPosition.of(Message("quoridor.position_name", {"name": name[:20]})) from error


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
