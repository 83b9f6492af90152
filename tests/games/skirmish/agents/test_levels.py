"""Every level that people are offered places its units without chance and never takes one back."""

import pytest

from ludex.core import registry
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.seeding import agent_stream, generator
from ludex.games.skirmish.options import SHIPPED
from tests.games.skirmish.support import shipped

LEVELS = [(preset, level) for preset in SHIPPED for level in registry.levels(registry.make("skirmish", preset))]
AGENTS = [("small", name) for name in ("hard", "normal", "easy", "objective", "aggressive", "defensive", "greedy")]
SEEDS = range(4)


def deployment(preset: str, level: str, seed: int) -> tuple[str, ...]:
    """The actions of both players, each at this level, until the battle begins or the deployment is stuck."""
    game = shipped(preset)
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
    first, *others = (deployment(preset, level, seed) for seed in SEEDS)
    assert all(other == first for other in others)
    assert not [text for text in first if text.startswith("undeploy")]
    assert len([text for text in first if text.startswith("deploy")]) >= len(shipped(preset).units) - 1


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
