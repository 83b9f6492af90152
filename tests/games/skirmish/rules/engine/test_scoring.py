"""Objectives, points, and how a battle ends."""

from pathlib import Path

import pytest

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import GAME, arranged, events_of, points, shipped, texts, until, variant, waiting

# The objectives of the small scenario are 3.6, 5.4 and 7.2, and count from a hex away.
AWAY = {"01": (0, 0), "02": (0, 1), "03": (0, 2), "04": (10, 9), "05": (10, 8), "06": (10, 7)}


def next_command(game: Skirmish, position: Position, player: int) -> list[tuple[int, ...]]:
    """What a player scores in its next command phase, all units waiting until then."""
    for after in waiting(game, position):
        began = events_of(after, events.PHASE_BEGAN)
        if any(phase == layout.COMMAND and mover == player for phase, mover, _ in began):
            return [row for row in events_of(after, events.SCORED) if row[0] == player]
    raise AssertionError("the game is over")


@pytest.mark.parametrize(
    ("where", "scored"),
    [
        ({}, 0),
        ({"01": (3, 6)}, 10),
        ({"01": (3, 7)}, 10),
        ({"01": (3, 8)}, 0),
        ({"01": (3, 6), "02": (5, 4)}, 15),
        ({"01": (3, 6), "02": (5, 4), "03": (7, 2)}, 15),
        ({"01": (3, 6), "04": (7, 2)}, 5),
        ({"01": (3, 6), "02": (5, 4), "04": (7, 2)}, 15),
        ({"01": (3, 6), "04": (7, 2), "05": (5, 4)}, 5),
        ({"01": (3, 7), "04": (3, 5)}, 0),
        ({"01": (3, 7), "02": (2, 6), "04": (3, 5)}, 10),
    ],
)
def test_objectives_score_for_one_for_two_and_for_more(where: dict[str, tuple[int, int]], scored: int) -> None:
    game = shipped("small")
    words = {layout.TURN: 1, layout.PLAYER: 1, layout.TO_MOVE: 1}
    position = arranged(game, layout.MOVE, {**AWAY, **where}, ready=("06",), words=words)
    assert next_command(game, position, 0) == [(0, scored, scored)]


def test_objectives_score_from_turn_2() -> None:
    game = shipped("small")
    places = {**AWAY, "04": (3, 6), "01": (7, 2)}
    first = arranged(game, layout.MOVE, places, ready=("03",))
    assert next_command(game, first, 1) == []
    second = arranged(game, layout.MOVE, places, ready=("03",), words={layout.TURN: 2})
    assert next_command(game, second, 1) == [(1, 5, 5)]


def test_points_of_a_turn_are_capped(tmp_path: Path) -> None:
    game = variant(tmp_path, {(GAME, "scoring.most_per_turn"): 12})
    words = {layout.PLAYER: 1, layout.TO_MOVE: 1, layout.POINTS: 7}
    at = {**AWAY, "01": (3, 6), "02": (5, 4)}
    assert next_command(game, arranged(game, layout.MOVE, at, ready=("06",), words=words), 0) == [(0, 12, 19)]


def at_the_end(game: Skirmish, hexes: dict[str, tuple[int, int]], first: int, second: int) -> Position:
    """Player 2's move in the last turn, with these points, after which all units wait."""
    words = {layout.TURN: 5, layout.PLAYER: 1, layout.TO_MOVE: 1, layout.POINTS: first, layout.POINTS + 1: second}
    position = arranged(game, layout.MOVE, hexes, ready=("06",), words=words)
    *_, last = waiting(game, position)
    assert points(last) == (first, second)
    assert (last.phase, texts(game, last), last.active) == ("over", set(), None)
    return last


@pytest.mark.parametrize(
    ("gone", "score", "scores", "reason"),
    [
        ((), (10, 5), (1.0, -1.0), "points"),
        (("01", "02"), (10, 5), (1.0, -1.0), "points"),
        ((), (5, 20), (-1.0, 1.0), "points"),
        (("01",), (15, 15), (-1.0, 1.0), "surviving value"),
        # A line guard is worth less than an outrider.
        (("01", "05"), (15, 15), (1.0, -1.0), "surviving value"),
        ((), (0, 0), (0.0, 0.0), "equal points and value"),
        # So are an outrider and a reaver, 55 each.
        (("02", "04", "01", "05"), (5, 5), (0.0, 0.0), "equal points and value"),
    ],
)
def test_after_turn_5_points_then_value_decide_else_a_draw(
    gone: tuple[str, ...], score: tuple[int, int], scores: tuple[float, float], reason: str
) -> None:
    game = shipped("small")
    hexes = {unit: place for unit, place in AWAY.items() if unit not in gone}
    outcome = game.outcome(at_the_end(game, hexes, *score))
    assert outcome is not None
    assert (outcome.scores, outcome.reason) == (scores, reason)


@pytest.mark.parametrize("loser", [1, 2])
def test_annihilation_ends_the_game_at_once(loser: int) -> None:
    game = shipped("small")
    at, striker, prey = {"01": (5, 4), "04": (5, 5)}, 0 if loser == 2 else 3, "04" if loser == 2 else "01"
    words = {layout.ACTIVE: striker, layout.TO_MOVE: 2 - loser, layout.POINTS + loser - 1: 30}
    words[layout.FIGHT_STAGE] = layout.ALTERNATING
    position = arranged(game, layout.FIGHT, at, wounds={prey: 1}, words=words)
    after = until(game, position, f"fight/{prey}", lambda after: after.phase == "over")
    outcome = game.outcome(after)
    assert outcome is not None
    assert (outcome.scores, outcome.reason) == ((1.0, -1.0) if loser == 2 else (-1.0, 1.0), "annihilation")
    assert events_of(after, events.ENDED)
    assert not game.legal(after).any()
