"""Checks of what players may know."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.walk.trial import Trial
from ludex.core.conformance.walk.visit import Visit, asked
from ludex.core.game import AnyGame, Player, legal_actions
from ludex.core.seeding import CHANCE, generator

SIBLINGS: Final = 8
"""How many next positions are compared with each other."""


def perfect_view(visit: Visit) -> Iterator[str]:
    """With perfect information, positions that differ look different to every player."""
    if visit.info.information != "perfect":
        return
    for state in [visit.state, *_siblings(visit)]:
        dumped = fingerprint(asked(visit.game.dump, state))
        for player in visit.players:
            view = fingerprint(asked(visit.game.view, state, player), whole=True)
            if visit.trial.seen.setdefault((player, view), dumped) != dumped:
                yield f"player {player} has the same view of two different positions, declared information is 'perfect'"
                return


def secret_declared(trial: Trial) -> Iterator[str]:
    """A game with hidden information says how to change a secret."""
    if trial.game.info.information == "hidden" and trial.vary_secret is None:
        yield "declared information is 'hidden', expected a vary_secret to check the views with"


def secret_hidden(visit: Visit) -> Iterator[str]:
    """A player who may not know a secret sees the same whatever it is."""
    if visit.info.information != "hidden" or visit.trial.vary_secret is None or not visit.live:
        return
    for player in visit.players:
        varied = visit.trial.vary_secret(visit.game, visit.state, player, visit.probe())
        if fingerprint(visit.game.dump(varied)) == fingerprint(visit.dump):
            continue
        visit.trial.varied = True
        for name, look in _looks(visit.game, player, to_move=visit.mover == player):
            # Asked before either is read: a lazily filled table of the game must not look like a secret.
            here, there = asked(look, visit.state), look(varied)
            if fingerprint(here, whole=True) != fingerprint(there, whole=True):
                yield f"{name} tells player {player} a secret: it changed with what this player may not know"


def secret_varies(trial: Trial) -> Iterator[str]:
    """A game that declares hidden information hides something."""
    if trial.game.info.information == "hidden" and trial.vary_secret is not None and not trial.varied:
        yield "vary_secret never changed a position, declared information is 'hidden'"


def _siblings(visit: Visit) -> Iterator[Any]:
    """Next positions, by other actions and by other dice."""
    dice = [visit.chance()]
    if visit.info.chance == "sampled":
        dice += [generator(visit.seed, visit.ply + 1, CHANCE, episode=episode) for episode in (1, 2)]
    for action in visit.some_legal[:SIBLINGS]:
        for rng in dice:
            with suppress(Exception):
                yield visit.game.apply(visit.state, action, rng)


def _looks(game: AnyGame, player: Player, *, to_move: bool) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    yield "view", lambda state: game.view(state, player)
    yield "observe", lambda state: game.observe(game.view(state, player))
    yield "to_move", game.to_move
    yield "phase", game.phase
    yield "outcome", game.outcome
    if to_move:
        yield "legal", game.legal
        yield (
            "action_text",
            lambda state: [game.action_text(state, action) for action in legal_actions(game.legal(state))],
        )
