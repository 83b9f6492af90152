"""Legal targets of a shot: range, sight, friends beside the target, pistols."""

from random import Random

import pytest

from ludex.games.skirmish.rules.engine import events, layout
from tests.games.skirmish.rules.engine.support import active, events_of, outcomes
from tests.games.skirmish.support import arranged, shipped, texts, units_of
from tests.reference.hexes import distances, hexes, sees


@pytest.mark.slow
def test_shots_need_range_and_a_line_of_sight() -> None:
    """Sight is symmetric: a guard that the guard can shoot with its rifle can shoot back."""
    game = shipped("small")
    walls = {game.scenario.grid.col_row(int(where)) for where in game.scenario.walls.nonzero()[0]}
    free = [place for place in hexes(11, 10) if place not in walls]
    chance, seen, blocked = Random(1), 0, 0
    for _ in range(300):
        here, there = chance.sample(free, 2)
        apart = distances(11, 10)[here, there]
        if apart == 1:
            continue
        clear = sees(11, 10, walls, here, there)
        for shooter, unit, target in ((0, "01", "04"), (3, "04", "01")):
            words = {**active(shooter), layout.PLAYER: shooter // 3, layout.TO_MOVE: shooter // 3}
            position = arranged(game, layout.SHOOT, {unit: here, target: there}, words=words)
            assert (f"shoot/{target}" in texts(game, position)) == (clear and apart <= 12)
        seen += clear
        blocked += not clear
    assert min(seen, blocked) > 20


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


def test_excess_damage_is_lost_and_the_rest_of_the_attacks_too() -> None:
    """The marshal's pistol takes two wounds; a target with one left loses one and is not rolled against again."""
    game = shipped("default")
    marshal = next(number for number, unit in enumerate(game.units) if unit.type_id == "marshal")
    enemy = next(unit.id for unit in game.units if unit.player == 2 and unit.type_id == "harrier")
    at = {game.units[marshal].id: (12, 9), enemy: (12, 11), "10": (24, 0)}
    position = arranged(game, layout.SHOOT, at, wounds={enemy: 1}, words=active(marshal))
    kills = 0
    for after in outcomes(game, position, f"shoot/{enemy}", 100):
        lost = [loss for _, loss, _ in events_of(after, events.DAMAGED)]
        assert lost in ([], [1])
        assert len(events_of(after, events.DESTROYED)) == len(lost)
        if lost:
            kills += 1
            state = units_of(game, after)[enemy]
            assert (state.hex, state.wounds, state.ready) == (None, 0, False)
    assert kills > 10


def test_no_attack_follows_the_destruction() -> None:
    game = shipped("small")
    position = arranged(
        game, layout.SHOOT, {"01": (3, 4), "04": (7, 4), "05": (10, 9)}, wounds={"04": 1}, words=active(0)
    )
    early = 0
    for after in outcomes(game, position, "shoot/04", 300):
        kinds = [row[0] for row in after.events.tolist()]
        if events.DESTROYED in kinds:
            assert not set(kinds[kinds.index(events.DESTROYED) + 1 :]) & {events.HIT_ROLL, events.DAMAGED}
            early += kinds.count(events.HIT_ROLL) < 4
    assert early > 10
