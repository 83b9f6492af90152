"""Puzzles of tic-tac-toe: find the fork, or the moves that lead to one.

The table of exact values makes them, a plain search proves them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ludex.core.game import Action
from ludex.core.messages import Message
from ludex.core.puzzle import HARDEST, Candidate, Proof, Reason, Turn, reasons_of
from ludex.core.seeding import Rng
from ludex.games.tictactoe.agents.policy import tactics
from ludex.games.tictactoe.agents.solver import solver
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import MnkBoard, from_state_key
from ludex.games.tictactoe.rules.position import Position, cells_of
from ludex.games.tictactoe.rules.symmetry import Symmetry

MOST_FREE: Final = 13
"""Free cells of a puzzle: a person can look through them, and so can a plain search."""
LEAST_FREE: Final = 5
MOST_RIGHT: Final = 2
"""Moves that may solve a puzzle."""
SHORTEST: Final = 3
"""Plies of a fork: the move, an answer, the line."""


def make_fork(game: TicTacToe, rng: Rng) -> Candidate | None:
    """A random position in which few moves win, none of them at once, and nothing forces them."""
    return _make(game, rng, quiet=True)


def _make(game: TicTacToe, rng: Rng, *, quiet: bool) -> Candidate | None:
    """`quiet`: the other player threatens nothing."""
    board = game.board
    marks = board.cells - LEAST_FREE - rng.below(MOST_FREE - LEAST_FREE + 1)
    position = Position()
    for _ in range(marks):
        free = [cell for cell in cells_of(board.full & ~position.taken) if not board.after(position, cell).won]
        if not free:
            return None
        position = board.after(position, rng.choice(free))
    if not _is_open(board, position, quiet):
        return None
    # Turned and mirrored boards are the same puzzle.
    position = from_state_key(board, Symmetry(board).canonical(position).key)
    free = [*cells_of(board.full & ~position.taken)]
    values = {cell: solver(board).move(position, cell) for cell in free}
    right = frozenset(cell for cell in free if values[cell].value == 1)
    if not 1 <= len(right) <= MOST_RIGHT:
        return None
    return Candidate(position, right)


def make_combination(game: TicTacToe, rng: Rng) -> Candidate | None:
    """A position in which one move wins, and after its best answer again one, before a line can be completed."""
    candidate = _make(game, rng, quiet=False)
    return None if candidate is None or prove_combination(game, candidate.state) is None else candidate


def prove_combination(game: TicTacToe, position: Position) -> Proof | None:
    """The proof of the fork, and that every later turn has one move that wins."""
    proof, board = _prove(game, position, quiet=False), game.board
    if proof is None or len(proof.accept) > 1:
        return None
    search, turns = _Search(board), []
    for ply in range(2, len(proof.line) - 1, 2):
        for text in proof.line[ply - 2 : ply]:
            position = board.after(position, board.names.index(text))
        refuted = search.refutations(position)
        right = [cell for cell, reply in refuted.items() if reply is None]
        if len(right) != 1:
            break
        reasons = _reasons(board, refuted)
        turns.append(Turn(reply=proof.line[ply - 1], accept=(board.names[right[0]],), reasons=reasons))
    if not turns:
        return None
    return replace(
        proof,
        turns=tuple(turns),
        difficulty=min(HARDEST, proof.difficulty + 150 * len(turns)),
        parameters={**proof.parameters, "count": 1 + len(turns)},
    )


def prove_fork(game: TicTacToe, position: Position) -> Proof | None:
    """Search every answer to every move until a line is complete or the board is full."""
    return _prove(game, position, quiet=True)


def _is_open(board: MnkBoard, position: Position, quiet: bool) -> bool:
    """Whether no move wins at once and, where all is `quiet`, the other player threatens nothing."""
    wins, blocks = tactics(board, position)
    return not (wins or (quiet and blocks))


def _prove(game: TicTacToe, position: Position, *, quiet: bool) -> Proof | None:
    board, search = game.board, _Search(game.board)
    free = [*cells_of(board.full & ~position.taken)]
    if position.won or not _is_open(board, position, quiet) or not LEAST_FREE <= len(free) <= MOST_FREE:
        return None
    refuted = search.refutations(position)
    right = [cell for cell in free if refuted[cell] is None]
    if not 1 <= len(right) <= MOST_RIGHT:
        return None
    names = board.names
    line = min((search.line(position, cell) for cell in right), key=len)
    return Proof(
        accept=tuple(names[cell] for cell in right),
        difficulty=_difficulty(len(line), len(free), len(right)),
        explanation=_explanation(board, position, line),
        reasons=_reasons(board, refuted),
        line=tuple(names[cell] for cell in line),
        parameters={"mark": "XO"[position.turn], "k": board.k},
    )


def _reasons(board: MnkBoard, refuted: Mapping[Action, Action | None]) -> tuple[Reason, ...]:
    """The answers that hold against wrong moves."""
    wrong = [
        (Message("tictactoe.puzzle_fork_held", {"reply": board.names[reply]}, (reply,)), board.names[cell])
        for cell, reply in refuted.items()
        if reply is not None
    ]
    return reasons_of(wrong)


def _difficulty(plies: int, free: int, right: int) -> int:
    """A longer line and more cells to choose from are harder; a second solution is easier."""
    return 750 + 175 * (plies - SHORTEST) + 40 * (free - LEAST_FREE) - 120 * (right - 1)


def _explanation(board: MnkBoard, position: Position, line: list[Action]) -> tuple[Message, ...]:
    """The threats of the fork, and how it is forced where it takes several moves."""
    names = board.names
    for cell in line[:-2]:
        position = board.after(position, cell)
    won_at = tactics(board, position).threats
    fork = Message(
        "tictactoe.puzzle_fork_threats",
        {"move": names[line[-3]], "cells": tuple(names[cell] for cell in won_at), "other": "XO"[position.turn]},
        (line[-3], *won_at),
    )
    if len(line) == SHORTEST:
        return (fork,)
    forced = Message(
        "tictactoe.puzzle_fork_forced",
        {"move": names[line[0]], "line": " ".join(names[cell] for cell in line[1:-2])},
        (line[0],),
    )
    return forced, fork


class _Search:
    """Whether a side can force a line, by trying everything; it shares nothing with the table of exact values."""

    def __init__(self, board: MnkBoard) -> None:
        self._board = board
        self._distances: dict[tuple[int, int], int | None] = {}

    def refutations(self, position: Position) -> dict[Action, Action | None]:
        """By move, the first answer that holds; None for a move that wins by force."""
        free = cells_of(self._board.full & ~position.taken)
        return {cell: self.refutation(self._board.after(position, cell)) for cell in free}

    def refutation(self, after: Position) -> Action | None:
        """The first answer to the move just made after which no line can be forced; None: every answer loses."""
        for cell in self._answers(after):
            answered = self._board.after(after, cell)
            if answered.won or self.distance(answered) is None:
                return cell
        return None

    def distance(self, position: Position) -> int | None:
        """The plies in which the side to move forces a line; None if it cannot."""
        key = position.x, position.o
        if key not in self._distances:
            distances = [self._distance_after(position, cell) for cell in self._tries(position)]
            self._distances[key] = min((plies for plies in distances if plies is not None), default=None)
        return self._distances[key]

    def line(self, position: Position, cell: Action) -> list[Action]:
        """A winning move, the answer that delays most, the quickest continuation, and so on to the complete line."""
        board, played = self._board, [cell]
        position = board.after(position, cell)
        while not position.won:
            answers = self._answers(position)
            reply = max(answers, key=lambda move: self.distance(board.after(position, move)) or 0)
            position = board.after(position, reply)
            wins = [move for move in self._tries(position) if self._distance_after(position, move) is not None]
            cell = min(wins, key=lambda move: self._distance_after(position, move) or 0)
            position = board.after(position, cell)
            played += [reply, cell]
        return played

    def _distance_after(self, position: Position, cell: Action) -> int | None:
        after = self._board.after(position, cell)
        if after.won:
            return 1
        if after.taken == self._board.full or self.refutation(after) is not None:
            return None
        return 2 + max(self.distance(self._board.after(after, reply)) or 0 for reply in self._answers(after))

    def _tries(self, position: Position) -> list[Action]:
        """The moves that may win: a line at once, else what stops one, else every free cell."""
        board = self._board
        at_once, stops = tactics(board, position)
        return [*(at_once or stops or cells_of(board.full & ~position.taken))]

    _answers = _tries
