"""Random matches of a game that may be broken: each position with everything the game says about it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.randomness import AmbientChance
from ludex.core.conformance.report import BlockedError, attempt
from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action, AnyGame, Json, Mask, Outcome, Player, legal_actions
from ludex.core.seeding import CHANCE, Rng, generator

PROBE: Final = 65
"""Stream of the checker's own choices, apart from chance, agents and openings."""

VarySecret: TypeAlias = Callable[[AnyGame, Any, Player, Rng], Any]
"""Another position, different only in what this player may not know; the same one if there is nothing of the kind."""

ArrayForm: TypeAlias = tuple[str, tuple[int, ...]]
"""The type and shape of an array."""


@dataclass(slots=True)
class Trial:
    """What the checks of one game share."""

    game: AnyGame
    vary_secret: VarySecret | None = None
    observation_form: dict[str, ArrayForm] | None = None
    """Names, types and shapes of the first observation; every other one must have them too."""
    seen: dict[tuple[Player, bytes], bytes] = field(default_factory=dict)
    """Every view met, by player, with the one position it was a view of."""
    drawn: bool = False
    """Chance was used."""
    varied: bool = False
    """A secret could be changed."""


def answers(game: AnyGame, state: Any) -> dict[str, bytes]:
    """The fingerprint of every answer, by name."""
    mask, outcome = game.legal(state), game.outcome(state)
    said: dict[str, Any] = {
        "dump": game.dump(state),
        "mask": mask,
        "outcome": outcome,
        "phase": game.phase(state),
        "player to move": game.to_move(state) if outcome is None else None,
        "set of texts": [game.action_text(state, action) for action in legal_actions(mask)] if outcome is None else [],
    }
    for player in range(game.info.players):
        view = game.view(state, player)
        said[f"view of player {player}"] = view
        said[f"observation of player {player}"] = game.observe(view)
    return {name: fingerprint(answer) for name, answer in said.items()}


Question: TypeAlias = tuple[str, str, Callable[[], Any]]
"""The name of a function of the game, whom or what it is asked about, and the call."""


def _print(visit: "Visit", name: str, call: Callable[[], Any]) -> bytes:
    """The answer's fingerprint; an error is an answer too, and must come again."""
    answer = attempt(lambda: visit.game.dump(call()) if name == "apply" else call())
    return type(answer).__name__.encode() if isinstance(answer, Exception) else fingerprint(answer)


def _draws(ask: Callable[[], bytes]) -> bool:
    with AmbientChance(1) as ambient:
        ask()
        return ambient.used


P = ParamSpec("P")
T = TypeVar("T")

SAMPLE: Final = 24
"""How many actions of a kind are tried in one position; all of them in small games."""


