"""The network and its learning: what plays equals what learned, and symmetries move cells and moves alike."""

import json
import shlex
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

import ludex
from ludex.core.compiled import compiled_rules
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.learn.alphazero import export
from ludex.learn.alphazero.export import export_net, load_net, save_net
from ludex.learn.alphazero.learning import Augmentation, brier_scores, learn, learning_rate, losses, move_average
from ludex.learn.alphazero.network import AlphaZeroNet, Evaluator, NetSizes, expected_score
from ludex.learn.alphazero.replay import Batch
from ludex.learn.alphazero.selfplay import UNKNOWN
from ludex.learn.config import dump_config
from ludex.learn.device import fastest_threads
from ludex.learn.runs import Row, Run
from ludex.search.network import NetworkSession
from tests.learn.alphazero.miniature import small_config, small_run

CPU = torch.device("cpu")
UNLEARNED = torch.zeros(64, 0, 3, 3)
"""What became of cells, where no head learns it."""
FACTS: Row = dict.fromkeys(("iterations", "steps", "games", "positions", "seconds", "device", "precision"), 1)
SIZES = NetSizes(
    planes=2, rows=3, cols=3, actions=9, channels=8, blocks=2, pooled_every=2, moves_left=True, ownership=1
)


def made_net(seed: int = 1) -> AlphaZeroNet:
    """A network whose heads and normalisation are not those of a new one."""
    torch.manual_seed(seed)
    net = AlphaZeroNet(SIZES)
    for head in (net.policy, net.results):
        torch.nn.init.normal_(head.weight)
    net.train()
    for _ in range(5):
        net(torch.randn(16, 2, 3, 3))
    return net.eval()


def observations(count: int = 7) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(1).random((count, 2, 3, 3), np.float32)


def test_what_the_search_calls_equals_the_network() -> None:
    net, given = made_net(), observations()
    with torch.no_grad():
        expected = net(torch.from_numpy(given))
    logits, values = Evaluator(net, CPU, "fp32", 8)(given, np.ones((7, 9), np.uint8))
    np.testing.assert_allclose(logits, expected.policy.numpy(), atol=1e-4)
    np.testing.assert_allclose(values, expected_score(expected.results).numpy(), atol=1e-4)
    assert np.ptp(values) > 0.01


def test_new_weights_are_used_once_refreshed() -> None:
    evaluator, masks, given = Evaluator(made_net(1), CPU, "fp32", 8), np.ones((7, 9), np.uint8), observations()
    before = evaluator(given, masks)[0]
    evaluator.refresh(made_net(2))
    after = evaluator(given, masks)[0]
    np.testing.assert_array_equal(after, Evaluator(made_net(2), CPU, "fp32", 8)(given, masks)[0])
    assert not np.allclose(before, after)


@pytest.mark.parametrize(("game", "preset"), [("tictactoe", "3x3x3"), ("quoridor", "5x5")])
def test_symmetries_move_cells_and_moves_alike(game: str, preset: str) -> None:
    board = ludex.make(game, preset)
    rules = compiled_rules(board)
    assert rules is not None
    assert rules.symmetries is not None
    cells, actions = int(np.prod(rules.observation_shape)), rules.action_size
    # The first plane has a cell per square, and the first actions are squares: both go where the symmetry says.
    squares = rules.observation_shape[1] * rules.observation_shape[2]
    seen, policy = torch.zeros(64, cells), torch.zeros(64, actions)
    square = torch.arange(64) % squares
    seen[torch.arange(64), square] = 1.0
    policy[torch.arange(64), square] = 1.0
    none = torch.zeros(64)
    batch = Batch(seen.view(64, *rules.observation_shape), policy, none, none, none, UNLEARNED)
    augmented = Augmentation(rules.symmetries, CPU)(batch, torch.Generator().manual_seed(1))
    moved_cells, moved_actions = augmented.observations.flatten(1).argmax(1), augmented.policies.argmax(1)
    images = rules.symmetries.cells[:, :squares].ravel(), rules.symmetries.actions[:, :squares].ravel()
    expected = set(zip(*(array.tolist() for array in images), strict=True))
    assert set(zip(moved_cells.tolist(), moved_actions.tolist(), strict=True)) <= expected
    if game == "tictactoe":
        assert torch.equal(moved_cells, moved_actions)
    assert not torch.equal(moved_cells, square)


@pytest.mark.slow
def test_a_network_learns_what_it_is_shown() -> None:
    config = small_config(learning__search_share=0.0, learning__ownership_weight=0.5).learning
    torch.manual_seed(0)
    net = AlphaZeroNet(SIZES)
    generator = torch.Generator().manual_seed(0)
    seen = torch.rand(128, 2, 3, 3, generator=generator)
    first = seen[:, 0].flatten(1)
    scores = torch.where(first.sum(1) > seen[:, 1].flatten(1).sum(1), 1.0, -1.0)
    policies = torch.nn.functional.one_hot(first.argmax(1), 9).float()
    owned = torch.where(seen[:, :1] > seen[:, 1:], 1.0, -1.0)
    owned[::4] = UNKNOWN
    batch = Batch(seen, policies, scores, scores, torch.full((128,), 5.0), owned)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    losses = [float(learn(net, optimizer, batch, config)["loss"]) for _ in range(60)]
    assert losses[-1] < losses[0] / 3
    with torch.no_grad():
        outputs = net.eval()(seen)
    assert (torch.sign(expected_score(outputs.results)) == scores).float().mean() > 0.95
    assert outputs.moves_left is not None
    assert float(outputs.moves_left.expm1().mean()) == pytest.approx(5.0, abs=1.0)
    assert outputs.ownership is not None
    # The head was shown nothing of games that were given up, and must not learn that nothing is known of them.
    right = torch.sign(outputs.ownership) == torch.where(seen[:, :1] > seen[:, 1:], 1.0, -1.0)
    assert right.float().mean() > 0.95
    assert right[::4].float().mean() > 0.8


