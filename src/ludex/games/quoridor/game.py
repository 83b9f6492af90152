"""Quoridor as a `Game` of the contract. The rules themselves are kernels in `movegen`."""

from operator import index

import numpy as np

from ludex.core.errors import IllegalAction
from ludex.core.game import Action, GameInfo, Json, Mask, Observation, Outcome, Player
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.quoridor.options import QuoridorOptions
from ludex.games.quoridor.rules.board import Row, geometry, wall_action, wall_of
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES, is_legal, legal_mask, pawn_moves
from ludex.games.quoridor.rules.notation import action_name, action_of, square_name
from ludex.games.quoridor.rules.position import STATE_WORDS, Position, add_wall, standing, starting, wall_actions, words
from ludex.games.quoridor.rules.setup import read_position

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
