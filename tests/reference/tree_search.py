"""Tree search with a network for one game, slow and plain: dictionaries, recursion, and the formulas as written.

Dice are rolled on every way through an action until they led to as many positions as the options allow; then the
position whose visits are furthest behind its share of the rolls is taken. PUCT is AlphaZero's; Gumbel is that of
"Policy improvement by planning with Gumbel" (Danihelka et al., ICLR 2022), with completed values by the mixed value. It
shares nothing with `ludex.search.batched` but the options and the generator.
"""

import math
from collections.abc import Callable
from typing import Any

from ludex.core.game import AnyGame, legal_actions
from ludex.core.seeding import SEARCH_CHANCE, SEARCH_NOISE, Rng, generator, state_of
from ludex.search.batched import SearchOptions

Network = Callable[[Any], tuple[list[float], float]]
"""position -> (a logit per action, the value for the player to move)"""


class Node:
    """A position, with what is known of every legal action."""

    def __init__(self, game: AnyGame, position: Any, network: Network, draw_value: float) -> None:
        self.outcome = game.outcome(position)
        self.position = position
        self.children: dict[int, list[Node]] = {}
        """By action: the positions that it led to, the first one first; several where dice were rolled."""
        self.number = self.rolls = self.reached = 0
        """How many nodes are older, how often the dice led to it, and how many simulations did."""
        if self.outcome is not None:
            score = self.outcome.scores[0]
            self.value = draw_value if score == 0 else score
            return
        self.player = game.to_move(position)
        logits, value = network(position)
        self.value = value if self.player == 0 else -value
        """For player 0."""
        self.actions = legal_actions(game.legal(position))
        top = max(logits[action] for action in self.actions)
        self.logits = {action: logits[action] - top for action in self.actions}
        total = sum(math.exp(logit) for logit in self.logits.values())
        self.priors = {action: math.exp(logit) / total for action, logit in self.logits.items()}
        self.visits = dict.fromkeys(self.actions, 0)
        self.totals = dict.fromkeys(self.actions, 0.0)

    @property
    def own(self) -> float:
        """The evaluation for the mover."""
        return self.value if self.player == 0 else -self.value

    def q(self, action: int) -> float:
        return self.totals[action] / self.visits[action]

    @property
    def tried(self) -> list[int]:
        return [action for action in self.actions if self.visits[action]]

    @property
    def mean(self) -> float:
        return (self.own + sum(self.totals.values())) / (1 + sum(self.visits.values()))


