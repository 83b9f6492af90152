"""One position of a random play, with what the game says of it."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np

from ludex.core.conformance.report import BlockedError
from ludex.core.conformance.walk.answers import answers
from ludex.core.conformance.walk.repetition import Repetition
from ludex.core.conformance.walk.trial import PROBE, Trial
from ludex.core.game import Action, Json, Mask, Outcome, Player, legal_actions
from ludex.core.seeding import CHANCE, Rng, generator

P = ParamSpec("P")
T = TypeVar("T")

SAMPLE: Final = 24
"""How many actions of a kind are tried in one position; all of them in small games."""


def asked(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The game's answer. What it raises is the business of the check that owns the call."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        raise BlockedError(f"{getattr(call, '__name__', call)} raised {type(error).__name__}") from error


class Visit:
    """A position, the words that lead there, and the game's answers, each asked for once."""

    def __init__(self, trial: Trial, seed: int, ply: int, state: Any, earlier_texts: frozenset[str]) -> None:
        self.trial = trial
        self.game = trial.game
        self.info = trial.game.info
        self.seed = seed
        self.ply = ply
        self.state = state
        self.earlier_texts = earlier_texts
        """Texts of actions that were legal earlier in the play."""

    @property
    def where(self) -> str:
        return f"seed {self.seed} ply {self.ply}"

    @property
    def players(self) -> range:
        return range(self.info.players)

    def chance(self) -> Rng:
        """The generator of the coming ply, new at every call."""
        return generator(self.seed, self.ply + 1, CHANCE)

    def probe(self) -> Rng:
        """The generator of the checker's choices here, new at every call."""
        return generator(self.seed, self.ply, PROBE)

    @cached_property
    def outcome(self) -> Outcome | None:
        return asked(self.game.outcome, self.state)

    @property
    def live(self) -> bool:
        return self.outcome is None

    @cached_property
    def mover(self) -> Player:
        return asked(self.game.to_move, self.state)

    @cached_property
    def mask(self) -> Mask:
        """A copy of the mask."""
        mask = asked(self.game.legal, self.state)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.info.num_actions,):
            raise BlockedError("the mask has the wrong form")
        return mask.copy()

    @cached_property
    def dump(self) -> Json:
        return asked(self.game.dump, self.state)

    @cached_property
    def legal(self) -> list[Action]:
        # The mask of a game that is over is for `mask_end` alone.
        return legal_actions(self.mask) if self.live else []

    @cached_property
    def texts(self) -> dict[Action, str]:
        """Every legal action's text."""
        return {action: asked(self.game.action_text, self.state, action) for action in self.legal}

    @cached_property
    def answers(self) -> dict[str, bytes]:
        """Fingerprints of all that the game says of the position."""
        return asked(answers, self.game, self.state)

    @cached_property
    def repetition(self) -> Repetition:
        return Repetition(self)

    @cached_property
    def choice(self) -> Action:
        """The action with which the play goes on."""
        if not self.legal:
            raise BlockedError("the mask is empty")
        return self.probe().choice(self.legal)

    @cached_property
    def some_legal(self) -> list[Action]:
        """Legal actions to try, the chosen one first."""
        if not self.legal:
            return []
        others = [action for action in self.legal if action != self.choice]
        return [self.choice, *self._sample(others, SAMPLE - 1)]

    @cached_property
    def some_illegal(self) -> list[Action]:
        """Illegal actions to try."""
        return self._sample(legal_actions(~self.mask), SAMPLE)

    def _sample(self, actions: list[Action], size: int) -> list[Action]:
        if len(actions) > size:
            self.probe().shuffle(actions)
        return actions[:size]
