"""Networks for tests: every row's answer follows from the row alone, exactly, whatever the batch."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.game import AnyGame
from ludex.search.batched import BatchedSearch, NetAnswer, Positions, SearchOptions
from tests.reference.tree_search import Network, ReferenceSearch

SEED = 5


class Scattered:
    """Logits and values that look like chance: products with small whole numbers."""

    def __init__(self, positions: Positions, seed: int = 0) -> None:
        cells = int(np.prod(positions.observation_shape))
        weights = np.random.default_rng(seed).integers(-9, 10, (cells, positions.action_size + 1))
        self._weights = weights.astype(np.float64)
        self._offsets = np.random.default_rng(seed + 1).integers(-9, 10, positions.action_size + 1).astype(np.float64)
        self.batches: list[int] = []

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        self.batches.append(len(observations))
        cells = observations.reshape(len(observations), -1).astype(np.float64)
        # Rounded, so that the order of a sum does not matter.
        logits = np.round(cells @ self._weights + self._offsets, 6)
        return (logits[:, :-1] / 8.0).astype(np.float32), np.sin(logits[:, -1]).astype(np.float32)


def network_of(positions: Positions, evaluate: Scattered) -> Network:
    """The same network for a position of the contract, by the game's actions."""

    def network(position: Any) -> tuple[list[float], float]:
        observation, player = observed(positions, position)
        logits, values = evaluate(observation[None], np.ones((1, positions.action_size), np.uint8))
        return [float(logit) for logit in logits[0][positions.orientation[player]]], float(values[0])

    return network


def observed(positions: Positions, position: Any) -> tuple[NDArray[np.float32], int]:
    """What the network sees of a position, and who moves."""
    rules = getattr(positions, "rules", None)
    if rules is not None:
        state, out = rules.pack(position), np.zeros(rules.observation_shape, np.float32)
        rules.observe(rules.constants, state, out.reshape(-1))
        return out, rules.player(rules.constants, state)
    # The class is another where kernels run in Python.
    plain: Any = positions
    player = plain.game.to_move(position)
    return plain.planes.of(plain.game.observe(plain.game.view(position, player)), player), player


def opened(search: BatchedSearch, game: AnyGame, lines: list[str]) -> None:
    """Put the positions after some moves into the games of a search."""
    from ludex.core.match import Match

    for lane, line in enumerate(lines):
        match = Match(game, seed=1)
        for text in line.split():
            match.play_text(text)
        search.put(lane, match.state, match.ply)


def compare(game: AnyGame, positions: Positions, options: SearchOptions, lines: list[str]) -> None:
    """Assert that every game of a batch has the tree of the reference."""
    search = BatchedSearch(positions, len(lines), options, SEED)
    opened(search, game, lines)
    result = search.run(Scattered(positions))
    evaluate = network_of(positions, Scattered(positions))
    for lane, line in enumerate(lines):
        ply = len(line.split())
        slow = ReferenceSearch(game, evaluate, options, SEED, lane, 0, ply)
        root = slow.run(search.position(lane))
        visits = [root.visits.get(action, 0) for action in range(positions.action_size)]
        assert result.visits[lane].tolist() == visits, line
        assert result.actions[lane] == slow.action(root)
        policy = slow.policy(root)
        expected = [policy.get(action, 0.0) for action in range(positions.action_size)]
        assert result.policy[lane].tolist() == pytest.approx(expected, abs=1e-9)
        assert result.targets[lane][positions.orientation[root.player]].tolist() == result.policy[lane].tolist()
        assert result.values[lane] == pytest.approx(root.mean, abs=1e-9)
        for action in root.tried:
            assert result.q[lane, action] == pytest.approx(root.q(action), abs=1e-9)