def answer_of(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The game's answer. What it raises is the business of the check that owns the call."""
    answer = attempt(call, *args, **kwargs)
    if isinstance(answer, Exception):
        raise BlockedError(f"{getattr(call, '__name__', call)} raised {type(answer).__name__}") from answer
    return answer


@contextmanager
def overwritten(*arrays: NDArray[Any]) -> Iterator[None]:
    """Change every number of arrays that can be changed, for a block."""
    originals = [(array, array.copy()) for array in arrays if array.flags.writeable]
    for array, original in originals:
        array[...] = original == 0
    yield
    for array, original in originals:
        array[...] = original


class Visit:
    """A position, the words that lead there, and the game's answers, each computed once."""

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
        return answer_of(self.game.outcome, self.state)

    @property
    def live(self) -> bool:
        return self.outcome is None

    @cached_property
    def mover(self) -> Player:
        return answer_of(self.game.to_move, self.state)

    @cached_property
    def mask(self) -> Mask:
        """A copy of the mask."""
        mask = answer_of(self.game.legal, self.state)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.info.num_actions,):
            raise BlockedError("the mask has the wrong form")
        return mask.copy()

    @cached_property
    def dump(self) -> Json:
        return answer_of(self.game.dump, self.state)

    @cached_property
    def legal(self) -> list[Action]:
        # The mask of a game that is over is for `mask_end` alone.
        return legal_actions(self.mask) if self.live else []

    @cached_property
    def texts(self) -> dict[Action, str]:
        """Every legal action's text."""
        return {action: answer_of(self.game.action_text, self.state, action) for action in self.legal}

    @cached_property
    def answers(self) -> dict[str, bytes]:
        """Fingerprints of all that the game says of the position."""
        return answer_of(answers, self.game, self.state)

    def questions(self) -> Iterator[Question]:
        """What a game can be asked here."""
        game, state = self.game, self.state
        for name in ("legal", "outcome", "phase", "dump"):
            yield name, "", partial(getattr(game, name), state)
        for player in self.players:
            yield "view", f" of player {player}", partial(game.view, state, player)
            yield "observe", f" of player {player}", partial(self._observe, player)
        if self.live:
            yield "to_move", "", partial(game.to_move, state)
        for action in self.some_legal:
            yield "action_text", f" of action {action}", partial(game.action_text, state, action)
        for action in self.some_legal:
            yield "apply", f" of action {action}", partial(self._apply, action)

    def _observe(self, player: Player) -> Any:
        return self.game.observe(self.game.view(self.state, player))

    def _apply(self, action: Action) -> Any:
        return self.game.apply(self.state, action, self.chance())

    @cached_property
    def repetition(self) -> tuple[list[str], list[str]]:
        """The questions that got two answers, and those that use the generators of the process.

        All are asked twice, while these generators stand at different places.
        """
        questions = {f"{name}{subject}": partial(_print, self, name, call) for name, subject, call in self.questions()}
        with AmbientChance(1) as ambient:
            first = {name: ask() for name, ask in questions.items()}
            drew = ambient.used
        with AmbientChance(2):
            changed = [name for name, ask in questions.items() if ask() != first[name]]
        return changed, [name for name, ask in questions.items() if _draws(ask)] if drew else []

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


class Play:
    """The visits of one match and the actions between them."""

    def __init__(self, trial: Trial, seed: int) -> None:
        self.trial = trial
        self.game = trial.game
        self.seed = seed
        self.visits: list[Visit] = []
        self.actions: list[Action] = []
        self.finished = False
        """It reached an outcome or a declared abort."""

    @property
    def where(self) -> str:
        return f"seed {self.seed}"

    def chance(self) -> Rng:
        """The generator of the first position, new at every call."""
        return generator(self.seed, 0, CHANCE)

    def walk(self) -> Iterator[Visit]:
        """Every position; the play goes on when the caller has done with it."""
        rng = self.chance()
        words = rng.state
        try:
            state = answer_of(self.game.initial, rng)
        except BlockedError:
            return
        self.trial.drawn |= rng.state != words
        texts: frozenset[str] = frozenset()
        for ply in range(self.game.info.max_plies + 1):
            visit = Visit(self.trial, self.seed, ply, state, texts)
            self.visits.append(visit)
            yield visit
            try:
                if not visit.live or ply == self.game.info.max_plies:
                    self.finished = not visit.live
                    return
                state = self._next(visit)
                texts |= {str(text) for text in visit.texts.values()}
            except BlockedError:
                return
            except DeclaredAbort as abort:
                self.finished = abort.code in self.game.info.aborts
                return

    def require_finished(self) -> None:
        """Raise `BlockedError` unless the play is whole, with a text for every move."""
        if not self.finished:
            raise BlockedError("the play could not be finished")
        for visit in self.visits:
            _ = visit.texts

    def _next(self, visit: Visit) -> object:
        rng = visit.chance()
        words = rng.state
        self.actions.append(visit.choice)
        try:
            return self.game.apply(visit.state, visit.choice, rng)
        except DeclaredAbort:
            raise
        except Exception as error:
            raise BlockedError(f"apply raised {type(error).__name__}") from error
        finally:
            self.trial.drawn |= rng.state != words
