"""The shipped network: its levels, and the boards on which one of them is the opponent."""

from pathlib import Path

import pytest

from ludex.core.errors import BadNet
from ludex.core.limit import Limit
from ludex.core.match import Match, decide, play
from ludex.core.registry import choose_agent, default_analyst, make_agent, spec
from ludex.games.skirmish.rules.actions import ConfirmDeployment, DeployUnit
from ludex.games.skirmish.spec import NET_PRESETS
from tests.games.skirmish.rules.scenario.support import GAME, SCENARIO, change, whole_folder
from tests.games.skirmish.support import of_folder, shipped, variant
from tests.sizes import sampled


@pytest.mark.slow
@pytest.mark.parametrize("preset", sampled("small", "default"))
def test_it_places_its_units_itself_and_beats_chance(preset: str) -> None:
    game, seat = shipped(preset), 1
    match = play(game, [make_agent(game, "random"), make_agent(game, "hard")], seed=5)
    placed = [
        game.table.decode(before, action)
        for before, action in zip(match.positions, match.actions, strict=False)
        if before.phase == "deployment" and before.to_move == seat
    ]
    assert len(placed) == len(game.scenario.forces[seat])
    assert all(isinstance(meaning, DeployUnit) for meaning in placed)
    assert match.outcome is not None
    assert match.outcome.scores[seat] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("preset", sampled("small", "default"))
def test_the_easier_the_level_the_more_it_strays(preset: str) -> None:
    game = shipped(preset)
    match, levels = Match(game, 3), {name: make_agent(game, name) for name in ("hard", "normal", "easy")}
    likeliest, strayed = [], dict.fromkeys(levels, 0)
    while match.ply < 40:
        decisions = {name: decide(match, level, Limit()) for name, level in levels.items()}
        first = max(decisions["hard"].candidates, key=lambda move: move.prob or 0.0)
        assert decisions["hard"].action == first.action
        likeliest.append([max(move.prob or 0.0 for move in decision.candidates) for decision in decisions.values()])
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


def test_a_board_of_ones_own_is_played_by_the_network_if_its_size_is_known(tmp_path: Path) -> None:
    game = of_folder(whole_folder(tmp_path, "small"))
    change(tmp_path / "small", SCENARIO, "title", "Mine")
    assert choose_agent(game).name == "normal"
    assert choose_agent(game, "hard").name == "hard"
    wider = variant(tmp_path / "wider", {(GAME, "deployment_max_hex_slots"): 21})
    assert choose_agent(wider).name == "objective"
    with pytest.raises(BadNet, match="no network ships for a board of 11 x 10 with 3 unit slots and 21 hex slots"):
        choose_agent(wider, "hard")


@pytest.mark.slow
def test_the_network_plays_where_players_confirm_and_takes_nothing_back() -> None:
    game = shipped("people")
    agents, match = [make_agent(game, name) for name in ("hard", "easy")], Match(game, 1)
    played: dict[int, list[type]] = {0: [], 1: []}
    while match.state.phase == "deployment":
        action = decide(match, agents[match.to_move], Limit()).action
        played[match.to_move].append(type(game.table.decode(match.state, action)))
        match.play(action)
    for kinds in played.values():
        assert kinds == [DeployUnit] * 9 + [ConfirmDeployment]
    decide(match, agents[match.to_move], Limit())
