"""The learned player: the file it plays by is the network that was trained, and it plays boards as it plays one."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from ludex.core.errors import BadNet
from ludex.core.limit import Limit
from ludex.core.match import play
from ludex.core.registry import make_agent
from ludex.core.seeding import generator
from ludex.games.minesweeper.agents.network import BoardEvaluator, NetAgent, PlayStyle
from ludex.games.minesweeper.agents.solving import LaneTurn
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import game_seed
from ludex.games.minesweeper.learning.evaluation import as_judged, measure
from ludex.games.minesweeper.learning.network import COUNTS, PLANES, CNNPolicy, build, playing_net, shape_of
from ludex.games.minesweeper.options import NetOptions
from ludex.games.minesweeper.tools.evaluation import Played, evaluate, games_won, play_lanes, play_match
from ludex.learn.export import playable, save_onnx
from ludex.search.network import shipped_net
from tests.games.minesweeper.agents.support import decision_of
from tests.games.minesweeper.learning.support import tiny
from tests.games.minesweeper.support import game_of

pytestmark = pytest.mark.slow

SMALL = build(tiny().model)


@pytest.fixture(scope="module", params=["checkpoint", pytest.param("export", marks=pytest.mark.full)])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a run keeps it with a checkpoint, whose graph every run with this network shares, or a new export."""
    torch.manual_seed(0)
    for parameter in SMALL.parameters():
        # Half precision holds these exactly, so that nothing is lost in the file.
        parameter.data = (0.2 * torch.randn_like(parameter)).half().float()
    path = tmp_path_factory.mktemp("net") / "small.onnx"
    if request.param == "export":
        save_onnx(playing_net(SMALL), path)
    else:
        path.write_bytes(playable(playing_net(SMALL)))
    return path


def boards(count: int, rows: int, cols: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.int8]]":
    return np.random.default_rng(1).integers(-1, 4, (count, rows, cols)).astype(np.int8)


@pytest.mark.parametrize(
    ("count", "rows", "cols", "mines"), [(1, 8, 8, 10), (3, 16, 30, 99), (2, 1, 5, 1), (5, 4, 3, 2)]
)
def test_the_file_says_what_the_network_says(file: Path, count: int, rows: int, cols: int, mines: int) -> None:
    numbers = boards(count, rows, cols)
    evaluation = BoardEvaluator(str(file)).evaluate(numbers, mines)
    with torch.no_grad():
        expected = playing_net(SMALL)(torch.from_numpy(numbers).float(), torch.full((count,), float(mines)))
    assert evaluation.actions.shape == (count, 1, rows, cols)
    for one, other in zip((evaluation.actions[:, 0], *evaluation[1:]), expected, strict=True):
        assert np.allclose(one, other.numpy(), atol=1e-4)


@pytest.mark.full
def test_the_seeds_network_can_be_exported_too(tmp_path: Path) -> None:
    net: nn.Module = CNNPolicy(PLANES, 8)
    save_onnx(playing_net(net), tmp_path / "cnn.onnx")
    numbers = boards(2, 5, 6)
    evaluation = BoardEvaluator(str(tmp_path / "cnn.onnx")).evaluate(numbers, 4)
    with torch.no_grad():
        expected = playing_net(net)(torch.from_numpy(numbers).float(), torch.full((2,), 4.0))
    assert np.allclose(evaluation.mine, expected[2].numpy(), atol=2e-3)


@pytest.mark.parametrize("shape", [(5, 5), (4, 6)])
def test_averaged_answers_turn_with_the_board(file: Path, shape: tuple[int, int]) -> None:
    net, numbers = BoardEvaluator(str(file), symmetry=True), boards(2, *shape)
    straight, flipped = net.evaluate(numbers, 5), net.evaluate(numbers[:, ::-1], 5)
    assert np.allclose(straight.mine[:, ::-1], flipped.mine, atol=1e-5)
    assert np.allclose(straight.actions[:, :, ::-1], flipped.actions, atol=1e-4)
    assert not np.allclose(straight.mine, BoardEvaluator(str(file)).evaluate(numbers, 5).mine, atol=1e-5)
    if shape[0] == shape[1]:
        turned = net.evaluate(numbers.transpose(0, 2, 1), 5)
        assert np.allclose(straight.mine.transpose(0, 2, 1), turned.mine, atol=1e-5)


