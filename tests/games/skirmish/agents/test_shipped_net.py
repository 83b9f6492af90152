"""The network that ships, as it comes."""

from ludex.core.match import play
from ludex.core.registry import make_agent
from ludex.games.skirmish.actions import DeployUnit
from tests.games.skirmish.support import shipped


def test_it_places_its_units_itself_and_beats_chance() -> None:
    game, seat = shipped("default"), 1
    match = play(game, [make_agent(game, "random"), make_agent(game, "net")], seed=5)
    placed = [
        game.table.decode(before, action)
        for before, action in zip(match.positions, match.actions, strict=False)
        if before.phase == "deployment" and before.to_move == seat
    ]
    assert len(placed) == len(game.scenario.forces[seat])
    assert all(isinstance(one, DeployUnit) for one in placed)
    assert match.outcome is not None
    assert match.outcome.scores[seat] == 1.0
