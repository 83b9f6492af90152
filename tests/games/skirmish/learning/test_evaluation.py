"""Evaluation: exact scores from either seat, intervals over pairs, and the log of placements and their outcomes."""

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.arena.statistics import wilson95
from ludex.core.game import Mask, Observation
from ludex.core.seeding import OPENING, generator
from ludex.games.skirmish.env.opponent_batch import DeploymentMetrics
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.learning.evaluation import Evaluation, PlacementLog, evaluate, ground_of
from ludex.games.skirmish.rules.actions import DeployUnit
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.layout import PHASES
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import first, shipped, units_of
from tests.json_values import number
from tests.reference.hexes import distances, sees

OWN_NUMBER = len(PHASES) + 1


class FirstLegal:
    """Plays the first legal action, and counts the seats that it plays."""

    def __init__(self) -> None:
        self.seats = [0, 0]

    def __call__(self, obs: Observation, masks: Mask) -> NDArray[np.int64]:
        own = obs["vector"][:, OWN_NUMBER]
        self.seats[1] += int(own.sum())
        self.seats[0] += int((1 - own).sum())
        chosen: NDArray[np.int64] = masks.argmax(axis=1)
        return chosen


@pytest.mark.slow
def test_both_seats_are_played_alike_and_the_same_seed_plays_the_same() -> None:
    game, policy = shipped("small"), FirstLegal()
    result = evaluate(game, policy, "random", "random", 12, seed=3)
    assert len(result.scores) == 12
    assert set(result.scores.tolist()) <= {-1.0, 0.0, 1.0}
    assert min(policy.seats) > 0.3 * max(policy.seats)
    again = evaluate(game, FirstLegal(), "random", "random", 12, seed=3)
    assert result.scores.tolist() == again.scores.tolist()
    assert evaluate(game, FirstLegal(), "random", "random", 12, seed=4).scores.tolist() != result.scores.tolist()


def evaluation(scores: list[float]) -> Evaluation:
    game = shipped("small")
    return Evaluation("x", np.array(scores), DeploymentMetrics.empty(3, 20), PlacementLog(game, 1))


@pytest.mark.slow
def test_the_interval_is_over_pairs() -> None:
    # Seats decide everything: every pair is even, so that the rate is known better than single games would say.
    even = evaluation([1.0, -1.0] * 40 + [1.0, 1.0])
    assert even.win_rate == pytest.approx(42 / 82)
    low, high = even.ci95
    assert high - low < np.diff(wilson95(even.win_rate, 82))[0]
    # Pairs that go one way are half as many games.
    low, high = evaluation([1.0, 1.0] * 20 + [-1.0, -1.0] * 20).ci95
    assert (low, high) == pytest.approx(wilson95(0.5, 40), abs=0.005)
    assert evaluation([1.0] * 40).ci95 == pytest.approx(wilson95(1.0, 20))


@pytest.mark.slow
@pytest.mark.parametrize("games", [0, 1, 7])
def test_an_odd_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(ValueError, match=f"games must be even and at least 2.*found {games}"):
        evaluate(shipped("small"), FirstLegal(), "random", "random", games, seed=0)


