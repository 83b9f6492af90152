"""Checks of what players may know: views and observations."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np

from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.randomness import AmbientChance
from ludex.core.conformance.report import BlockedError, attempt
from ludex.core.conformance.walk import ArrayForm, Trial, Visit, answer_of, overwritten
from ludex.core.game import AnyGame, Observation, Player, SamplesStates, legal_actions, sample_state
from ludex.core.seeding import CHANCE, generator

SIBLINGS: Final = 8
"""How many next positions are compared with each other."""


def perfect_view(visit: Visit) -> Iterator[str]:
    """With perfect information, positions that differ look different to every player."""
    if visit.info.information != "perfect":
        return
    for state in [visit.state, *_siblings(visit)]:
        dumped = fingerprint(answer_of(visit.game.dump, state))
        for player in visit.players:
            view = fingerprint(answer_of(visit.game.view, state, player), whole=True)
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
            # Called before either is read: a lazily filled table of the game must not look like a secret.
            here, there = answer_of(look, visit.state), look(varied)
            if fingerprint(here, whole=True) != fingerprint(there, whole=True):
                yield f"{name} shows player {player} a secret: it changed with what this player may not know"


def secret_varies(trial: Trial) -> Iterator[str]:
    """A game that declares hidden information hides something."""
    if trial.game.info.information == "hidden" and trial.vary_secret is not None and not trial.varied:
        yield "vary_secret never changed a position, declared information is 'hidden'"


def state_sampled(visit: Visit) -> Iterator[str]:
    """A position drawn for a view has that view; with perfect information it is the position itself."""
    if visit.info.information == "hidden" and not isinstance(visit.game, SamplesStates):
        yield "declared information is 'hidden', expected a method sample_state(view, rng)"
        return
    for player in visit.players:
        view = answer_of(visit.game.view, visit.state, player)
        sampled = sample_state(visit.game, view, visit.probe())
        if (problem := _wrong_position(visit, sampled)) is not None:
            yield f"the view of player {player} {problem}"
            return
        if fingerprint(visit.game.view(sampled, player), whole=True) != fingerprint(view, whole=True):
            yield f"the position drawn for the view of player {player} has another view"


def _wrong_position(visit: Visit, sampled: Any) -> str | None:
    """Why what was drawn cannot be the position, or None."""
    dumped = attempt(visit.game.dump, sampled)
    if isinstance(dumped, Exception):
        if isinstance(visit.game, SamplesStates):
            return f"gave no position: dump raised {type(dumped).__name__}: {dumped}"
        return f"is no position ({type(dumped).__name__}: {dumped}), expected a method sample_state(view, rng)"
    if visit.info.information == "perfect" and fingerprint(dumped) != fingerprint(visit.dump):
        return "gave another position, declared information is 'perfect'"
    return None


def sample_deterministic(visit: Visit) -> Iterator[str]:
    """The same generator draws the same position, and nothing else is drawn from."""
    if visit.info.information == "hidden" and not isinstance(visit.game, SamplesStates):
        return
    for player in visit.players:
        view = answer_of(visit.game.view, visit.state, player)
        samples = []
        for ambient_seed in (1, 2):
            with AmbientChance(ambient_seed):
                samples.append(answer_of(sample_state, visit.game, view, visit.probe()))
        # What is no position is owned by `state_sampled`.
        if fingerprint(answer_of(visit.game.dump, samples[0])) != fingerprint(answer_of(visit.game.dump, samples[1])):
            yield f"two draws for the view of player {player} differ, with equal generators"


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


def observation_form(visit: Visit) -> Iterator[str]:
    """Observations are numbers under the same names, shapes and types, in every position and for every player."""
    for player in visit.players:
        observation = visit.game.observe(visit.game.view(visit.state, player))
        if not isinstance(observation, Mapping) or not observation:
            yield f"player {player} observes {type(observation).__name__}, expected a mapping with arrays"
            return
        for name, array in observation.items():
            if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
                yield f"player {player} observes {name!r} as {type(array).__name__}, expected an array of numbers"
                return
        form = _form(observation)
        expected = visit.trial.observation_form or form
        if form != expected:
            yield f"player {player} observes {_form_text(form)}, first seen was {_form_text(expected)}"
        visit.trial.observation_form = expected


def observation_finite(visit: Visit) -> Iterator[str]:
    """Observations hold no NaN and no infinity."""
    for player in visit.players:
        for name, array in _observation_of(visit, player).items():
            if not np.isfinite(array).all():
                yield f"player {player} observes a NaN or an infinity in {name!r}"


def observation_private(visit: Visit) -> Iterator[str]:
    """Changing the returned arrays changes nothing else."""
    for player in visit.players:
        before, state = fingerprint(_observation_of(visit, player)), fingerprint(visit.state)
        with overwritten(*_observation_of(visit, player).values()):
            again = fingerprint(_observation_of(visit, player)), fingerprint(visit.state)
        if again != (before, state):
            yield f"a change of the observation of player {player} changed the game's next answer"


def _observation_of(visit: Visit, player: Player) -> Observation:
    observation = answer_of(visit.game.observe, answer_of(visit.game.view, visit.state, player))
    if not all(isinstance(array, np.ndarray) for array in answer_of(observation.values)):
        raise BlockedError("the observation has the wrong form")
    return observation


def _form(observation: Observation) -> dict[str, ArrayForm]:
    return {name: (str(array.dtype), array.shape) for name, array in sorted(observation.items())}


def _form_text(form: dict[str, ArrayForm]) -> str:
    return ", ".join(f"{name} {dtype}{list(shape)}" for name, (dtype, shape) in form.items())
