"""The phases of a turn: moves, advances and flights; shots; charges and landings; the order of fights."""

from functools import partial

import pytest

from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import (
    active,
    arranged,
    events_of,
    places,
    play,
    shipped,
    texts,
    units_of,
    until,
)
from tests.reference.hexes import adjacent, distances

# 01 and 04 are line guards with rifles, 02 and 05 outriders with assault carbines, 03 and 06 reavers with pistols.


def moves(words: set[str]) -> set[tuple[int, int]]:
    return {(int(col), int(row)) for word in words if word.startswith("move/") for col, row in [word[5:].split(".")]}


def rolled_die(die: int, after: Position) -> bool:
    return bool(after.words[layout.ROLLED] == die)


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


@pytest.mark.parametrize(("unit", "shoots"), [("01", False), ("02", True), ("03", False)])
def test_advancing_adds_a_die_and_leaves_only_assault_weapons(unit: str, shoots: bool) -> None:
    game = shipped("small")
    number = int(unit) - 1
    start = arranged(game, layout.MOVE, {unit: (0, 0), "04": (10, 9)}, words=active(number))
    apart = distances(11, 10)
    move = game.units[number].type.move
    for die in range(1, 7):
        advanced = until(game, start, "advance", partial(rolled_die, die))
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


def test_walls_block_the_line_of_sight() -> None:
    game = shipped("small")
    through = arranged(game, layout.SHOOT, {"01": (4, 1), "04": (4, 4)}, words=active(0))
    assert texts(game, through) == {"wait"}
    beside = arranged(game, layout.SHOOT, {"01": (5, 1), "04": (5, 4)}, words=active(0))
    assert texts(game, beside) == {"wait", "shoot/04"}


def test_range_of_a_pistol() -> None:
    game = shipped("small")
    for row, expected in ((1, {"wait", "shoot/04"}), (0, {"wait"})):
        position = arranged(game, layout.SHOOT, {"03": (5, row), "04": (5, 7)}, words=active(2))
        assert texts(game, position) == expected


def test_targets_next_to_friends_are_for_pistols_only() -> None:
    game = shipped("small")
    at = {"01": (5, 1), "03": (5, 4), "02": (3, 4), "04": (5, 5)}
    for unit, expected in ((0, {"wait"}), (1, {"wait"}), (2, {"wait", "shoot/04"})):
        position = arranged(game, layout.SHOOT, at, words=active(unit))
        assert texts(game, position) == expected
    apart = {**at, "03": (5, 3)}
    for unit in (0, 1, 2):
        assert texts(game, arranged(game, layout.SHOOT, apart, words=active(unit))) == {"wait", "shoot/04"}


def test_a_charger_lands_beside_its_target_and_is_marked() -> None:
    game = shipped("small")
    position = arranged(game, layout.CHARGE, {"01": (5, 2), "04": (5, 5)}, words=active(0))
    position = until(game, position, "charge/04", lambda after: events_of(after, events.CHARGE_FAILED) == [])
    position = play(game, position, "land/5.4")
    assert places(game, position)["01"] == (5, 4)
    assert units_of(game, position)["01"].charged
    # The charger fights first.
    assert (position.phase, texts(game, position)) == ("fight", {"activate/01"})


def test_a_charge_is_within_twelve_and_not_out_of_a_fight() -> None:
    game = shipped("small")
    far = arranged(game, layout.CHARGE, {"01": (0, 0), "04": (10, 9)}, words=active(0))
    assert texts(game, far) == {"wait"}
    engaged = arranged(game, layout.CHARGE, {"01": (5, 4), "04": (5, 5), "05": (8, 4)}, words=active(0))
    assert texts(game, engaged) == {"wait"}
    fled = arranged(game, layout.CHARGE, {"01": (5, 2), "04": (5, 5)}, words=active(0), marks={"01": layout.FLED})
    assert texts(game, fled) == {"wait"}


def test_a_charge_without_a_free_side_fails() -> None:
    game = shipped("small")
    # 04 stands in the corner: its two sides are taken.
    at = {"01": (3, 0), "02": (0, 1), "03": (1, 0), "04": (0, 0)}
    assert set(adjacent(11, 10)[0, 0]) == {(0, 1), (1, 0)}
    position = arranged(game, layout.CHARGE, at, words=active(0))
    after = until(game, position, "charge/04", lambda after: sum(events_of(after, events.CHARGE_ROLL)[0][1:]) == 12)
    assert events_of(after, events.CHARGE_FAILED) == [(0, 3, 0)]


AT = {"01": (2, 1), "04": (2, 2), "02": (5, 4), "05": (5, 5), "03": (8, 6), "06": (8, 7)}
"""Three pairs, apart from each other."""


def test_chargers_fight_first_then_alternating_from_the_player_whose_turn_it_is_not() -> None:
    game = shipped("small")
    position = arranged(game, layout.FIGHT, AT, ready=("01",), marks={"01": layout.CHARGED})
    assert (position.to_move, texts(game, position)) == (0, {"activate/01"})
    position = play(game, position, "activate/01", "wait")
    order = []
    while position.phase == "fight":
        known = texts(game, position)
        order.append((position.to_move + 1, known))
        position = play(game, position, min(known), "wait")
    assert order == [
        (2, {"activate/04", "activate/05", "activate/06"}),
        (1, {"activate/02", "activate/03"}),
        (2, {"activate/05", "activate/06"}),
        (1, {"activate/03"}),
        (2, {"activate/06"}),
    ]
    assert (position.phase, position.to_move) == ("move", 1)


def test_the_other_side_continues_when_one_has_no_unit_left_to_fight() -> None:
    game = shipped("small")
    at = {"01": (5, 4), "04": (5, 5), "05": (5, 3), "06": (6, 4)}
    words = {layout.FIGHT_STAGE: layout.ALTERNATING, layout.TO_MOVE: 1}
    position = arranged(game, layout.FIGHT, at, ready=tuple(at), words=words)
    movers = []
    while position.phase == "fight":
        movers.append(position.to_move + 1)
        position = play(game, position, min(texts(game, position)), "wait")
    assert movers == [2, 1, 2, 2]


def test_only_neighbours_are_fought() -> None:
    game = shipped("small")
    position = arranged(game, layout.FIGHT, AT, words={layout.ACTIVE: 1})
    assert texts(game, position) == {"wait", "fight/05"}


def test_enemies_that_charged_in_their_own_turn_fight_back() -> None:
    """The mark of a charge lasts until its player's next turn, but makes no unit a charger in the other's."""
    game = shipped("small")
    at = {"01": (5, 4), "04": (5, 5)}
    position = arranged(game, layout.CHARGE, {**at, "02": (5, 8)}, ready=("02",), marks={"04": layout.CHARGED})
    position = play(game, position, "activate/02", "wait")
    assert (position.phase, position.to_move, texts(game, position)) == ("fight", 1, {"activate/04"})
