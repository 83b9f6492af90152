"""The shipped network: its levels, and the boards on which one of them is the opponent."""

from pathlib import Path

import pytest

from ludex.core.limit import Limit
from ludex.core.match import Match, decide, play
from ludex.core.registry import choose_agent, default_analyst, make_agent, spec
from ludex.games.skirmish.rules.actions import DeployUnit
from ludex.games.skirmish.spec import NET_PRESETS
from tests.games.skirmish.rules.scenario.support import whole_folder
from tests.games.skirmish.support import of_folder, shipped


@pytest.mark.slow
def test_it_places_its_units_itself_and_beats_chance() -> None:
    game, seat = shipped("default"), 1
    match = play(game, [make_agent(game, "random"), make_agent(game, "hard")], seed=5)
    placed = [
        game.table.decode(before, action)
        for before, action in zip(match.positions, match.actions, strict=False)
        if before.phase == "deployment" and before.to_move == seat
    ]
    assert len(placed) == len(game.scenario.forces[seat])
    assert all(isinstance(one, DeployUnit) for one in placed)
    assert match.outcome is not None
    assert match.outcome.scores[seat] == 1.0


@pytest.mark.slow
def test_the_easier_the_level_the_more_it_strays() -> None:
    game = shipped("default")
    match, levels = Match(game, 3), {name: make_agent(game, name) for name in ("hard", "normal", "easy")}
    likeliest, strayed = [], dict.fromkeys(levels, 0)
    while match.ply < 40:
        decisions = {name: decide(match, level, Limit()) for name, level in levels.items()}
        first = max(decisions["hard"].candidates, key=lambda one: one.prob or 0.0)
        assert decisions["hard"].action == first.action
        likeliest.append([max(one.prob or 0.0 for one in decision.candidates) for decision in decisions.values()])
        for name, decision in decisions.items():
            strayed[name] += decision.action != first.action
        match.play(first.action)
    assert all(hard >= normal >= easy for hard, normal, easy in likeliest)
    assert 0 == strayed["hard"] < strayed["normal"] < strayed["easy"]


@pytest.mark.parametrize("preset", spec("skirmish").presets)
def test_the_opponent_is_the_network_where_one_ships_and_else_the_planner(preset: str) -> None:
    expected = "normal" if preset in NET_PRESETS else "objective"
    assert choose_agent(shipped(preset)).name == expected
    assert default_analyst(shipped(preset)) == "objective"


def test_a_network_ships_for_three_boards_and_not_for_all() -> None:
    assert NET_PRESETS == ("default", "mirror", "small")
    assert choose_agent(shipped("people")).name == "objective"


def test_a_board_of_ones_own_is_played_by_the_planner(tmp_path: Path) -> None:
    game = of_folder(whole_folder(tmp_path, "default"))
    assert choose_agent(game).name == "objective"
