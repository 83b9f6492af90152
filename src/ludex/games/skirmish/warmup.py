"""Compiling the slice's kernels before anybody waits for them."""

from collections.abc import Callable

from ludex.core.match import Match
from ludex.core.registry import make
from ludex.core.sampling import RandomActions
from ludex.core.seeding import CHANCE
from ludex.games.skirmish.batch import SkirmishBatch
from ludex.games.skirmish.game import Skirmish


def warmup() -> dict[str, Callable[[], object]]:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    return {"game": _game, "batch": _batch}


def _game() -> None:
    game = make("skirmish", "small")
    assert isinstance(game, Skirmish)
    match = Match(game, seed=0)
    match.play(int(match.legal().argmax()))
    game.observe(game.view(match.state, 0))


def _batch() -> None:
    game = make("skirmish", "small")
    assert isinstance(game, Skirmish)
    batch, sampler = SkirmishBatch(game, 2), RandomActions(2, 0, CHANCE)
    batch.step(sampler.draw(batch.reset(0)[1]["mask"]))
