"""What a Monte Carlo tree says: the move that was tried most, with visits, values, lines and proofs."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Action, points
from ludex.core.messages import Message

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
    kind, counts = "visits", {"visits": best.visits, "simulations": simulations}
    if best.proven:
        kind, counts = "proven", {}
    return Decision(
        action=best.action,
        value=as_value(best.value, players),
        candidates=tuple(candidates),
        stats={"simulations": simulations, "nodes": simulations, "depth": depth},
        explanation=(Message(f"ludex.expects_{kind}", {"value": best.value, **counts}),),
    )


def as_value(score: float, players: int) -> float:
    """A score as decisions give it: in a one-player game the win probability."""
    value = min(WON, max(LOST, score))
    return points(value) if players == 1 else value


def rank(visits: int, value: float, proven: bool) -> tuple[int, int, float]:
    """Proven wins first, proven losses last; between them what was tried most."""
    certain = (value >= WON) - (value <= LOST) if proven else 0
    return certain, visits, value
