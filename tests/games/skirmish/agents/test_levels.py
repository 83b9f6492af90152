"""The levels: placements without chance, the shipped network, and the boards on which it is the opponent."""

from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.errors import BadNet
from ludex.core.limit import Limit
from ludex.core.match import Match, decide, play
from ludex.core.registry import choose_agent, default_analyst, make_agent, spec
from ludex.core.seeding import agent_stream, generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.options import SHIPPED
from ludex.games.skirmish.rules.actions import ConfirmDeployment, DeployUnit
from ludex.games.skirmish.spec import NET_PRESETS
from tests.games.skirmish.support import GAME, SCENARIO, change, of_folder, shipped, variant, whole_folder
from tests.sizes import sampled

LEVELS = [(preset, level) for preset in SHIPPED for level in registry.levels(registry.make("skirmish", preset))]
AGENTS = [("small", name) for name in ("hard", "normal", "easy", "objective", "aggressive", "defensive", "greedy")]
SEEDS = range(4)


def deployment(game: Skirmish, level: str, seed: int) -> tuple[str, ...]:
    """The actions of both players, each at this level, until the battle begins or the deployment is stuck."""
    agents = [registry.make_agent(game, level) for _ in range(2)]
    match = Match(game, seed)
    while not match.over and game.phase(match.state) == "deployment":
        player, ply = match.to_move, match.ply + 1
        rng = generator(seed, ply, agent_stream(player))
        view = game.view(match.state, player)
        match.play(agents[player].decide(view, match.legal(), rng=rng, limit=Limit()).action)
    return tuple(move.text for move in match.moves)


def test_every_scenario_has_its_levels() -> None:
    assert {preset for preset, _ in LEVELS} == set(SHIPPED)
    assert {level for _, level in LEVELS} == set(registry.spec("skirmish").levels)
    assert "deployment" not in (registry.spec("skirmish").mistake_phases or ())


@pytest.mark.parametrize(("preset", "level"), [*LEVELS, *AGENTS])
def test_a_deployment_follows_from_the_position(preset: str, level: str) -> None:
    first, *others = (deployment(shipped(preset), level, seed) for seed in SEEDS)
    assert all(other == first for other in others)
    assert not [text for text in first if text.startswith("undeploy")]
    assert len([text for text in first if text.startswith("deploy")]) >= len(shipped(preset).units) - 1


@pytest.mark.parametrize("order", ["player_by_player", "alternated_p1_start"])
@pytest.mark.parametrize("level", ["greedy", "greedy:mistakes=1.0", "objective"])
def test_a_machine_without_a_free_hex_passes(tmp_path: Path, level: str, order: str) -> None:
    """Even where it might take units back."""
    changes = {(SCENARIO, "deployment_confirmation"): "per_player", (SCENARIO, "max_undeploys"): 2}
    game = variant(tmp_path, {**changes, (SCENARIO, "deployment_order_mode"): order}, "cramped")
    texts = deployment(game, level, 1)
    assert "pass" in texts
    assert not [text for text in texts if text.startswith("undeploy")]


def test_the_lowest_level_still_errs_in_battle() -> None:
    game = shipped("small")
    match, agent = Match(game, 1), registry.make_agent(game, "newcomer")
    notes = set()
    while game.phase(match.state) in ("deployment", "move"):
        rng = generator(1, match.ply + 1, agent_stream(match.to_move))
        view = game.view(match.state, match.to_move)
        decision = agent.decide(view, match.legal(), rng=rng, limit=Limit())
        notes.add((game.phase(match.state), decision.note.startswith("a random move")))
        match.play(decision.action)
    assert notes == {("deployment", False), ("move", True)}


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
