"""Monte Carlo tree search for any game: UCT with rollouts, and the game's evaluation where it has one.

Without secrets, and without chance or with outcomes that the game lists, a node keeps its position, and values that are
proven by finished games are passed up. Else a node stands for the actions that lead to it: every simulation draws the
position behind the view and the dice again. Each player is expected to choose the best of their own scores. Games with
compiled rules are searched in the same way by a kernel, `ludex.search.compiled_mcts`.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from ludex.core.compiled import CompiledRules, compiled_rules
from ludex.core.decision import Decision
from ludex.core.game import Action, AnyGame, Mask, Player, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.search.model import LOST, WON, Branch, Model, Scores, decision_of, pace_limit, rank
from ludex.search.spec import MctsOptions

if TYPE_CHECKING:
    from ludex.search.compiled_mcts import CompiledSearch

DEFAULT_SIMULATIONS: Final = 500
"""The budget of a move without any limit."""
FIRST_REPORT: Final = 64
"""The first partial result comes after so many simulations, the next after twice as many each."""


class Node:
    """The statistics of what follows some actions."""

    __slots__ = (
        "actions",
        "available",
        "children",
        "mover",
        "outcomes",
        "prior",
        "proven",
        "state",
        "totals",
        "untried",
        "visits",
    )

    def __init__(self, players: int, state: Any = None) -> None:
        self.state = state
        """The position, where it follows from the actions."""
        self.mover: Player = -1
        self.actions: list[Action] | None = None
        """The legal ones, where the position is kept and was reached."""
        self.untried: list[Action] = []
        self.children: dict[Action, Node] = {}
        self.outcomes: tuple[tuple[float, Node], ...] = ()
        """What chance makes of the action, with probabilities, where it has a choice."""
        self.visits = 0
        self.available = 0
        """How often it could be chosen."""
        self.totals = [0.0] * players
        self.prior: Scores | None = None
        """What the evaluation expects; it counts as one visit."""
        self.proven: Scores | None = None

    def value(self, player: Player) -> float:
        """The average score of a player."""
        if self.proven is not None:
            return self.proven[player]
        if self.prior is not None:
            return (self.totals[player] + self.prior[player]) / (self.visits + 1)
        return self.totals[player] / self.visits if self.visits else 0.0

    def branch(self, action: Action, player: Player) -> Branch:
        """What it says of the action that leads to it, to the player who moves."""
        return Branch(action, self.visits, self.value(player), self.proven is not None)

    def line(self) -> list[Action]:
        """How play is expected to go on: the moves that were tried most."""
        line: list[Action] = []
        node = self
        while any(child.visits for child in node.children.values()):
            branches = (child.branch(action, node.mover) for action, child in node.children.items())
            line.append(max(branches, key=lambda branch: rank(*branch[1:])).action)
            node = node.children[line[-1]]
        return line


class TreeSearch:
    """The search for one move."""

    def __init__(self, model: Model, options: MctsOptions, limit: Limit, rng: Rng, view: Any) -> None:
        self._model = model
        self._options = options
        self._limit = limit
        self._rng = rng
        self._view = view
        self._most_depth = math.inf if limit.depth is None else limit.depth
        first = sample_state(model.game, view, rng)
        self.player: Player = model.game.to_move(first)
        self.root = Node(model.players, first if model.keeps_positions else None)
        self.depth = 0
        evaluated = model.evaluation is not None
        self._exploration = options.exploration_weight(evaluated)
        self._rollout_plies = options.rollout_plies(evaluated)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to search."""
        return self.root.proven is not None

    def simulate(self, count: int) -> int:
        """Run up to `count` simulations; returns how many, fewer once the search is stopped or the root is proven."""
        done = 0
        while done < count and not self._limit.stopped and not self.finished:
            done += self._simulate_once()
        return done

    def _simulate_once(self) -> bool:
        """Run one simulation; False if it was stopped on its way and does not count."""
        path = [self.root]
        scores = self._descend(path) if self._model.keeps_positions else self._descend_by_chance(path)
        if scores is None:
            return False
        self.depth = max(self.depth, sum(not node.outcomes for node in path) - 1)
        for node in reversed(path):
            node.visits += 1
            for player, score in enumerate(scores):
                node.totals[player] += score
            if self._model.keeps_positions and node.proven is None:
                node.proven = _proof(node)
        return True

    def _descend(self, path: list[Node]) -> Scores | None:
        """Follow the tree to a new node, and give the scores found there."""
        draws = 0
        while True:
            node = path[-1]
            if node.proven is not None:
                return node.proven
            if node.outcomes:
                path.append(self._draw_outcome(node))
                draws += 1
                continue
            new = len(path) > 1 and not node.visits
            if new or len(path) - draws > self._most_depth:
                return self._rollout(node.state) if self._rollout_plies or node.prior is None else node.prior
            if node.actions is None:
                self._expand(node)
                continue
            if node.untried:
                action = node.untried.pop()
                node.children[action] = self._child(node.state, action)
                path.append(node.children[action])
            else:
                path.append(max(node.children.values(), key=lambda child: self._urgency(node, child, node.visits)))

    def _expand(self, node: Node) -> None:
        """Look at what can be played in a node that is reached again: most nodes never are."""
        node.mover = self._model.game.to_move(node.state)
        node.actions = self._model.actions(node.state)
        if self._model.evaluation is None:
            node.untried = [*node.actions]
            self._rng.shuffle(node.untried)
        else:
            node.children = {action: self._child(node.state, action) for action in node.actions}
            node.proven = _proof(node)

    def _child(self, state: Any, action: Action) -> Node:
        outcomes = self._model.outcomes(state, action)
        if len(outcomes) == 1:
            return self._node(outcomes[0][1])
        child = Node(self._model.players)
        child.outcomes = tuple((chance, self._node(after)) for chance, after in outcomes)
        if self._model.evaluation is not None:
            child.prior = _average((chance, after.proven or after.prior) for chance, after in child.outcomes)
        child.proven = _proof(child)
        return child

    def _draw_outcome(self, node: Node) -> Node:
        """One of the positions to which chance may lead, as probable as it is."""
        left = self._rng.uniform()
        for chance, outcome in node.outcomes:
            left -= chance
            if left < 0:
                return outcome
        return node.outcomes[-1][1]

    def _node(self, after: Any | None) -> Node:
        model = self._model
        child = Node(model.players, after)
        if after is None:
            child.proven = (0.0,) * model.players
        else:
            child.proven = model.scores(after)
            if child.proven is None and model.evaluation is not None:
                child.prior = model.expected(after)
        return child

    def _descend_by_chance(self, path: list[Node]) -> Scores | None:
        """The same with the position behind the view and the dice drawn on the way."""
        model, rng = self._model, self._rng
        state = sample_state(model.game, self._view, rng)
        while True:
            node = path[-1]
            actions, mover = model.actions(state), model.game.to_move(state)
            new = [action for action in actions if action not in node.children]
            if new:
                action = rng.choice(new)
                node.children[action] = Node(model.players)
            else:
                children = node.children
                for move in actions:
                    children[move].available += 1
                node.mover = mover
                action = max(actions, key=lambda move: self._urgency(node, children[move], children[move].available))
            path.append(node.children[action])
            state = model.after(state, action, Rng(rng.bits()))
            if state is None:
                return (0.0,) * model.players
            scores = model.scores(state)
            if scores is not None:
                return scores
            if new or len(path) > self._most_depth:
                return self._rollout(state)

    def _urgency(self, node: Node, child: Node, chances: int) -> float:
        """How much the mover of a node wants to try a child."""
        mover, options = node.mover, self._options
        if child.proven is not None:
            # Nothing is left to explore there.
            return child.proven[mover] if child.proven[mover] > LOST else -math.inf
        visits = child.visits + (child.prior is not None)
        if not visits:
            return math.inf
        urgency = child.value(mover) + self._exploration * math.sqrt(math.log(max(2, chances)) / visits)
        if child.prior is not None:
            urgency += options.bias * child.prior[mover] / (visits + 1)
        return urgency

    def _rollout(self, state: Any) -> Scores | None:
        """The scores at the end of random moves, or those expected where they are cut."""
        model, rng, stop = self._model, self._rng, self._limit.stop
        plies = 0
        while plies < self._rollout_plies:
            if stop[0]:
                return None
            state = model.after(state, rng.choice(model.actions(state)), rng)
            if state is None:
                return (0.0,) * model.players
            scores = model.scores(state)
            if scores is not None:
                return scores
            plies += 1
        return model.expected(state)

    def decision(self, simulations: int) -> Decision | None:
        """What the simulations so far say, if any reached a move."""
        children = self.root.children
        if not children:
            return None
        branches = [child.branch(action, self.player) for action, child in children.items()]
        # Where there is chance, a line has no next move.
        lines = (lambda action: children[action].line()) if self._model.keeps_positions else (lambda action: [])
        return decision_of(branches, lines, players=self._model.players, simulations=simulations, depth=self.depth)


