"""Calls that compile Skirmish's kernels."""

from ludex.core.match import Match
from ludex.core.seeding import CHANCE
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.game import open_game
from ludex.games.skirmish.rules.engine.layout import ACTIVE, NOWHERE
from ludex.games.skirmish.rules.engine.phases import can_fire, run_up
from ludex.games.skirmish.rules.engine.records import thread_scratch
from ludex.games.skirmish.rules.engine.units import engaged, units_near
from ludex.kernels.sampling import RandomActions
from ludex.kernels.warmup import Warmup


def warmup() -> Warmup:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    return Warmup(player={"game": _game, "screen": _screen}, on_demand={"batch": _batch})


def _game() -> None:
    game = open_game("small")
    match = Match(game, seed=0)
    match.play(int(match.legal().argmax()))
    game.observe(game.view(match.state, 0))


def _screen() -> None:
    game = open_game("small")
    match = Match(game, seed=0)
    while match.state.words[ACTIVE] == NOWHERE:
        match.play(int(match.legal().argmax()))
    state = match.state
    can_fire(game.constants, state.words.copy(), 0, 0, 0)
    units_near(game.constants, state.words.copy(), 0, 0)
    engaged(game.constants, state.words, 0, 0)
    run_up(game.constants, state.words.copy(), thread_scratch())


def _batch() -> None:
    game = open_game("small")
    batch, sampler = SkirmishBatch(game, 2), RandomActions(2, 0, CHANCE)
    batch.step(sampler.draw(batch.reset(0)[1]["mask"]))
