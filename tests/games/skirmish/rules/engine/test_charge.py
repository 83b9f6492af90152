"""The enemies that a unit may charge, and where it lands."""

from functools import partial

from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.rules.engine.support import active, events_of, until
from tests.games.skirmish.support import arranged, places, play, shipped, texts, units_of
from tests.reference.hexes import adjacent, walk


def landings(words: set[str]) -> set[tuple[int, int]]:
    assert all(word.startswith("land/") for word in words)
    return {(int(col), int(row)) for word in words for col, row in [word[5:].split(".")]}


def rolled(total: int, after: Position) -> bool:
    return sum(events_of(after, events.CHARGE_ROLL)[0][1:]) == total


def test_charge_destinations_are_the_free_sides_within_the_roll() -> None:
    game = shipped("small")
    at = {"01": (2, 4), "02": (6, 5), "04": (5, 5), "05": (5, 6)}
    position = arranged(game, layout.CHARGE, at, words=active(0))
    assert texts(game, position) == {"wait", "charge/04", "charge/05"}
    walls = {game.scenario.grid.col_row(int(where)) for where in game.scenario.walls.nonzero()[0]}
    closed = walls | set(at.values())
    for total in range(2, 13):
        after = until(game, position, "charge/04", partial(rolled, total))
        sides = adjacent(11, 10)[5, 5] & set(walk(11, 10, (2, 4), total, closed))
        if sides:
            assert landings(texts(game, after)) == sides
            assert (after.phase, after.active) == ("charge", 0)
        else:
            assert events_of(after, events.CHARGE_FAILED) == [(0, 3, 0)]
            assert places(game, after)["01"] == (2, 4)
            assert not units_of(game, after)["01"].charged
    # A friend, an enemy and a wall take the other sides.
    assert sides == adjacent(11, 10)[5, 5] - {(6, 5), (5, 6), (6, 6)}


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
