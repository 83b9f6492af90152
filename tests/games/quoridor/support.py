"""What the slice's tests share: boards, positions from texts, and random walks in step with the reference."""

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import legal_actions
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.options import QuoridorOptions
from ludex.games.quoridor.rules.position import Position, standing, words
from tests.games.support import TRAP
from tests.reference import quoridor as reference
from tests.reference.quoridor import State


@cache
def game_of(size: int = 9, walls: int = 10) -> Quoridor:
    return Quoridor(QuoridorOptions(size=size, walls=walls), f"{size}x{size}")


def position_of(state: State, ply: int = 0) -> Position:
    """Our position of the reference's, with nothing seen before it."""
    white, black = (row * state.size + col for col, row in state.pawns)
    sets = {"h": 0, "v": 0}
    for wall in state.walls:
        col, row = reference.square(wall[:-1])
        sets[wall[-1]] |= 1 << row * state.size + col
    seen = (standing((white, black), state.turn),)
    return Position((white, black), (sets["h"], sets["v"]), state.left, state.turn, ply, seen)


def row_of(state: State) -> NDArray[np.uint64]:
    return words(position_of(state), state.size)


def state_at(
    white: str, black: str, walls: str = "", *, turn: int = 0, left: tuple[int, int] = (10, 10), size: int = 9
) -> State:
    pawns = (reference.square(white), reference.square(black))
    return State(size, pawns, frozenset(walls.split()), left, turn)


def at(
    white: str, black: str, walls: str = "", *, turn: int = 0, left: tuple[int, int] = (10, 10), size: int = 9
) -> Position:
    """A position from texts, whether or not play can reach it."""
    return position_of(state_at(white, black, walls, turn=turn, left=left, size=size))


def played(moves: str, game: Quoridor | None = None, position: Position | None = None) -> Position:
    """The position after moves given as texts."""
    game = game or game_of()
    position = game.initial(TRAP) if position is None else position
    for move in moves.split():
        position = game.apply(position, game.parse_action(position, move), TRAP)
    return position


def legal_texts(game: Quoridor, position: Position) -> set[str]:
    return {game.action_text(position, action) for action in legal_actions(game.legal(position))}


def reach_texts(game: Quoridor, position: Position) -> set[str]:
    """The squares the mover's pawn may go to."""
    return {text for text in legal_texts(game, position) if text[-1] not in "hv"}


class Step(NamedTuple):
    game: Quoridor
    position: Position
    state: State


def walk(seed: int, size: int, walls: int, wall_rate: float, plies: int = 80) -> Iterator[Step]:
    """A random game on our board and on the reference's, first position first; the last one may be over."""
    rng = random.Random(seed)
    game = game_of(size, walls)
    position, state = game.initial(TRAP), reference.start(size, walls)
    yield Step(game, position, state)
    for _ in range(plies):
        actions = legal_actions(game.legal(position))
        if not actions:
            return
        wanted = [action for action in actions if (action >= game.squares) == (rng.random() < wall_rate)]
        action = rng.choice(wanted or actions)
        state = reference.play(state, reference.all_moves(size)[action])
        position = game.apply(position, action, TRAP)
        yield Step(game, position, state)


def live_steps(count: int, size: int, walls: int, seed: int = 0, every: int = 1) -> Iterator[Step]:
    """`count` live positions of random games, in turn of few, some and many walls; in every other the pawns are moved.

    Of moved pawns half stand side by side, where the rules have the most to say. Tests that name the same games share
    them: the slow reference plays each once.
    """
    known, more = _games(size, walls, seed, every)
    for number in range(count):
        if number == len(known):
            known.append(next(more))
        yield known[number]


@cache
def _games(size: int, walls: int, seed: int, every: int) -> tuple[list[Step], Iterator[Step]]:
    """The positions that were asked for, and those that follow."""
    return [], _live_steps(size, walls, seed, every)


def _live_steps(size: int, walls: int, seed: int, every: int) -> Iterator[Step]:
    rng = random.Random(seed)
    number = 0
    while True:
        number += 1
        for index, step in enumerate(walk(seed * 1000 + number, size, walls, (0.2, 0.5, 0.9)[number % 3], 60)):
            if reference.winner(step.state) is not None or step.game.outcome(step.position) is not None:
                continue
            if index % every:
                continue
            if index // every % 2:
                state = scattered(rng, step.state)
                yield Step(step.game, position_of(state), state)
            else:
                yield step


def scattered(rng: random.Random, state: State) -> State:
    """The same walls with the pawns elsewhere, live, and neither cut off; unchanged if no such place is soon found."""
    size = state.size
    squares = reference.all_squares(size)
    side_by_side = rng.random() < 0.5
    for _ in range(100):
        white, black = rng.sample(squares, 2)
        if side_by_side:
            dx, dy = rng.choice(reference.STEPS)
            black = (white[0] + dx, white[1] + dy)
        moved = state._replace(pawns=(white, black))
        if black not in squares or reference.winner(moved) is not None:
            continue
        if all(reference.distance(moved, player) is not None for player in (0, 1)):
            return moved
    return state
