"""Games of `mcts`, which needs no network: a learner's first positions, before its network knows anything."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ludex.core.limit import Limit
from ludex.core.seeding import generator
from ludex.search.batched import BatchedSearch, CompiledPositions, SearchResult
from ludex.search.compiled_mcts import CompiledSearch
from ludex.search.spec import MctsOptions

DEMONSTRATIONS_STREAM = 87


class Demonstrator:
    """Searches the next moves of a batched search's games with `mcts`; `run` stands for that search's own."""

    def __init__(self, search: BatchedSearch, simulations: int, seed: int) -> None:
        """The games of `search` must have compiled rules."""
        assert isinstance(search.positions, CompiledPositions)
        self._search, self._positions, self._seed, self._turn = search, search.positions, seed, 0
        self._options = MctsOptions(simulations=simulations)
        self._simulations = simulations
        self._threads = ThreadPoolExecutor(search.options.threads)
        games, actions = search.games, search.action_size
        self._policy, self._values = np.zeros((games, actions)), np.zeros(games)
        self._observations = np.zeros((games, *search.observation_shape), np.float32)
        self._masks = np.zeros((games, actions), np.uint8)

    def run(self, turn: int) -> SearchResult:
        """Search a move of every game; `turn` is the number of the ply in the run."""
        self._turn = turn
        players = self._positions.players()
        # The kernel runs without Python's lock.
        [*self._threads.map(self._search_game, range(self._search.games))]
        targets = np.zeros_like(self._policy)
        outputs = self._search.orientation[players]
        np.put_along_axis(targets, outputs, self._policy, 1)
        legal = np.zeros_like(self._masks)
        np.put_along_axis(legal, outputs, self._masks, 1)
        none = np.zeros(self._policy.shape, np.int64)
        return SearchResult(
            actions=self._policy.argmax(1),
            policy=self._policy,
            targets=targets,
            values=self._values,
            visits=none,
            q=np.zeros_like(self._policy),
            observations=self._observations,
            masks=legal,
        )

    def _search_game(self, lane: int) -> None:
        rules, root = self._positions.rules, self._positions.packed(lane)
        rng = generator(self._seed, self._turn, DEMONSTRATIONS_STREAM, lane=lane)
        search = CompiledSearch(rules, self._options, Limit(), rng, root)
        done = 0
        while done < self._simulations and not search.finished:
            done += search.simulate(self._simulations - done)
        self._policy[lane], self._values[lane] = search.shares()
        rules.observe(rules.constants, root, self._observations[lane].reshape(-1))
        rules.legal(rules.constants, root, self._masks[lane])
