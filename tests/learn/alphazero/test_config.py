"""The learner's configuration: what the board decides, and what is refused by name."""

from typing import Any

import pytest

from ludex.core.errors import BadConfig, Unsupported
from ludex.core.registry import make, spec
from ludex.learn.alphazero.config import AlphaZeroConfig
from ludex.learn.alphazero.defaults import complete
from ludex.learn.config import dump_config, load_config, parse_config
from ludex.learn.trainings import ALPHAZERO, training_names, training_of
from tests.learn.alphazero.miniature import CONFIGS, small_config


def test_what_is_left_open_follows_from_the_board() -> None:
    base = load_config(AlphaZeroConfig, CONFIGS, "alphazero", {"device": "cpu"})
    small, large = complete(spec("tictactoe"), base), complete(spec("quoridor"), base)
    assert small.preset == "3x3x3"
    assert large.preset == "9x9"
    assert small.net.channels is not None
    assert large.net.channels is not None
    assert small.net.channels < large.net.channels
    assert small.net.pooled_every == 0 != large.net.pooled_every
    assert parse_config(AlphaZeroConfig, dump_config(large), "a dump") == large


def test_what_is_given_stays() -> None:
    config = small_config(net__channels=24, preset="4x4x4")
    assert (config.net.channels, config.preset) == (24, "4x4x4")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"minutes": None, "iterations": None}, "minutes or iterations must be given"),
        ({"minutes": 1.0}, "a synchronous run ends after its iterations"),
        ({"workers": 2}, "a synchronous run plays in its own process, found 2 workers"),
        ({"address": "here"}, "address is for executor=ray"),
        ({"executor": "ray"}, "a synchronous run plays in its own process, found 0 workers, ray"),
        ({"executor": "ray", "workers": 2, "synchronous": False}, "executor=ray takes no workers, found 2"),
        ({"precision": "bf16"}, "precision bf16 needs device cuda"),
        ({"search.noise_alpha": 0.3}, "search.noise_alpha is for rule=puct"),
        ({"search.simulation": 3}, "unknown key 'search.simulation'"),
        ({"evaluation.elo1": -1.0}, "elo0 must be below elo1"),
        ({"evaluation.games": 3}, "multiple of 2"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadConfig, match=message):
        small_config(**{key.replace(".", "__"): value for key, value in changes.items()})


@pytest.mark.parametrize(
    ("game", "reason"),
    [("minesweeper", "has one player and hides information and has dice"), ("skirmish", "has dice")],
)
def test_games_that_cannot_be_learned_are_refused_by_name(game: str, reason: str) -> None:
    assert "alphazero" not in training_names(spec(game))
    with pytest.raises(Unsupported, match=f"{game} {reason}"):
        training_of(spec(game), "alphazero")


def test_every_other_game_is_offered_it_behind_its_own_training() -> None:
    for game in ("tictactoe", "quoridor"):
        assert training_names(spec(game))[-1] == "alphazero"
        assert training_of(spec(game), "alphazero") is ALPHAZERO
        assert training_of(spec(game), None) is spec(game).learning.training
    assert make("tictactoe").info.players == 2
