"""The learner's configuration: what the board decides, and what is refused by name."""

import re
from dataclasses import replace
from typing import Any

import pytest

from ludex.core.compiled import compiled_rules
from ludex.core.errors import BadConfig, Unsupported
from ludex.core.registry import make, spec
from ludex.core.system import usable_cores
from ludex.learn.alphazero.config import AlphaZeroConfig, complete
from ludex.learn.config import dump_config, load_config, parse_config
from ludex.learn.trainings import ALPHAZERO, training_names, training_of
from ludex.search import model
from tests.learn.alphazero.miniature import CONFIGS, small_config


def test_what_is_left_open_follows_from_the_board() -> None:
    base = load_config(AlphaZeroConfig, CONFIGS, "alphazero", {"device": "cpu"})
    small, large = complete(spec("tictactoe"), base), complete(spec("quoridor"), base)
    assert small.preset == "3x3x3"
    assert large.preset == "9x9"
    assert small.net.blocks is not None
    assert large.net.blocks is not None
    assert small.net.blocks < large.net.blocks
    # Measured when the run begins, but for runs whose bits must be equal.
    assert large.search.threads is None
    alike = base.model_copy(update={"synchronous": True, "minutes": None, "iterations": 1})
    assert complete(spec("quoridor"), alike).search.threads == usable_cores()
    # Of several cores one learns and others play, but for runs whose bits must be equal.
    assert large.workers == min(4, usable_cores() - 1)
    assert complete(spec("quoridor"), alike).workers == 0
    assert small.net.pooled_every == 0 != large.net.pooled_every
    assert parse_config(AlphaZeroConfig, dump_config(large), "a dump") == large


@pytest.mark.parametrize(
    ("rules", "missing"),
    [
        ("none", "tictactoe 3x3x3 has no compiled rules (GameSpec.compiled), which would declare its ownership"),
        ("without", "the compiled rules of tictactoe 3x3x3 declare no ownership (CompiledRules.ownership)"),
    ],
)
def test_a_game_that_declares_no_ownership_is_refused_a_weight(
    rules: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert small_config(learning__ownership_weight=0.5).learning.ownership_weight == 0.5
    declared = compiled_rules(make("tictactoe"))
    assert declared is not None
    plain_rules = None if rules == "none" else replace(declared, ownership=None)
    monkeypatch.setattr(model, "compiled_rules", lambda game: plain_rules)
    message = f"learning.ownership_weight is 0.5, but {missing}; give 0 to learn without it"
    with pytest.raises(BadConfig, match=re.escape(message)):
        small_config(learning__ownership_weight=0.5)
    assert small_config().learning.ownership_weight == 0.0


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
        ({"search.noise_alpha": 0.3}, "rule=gumbel does not use search.noise_alpha: set to null"),
        ({"search.noise_share": 0.1, "search.c_puct": 1.5}, "gumbel does not use search.c_puct, search.noise_share"),
        ({"search.rule": "puct", "search.considered": 8}, "rule=puct does not use search.considered"),
        ({"search.simulation": 3}, "unknown key 'search.simulation'"),
        ({"evaluation.elo1": -1.0}, "elo0 must be below elo1"),
        ({"evaluation.games": 3}, "multiple of 2"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadConfig, match=message):
        small_config(**{key.replace(".", "__"): value for key, value in changes.items()})


def test_a_game_that_cannot_be_learned_is_refused_by_name() -> None:
    assert "alphazero" not in training_names(spec("minesweeper"))
    with pytest.raises(Unsupported, match="minesweeper hides information"):
        training_of(spec("minesweeper"), "alphazero")


@pytest.mark.parametrize(
    ("game", "changes", "message"),
    [
        ("tiles", {"self_play.resign_below": -0.9}, "self_play.resign_below is -0.9, but one player has no opponent"),
        ("tiles", {"search.draw_value": 0.1}, "search.draw_value is 0.1, but one player has no draws"),
        ("pig", {"self_play.demonstrations": 0.5}, "pig has no compiled rules of two players without dice"),
    ],
)
def test_what_dice_or_one_player_have_no_use_for_is_refused(
    game: str, changes: dict[str, Any], message: str, dice_games: None
) -> None:
    with pytest.raises(BadConfig, match=message):
        small_config(game, **{key.replace(".", "__"): value for key, value in changes.items()})
    assert small_config(game).self_play.resign_below == (-1 if game == "tiles" else -0.97)


def test_every_other_game_is_offered_it_behind_its_own_training() -> None:
    for game in ("tictactoe", "quoridor", "skirmish"):
        assert training_names(spec(game))[-1] == "alphazero"
        assert training_of(spec(game), "alphazero") is ALPHAZERO
        assert training_of(spec(game), None) is spec(game).learning.training
    assert make("tictactoe").info.players == 2