def test_choose_and_decide_agree(file: Path) -> None:
    game = game_of(6, 7, 8, "safe")
    agent = NetAgent(game, NetOptions(net=str(file)))
    state, views = game.initial(generator(0, 0)), []
    for ply in range(1, 9):
        views.append(game.view(state, 0))
        hidden = np.flatnonzero(game.legal(state)[:42])
        state = game.apply(state, int(hidden[ply % len(hidden)]), generator(3, ply))
        if game.outcome(state) is not None:
            break
    numbers = np.array([view.numbers for view in views])
    live = np.ones(len(views), np.bool_)
    live[1] = False
    actions, safety = np.full(len(views), -7, np.int64), np.full(len(views), -7.0)
    agent.choose(LaneTurn(numbers, live, np.zeros(len(views), np.uint64), actions, safety))
    for lane, view in enumerate(views):
        decision = decision_of(agent, view)
        if not live[lane]:
            assert (actions[lane], safety[lane]) == (-7, -7.0)
            continue
        assert actions[lane] == decision.action
        assert safety[lane] == pytest.approx(decision.candidates[0].terms["safety"], abs=1e-6)
        assert view.numbers.reshape(-1)[decision.action] == -1
        assert decision.value is not None
        assert 0.0 <= decision.value <= 1.0
        for layer in ("mine", "net"):
            overlay = decision.overlay[layer]
            assert [chance is None for chance in overlay] == (view.numbers.reshape(-1) != -1).tolist()
        assert sum(candidate.prob or 0.0 for candidate in decision.candidates) <= 1.0 + 1e-9


def test_the_shipped_network_wins(file: Path) -> None:
    """It finishes most small boards; a network with random weights, as above, finishes hardly any."""
    cfg = EnvConfig(H=6, W=6, mine_count=4)
    assert evaluate("net", cfg, 24, seed=1)["win_rate"] >= 0.75
    assert evaluate(f"net:net={file}", cfg, 24, seed=1)["win_rate"] < 0.5


def test_the_shipped_network_is_small_and_has_a_card() -> None:
    data = shipped_net("minesweeper.onnx")
    card = json.loads(files("ludex.nets").joinpath("minesweeper.json").read_text(encoding="utf-8"))
    assert len(data) == card["bytes"] < 8_000_000
    rows = {(row["preset"], row["start"]): row for row in card["strength"]["rows"]}
    assert len(rows) == 8
    assert all(row["games"] >= 10_000 and row["ci95"][0] < row["win_rate"] < row["ci95"][1] for row in rows.values())


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    game = game_of(6, 7, 8, "safe")
    with pytest.raises(BadNet, match=r"cannot read .*missing\.onnx"):
        make_agent(game, f"net:net={tmp_path / 'missing.onnx'}")
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    with pytest.raises(BadNet, match=r"bad\.onnx: not a network in ONNX"):
        make_agent(game, f"net:net={tmp_path / 'bad.onnx'}")


FLAGS = PlayStyle(flags=True)
KEPT = PlayStyle(flags=True, keep_flags=True)
STYLES = [PlayStyle(), FLAGS, KEPT, PlayStyle(flags=True, keep_flags=True, frontier_mask=True)]


@pytest.fixture(scope="module")
def styled(tmp_path_factory: pytest.TempPathFactory) -> "dict[PlayStyle, tuple[Path, nn.Module]]":
    """The original document's network with random weights, once for each way to play."""
    torch.manual_seed(3)
    net = CNNPolicy(PLANES, 8)
    for parameter in net.parameters():
        parameter.data = (0.3 * torch.randn_like(parameter)).half().float()
    folder = tmp_path_factory.mktemp("styles")
    networks: dict[PlayStyle, tuple[Path, nn.Module]] = {}
    for number, style in enumerate(STYLES):
        path = folder / f"{number}.onnx"
        path.write_bytes(playable(playing_net(net, COUNTS, style)))
        networks[style] = (path, net.eval())
    return networks


