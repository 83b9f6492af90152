"""Moving, advancing, fleeing."""

from functools import partial

import pytest

from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.rules.engine.support import active, events_of, until
from tests.games.skirmish.support import arranged, places, play, shipped, texts, units_of
from tests.reference.hexes import adjacent, distances

# 01 and 04 are line guards with rifles, 02 and 05 outriders with assault carbines, 03 and 06 reavers with pistols.


def moves(words: set[str]) -> set[tuple[int, int]]:
    return {(int(col), int(row)) for word in words if word.startswith("move/") for col, row in [word[5:].split(".")]}


def rolled(die: int, after: Position) -> bool:
    return bool(after.words[layout.ROLLED] == die)


def test_moves_go_around_walls_units_and_enemy_sides() -> None:
    game = shipped("small")
    position = arranged(game, layout.MOVE, {"01": (3, 4), "02": (3, 5), "04": (6, 4)}, words=active(0))
    reached = moves(texts(game, position))
    assert reached
    assert not reached & adjacent(11, 10)[6, 4]
    assert not reached & {(3, 4), (3, 5), (6, 4), (4, 3), (4, 2)}
    apart = distances(11, 10)
    assert max(apart[(3, 4), place] for place in reached) == 6


def test_leaving_an_enemys_side_is_fleeing() -> None:
    """A unit that has fled neither shoots nor charges this turn."""
    game = shipped("small")
    start = arranged(game, layout.MOVE, {"03": (5, 4), "04": (5, 5)}, ready=("03",))
    position = play(game, start, "activate/03")
    assert "advance" not in texts(game, position)
    fled = play(game, position, "move/3.2")
    assert events_of(fled, events.FLED) == [(2, 0, 0)]
    assert places(game, fled)["03"] == (3, 2)
    # Neither the shoot nor the charge phase has anything for it: it is the other player's turn.
    assert (fled.to_move, fled.phase) == (1, "move")
    stays = play(game, position, "wait")
    assert not units_of(game, stays)["03"].fled
    assert (stays.to_move, stays.phase) == (0, "shoot")


def test_the_mark_of_fleeing_ends_with_the_next_turn() -> None:
    game = shipped("small")
    start = arranged(game, layout.MOVE, {"03": (5, 4), "04": (5, 5)}, ready=("03",))
    position = play(game, start, "activate/03", "move/3.2")
    assert units_of(game, position)["03"].fled
    while position.to_move == 1:
        position = play(game, position, "wait" if "wait" in texts(game, position) else min(texts(game, position)))
    assert not units_of(game, position)["03"].fled


@pytest.mark.parametrize(("unit", "shoots"), [("01", False), ("02", True), ("03", False)])
def test_advancing_adds_a_die_and_leaves_only_assault_weapons(unit: str, shoots: bool) -> None:
    game = shipped("small")
    number = int(unit) - 1
    start = arranged(game, layout.MOVE, {unit: (0, 0), "04": (10, 9)}, words=active(number))
    apart = distances(11, 10)
    move = game.units[number].type.move
    for die in range(1, 7):
        advanced = until(game, start, "advance", partial(rolled, die))
        assert events_of(advanced, events.ADVANCE_ROLL) == [(number, die, 0)]
        assert "advance" not in texts(game, advanced)
        reached = moves(texts(game, advanced))
        assert max(apart[(0, 0), place] for place in reached) <= move + die
        assert reached > moves(texts(game, start)) or move + die > 10
        assert units_of(game, advanced)[unit].advanced
    # In range and in sight of the enemy, it may shoot only if its weapon is an assault one, and never charges.
    at = {unit: (5, 3), "04": (5, 6)}
    for phase, expected in ((layout.SHOOT, shoots), (layout.CHARGE, False)):
        for marks, may in (({unit: layout.ADVANCED}, expected), ({}, True)):
            position = arranged(game, phase, at, words=active(number), marks=marks)
            assert texts(game, position) == {"wait"} | ({f"{position.phase}/04"} if may else set())


def test_an_advanced_unit_without_an_assault_weapon_is_in_no_pool() -> None:
    game = shipped("small")
    start = arranged(game, layout.MOVE, {"01": (5, 3), "04": (5, 6)}, ready=("01",))
    assert play(game, start, "activate/01", "wait").phase == "shoot"
    after = play(game, start, "activate/01", "advance", "wait")
    assert (after.to_move, after.phase) == (1, "move")
