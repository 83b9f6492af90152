"""What a Monte Carlo tree says: the move that was tried most, with visits, values, lines and proofs."""

from collections.abc import Mapping
from typing import Final, Protocol

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Action, Player, points
from ludex.core.messages import Message

MOST_CANDIDATES: Final = 24
WON: Final = 1.0
LOST: Final = -1.0

Scores = tuple[float, ...]


class Branch(Protocol):
    """What is known of the actions that lead to a position."""

    @property
    def mover(self) -> Player: ...

    @property
    def visits(self) -> int: ...

    @property
    def proven(self) -> Scores | None: ...

    @property
    def children(self) -> "Mapping[Action, Branch]":
        """Those that were tried."""
        ...

    def value(self, player: Player) -> float:
        """The average score of a player."""
        ...

    def line(self) -> list[Action]:
        """How play is expected to go on."""
        ...


def decision_of(
    root: Branch, player: Player, *, players: int, deterministic: bool, simulations: int, depth: int
) -> Decision:
    """The decision of a tree whose root has a child at least."""
    children = root.children
    ranked = sorted(children, key=lambda action: rank(children[action], player), reverse=True)
    visits = sum(child.visits for child in children.values())
    candidates = []
    for action in ranked[:MOST_CANDIDATES]:
        child = children[action]
        share = child.visits / visits if visits else None
        line = (action, *child.line()) if deterministic else (action,)
        terms = {"visits": float(child.visits)} | ({} if child.proven is None else {"proven": child.proven[player]})
        score = child.value(player)
        value = as_value(score, players) if child.visits or child.proven is not None else None
        candidates.append(Candidate(action, score=score, prob=share, line=line, terms=terms, value=value))
    best = children[ranked[0]]
    if best.proven is not None:
        reason = Message("ludex.expects_proven", {"value": best.value(player)})
    else:
        searched = {"visits": best.visits, "simulations": simulations}
        reason = Message("ludex.expects_visits", {"value": best.value(player), **searched})
    return Decision(
        action=ranked[0],
        value=as_value(best.value(player), players),
        candidates=tuple(candidates),
        stats={"simulations": simulations, "nodes": simulations, "depth": depth},
        explanation=(reason,),
    )


def as_value(score: float, players: int) -> float:
    """A score as decisions give it: in a one-player game the win probability."""
    value = min(WON, max(LOST, score))
    return points(value) if players == 1 else value


def line_of(node: Branch) -> list[Action]:
    """How play is expected to go on: the moves that were tried most."""
    line: list[Action] = []
    while True:
        children, mover = node.children, node.mover
        if not any(child.visits for child in children.values()):
            return line
        line.append(max(children, key=lambda action: rank(children[action], mover)))
        node = children[line[-1]]


def rank(child: Branch, player: Player) -> tuple[int, int, float]:
    """Proven wins first, proven losses last; between them what was tried most."""
    certain = 0
    if child.proven is not None:
        certain = (child.proven[player] >= WON) - (child.proven[player] <= LOST)
    return certain, child.visits, child.value(player)