class MctsAgent:
    """Simulates many games and plays the move that was tried most."""

    def __init__(
        self, model: Model, options: MctsOptions, name: str = "mcts", rules: CompiledRules | None = None
    ) -> None:
        """With compiled `rules`, which equal those of the model, the search runs in a kernel."""
        self.name = name
        self._model = model
        self._options = options
        self._rules = rules

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        limit = pace_limit(limit)
        bounds = (self._options.simulations, limit.simulations, limit.nodes)
        most = min((bound for bound in bounds if bound is not None), default=None)
        if most is None and limit.longest_ms is None:
            most = DEFAULT_SIMULATIONS
        fallback = Decision(rng.choice(legal_actions(legal)), explanation=(Message("ludex.unsearched"),))
        with limit.watch():
            if limit.stopped:
                return fallback
            search = self._search(view, rng, limit)
            done, report_at = 0, FIRST_REPORT
            while not limit.stopped and (most is None or done < most) and not search.finished:
                done += search.simulate((report_at if most is None else min(report_at, most)) - done)
                if done == report_at:
                    if limit.reports and (decision := search.decision(done)) is not None:
                        limit.report(decision)
                    report_at *= 2
        return search.decision(done) or fallback

    def _search(self, view: Any, rng: Rng, limit: Limit) -> "TreeSearch | CompiledSearch":
        if self._rules is None:
            return TreeSearch(self._model, self._options, limit, rng, view)
        # Numba is loaded with it.
        from ludex.search.compiled_mcts import CompiledSearch

        root = self._rules.pack(sample_state(self._model.game, view, rng))
        return CompiledSearch(self._rules, self._options, limit, rng, root)


