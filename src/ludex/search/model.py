"""What a search knows of a game: its rules as the contract gives them, and the evaluation if the game has one."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ludex.core.compiled import compiled_rules
from ludex.core.decision import Candidate, Decision
from ludex.core.errors import DeclaredAbort, Unsupported
from ludex.core.game import Action, AnyGame, ListsOutcomes, Player, SamplesStates, legal_actions, points
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.options import Options
from ludex.core.registry import resolve, spec
from ludex.core.seeding import Rng

EXPECTED_MOVES: Final = 30
"""Under a clock a move may take this part of the time left, and most of the increment."""
INCREMENT_SHARE: Final = 0.8

Evaluation = Callable[[AnyGame, Any, Player], float]
ChanceOutcomes = Callable[[Any, Action], Sequence[tuple[float, Any]]]


class Model:
    """A game as searches use it. Everything goes through the public contract."""

    def __init__(self, game: AnyGame, evaluation: Evaluation | None = None) -> None:
        self.game = game
        self.players = game.info.players
        self.deterministic = game.info.chance == "none" and game.info.information == "perfect"
        """Whether a position and an action give the next position."""
        self.hidden = game.info.information == "hidden"
        self._outcomes: ChanceOutcomes | None = None
        if isinstance(game, ListsOutcomes) and not self.hidden and not self.deterministic:
            self._outcomes = game.chance_outcomes
        self.keeps_positions = self.deterministic or self._outcomes is not None
        """Whether a tree can keep positions: what follows is the next position, or a list of them."""
        self.evaluation = evaluation

    @classmethod
    def of(cls, game: AnyGame) -> "Model":
        """The model of a registered game, with the evaluation that its spec names."""
        reference = spec(game.info.id).evaluation
        return cls(game, None if reference is None else resolve(reference))

    def scores(self, state: Any) -> tuple[float, ...] | None:
        """The scores of a finished game, or None."""
        outcome = self.game.outcome(state)
        return None if outcome is None else outcome.scores

    def expected(self, state: Any) -> tuple[float, ...]:
        """The scores that the evaluation expects; zeros without one."""
        if self.evaluation is None:
            return (0.0,) * self.players
        first = self.evaluation(self.game, state, 0)
        if self.players == 1:
            return (first,)
        return first, -first if self.game.info.zero_sum else self.evaluation(self.game, state, 1)

    def actions(self, state: Any) -> list[Action]:
        return legal_actions(self.game.legal(state))

    def after(self, state: Any, action: Action, rng: Rng) -> Any | None:
        """The next position; None where the match ends without a score."""
        try:
            return self.game.apply(state, action, rng)
        except DeclaredAbort:
            return None

    def outcomes(self, state: Any, action: Action) -> Sequence[tuple[float, Any | None]]:
        """Every next position with its probability; for games of which `keeps_positions` is true."""
        if self._outcomes is None:
            return ((1.0, self.after(state, action, Rng(0))),)
        try:
            return self._outcomes(state, action)
        except DeclaredAbort:
            return ((1.0, None),)


def position_key(game: AnyGame, state: Any) -> Hashable:
    """Equal for equal positions: the position itself where it is hashable by value, else what `dump` writes."""
    # Objects that are equal only to themselves say nothing about positions.
    if getattr(type(state), "__eq__", None) is not object.__eq__:
        try:
            hash(state)
            key: Hashable = state
        except TypeError:
            # A frozen value may hold an array or a list.
            return repr(game.dump(state))
        return key
    return repr(game.dump(state))


def check_searchable(game: AnyGame, options: Options) -> None:
    """Raise `Unsupported` where no position can be drawn from a view."""
    if game.info.information == "hidden" and not isinstance(game, SamplesStates):
        raise Unsupported(f"{game.info.id} hides information and has no sample_state(view, rng): no search can play it")


def pace_limit(limit: Limit) -> Limit:
    """The limit of one move: under a clock a share of the time left, before the flag of the clock itself."""
    if limit.clock is None:
        return limit
    share = limit.clock.remaining_ms / EXPECTED_MOVES + INCREMENT_SHARE * limit.clock.increment_ms
    allowed = max(1, int(min(share, limit.clock.remaining_ms / 2)))
    return replace(limit, time_ms=allowed if limit.time_ms is None else min(limit.time_ms, allowed))


def require_learnable(game: AnyGame) -> None:
    """Raise `Unsupported`, with the reasons, unless everything is seen, by one player or two with opposite scores."""
    info = game.info
    reasons = {
        "hides information": info.information != "perfect",
        "is not zero-sum": info.players == 2 and not info.zero_sum,
    }
    obstacles = [reason for reason, holds in reasons.items() if holds]
    if obstacles:
        raise Unsupported(
            "alphazero and zero need a game of perfect information, of one player or of two whose scores sum to zero; "
            f"{info.id} {' and '.join(obstacles)}"
        )


def require_ownership(game: AnyGame) -> None:
    """Raise `Unsupported` unless a game's compiled rules declare what became of each cell."""
    rules, board = compiled_rules(game), f"{game.info.id} {game.info.preset}"
    if rules is None:
        raise Unsupported(f"{board} has no compiled rules (GameSpec.compiled), which would declare its ownership")
    if rules.ownership is None:
        raise Unsupported(f"the compiled rules of {board} declare no ownership (CompiledRules.ownership)")


