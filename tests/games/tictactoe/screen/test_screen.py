"""The board on every screen: the scene, the terminal, and the words of a review."""

import re

import pytest
from hypothesis import given
from rich.console import Console

from ludex.coach.review import review_of
from ludex.core.explanation import reasons_of
from ludex.core.limit import Limit
from ludex.core.match import decide
from ludex.core.record import match_of
from ludex.core.registry import make_agent
from ludex.core.scene import Board
from ludex.core.seeding import generator
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.screen.scene import counters, scene
from ludex.games.tictactoe.screen.terminal import draw
from tests.games.support import examples
from tests.games.tictactoe.support import at, choices, decision_of, game_of, shapes, walked
from tests.reference import tictactoe as reference

pytestmark = pytest.mark.slow

GAME = game_of()


def key(board: Board) -> str:
    """The marks of a board in the letters of keys."""
    return "".join(str(cell.pieces[0].label) if cell.pieces else "E" for cell in board.cells)


def test_every_cell_is_named_from_the_top_left() -> None:
    game = game_of(2, 3, 2)
    position = game.initial(generator(1, 0))
    cells = scene(game, position, game.legal(position)).board.cells
    assert [cell.name for cell in cells] == ["a2", "b2", "c2", "a1", "b1", "c1"]
    assert [(cell.row, cell.col) for cell in cells] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


@examples(200)
@given(shapes, choices)
def test_a_scene_is_what_the_reference_sees(shape: tuple[int, int, int], steps: list[int]) -> None:
    game, position, grid = walked(shape, steps)
    picture = scene(game, position, game.legal(position))
    assert key(picture.board) == reference.key(grid)
    assert [cell for move in picture.moves for cell in move.cells] == reference.moves(grid, shape[2])
    (panel,) = picture.panels
    assert panel.board is not None
    assert key(panel.board) == panel.code == reference.canonical_key(grid)
    winner = reference.winner(grid, shape[2])
    assert bool(picture.board.lines) == (winner is not None)
    for line in picture.board.lines:
        assert len(line.cells) == shape[2]
        assert {key(picture.board)[cell] for cell in line.cells} == {winner}


def test_a_mark_that_completes_two_lines_shows_both() -> None:
    position = at("XXX XOO XOO")
    lines = scene(GAME, position, GAME.legal(position)).board.lines
    assert [line.cells for line in lines] == [(0, 1, 2), (0, 3, 6)]


def test_the_transform_to_the_canonical_board_is_named() -> None:
    position = at("EEX EEE EEE")
    document = scene(GAME, position, GAME.legal(position)).document()
    (panel,) = document["panels"]
    assert panel["code"] == "EEEEEEEEX"
    assert panel["lines"][0] == {"en": "After a quarter turn (Rot90)", "fr": "Après un quart de tour (Rot90)"}
    assert document["reasons"]["line"] == {"en": "a complete line", "fr": "une ligne complète"}


def test_shortcuts_of_a_machine_are_counted_and_nothing_else() -> None:
    agent = make_agent(GAME, "ranking")
    expected = {"XXE OOE EEE": {"winIn1": 1}, "XEE EOE EEX": {}, "XXE OEE EEE": {"blockIn1": 1}}
    for key, names in expected.items():
        decision = decision_of(agent, GAME, at(key))
        assert counters(GAME, at(key), decision.action, decision.stats) == names
    assert counters(GAME, at("EEE EEE EEE"), 0, {}) == {}


def shown(position: Position, agent: str | None = None, colour: bool = False) -> str:
    decision = decision_of(make_agent(GAME, agent), GAME, position) if agent else None
    console = Console(width=80, force_terminal=colour, color_system="standard" if colour else None)
    with console.capture() as capture:
        console.print(draw(GAME, position, decision))
    return capture.get()


def words(text: str) -> list[str]:
    return text.replace("│", " ").split()


def test_marks_and_the_names_of_free_cells_stand_in_their_places() -> None:
    rows = [words(line) for line in shown(at("XEE EOE EEE")).splitlines() if "│" in line]
    assert rows == [["X", "b3", "c3"], ["a2", "O", "c2"], ["a1", "b1", "c1"]]


def test_free_cells_show_the_values_of_a_decision() -> None:
    text = shown(at("XXE OOE EEE"), "ranking:ranking=empty")
    assert "+0.00 win" in text
    assert text.count("+0.00") == 5
    assert "loss" in text


def test_a_decision_without_scores_leaves_the_names() -> None:
    position = at("XEE EOE EEE")
    console = Console(width=80, color_system=None)
    decision = make_agent(GAME, "random").decide(position, GAME.legal(position), rng=generator(1, 0), limit=Limit())
    with console.capture() as capture:
        console.print(draw(GAME, position, decision))
    assert {"X", "O", "b3", "c1"} <= set(words(capture.get()))


def test_the_winning_line_stands_out() -> None:
    reverse = re.compile(r"\x1b\[1;7;36m\s*X")
    assert len(reverse.findall(shown(at("XXX OOE EEE"), colour=True))) == 3
    assert not reverse.findall(shown(at("XXE OOE EEE"), colour=True))


@pytest.mark.parametrize(
    ("moves", "ply", "reason"),
    [
        ("a1 b1 b2 c2 c3", 1, "b1 loses to a fork at a3: two lines at once"),
        ("a1 b2 c3 a3 c1 c2 b1", 3, "a3 loses to a fork at c1: two lines at once"),
        ("a1 b2 c3 c1 b1 a3", 4, "b1 does not stop a3, which wins at once"),
        ("a1 b2 a2 c1 b1 c2 a3", 5, "a3 would have won at once"),
    ],
)
def test_the_reason_is_named(moves: str, ply: int, reason: str) -> None:
    review = review_of(match_of(f"tictactoe 3x3x3: {moves}"))
    assert [message.text() for message in review.moves[ply].reasons] == [reason]
    assert all(message.text("fr") for message in review.moves[ply].reasons)


@pytest.mark.parametrize(
    ("line", "english", "french"),
    [
        ("a1 a3 b1 c2", "This square completes your line: you win.", "vous gagnez"),
        ("a1 b2 c2 b3", "O would complete a line here next: this square stops it.", "O compléterait une ligne ici"),
        ("a1 b1", "This threat has only one answer, and then", "une réponse, et c3 fera ensuite une fourchette"),
        ("a1", "7 other squares let X make a fork", "7 autres cases permettent à X une fourchette"),
        ("", "7 of the 8 answers let you make a fork", "7 des 8 réponses vous permettent une fourchette"),
    ],
)
@pytest.mark.parametrize("agent", ["perfect", "ranking"])
def test_a_hint_speaks_of_lines_and_forks(agent: str, line: str, english: str, french: str) -> None:
    match = match_of(f"tictactoe 3x3x3: {line}")
    decision = decide(match, make_agent(match.game, agent), Limit())
    first, *_ = reasons_of(match.game, match.state, decision, addressed=True)
    assert english in first.text("en")
    assert french in first.text("fr")
    assert "Q" not in first.text("en")