class ReferenceSearch:
    """The search of one position."""

    def __init__(
        self, game: AnyGame, network: Network, options: SearchOptions, seed: int, lane: int, episode: int, ply: int
    ) -> None:
        self.game = game
        self.network = network
        self.options = options
        self.rng = generator(seed, ply, SEARCH_NOISE, lane=lane, episode=episode)
        self.dice = generator(seed, ply, SEARCH_CHANCE, lane=lane, episode=episode).state
        self.nodes = 0

    def run(self, position: Any) -> Node:
        root = self.node(position)
        uniform = [((self.rng.bits() >> 11) + 0.5) * 2.0**-53 for _ in root.actions]
        scale = self.options.gumbel_scale
        self.gumbels = {a: -scale * math.log(-math.log(u)) for a, u in zip(root.actions, uniform, strict=True)}
        self.sequence = considered_visits(min(self.options.considered, len(root.actions)), self.options.simulations)
        for simulation in range(self.options.simulations):
            self.simulate(root, simulation, at_root=True)
        return root

    def node(self, position: Any) -> Node:
        node = Node(self.game, position, self.network, self.options.draw_value)
        node.number, self.nodes = self.nodes, self.nodes + 1
        return node

    def simulate(self, node: Node, simulation: int, at_root: bool) -> float:
        """The value for player 0 that a simulation finds below a node."""
        node.reached += 1
        if node.outcome is not None:
            return node.value
        action = self.choose(node, simulation, at_root)
        child = self.follow(node, action)
        if child.reached:
            value = self.simulate(child, simulation, at_root=False)
        else:
            value, child.reached = child.value, 1
        node.visits[action] += 1
        node.totals[action] += value if node.player == 0 else -value
        return value

    def follow(self, node: Node, action: int) -> Node:
        """The position that an action leads to."""
        known, tries = node.children.setdefault(action, []), node.visits[action] + 1
        if known and not known[0].rolls:
            return known[0]
        rolls = sum(child.rolls for child in known)
        if known and len(known) >= self.options.widening * math.sqrt(tries):
            return max(reversed(known), key=lambda child: tries * child.rolls / rolls - child.reached)
        word = state_of(self.dice, node.number, rolls, 0)
        rng = Rng(word)
        position = self.game.apply(node.position, action, rng)
        for child in known:
            if child.position == position:
                child.rolls += 1
                return child
        known.append(self.node(position))
        known[-1].rolls = int(rng.state != word)
        return known[-1]

    def choose(self, node: Node, simulation: int, at_root: bool) -> int:
        if self.options.rule == "puct":
            return max(node.actions, key=lambda action: self.urgency(node, action))
        improved = self.improved(node)
        if at_root:
            wanted = [action for action in node.actions if node.visits[action] == self.sequence[simulation]]
            return max(wanted, key=lambda action: self.gumbels[action] + improved[action])
        policy, visits = softmax(improved), sum(node.visits.values())
        return max(node.actions, key=lambda action: policy[action] - node.visits[action] / (1 + visits))

    def urgency(self, node: Node, action: int) -> float:
        visits = 1 + sum(node.visits.values())
        value = node.q(action) if node.visits[action] else node.mean - self.options.first_play
        return value + self.options.c_puct * node.priors[action] * math.sqrt(visits) / (1 + node.visits[action])

    def improved(self, node: Node) -> dict[int, float]:
        """logits + sigma(completed q)"""
        visits = sum(node.visits.values())
        mixed = node.own
        if visits:
            known = sum(node.priors[action] for action in node.tried)
            weighted = sum(node.priors[action] * node.q(action) for action in node.tried) / known
            mixed = (node.own + visits * weighted) / (1 + visits)
        completed = {action: node.q(action) if node.visits[action] else mixed for action in node.actions}
        low, high = min(completed.values()), max(completed.values())
        scaled = {
            action: (value - low) / max(high - low, self.options.least_range) for action, value in completed.items()
        }
        weight = (self.options.visit_offset + max(node.visits.values())) * self.options.value_scale
        return {action: node.logits[action] + weight * scaled[action] for action in node.actions}

    def action(self, root: Node) -> int:
        most = max(root.visits.values())
        if self.options.rule == "puct":
            return max(root.actions, key=lambda action: (root.visits[action], root.totals[action]))
        improved = self.improved(root)
        finalists = [action for action in root.actions if root.visits[action] == most]
        return max(finalists, key=lambda action: self.gumbels[action] + improved[action])

    def policy(self, root: Node) -> dict[int, float]:
        if self.options.rule == "puct":
            return {action: count / self.options.simulations for action, count in root.visits.items()}
        return softmax(self.improved(root))


def softmax(logits: dict[int, float]) -> dict[int, float]:
    top = max(logits.values())
    total = sum(math.exp(logit - top) for logit in logits.values())
    return {action: math.exp(logit - top) / total for action, logit in logits.items()}


def considered_visits(among: int, simulations: int) -> list[int]:
    """How often the root action of each simulation was visited before, by sequential halving."""
    if among == 1:
        return list(range(simulations))
    sequence: list[int] = []
    visits, considered = [0] * among, among
    while len(sequence) < simulations:
        rounds = max(1, int(simulations / (math.ceil(math.log2(among)) * considered)))
        for _ in range(rounds):
            sequence += visits[:considered]
            for index in range(considered):
                visits[index] += 1
        considered = max(2, considered // 2)
    return sequence[:simulations]
