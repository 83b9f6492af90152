"""What a deployment is worth: pairs of matches on the same seeds, and where units stood."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import tests.cli.conftest as cli
from ludex.core.executor import InProcess
from ludex.core.match import play
from ludex.core.registry import make_agent
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.games.skirmish.tools.verbs import (
    DeploymentResults,
    MatchResult,
    MatchTask,
    compare,
    heat_svg,
    play_match,
)
from tests.cli.conftest import Ludex, Result
from tests.games.skirmish.support import shipped, units_of

ludex = cli.ludex


def results(*scores: float) -> DeploymentResults:
    return DeploymentResults("any", tuple(MatchResult(score, ()) for score in scores))


def test_a_gain_is_the_mean_over_pairs_with_its_interval() -> None:
    gain, low, high = results(1, 1, 1, -1, 0, 1).gain_over(results(-1, 1, 1, -1, 0, -1))
    # Halves of (1, 0), (0, 0) and (0, 1) points.
    pairs = [0.5, 0.0, 0.5]
    mean = sum(pairs) / 3
    reach = 1.96 * math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / 2) / math.sqrt(3)
    assert gain == pytest.approx(mean)
    assert (low, high) == pytest.approx((mean - reach, mean + reach), abs=1e-4)


def test_a_single_pair_says_nothing_of_its_interval() -> None:
    assert results(1, 1).gain_over(results(-1, 1)) == (0.5, -math.inf, math.inf)


def test_heat_is_the_share_of_games_in_which_a_hex_was_stood_on() -> None:
    matches = (MatchResult(1.0, (0, 3)), MatchResult(-1.0, (3, 4)), MatchResult(0.0, (3,)), MatchResult(0.0, ()))
    assert DeploymentResults("any", matches).heat(6).tolist() == [0.25, 0.0, 0.0, 0.75, 0.25, 0.0]


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_a_result_has_the_score_and_where_units_stood_from_the_own_end(seat: int) -> None:
    game = shipped("small")
    result = play_match(MatchTask("small", "objective", "greedy", seat, 3))
    names = ("objective", "greedy") if seat == 0 else ("greedy", "objective")
    match = play(game, [make_agent(game, name) for name in names], seed=3)
    assert match.outcome is not None
    assert result.score == match.outcome.scores[seat]
    begun = next(position for position in match.positions if position.phase != "deployment")
    own = [unit.id for unit in game.scenario.forces[seat]]
    hexes = [units_of(game, begun)[name].hex for name in own]
    turn = game.scenario.grid.half_turn if seat == 1 else np.arange(game.scenario.grid.size)
    assert result.placed == tuple(int(turn[where]) for where in hexes)
    # From the own end either player deploys in player 1's zone: the board is symmetric.
    assert set(result.placed) <= set(game.scenario.pools[0])


@pytest.mark.slow
def test_players_are_compared_on_the_same_seeds_from_both_seats() -> None:
    advanced: list[int] = []
    players = ("objective", "random")
    compared = compare(InProcess(), "small", players, "greedy", 4, 7, advanced.append)
    assert [result.player for result in compared] == list(players)
    assert sum(advanced) == 8
    for result in compared:
        tasks = [MatchTask("small", result.player, "greedy", seat, seed) for seed in (7, 8) for seat in (0, 1)]
        assert result.matches == tuple(play_match(task) for task in tasks)
        assert result.heat(shipped("small").scenario.grid.size).sum() == pytest.approx(3)


def test_a_deployment_that_cannot_be_finished_raises() -> None:
    with pytest.raises(DeploymentDeadlockError, match="seed 3: player 1"):
        play_match(MatchTask("cramped", "greedy", "random", 0, 3))


def studied(run: Ludex, *arguments: str) -> Result:
    return run("skirmish", "deployments", "--preset", "small", *arguments)


@pytest.mark.slow
def test_the_verb_prints_gains_and_draws_the_first_players_placements(ludex: Ludex, own_folders: Path) -> None:
    players = ("--player", "objective", "--player", "random", "--opponent", "greedy")
    result = studied(ludex, *players, "--games", "4", "--seed", "7", "--picture", "heat.svg", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    document = json.loads(result.stdout, parse_constant=_no_constant)
    first, second = compare(InProcess(), "small", ("objective", "random"), "greedy", 4, 7, lambda amount: None)
    assert document["players"][0] == {"player": "objective", "score": first.scores.mean()}
    gain, low, high = first.gain_over(second)
    assert document["players"][1]["first_gains"] == pytest.approx(gain)
    assert document["players"][1]["ci95"] == pytest.approx([low, high])
    scenario = shipped("small").scenario
    caption = "objective against greedy, 4 games: where its units stand when the battle begins"
    assert (own_folders / "heat.svg").read_text() == heat_svg(scenario, first.heat(scenario.grid.size), caption)


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--games", "5"), "even number"),
        (("--games", "2"), "4"),
        (("--picture", "heat.png"), "ends in .svg"),
    ],
)
def test_the_verb_refuses_what_it_cannot_do(ludex: Ludex, arguments: tuple[str, str], named: str) -> None:
    result = studied(ludex, "--player", "random", *arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert named in result.stderr
    assert arguments[0] in result.stderr
