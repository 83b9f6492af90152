"""Games with dice, of one player, and games that end without a score."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import ludex
from benchmarks.dice_games import pig
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.seeding import generator
from ludex.learn.alphazero.evaluation import play_pairs
from ludex.learn.alphazero.export import load_net
from ludex.learn.alphazero.network import AlphaZeroNet, Evaluator
from ludex.learn.alphazero.selfplay import Scale, SelfPlay, outcomes_of
from ludex.learn.alphazero.train import train
from ludex.search.batched import BatchedSearch, PlainPositions, SearchOptions, know_nothing, positions_of
from ludex.search.network import NetworkSession
from tests.core.conformance.toy_games import AbortingNim
from tests.learn.alphazero.miniature import small_config, small_run


def test_games_without_a_score_are_counted_and_not_learned_from() -> None:
    games, plies = 8, 30
    search = BatchedSearch(PlainPositions(AbortingNim(), games), games, SearchOptions(simulations=2), 3)
    played = SelfPlay(search, small_config(self_play__temperature=5.0, self_play__resign_below=-1.0).self_play, 3).play(
        know_nothing, plies
    )
    assert played.aborted > 0
    assert len(played.results) > 0
    assert search.episodes.sum() == played.aborted + len(played.results)
    assert played.samples.size == played.lengths.sum()
    assert np.abs(played.samples.scores).min() == 1.0
    assert outcomes_of([played], AbortingNim.info)["aborted"] == played.aborted


def test_scores_become_values_of_the_runs_own_scale() -> None:
    scale = Scale(0.2, 0.1)
    assert scale.scale(np.array([0.2, 0.25, 0.5, 0.0])).tolist() == pytest.approx([0.0, 0.5, 1.0, -1.0])
    assert scale.scale(torch.tensor([0.15])).tolist() == pytest.approx([-0.5])


def value_error(game: pig.Pig, net: Any) -> float:
    """How far a network's values are from the exact ones, on average over positions."""
    exact = pig.Exact(game)
    states = exact.positions(game, 60, generator(4, 0))
    seen = np.stack([game.observe(state)["board"] for state in states])
    values = Evaluator(net, torch.device("cpu"), "fp32", len(states))(seen, np.ones((len(states), 2), np.uint8))[1]
    return float(np.mean([abs(value - exact.value(state)) for value, state in zip(values, states, strict=True)]))


@pytest.mark.slow
def test_values_of_a_game_with_dice_come_near_the_exact_ones(tmp_path: Path, dice_games: None) -> None:
    changes: dict[str, Any] = {"preset": "6", "iterations": 12, "self_play__plies": 12, "learning__passes": 6.0}
    config = small_config("pig", **changes)
    run = small_run(tmp_path, config, "pig")
    train(config, run, lambda amount: None)
    game = ludex.make("pig", "6")
    assert isinstance(game, pig.Pig)
    net = load_net(run.folder / "net.pt", torch.device("cpu"))
    assert value_error(game, net) < 0.6 * value_error(game, AlphaZeroNet(net.sizes))


@pytest.mark.slow
def test_one_player_learns_by_scores_and_zero_plays_by_them(tmp_path: Path, dice_games: None) -> None:
    config = small_config("tiles", preset="2x2", iterations=3, evaluation__every=3)
    run = small_run(tmp_path, config, "tiles")
    train(config, run, lambda amount: None)
    rows = run.metrics()
    scores = [float(str(row["score"])) for row in rows if "score" in row]
    assert scores
    assert all(0 < score < 1 for score in scores)
    assert not any("draws" in row or "resigned" in row for row in rows)
    assert [row["opponent"] for row in rows if "opponent" in row] == ["earlier network", "no network"]
    net = str(run.folder / "net.onnx")
    session = NetworkSession(net, shipped=False, inputs={"observations": None}, outputs={"logits": None, "value": None})
    centre, spread = (float(session.metadata[name]) for name in ("centre", "spread"))
    assert min(scores) - 0.1 < centre < max(scores) + 0.1
    assert 0.01 < spread < 1
    game = ludex.make("tiles", "2x2")
    decision = decide(Match(game, 3), ludex.make_agent(game, "zero", net=net), Limit(simulations=20))
    assert decision.value is not None
    assert abs((2 * decision.value - 1) - centre) < spread
    assert json.loads((run.folder / "net.json").read_text())["game"] == "tiles"


def test_networks_of_one_player_are_compared_by_their_scores(dice_games: None) -> None:
    game = ludex.make("tiles", "2x2")
    config = small_config("tiles", preset="2x2", evaluation__games=8, evaluation__simulations=16).evaluation
    pairs = play_pairs(game, know_nothing, know_nothing, config, threads=1, seed=1)
    assert set(pairs) <= {0.0, 0.5, 1.0}
    assert len(set(pairs)) > 1


def test_a_search_for_one_player_finds_the_better_merge(dice_games: None) -> None:
    game = ludex.make("tiles", "2x2")
    search = BatchedSearch(positions_of(game, 1), 1, SearchOptions(simulations=400, rule="puct"), 1)
    search.rescale(0.3, 0.3)
    position = game.load({"turn": 0, "score": 0, "tiles": [2, 2, 1, 3]})
    search.put(0, position)
    result = search.run(know_nothing)
    assert game.action_text(position, int(result.actions[0])) in ("left", "right")
    assert search.line(0)[:1] == [int(result.actions[0])]
    assert len(search.line(0)) == 1
