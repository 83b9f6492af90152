"""A random match of a game that may be broken: it goes as far as it can."""

from collections.abc import Iterator

from ludex.core.conformance.report import BlockedError
from ludex.core.conformance.walk.trial import Trial
from ludex.core.conformance.walk.visit import Visit, asked
from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action
from ludex.core.seeding import CHANCE, Rng, generator


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
            state = asked(self.game.initial, rng)
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
