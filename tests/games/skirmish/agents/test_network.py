"""The network agent: its files equal the network, and it plays from either seat at its temperature."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

from ludex.core.errors import BadNet
from ludex.core.limit import Limit
from ludex.core.seeding import CHANCE, generator
from ludex.games.skirmish.agents.network import INPUTS, NetAgent, open_session
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.learning.network import SkirmishNet, geometry_of
from ludex.games.skirmish.learning.network_files import NetPolicy, build, playing_net
from ludex.games.skirmish.options import Deployment, NetOptions
from ludex.kernels.sampling import RandomActions
from ludex.learn.export import playable, save_onnx
from tests.games.skirmish.learning.support import tiny
from tests.games.skirmish.support import deployed, first, random_play, shipped

pytestmark = pytest.mark.slow

LANES = 6
COUNTED = {
    "default": (47, [669, 1557, 1019, 1012, 1019, 1015], [0.0327, 0.3454, -0.5047, 0.8329, -0.9451, 0.6893]),
    "small": (17, [65, 180, 181, 181, 181, 192], [0.3035, -0.1343, 0.0406, 0.4245, 0.3025, 0.3336]),
}
"""By board: every so many plies of a random match, and the first choices and values there of the files whose games were
counted in the cards, before their networks were written in the compact form."""


@pytest.fixture(scope="module")
def net() -> SkirmishNet:
    torch.manual_seed(0)
    net = build(tiny().net, geometry_of(shipped("small")))
    for parameter in net.parameters():
        # Half precision holds these exactly, so that nothing is lost in the file.
        parameter.data = (0.3 * torch.randn_like(parameter)).half().float()
    return net.eval()


@pytest.fixture(scope="module", params=["checkpoint", pytest.param("export", marks=pytest.mark.full)])
def file(net: SkirmishNet, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a run keeps it with a checkpoint, whose graph every run with this network shares, or a new export."""
    path = tmp_path_factory.mktemp("net") / "small.onnx"
    if request.param == "export":
        save_onnx(playing_net(net, geometry_of(shipped("small"))), path)
    else:
        path.write_bytes(playable(playing_net(net, geometry_of(shipped("small")))))
    return path


def test_the_file_says_what_the_network_says(net: SkirmishNet, file: Path) -> None:
    game = shipped("small")
    batch, draw = SkirmishBatch(game, LANES, turned=True), RandomActions(LANES, 1, CHANCE)
    batch.reset(1)
    session, playing = open_session(game, str(file)), playing_net(net, geometry_of(game))
    for _ in range(60):
        logits, value = session.run(*(batch.obs[name] for name in INPUTS))
        with torch.no_grad():
            expected = playing(*(torch.from_numpy(batch.obs[name]) for name in INPUTS))
        assert np.allclose(logits, expected[0].numpy(), atol=2e-4)
        assert np.allclose(value, expected[1].numpy(), atol=2e-4)
        batch.step(draw.draw(batch.lanes.mask))


@pytest.mark.parametrize("board", COUNTED)
def test_the_files_that_ship_say_what_the_counted_ones_said(board: str) -> None:
    game, (every, choices, values) = shipped(board), COUNTED[board]
    seat, matches = SeatAdapter(game), random_play(game, 3, every * (len(choices) - 1))
    rows = [seat.observe(game.view(match.state, match.to_move)) for match in matches if match.ply % every == 0]
    logits, value = open_session(game).run(*(np.stack([row[name] for row in rows]) for name in INPUTS))
    assert logits.argmax(1).tolist() == choices
    assert np.allclose(value, values, atol=1e-4)


def test_the_agent_plays_what_the_policy_plays_from_either_seat(net: SkirmishNet, file: Path) -> None:
    game = shipped("small")
    agent, policy = NetAgent(game, NetOptions(net=str(file))), NetPolicy(net, torch.device("cpu"))
    viewer = SkirmishBatch(game, 1, turned=True)
    seats: Counter[int] = Counter()
    for match in random_play(game, 0):
        if not match.over and match.ply % 3 == 0:
            player = match.to_move
            view = game.view(match.state, player)
            decision = agent.decide(view, match.legal(), rng=generator(0, 0), limit=Limit())
            assert match.legal()[decision.action]
            obs, masks = viewer.show(match.state.words[None])
            turned = int(viewer.lanes.orientation.actions[player, policy(obs, masks)[0]])
            assert decision.action == turned
            assert sum(candidate.prob or 0.0 for candidate in decision.candidates) <= 1.0 + 1e-9
            assert decision.candidates[0].action == decision.action
            seats[player] += 1
    assert min(seats.values()) > 15


@pytest.mark.parametrize(("phase", "deployment"), [("deployment", "sampled"), ("move", "learned")])
def test_more_heat_strays_more(file: Path, phase: str, deployment: Deployment) -> None:
    game = shipped("small")
    position = first(game) if phase == "deployment" else deployed(game)
    assert position.phase == phase
    view, legal = game.view(position, position.to_move), game.legal(position)

    def drawn(temperature: float) -> Counter[int]:
        agent = NetAgent(game, NetOptions(net=str(file), temperature=temperature, deployment=deployment))
        return Counter(agent.decide(view, legal, rng=generator(1, ply), limit=Limit()).action for ply in range(200))

    cold, warm, hot = drawn(0.0), drawn(0.001), drawn(20.0)
    assert len(cold) == 1
    assert warm.most_common(1)[0][0] == next(iter(cold))
    assert 1 <= len(warm) <= len(hot)
    assert len(hot) > 1


def test_units_are_placed_by_another_rule_on_request(file: Path) -> None:
    game = shipped("small")
    position = game.initial(generator(0, 0))
    view, legal = game.view(position, 0), game.legal(position)
    firsts = NetAgent(game, NetOptions(net=str(file), deployment="first"))
    assert firsts.decide(view, legal, rng=generator(0, 0), limit=Limit()).action == int(legal.argmax())
    uniform = NetAgent(game, NetOptions(net=str(file), deployment="uniform"))
    placements = {uniform.decide(view, legal, rng=generator(0, ply), limit=Limit()).action for ply in range(300)}
    assert len(placements) == int(legal.sum())


def test_placements_are_laid_over_the_board(file: Path) -> None:
    game = shipped("small")
    position = game.initial(generator(0, 0))
    decision = NetAgent(game, NetOptions(net=str(file))).decide(
        game.view(position, 0), game.legal(position), rng=generator(0, 0), limit=Limit()
    )
    layer = decision.overlay["policy"]
    assert [where for where, share in enumerate(layer) if share is not None] == list(game.scenario.pools[0])
    assert sum(share for share in layer if share is not None) == pytest.approx(1.0)


def test_a_file_that_is_no_network_or_another_boards_is_named(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadNet, match="expected"):
        open_session(shipped("default"), str(file))
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"no network")
    with pytest.raises(BadNet, match="not a network in ONNX"):
        open_session(shipped("small"), str(bad))
    with pytest.raises(BadNet, match="no network ships for a board of 9 x 9"):
        open_session(shipped("cramped"))