@pytest.mark.parametrize("style", STYLES, ids=lambda style: "-".join(name for name, on in style if on) or "plain")
def test_an_agent_wins_the_boards_that_its_run_was_judged_to_win(
    styled: "dict[PlayStyle, tuple[Path, nn.Module]]", style: PlayStyle
) -> None:
    """Board by board, with flags and without: what a run shows is what it plays."""
    path, net = styled[style]
    game = game_of(5, 5, 2, "zero")
    cfg = as_judged(EnvConfig.of_board(game.options), shape_of(tiny().model, COUNTS, style))
    assert PlayStyle.of(cfg) == style
    judged = measure(lambda planes: net(planes, return_mine=True), cfg, 40, 5, torch.device("cpu"), lanes=20)
    assert games_won(game, f"net:net={path}", 40, 5).tolist() == judged.wins.tolist()
    assert 0 < judged.won < 40, "a network that always or never wins shows nothing"


def test_ways_to_play_lead_to_different_results(styled: "dict[PlayStyle, tuple[Path, nn.Module]]") -> None:
    game = game_of(5, 5, 2, "zero")
    results = {tuple(games_won(game, f"net:net={path}", 40, 5).tolist()) for path, _ in styled.values()}
    assert len(results) > 2


@pytest.mark.parametrize("style", [FLAGS, KEPT], ids=["removes", "keeps"])
def test_flags_are_set_and_kept_as_the_run_had_it(
    styled: "dict[PlayStyle, tuple[Path, nn.Module]]", style: PlayStyle
) -> None:
    game = game_of(5, 5, 2, "zero")
    agent = NetAgent(game, NetOptions(net=str(styled[style][0])))
    removed = flagged = 0
    for seed in range(12):
        match = play(game, [agent], seed=seed)
        for move, position in zip(match.moves, match.positions, strict=False):
            if move.action >= game.cells:
                flags = game.view(position, 0).flags.reshape(-1)
                flagged, removed = flagged + 1, removed + int(flags[move.action - game.cells])
    assert flagged > 0
    assert (removed > 0) == (not style.keep_flags)


def test_lanes_and_matches_agree_on_flags(styled: "dict[PlayStyle, tuple[Path, nn.Module]]") -> None:
    game = game_of(5, 5, 2, "zero")
    agent = NetAgent(game, NetOptions(net=str(styled[KEPT][0])))
    seeds = [game_seed(5, number) for number in range(12)]
    cfg = EnvConfig.of_board(game.options)
    lanes = play_lanes(agent, cfg, seeds)
    single = Played.concatenate([play_match(game, agent, cfg, seed, Limit()) for seed in seeds])
    assert lanes.won.tolist() == single.won.tolist()
    assert lanes.steps.tolist() == single.steps.tolist()


def test_a_random_first_click_is_drawn_anew(tmp_path: Path) -> None:
    path = tmp_path / "anywhere.onnx"
    path.write_bytes(playable(playing_net(SMALL, COUNTS, PlayStyle(random_first_click=True))))
    game = game_of(5, 5, 2, "zero")
    agent = NetAgent(game, NetOptions(net=str(path)))
    view = game.view(game.initial(generator(0, 0)), 0)
    first = [
        agent.decide(view, game.legal(game.initial(generator(0, 0))), rng=generator(1, ply), limit=Limit())
        for ply in range(60)
    ]
    assert len({decision.action for decision in first}) > 15
    assert {decision.explanation[0].id for decision in first} == {"minesweeper.net_begin_anywhere"}


def test_a_file_with_other_metadata_is_refused(tmp_path: Path) -> None:
    playing = playing_net(SMALL)
    playing.metadata["keep_flags"] = "perhaps"
    (tmp_path / "odd.onnx").write_bytes(playable(playing))
    with pytest.raises(BadNet, match=r"odd.onnx: metadata 'keep_flags': expected true or false, found 'perhaps'"):
        BoardEvaluator(str(tmp_path / "odd.onnx"))
