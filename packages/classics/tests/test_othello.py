"""The rules of Othello against a slow reference and OpenSpiel, and what people see."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from ludex_classics.othello.game import BoardOptions, Othello
from ludex_classics.othello.teaching import scene

import ludex
from ludex.core.game import legal_actions
from ludex.core.perft import perft
from ludex.core.registry import levels
from ludex.core.seeding import Rng, generator

GAMES = 1_000


class Reference:
    """Othello on a dictionary of squares, as people would explain it."""

    def __init__(self, size: int) -> None:
        self.size = size
        half = size // 2
        self.discs = {(half - 1, half): 0, (half, half - 1): 0, (half - 1, half - 1): 1, (half, half): 1}
        self.turn = 0

    def enclosed(self, player: int, row: int, col: int) -> list[tuple[int, int]]:
        turned = []
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                between, r, c = [], row + down, col + right
                while self.discs.get((r, c)) == 1 - player:
                    between.append((r, c))
                    r, c = r + down, c + right
                if (r, c) in self.discs and self.discs[r, c] == player:
                    turned += between
        return turned

    def moves(self, player: int) -> list[int]:
        free = [(r, c) for r in range(self.size) for c in range(self.size) if (r, c) not in self.discs]
        return [r * self.size + c for r, c in free if self.enclosed(player, r, c)]

    def legal(self) -> list[int]:
        if not self.moves(0) and not self.moves(1):
            return []
        return self.moves(self.turn) or [self.size**2]

    def apply(self, action: int) -> None:
        if action < self.size**2:
            place = divmod(action, self.size)
            for square in [*self.enclosed(self.turn, *place), place]:
                self.discs[square] = self.turn
        self.turn = 1 - self.turn

    def score(self) -> float:
        lead = sum(1 - 2 * player for player in self.discs.values())
        return (lead > 0) - (lead < 0)


def test_six_by_six_agrees_with_the_reference() -> None:
    game = ludex.make("othello", "6x6")
    for number in range(GAMES // 5):
        rng, state, reference = generator(1, number), game.initial(Rng(0)), Reference(6)
        while legal := reference.legal():
            assert legal_actions(game.legal(state)) == legal
            assert game.to_move(state) == reference.turn
            planes = game.observe(state)["board"].reshape(4, -1)
            moves = [reference.moves(reference.turn), reference.moves(1 - reference.turn)]
            assert [np.flatnonzero(plane).tolist() for plane in planes[2:]] == moves
            action = rng.choice(legal)
            state = game.apply(state, action, rng)
            reference.apply(action)
        outcome = game.outcome(state)
        assert outcome is not None
        assert outcome.scores[0] == reference.score()


def spiel_games() -> Iterator[tuple[Any, Rng]]:
    game = pyspiel.load_game("othello")
    for number in range(GAMES):
        yield game.new_initial_state(), generator(2, number)


def test_eight_by_eight_agrees_with_open_spiel() -> None:
    game = ludex.make("othello", "8x8")
    passes = 0
    for spiel, rng in spiel_games():
        state = game.initial(Rng(0))
        while not spiel.is_terminal():
            legal = spiel.legal_actions()
            assert legal_actions(game.legal(state)) == legal
            assert game.to_move(state) == spiel.current_player()
            action = rng.choice(legal)
            passes += action == 64
            state = game.apply(state, action, rng)
            spiel.apply_action(action)
        outcome = game.outcome(state)
        assert outcome is not None
        assert [*outcome.scores] == spiel.returns()
    assert passes > GAMES // 10


def test_the_published_numbers_of_positions() -> None:
    game = ludex.make("othello")
    assert [perft(game, game.initial(Rng(0)), depth) for depth in range(1, 6)] == [4, 12, 56, 244, 1396]


def test_the_count_stands_beside_the_board() -> None:
    game = Othello(BoardOptions(size=6), "6x6")
    first = game.initial(Rng(0))
    state = game.apply(first, game.parse_action(first, "c2"), Rng(0))
    drawn = scene(game, state, game.legal(state))
    assert [line.text() for panel in drawn.panels for line in panel.lines if isinstance(line, ludex.Message)] == [
        "Black 4, White 1"
    ]
    assert [move.cells for move in drawn.moves] == [(action,) for action in legal_actions(game.legal(state))]


@pytest.mark.parametrize("preset", ["8x8", "6x6"])
def test_levels_play_every_board(preset: str) -> None:
    game = ludex.make("othello", preset)
    for name in levels(game):
        assert ludex.make_agent(game, name).name == name