@pytest.mark.slow
def test_a_gain_over_other_games_on_the_same_dice_is_a_mean_over_pairs() -> None:
    # Pairs that differ by a whole game, by none and by a half.
    gain, low, high = evaluation([1.0, 1.0, 1.0, -1.0, 0.0, 1.0]).gain_over(
        evaluation([-1.0, -1.0, 1.0, -1.0, -1.0, 1.0])
    )
    pairs = np.array([1.0, 0.0, 0.25])
    reach = 1.96 * pairs.std(ddof=1) / np.sqrt(3)
    assert gain == pytest.approx(pairs.mean())
    assert (low, high) == pytest.approx((gain - reach, gain + reach), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("most_lanes", [1, 5, 12])
def test_both_seats_are_played_and_reported_for_any_number_of_lanes(most_lanes: int) -> None:
    """Twelve games in one lane, in four of three each, and in twelve lanes of one."""
    advanced: list[int] = []
    policy = FirstLegal()
    result = evaluate(
        shipped("small"), policy, "random", "random", 12, seed=3, most_lanes=most_lanes, advance=advanced.append
    )
    assert len(result.scores) == sum(advanced) == result.metrics.games == 12
    assert result.placements.heat().sum() == pytest.approx(3)
    assert min(policy.seats) > 0.3 * max(policy.seats)


FEATURES, OUTCOMES = ("front", "objective", "cover"), ("survival", "damage_taken", "damage_dealt")


def with_wounds(*wounds: int) -> np.ndarray:
    """A last position of the small scenario in which the six units have these wounds left."""
    words = first(shipped("small")).words.copy()
    words[layout.UNITS + layout.WOUNDS :: layout.UNIT_WORDS][: len(wounds)] = wounds
    return words


@pytest.mark.slow
def test_the_ground_of_a_slot_is_that_of_the_hex_it_places_on() -> None:
    game = shipped("small")
    grid, ground, seat = game.scenario.grid, ground_of(game), SeatAdapter(game)
    steps = distances(grid.cols, grid.rows)
    walls = {grid.col_row(where) for where in np.flatnonzero(game.scenario.walls).tolist()}
    zones = [[grid.col_row(where) for where in pool] for pool in game.scenario.pools]
    objectives = [grid.col_row(where) for where in game.scenario.objectives]
    checked = 0
    words = first(game).words.copy()
    for player in (0, 1):
        words[layout.TO_MOVE] = player
        position = Position(words.tobytes())
        for slot in range(len(zones[player])):
            meaning = game.table.decode(position, seat.action(player, slot))
            assert isinstance(meaning, DeployUnit)
            here, enemies = (meaning.col, meaning.row), zones[1 - player]
            assert ground.front[player, slot] == -min(steps[here, there] for there in enemies)
            assert ground.objective[player, slot] == -min(steps[here, there] for there in objectives)
            count = sum(sees(grid.cols, grid.rows, walls, here, there) for there in enemies)
            assert ground.cover[player, slot] == pytest.approx(1 - count / len(enemies))
            checked += 1
    assert checked == sum(map(len, zones))
    assert all(len(set(table[0].tolist())) > 2 for table in (ground.front, ground.objective))


def test_an_account_is_closed_with_what_became_of_each_unit() -> None:
    game = shipped("small")
    log, ground, slots = PlacementLog(game, 3), ground_of(game), game.table.hex_slots
    placed = {0: (4, 9, 2), 1: (0, 17, 5)}
    for unit in range(3):
        actions = np.array([unit * slots + placed[0][unit], unit * slots + placed[1][unit], 10**6])
        log.note(actions, np.array([True, True, False]))
    wounds = with_wounds(5, 0, 2, 5, 1, 0), with_wounds(0, 0, 0, 5, 4, 3), with_wounds(5, 4, 5, 5, 4, 5)
    # In two plies each lane's first unit, then its third, takes what the enemy loses. A unit of the own side that is
    # hurt meanwhile is no enemy, and a lane in which the learner does not act credits nobody.
    whole = (with_wounds(5, 4, 5, 5, 4, 5),) * 3
    between = with_wounds(4, 4, 5, 5, 4, 0), with_wounds(0, 0, 5, 5, 4, 3), with_wounds(0, 0, 0, 0, 0, 0)
    for active, before, after in (((0, 3, 0), whole, between), ((2, 5, 2), between, wounds)):
        positions = np.stack(before)
        positions[:, layout.ACTIVE] = active
        log.credit(positions, np.stack(after), np.array([True, True, False]))
    # The first lane's learner is player 1 and the second's is player 2; the third lane is still playing.
    log.settle(np.array([True, True, False]), np.array([0, 1, 0], np.int8), np.stack(wounds))

    def row(seat: int, slot: int, *outcome: float) -> tuple[float, ...]:
        return ground.front[seat, slot], ground.objective[seat, slot], ground.cover[seat, slot], *outcome

    # Line guards have 5 wounds and are worth 45, outriders 4 and 55, reavers 5 and 55.
    expected = [
        row(0, 4, 1.0, 0.0, 55 / 155),
        row(0, 9, 0.0, 1.0, 0.0),
        row(0, 2, 1.0, 0.6, 55 * 3 / 4 / 155),
        row(1, 0, 1.0, 0.0, (45 + 55) / 155),
        row(1, 17, 1.0, 0.0, 0.0),
        row(1, 5, 1.0, 0.4, 55 / 155),
    ]
    assert np.array(log.rows) == pytest.approx(np.array(expected))
    # A placement is logged once, and a lane that placed nothing logs nothing.
    log.settle(np.array([True, True, True]), np.array([0, 1, 0], np.int8), np.stack(wounds))
    assert len(log.rows) == 6


@pytest.mark.slow
def test_damage_varies_with_the_unit_where_placements_do_not() -> None:
    """A deterministic placement still goes together with the damage of each unit, which adds up to the side's."""
    game = shipped("small")
    result = evaluate(game, "objective", "aggressive", "aggressive", 8, seed=3)
    table = np.array(result.placements.rows)
    assert len({tuple(row[:3]) for row in table[:3].tolist()}) > 1
    by_game = table[:, 5].reshape(-1, 3)
    assert (by_game.std(axis=1) > 0).any(), "all units of a side are credited alike"
    assert (by_game.sum(axis=1) <= 1.0 + 1e-9).all()
    assert by_game.sum() > 0
    assert any(result.placements.correlations()[f"placement_{where}_damage_dealt"] for where in FEATURES)


def test_a_unit_that_is_placed_again_counts_where_it_was_last() -> None:
    game = shipped("small")
    log, ground = PlacementLog(game, 1), ground_of(game)
    for slot in (3, 11):
        log.note(np.array([slot]), np.array([True]))
    log.settle(np.array([True]), np.array([0], np.int8), with_wounds(5, 4, 5, 5, 4, 5)[None])
    assert [row[:3] for row in log.rows] == [(ground.front[0, 11], ground.objective[0, 11], ground.cover[0, 11])]


def test_placements_of_a_game_are_where_the_units_stood() -> None:
    game = shipped("small")
    grid, seat, logs = game.scenario.grid, SeatAdapter(game), [PlacementLog(game, 1), PlacementLog(game, 1)]
    position, here = first(game), np.array([True])
    while position.phase == "deployment":
        mover = position.to_move
        legal = np.flatnonzero(seat.mask(mover, game.legal(position))).tolist()
        choice = generator(4, int(position.words[layout.PLIES]), OPENING).choice(legal)
        logs[mover].note(np.array([choice]), here)
        position = game.apply(position, seat.action(mover, choice), generator(4, 0))
    units = list(units_of(game, position).values())
    for player, log in enumerate(logs):
        log.settle(here, np.array([player], np.int8), position.words[None])
        enemies = list(game.scenario.pools[1 - player])
        stood = [unit.hex for unit in units[3 * player : 3 * player + 3] if unit.hex is not None]
        assert [row[0] for row in log.rows] == [-grid.distance[where, enemies].min().astype(int) for where in stood]
        assert [row[3:] for row in log.rows] == [(1.0, 0.0, 0.0)] * 3
        mapping = np.arange(grid.size) if player == 0 else grid.half_turn
        assert np.flatnonzero(log.heat()).tolist() == sorted(int(mapping[where]) for where in stood)


def test_correlations_are_those_of_the_columns() -> None:
    log = PlacementLog(shipped("small"), 1)
    chance = np.random.default_rng(3)
    table = chance.normal(size=(40, 6))
    table[:, 5] += 2 * table[:, 0]
    log.rows += [tuple(row) for row in table.tolist()]
    result = log.correlations()
    centred = table - table.mean(axis=0)
    for place, feature in enumerate(FEATURES):
        for outcome, what in enumerate(OUTCOMES, 3):
            x, y = centred[:, place], centred[:, outcome]
            expected = (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())
            assert result[f"placement_{feature}_{what}"] == pytest.approx(expected)
    assert len(result) == len(FEATURES) * len(OUTCOMES)
    assert number(result["placement_front_damage_dealt"]) > 0.7


def test_what_goes_together_exactly_is_1_and_what_never_varies_is_none() -> None:
    log = PlacementLog(shipped("small"), 1)
    assert set(log.correlations().values()) == {None}
    log.rows += [(-1.0, -2.0, 0.5, 1.0, 0.0, 0.25)]
    assert set(log.correlations().values()) == {None}
    log.rows += [(-2.0, -2.0, 0.25, 0.0, 1.0, 0.25), (-3.0, -2.0, 0.0, -1.0, 2.0, 0.25)]
    result = log.correlations()
    assert result["placement_front_survival"] == pytest.approx(1.0)
    assert result["placement_cover_damage_taken"] == pytest.approx(-1.0)
    unvaried = {name for name, value in result.items() if value is None}
    assert unvaried == {name for name in result if "_objective_" in name or name.endswith("damage_dealt")}
