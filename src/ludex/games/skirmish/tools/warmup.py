"""Calls that compile Skirmish's kernels."""

from ludex.core.editing import draft_of
from ludex.core.match import Match
from ludex.core.seeding import Rng
from ludex.games.skirmish.game import open_game
from ludex.games.skirmish.rules.engine.layout import ACTIVE, NOWHERE
from ludex.games.skirmish.rules.engine.phases import can_fire
from ludex.games.skirmish.rules.engine.units import engaged
from ludex.kernels.warmup import Warmup, step_batch
from ludex.search.batched.warmup import compile_search


def warmup() -> Warmup:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    return Warmup(
        player={"game": _game, "screen": _screen},
        agents={"search with a network": lambda: compile_search(open_game("small"))},
        on_demand={"batch": lambda: step_batch(open_game("small")), "puzzles": _puzzles},
    )


def _game() -> None:
    game = open_game("small")
    match = Match(game, seed=0)
    match.play(int(match.legal().argmax()))
    game.observe(game.view(match.state, 0))
    draft_of(match).position(Rng(0))


def _screen() -> None:
    game = open_game("small")
    match = Match(game, seed=0)
    while match.state.words[ACTIVE] == NOWHERE:
        match.play(int(match.legal().argmax()))
    engaged(game.constants, match.state.words, 0, 0)


def _puzzles() -> None:
    game = open_game("small")
    can_fire(game.constants, Match(game, seed=0).state.words.copy(), 0, 0, 0)
