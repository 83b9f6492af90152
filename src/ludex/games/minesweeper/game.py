"""Minesweeper as a `Game` of the contract. The rules are the kernels of `rules.revealing`."""

from collections import defaultdict
from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import IllegalAction
from ludex.core.game import Action, GameInfo, Json, Mask, Observation, Outcome, Player
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.minesweeper.options import PLIES_PER_CELL, BoardOptions
from ludex.games.minesweeper.rules.layout import FLAG, HIDDEN, MINE, NUMBER, REVEALED, surroundings
from ludex.games.minesweeper.rules.notation import action_names, action_of
from ludex.games.minesweeper.rules.position import Position, View, planes_of, position_of, text_of
from ludex.games.minesweeper.rules.revealing import KEPT, empty_lines, open_random, place_mines, read_lines, reveal

PHASE = "play"
CLEARED = Outcome((1.0,), "cleared")
MINE_HIT = Outcome((-1.0,), "mine")
STEP_LIMIT = Outcome((0.0,), "step limit")


class Minesweeper:
    """The game on one board. Actions 0..cells-1 reveal a cell, cells..2*cells-1 set its flag or take it away."""

    def __init__(self, options: BoardOptions, preset: str) -> None:
        self.options = options
        self.rows = options.rows
        self.cols = options.cols
        self.cells = options.rows * options.cols
        self.mines = options.mines
        self.safe = self.cells - options.mines
        self.near = surroundings(options.rows, options.cols)
        self.keep = KEPT[options.start]
        self._names = action_names(options.rows, options.cols)
        self.info = GameInfo(
            id="minesweeper",
            version=1,
            preset=preset,
            players=1,
            num_actions=2 * self.cells,
            max_plies=PLIES_PER_CELL * self.cells,
            chance="sampled",
            information="hidden",
            zero_sum=False,
            phases=(PHASE,),
        )

    def initial(self, rng: Rng) -> Position:
        """An untouched board, or one with a random cell revealed if that does not end the game at once.

        A board without a guess has a random start cell and its mines, drawn with `rng` as well.
        """
        cells = np.zeros((1, self.cells), np.uint8)
        if self.options.no_guess:
            start_cell = rng.below(self.cells)
            return Position(self._without_guess(start_cell, rng), start_cell=start_cell)
        if not self.options.random_first_click:
            return Position(cells.tobytes())
        states, queue = np.array([rng.state], np.uint64), np.empty((1, self.cells), np.int16)
        lines = empty_lines(1, self.rows)
        read_lines(cells, 0, self.cols, lines)
        opened = open_random(cells, 0, self.near, self.cols, self.keep, self.mines, queue, lines, states)
        rng.state = int(states[0])
        return Position(cells.tobytes(), opened=opened)

    def _without_guess(self, start_cell: int, rng: Rng) -> bytes:
        """The cells of a hidden board that needs no guess from a start cell."""
        from ludex.games.minesweeper.rules.no_guess import hidden_board

        return hidden_board(self.options, start_cell, rng).tobytes()

    def to_move(self, state: Position) -> Player:
        return 0

    def phase(self, state: Position) -> str:
        return PHASE

    def legal(self, state: Position) -> Mask:
        if self.outcome(state) is not None:
            return np.zeros(self.info.num_actions, np.bool_)
        if state.start_cell is not None and not state.opened:
            mask: Mask = np.arange(self.info.num_actions) == state.start_cell
            return mask
        hidden = _cells(state) & REVEALED == 0
        return np.concatenate([hidden, hidden])

    def apply(self, state: Position, action: Action, rng: Rng) -> Position:
        """The position after the action; the first reveal places the mines with the ply's generator."""
        action = index(action)
        if not 0 <= action < self.info.num_actions:
            raise IllegalAction(f"action {action} does not exist: expected 0..{self.info.num_actions - 1}")
        if (outcome := self.outcome(state)) is not None:
            raise IllegalAction(f"{self._names[action]} cannot be played: the game is over ({outcome.reason})")
        cell = action % self.cells
        if state.cells[cell] & REVEALED:
            parameters = {"move": self._names[action], "cell": self._names[cell]}
            raise IllegalAction.of(Message("minesweeper.refused_revealed", parameters))
        if state.start_cell is not None and not state.opened and action != state.start_cell:
            parameters = {"move": self._names[action], "cell": self._names[state.start_cell]}
            raise IllegalAction.of(Message("minesweeper.refused_start", parameters))
        cells = _cells(state).copy().reshape(1, self.cells)
        if action >= self.cells:
            cells[0, cell] ^= FLAG
            return state._replace(cells=cells.tobytes(), plies=state.plies + 1)
        lines = empty_lines(1, self.rows)
        read_lines(cells, 0, self.cols, lines)
        if not state.mines_placed:
            states = np.array([rng.state], np.uint64)
            place_mines(cells, 0, self.near, self.cols, cell, self.keep, self.mines, lines, states)
            rng.state = int(states[0])
        opened = reveal(cells, 0, self.cols, cell, np.empty((1, self.cells), np.int16), state.opened, lines)
        exploded = cell if opened == state.opened else None
        return state._replace(cells=cells.tobytes(), plies=state.plies + 1, opened=opened, exploded=exploded)

    def outcome(self, state: Position) -> Outcome | None:
        if state.exploded is not None:
            return MINE_HIT
        if state.opened == self.safe:
            return CLEARED
        return STEP_LIMIT if state.plies >= self.info.max_plies else None

    def view(self, state: Position, player: Player) -> View:
        cells = _cells(state)
        seen = cells & (REVEALED | MINE) == REVEALED
        over = state.mines_placed and self.outcome(state) is not None
        return View(
            rows=self.rows,
            cols=self.cols,
            mines=self.mines,
            start=self.options.start,
            shown=np.where(seen, (cells & NUMBER).astype(np.int8), np.int8(HIDDEN)).tobytes(),
            flagged=(cells & FLAG != 0).tobytes(),
            plies=state.plies,
            exploded=state.exploded,
            mine_cells=tuple(np.flatnonzero(cells & MINE).tolist()) if over else None,
            start_cell=state.start_cell,
        )

    def sample_state(self, view: View, rng: Rng) -> Position:
        """The board with one of the layouts that fit the view, each equally likely.

        On a board without a guess that is so for all of them, whether they need a guess or not, once it is begun.
        """
        numbers = np.frombuffer(view.shown, np.int8)
        cells = np.where(numbers == HIDDEN, 0, numbers | REVEALED).astype(np.uint8)
        cells |= np.where(np.frombuffer(view.flagged, np.bool_), FLAG, 0).astype(np.uint8)
        opened = int((numbers != HIDDEN).sum())
        mines = self._layout(view, rng) if view.mine_cells is None else list(view.mine_cells)
        cells[mines] |= MINE
        if view.start_cell is not None and not opened:
            cells = np.frombuffer(self._without_guess(view.start_cell, rng), np.uint8).copy()
        if view.exploded is not None:
            cells[view.exploded] |= REVEALED
        return Position(cells.tobytes(), view.plies, opened, view.exploded, view.start_cell)

    def _layout(self, view: View, rng: Rng) -> list[int]:
        """Cells of mines that fit the numbers; none before the first reveal, which places them."""
        if set(np.frombuffer(view.shown, np.int8).tolist()) == {HIDDEN}:
            return []
        from ludex.games.minesweeper.rules.inference.sampling import layout_sampler

        return layout_sampler(view.shown, view.rows, view.cols, view.mines).draw(rng)

    def observe(self, view: View) -> Observation:
        """`planes` uint8[11, rows, cols]: revealed, flags, and the numbers 0 to 8 one-hot where revealed."""
        return {"planes": planes_of(view)}

    def action_text(self, state: Position, action: Action) -> str:
        return self._names[action]

    def parse_action(self, state: Position, text: str) -> Action:
        return action_of(text, self.rows, self.cols)

    def dump(self, state: Position) -> Json:
        start: dict[str, Json] = {} if state.start_cell is None else {"start": state.start_cell}
        return {"cells": text_of(state), "plies": state.plies, **start}

    def load(self, data: Json) -> Position:
        return position_of(data, self.options, self.info.max_plies)


