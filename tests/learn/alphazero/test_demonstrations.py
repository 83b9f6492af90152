"""Games of `mcts` at the beginning of a run: what is learned from them, when they end, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from ludex.core.compiled import compiled_rules
from ludex.core.errors import BadConfig
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.record import play_line
from ludex.core.registry import make, spec
from ludex.core.seeding import Rng
from ludex.learn.alphazero import config as module
from ludex.learn.alphazero import train as training
from ludex.learn.alphazero.config import AlphaZeroConfig, complete
from ludex.learn.alphazero.selfplay import Demonstrator, SelfPlay
from ludex.learn.alphazero.train import train
from ludex.learn.config import load_config
from ludex.search.batched import BatchedSearch, SearchOptions, positions_of
from ludex.search.compiled_mcts import CompiledSearch
from ludex.search.spec import MctsOptions
from tests.learn.alphazero.miniature import CONFIGS, small_config, small_run
from tests.learn.alphazero.test_selfplay import GAMES, PLIES, expected, recorded, samples_of


def demonstrating(
    simulations: int = 30, game: str = "tictactoe", games: int = GAMES
) -> tuple[BatchedSearch, Demonstrator]:
    options = SearchOptions(simulations=4, threads=2)
    search = BatchedSearch(positions_of(make(game), games), games, options, 3)
    return search, Demonstrator(search, simulations, 3)


def test_samples_are_those_of_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    search, demonstrator = demonstrating()
    moves = recorded(search, monkeypatch)
    player = SelfPlay(search, small_config(self_play__resign_below=-1.0).self_play, 3)
    played = player.play(demonstrator, PLIES)
    wanted = expected(moves)
    assert sum(wanted.values()) > 60
    assert samples_of(played) == wanted
    assert np.allclose(played.samples.policies.sum(1), 1.0, atol=1e-2)
    # Nothing is expected of a cell that is taken.
    taken = played.samples.observations.sum(1).reshape(-1, 9) > 0
    assert (played.samples.policies[taken] == 0).all()


def test_the_network_s_outputs_are_those_of_the_mover() -> None:
    """Black's board is turned: what mcts plays stands where the network would answer it."""
    search, demonstrator = demonstrating(game="quoridor", games=2)
    for _ in range(2):
        games = demonstrator.run(0)
        players = search.players
        for lane in range(2):
            outputs = search.orientation[players[lane]]
            assert np.array_equal(games.targets[lane][outputs], games.policy[lane])
            assert games.masks[lane][outputs][games.actions[lane]] == 1
        search.advance(games.actions)
    assert search.players.tolist() == [0, 0]


def test_a_proven_win_is_the_target() -> None:
    game = make("tictactoe")
    rules = compiled_rules(game)
    assert rules is not None
    match = Match(game, seed=1)
    play_line(match, "a1 a3 b1 b3")
    search = CompiledSearch(rules, MctsOptions(), Limit(), Rng(1), rules.pack(match.state))
    search.simulate(500)
    shares, value = search.shares()
    assert (int(shares.argmax()), float(shares.max()), value) == (game.parse_action(match.state, "c1"), 1.0, 1.0)


@pytest.mark.slow
def test_they_end_with_their_share_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "export_net", lambda *given: None)
    config = small_config(self_play__demonstrations=0.5, self_play__demonstration_simulations=10)
    runs = [small_run(tmp_path / name, config) for name in ("first", "second")]
    for run in runs:
        train(config, run, lambda amount: None)
    rows = [row for row in runs[0].metrics() if "playing_seconds" in row]
    assert [row["leaves_per_second"] == 0.0 for row in rows] == [True, True, True, False, False, False]
    assert [row["loss"] for row in rows if "loss" in row] == [row["loss"] for row in runs[1].metrics() if "loss" in row]


def test_the_device_and_the_rules_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    base = load_config(AlphaZeroConfig, CONFIGS, "alphazero", {"device": "cpu"})
    shares = complete(spec("tictactoe"), base).self_play
    assert (shares.demonstrations, shares.demonstration_simulations) == (0.5, 100)
    monkeypatch.setattr(module, "compiled_rules", lambda game: None)
    assert complete(spec("tictactoe"), base).self_play.demonstrations == 0.0
    with pytest.raises(BadConfig, match=r"self_play\.demonstrations is 0\.3, but tictactoe has no compiled rules"):
        small_config(self_play__demonstrations=0.3)