def mcts(game: AnyGame, options: MctsOptions, services: Services, name: str) -> MctsAgent:
    """The factory of `mcts`."""
    model = Model.of(game)
    # The kernel has one value for two players, and no dice.
    suits = model.deterministic and model.players == 2
    return MctsAgent(model, options, name, compiled_rules(game) if suits else None)


def _average(outcomes: Iterable[tuple[float, Scores | None]]) -> Scores | None:
    """The scores to be expected where chance chooses; None if one outcome has none."""
    total: list[float] = []
    for chance, scores in outcomes:
        if scores is None:
            return None
        weighed = [chance * score for score in scores]
        total = [sum(pair) for pair in zip(total, weighed, strict=True)] if total else weighed
    return tuple(total)


def _proof(node: Node) -> Scores | None:
    """The scores of a node whose mover has a won child, or none but proven ones; their average where chance chooses."""
    if node.outcomes:
        return _average((chance, outcome.proven) for chance, outcome in node.outcomes)
    proven, mover = None, node.mover
    for child in node.children.values():
        if child.proven is not None and (proven is None or child.proven[mover] > proven[mover]):
            proven = child.proven
    if proven is None or proven[mover] >= WON:
        return proven
    whole = not node.untried and all(child.proven is not None for child in node.children.values())
    return proven if whole else None