MOST_CANDIDATES: Final = 24
WON: Final = 1.0
LOST: Final = -1.0

Scores = tuple[float, ...]


class Branch(NamedTuple):
    """What the tree says of a move."""

    action: Action
    visits: int
    value: float
    """The average score of the player who moves, or the proven one."""
    proven: bool


def decision_of(
    branches: Sequence[Branch],
    line_after: Callable[[Action], Sequence[Action]],
    *,
    players: int,
    simulations: int,
    depth: int,
) -> Decision:
    """The decision among at least one move; `line_after` tells how play is expected to go on after each."""
    if all(branch.proven for branch in branches):
        # Nothing is left to try: what counts is the value, which may be any number.
        ranked = sorted(branches, key=lambda branch: (branch.value, branch.visits), reverse=True)
    else:
        ranked = sorted(branches, key=lambda branch: rank(*branch[1:]), reverse=True)
    best, visits = ranked[0], sum(branch.visits for branch in branches)
    candidates = [
        Candidate(
            branch.action,
            score=branch.value,
            prob=branch.visits / visits if visits else None,
            line=(branch.action, *line_after(branch.action)),
            terms={"visits": float(branch.visits)} | ({"proven": branch.value} if branch.proven else {}),
            value=as_value(branch.value, players) if branch.visits or branch.proven else None,
        )
        for branch in ranked[:MOST_CANDIDATES]
    ]
    return Decision(
        action=best.action,
        value=as_value(best.value, players),
        candidates=tuple(candidates),
        stats={"simulations": simulations, "nodes": simulations, "depth": depth},
        explanation=(expectation(best.value, players, len(branches), proven=best.proven),),
    )


def expectation(value: float, players: int, count: int, *, proven: bool = False) -> Message:
    """What a search says of the best of so many moves, where the game has no words for it."""
    if proven and players == 2 and value in (WON, 0.0, LOST):
        return Message(f"ludex.proves_{'loss' if value == LOST else 'win' if value == WON else 'draw'}")
    return Message("ludex.expects", {"count": count, "wins": round(100 * (value if players == 1 else points(value)))})


def as_value(score: float, players: int) -> float:
    """A score as decisions give it: in a one-player game the win probability."""
    value = min(WON, max(LOST, score))
    return points(value) if players == 1 else value


def rank(visits: int, value: float, proven: bool) -> tuple[int, int, float]:
    """Proven wins first, proven losses last; between them what was tried most."""
    certain = (value >= WON) - (value <= LOST) if proven else 0
    return certain, visits, value