def expected_score(game: Minesweeper, state: Position, player: Player) -> float:
    """How much of the board is revealed, from -1 to 1: what generic searches take for the score to expect."""
    return 2.0 * state.opened / game.safe - 1.0


def slow_start(game: Minesweeper) -> bool:
    """Whether the first position takes long to make: a board without a guess is looked for."""
    return game.options.no_guess


def vary_secret(game: Minesweeper, state: Position, player: Player, rng: Rng) -> Position:
    """Shuffle the mines among hidden cells that touch the same revealed numbers: the view stays the same."""
    if state.start_cell is not None and not state.opened:
        return game.sample_state(game.view(state, player), rng)
    cells = _cells(state).copy()
    boxes: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell in np.flatnonzero(cells & REVEALED == 0).tolist():
        near = game.near[cell]
        boxes[tuple(near[cells[near] & REVEALED != 0].tolist())].append(cell)
    for box in boxes.values():
        mines = [int(cells[cell] & MINE) for cell in box]
        rng.shuffle(mines)
        for cell, mine in zip(box, mines, strict=True):
            cells[cell] = int(cells[cell]) & ~MINE | mine
    return state._replace(cells=cells.tobytes())


def _cells(state: Position) -> NDArray[np.uint8]:
    return np.frombuffer(state.cells, np.uint8)


_HOW = {"opening": "opening", "rule": "proven_by_rule", "count": "proven_by_count", "guess": "guess"}
"""How an agent found its decision, as in its `stats`, and the name of the counter."""


def counters(game: Minesweeper, state: Position, action: int, stats: Mapping[str, Any]) -> dict[str, int]:
    """Reveals, mines hit, flags set and taken away, and how agents found their moves."""
    cell = state.cells[action % game.cells]
    if action >= game.cells:
        return {"unflag" if cell & FLAG else "flag": 1}
    counted = {"reveal": 1}
    if cell & MINE:
        counted["mine_hit"] = 1
    if (how := _HOW.get(stats.get("how", ""))) is not None:
        counted[how] = 1
    return counted