def test_forecasts_are_judged_by_the_phase_of_the_game() -> None:
    net = made_net()
    with torch.no_grad():
        net.results.weight.zero_()
        net.results.bias.copy_(torch.tensor([0.0, 0.0, -100.0]))
    given, scores = torch.from_numpy(observations(4)), torch.tensor([1.0, 0.0, -1.0, -1.0])
    # A half each for won and drawn: 0.5 from either, and 1.5 from lost.
    rows = brier_scores(net, given, scores, torch.tensor([9.0, 5.0, 1.0, 1.0]), 9.0)
    assert rows == pytest.approx({"brier_opening": 0.5, "brier_middle": 0.5, "brier_end": 1.5})
    assert brier_scores(net, given[:1], scores[:1], torch.tensor([1.0]), 9.0) == pytest.approx({"brier_end": 0.5})


def test_a_search_that_expects_even_chances_does_not_teach_draws() -> None:
    net = made_net()
    with torch.no_grad():
        net.results.weight.zero_()
        net.results.bias.copy_(torch.tensor([2.0, -100.0, 2.0]))
    count, config = 7, small_config(learning__search_share=1.0).learning
    known = torch.full((count, 1, 3, 3), UNKNOWN, dtype=torch.int8)
    policies, zeros = torch.full((count, 9), 1 / 9), torch.zeros(count)
    batch = Batch(torch.from_numpy(observations(count)), policies, zeros, zeros, zeros, known)
    # Won or lost, each with one half: the network says so already, and the entropy is all that is left of the loss.
    assert float(losses(net, batch, config)["value_loss"].detach()) == pytest.approx(np.log(2), abs=1e-4)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [({1: 4.0, 2: 2.1, 4: 1.2}, 4), ({1: 1.0, 2: 0.9, 4: 9.0}, 1), ({1: 4.0, 2: 2.0, 4: 2.0}, 2)],
)
def test_threads_are_taken_while_they_are_worth_it(
    seconds: dict[int, float], expected: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def work(count: int) -> None:
        clock[0] += seconds[count]

    assert fastest_threads(work, 4) == expected
    assert ("search.threads" in caplog.text) == (expected < 4)


def test_the_average_follows_the_network() -> None:
    average, net = made_net(1), made_net(2)
    for step in range(200):
        move_average(average, net, 0.9, step)
    for held, new in zip(average.parameters(), net.parameters(), strict=True):
        torch.testing.assert_close(held, new, atol=1e-5, rtol=1e-4)


def test_the_learning_rate_rises_and_falls() -> None:
    config = small_config(learning__learning_rate=1.0, learning__warmup_steps=10).learning
    assert learning_rate(config, 0, 0.0) == pytest.approx(0.1)
    assert learning_rate(config, 10, 0.0) == 1.0
    assert learning_rate(config, 10, 0.5) == pytest.approx(0.51)
    assert learning_rate(config, 10, 1.0) == pytest.approx(0.02)


@pytest.mark.parametrize("name", ["config of a package", "moved/since.yaml"])
def test_a_card_needs_no_file_of_the_configuration(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "playable", lambda net: b"")
    run = Run.create(tmp_path, "tictactoe", name, dump_config(small_config()), changes={"iterations": 6})
    path = tmp_path / "net.onnx"
    export_net(made_net(), path, ludex.make("tictactoe"), FACTS, run)
    card = json.loads(path.with_suffix(".json").read_text())
    assert [shlex.split(one) for one in card["how"]] == [
        ["ludex", "train", "tictactoe", "--config", name, "--set", "iterations=6"]
    ]


@pytest.mark.slow
def test_an_exported_network_says_the_same_and_plays(tmp_path: Path) -> None:
    game, config, net = ludex.make("tictactoe"), small_config(), made_net()
    run = small_run(tmp_path, config)
    path = tmp_path / "net.onnx"
    export_net(net, path, game, FACTS, run)
    session = NetworkSession(
        str(path), shipped=False, inputs={"observations": (2, 3, 3)}, outputs={"logits": (9,), "value": ()}
    )
    weights = [one.name for one in onnx.load(path).graph.initializer]
    assert not [name for name in weights if "ownership" in name or "moves_left" in name]
    given = observations()
    logits, values = session.run(given)
    with torch.no_grad():
        expected = net(torch.from_numpy(given))
    np.testing.assert_allclose(logits, expected.policy.numpy(), atol=2e-2)
    np.testing.assert_allclose(values, expected_score(expected.results).numpy(), atol=2e-2)
    card = json.loads(path.with_suffix(".json").read_text())
    assert (card["game"], card["presets"], card["plays_as"]) == ("tictactoe", ["3x3x3"], "zero")
    assert card["how"] == []
    agent = ludex.make_agent(game, "zero", net=str(path), simulations=8)
    assert decide(Match(game, 1), agent, Limit()).stats["simulations"] == 8
    save_net(tmp_path / "net.pt", net)
    assert load_net(tmp_path / "net.pt", CPU).sizes == SIZES
