"""The networks that ship with these games."""

import json
from importlib.resources import files

import pytest

import ludex
from ludex.arena.duel import duel
from ludex.arena.terms import Terms
from ludex.core import registry
from ludex.core.executor import InProcess
from ludex.search.spec import shipped_presets

NETS = files("ludex_classics.nets")
SHIPPED = [(game.id, preset) for game in registry.available()[0] for preset in shipped_presets(game)]
OURS = [(game, preset) for game, preset in SHIPPED if NETS.joinpath(f"zero-{game}-{preset}.onnx").is_file()]


def test_every_network_belongs_to_a_board() -> None:
    names = {f"zero-{game}-{preset}" for game, preset in OURS}
    assert {file.name.removesuffix(".onnx") for file in NETS.iterdir() if file.name.endswith(".onnx")} == names
    for game, preset in OURS:
        card = json.loads(NETS.joinpath(f"zero-{game}-{preset}.json").read_text())
        assert (card["game"], card["presets"]) == (game, [preset])
        assert card["bytes"] <= 3_000_000


@pytest.mark.parametrize(("game", "preset"), OURS)
def test_it_plays_the_board_better_than_by_chance(game: str, preset: str) -> None:
    terms = Terms.of(ludex.make(game, preset), ("zero:simulations=8", "random"), seed=1)
    assert duel(terms, games=2, executor=InProcess()).wins == (2, 0)
