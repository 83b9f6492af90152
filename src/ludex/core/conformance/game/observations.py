"""Checks of observations."""

from collections.abc import Iterator, Mapping

import numpy as np

from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.report import BlockedError
from ludex.core.conformance.walk.trial import ArrayForm
from ludex.core.conformance.walk.visit import Visit, asked
from ludex.core.game import Observation, Player


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
        found = _form(observation)
        expected = visit.trial.observation_form or found
        if found != expected:
            yield f"player {player} observes {_told(found)}, first seen was {_told(expected)}"
        visit.trial.observation_form = expected


def observation_finite(visit: Visit) -> Iterator[str]:
    """Observations hold no NaN and no infinity."""
    for player in visit.players:
        for name, array in _observed(visit, player).items():
            if not np.isfinite(array).all():
                yield f"player {player} observes a NaN or an infinity in {name!r}"


def observation_private(visit: Visit) -> Iterator[str]:
    """Who changes the arrays they were given changes nothing else."""
    for player in visit.players:
        before, state = fingerprint(_observed(visit, player)), fingerprint(visit.state)
        given = [array for array in _observed(visit, player).values() if array.flags.writeable]
        copies = [array.copy() for array in given]
        for array in given:
            array[...] = np.where(array == 0, 1, 0)
        again = fingerprint(_observed(visit, player)), fingerprint(visit.state)
        for array, original in zip(given, copies, strict=True):
            array[...] = original
        if again != (before, state):
            yield f"a change of the observation of player {player} changed the game's next answer"


def _observed(visit: Visit, player: Player) -> Observation:
    observation = asked(visit.game.observe, asked(visit.game.view, visit.state, player))
    if not all(isinstance(array, np.ndarray) for array in asked(observation.values)):
        raise BlockedError("the observation has the wrong form")
    return observation


def _form(observation: Observation) -> dict[str, ArrayForm]:
    return {name: (str(array.dtype), array.shape) for name, array in sorted(observation.items())}


def _told(form: dict[str, ArrayForm]) -> str:
    return ", ".join(f"{name} {dtype}{list(shape)}" for name, (dtype, shape) in form.items())
