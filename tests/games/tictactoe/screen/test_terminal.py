"""The board as a terminal shows it."""

import re

from rich.console import Console

from ludex.core.limit import Limit
from ludex.core.registry import make_agent
from ludex.core.seeding import generator
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.screen.terminal import draw
from tests.games.tictactoe.support import at, decision_of, game_of

GAME = game_of()


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
