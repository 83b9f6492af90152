"""One tree search over many games at once, whose leaves are evaluated by a network in batches."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

import ludex.search.batched.layout as at
from ludex.core.errors import BadNet, BadOption
from ludex.core.seeding import CHANCE, SEARCH_CHANCE, SEARCH_NOISE, signed_key
from ludex.search.batched.cache import EvaluationCache
from ludex.search.batched.layout import Exchange, Plan, Tree, halving_schedule, numbers, tree_of
from ludex.search.batched.options import SearchOptions
from ludex.search.batched.positions import Advanced, Positions, Work
from ludex.search.batched.result import SearchResult, Summary, main_line, summarise
from ludex.search.batched.step import BEGIN, END, SIMULATE
from ludex.search.batched.tree import cancel

NetAnswer: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]
"""(logits [B, A], values [B]) for the players to move."""


class Evaluate(Protocol):
    """A network as the search calls it."""

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        """Evaluate float32[B, C, H, W] with the legal outputs uint8[B, A]. The arrays hold until it returns."""


def know_nothing(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
    """A network that knows nothing: every move is alike, every position even."""
    return np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)


class Handle(Protocol):
    """An evaluation under way."""

    def result(self) -> NetAnswer:
        """Wait for it."""


@runtime_checkable
class Submits(Protocol):
    """A network whose evaluations run beside the search. The arrays hold until the result is taken."""

    def submit(self, observations: NDArray[np.float32], masks: NDArray[np.uint8], into: NetAnswer | None) -> Handle:
        """Begin an evaluation; one that is written `into` these arrays need not be copied there."""


Submit: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.uint8], NetAnswer | None], Handle]


class _Done(NamedTuple):
    """An evaluation that is ready."""

    answer: NetAnswer

    def result(self) -> NetAnswer:
        return self.answer


class _Pending(NamedTuple):
    """The rows that were given to the network, how many there are, and its handle."""

    rows: NDArray[np.int64] | slice
    size: int
    handle: Handle


class BatchedSearch:
    """Searches `games` games at once; `run` decides their next moves, `advance` plays them."""

    def __init__(
        self,
        positions: Positions,
        games: int,
        options: SearchOptions,
        seed: int = 0,
        *,
        empty: Callable[..., NDArray[Any]] = np.empty,
    ) -> None:
        """`empty(shape, dtype)` makes the arrays that the network sees, for example in pinned memory."""
        if games != positions.games:
            raise BadOption(f"games is {games}, but the positions are those of {positions.games} games")
        self.games = games
        self.action_size = positions.action_size
        self.observation_shape = positions.observation_shape
        self.symmetries = positions.symmetries
        self.orientation = positions.orientation
        self.ownership = positions.ownership
        self.options = options
        self.positions = positions
        cells, actions = int(np.prod(positions.observation_shape)), positions.action_size
        capacity = options.simulations + 1
        self.tree = Tree.of(games, capacity, actions)
        plan = Plan(
            key=signed_key(seed, SEARCH_NOISE),
            dice=signed_key(seed, SEARCH_CHANCE),
            chance=signed_key(seed, CHANCE),
            simulations=options.simulations,
            options=numbers(options, positions.chance),
            schedule=halving_schedule(options.considered, options.simulations),
            orientation=positions.orientation,
        )
        self._network = Exchange(
            observations=empty((games, cells), np.float32),
            masks=empty((games, actions), np.uint8),
            logits=empty((games, actions), np.float32),
            answers=empty((games,), np.float32),
        )
        self._work = Work(seed, options.threads, plan, self.tree, self._network)
        self._cache = EvaluationCache(options.cache_size, cells, actions) if options.cache_size else None
        self._pool = ThreadPoolExecutor(1) if options.double_buffer else None
        self._threads = ThreadPoolExecutor(options.threads) if options.threads > 1 else None
        middle = games // 2
        split = options.double_buffer and games > 1
        self._parts = ((0, middle), (middle, games)) if split else ((0, games),)
        self.leaves = 0
        """Positions that were evaluated in all runs."""
        self._summary = Summary(
            actions=np.zeros(games, np.int64),
            policy=np.zeros((games, actions), np.float64),
            targets=np.zeros((games, actions), np.float64),
            values=np.zeros(games, np.float64),
            visits=np.zeros((games, actions), np.int64),
            q=np.zeros((games, actions), np.float64),
        )
        self._root_observations = np.zeros((games, *positions.observation_shape), np.float32)
        self._root_masks = np.zeros((games, actions), np.uint8)
        positions.open(self._work, capacity)

    @property
    def players(self) -> NDArray[np.int64]:
        """int64[G], who moves."""
        return self.positions.players()

    @property
    def plies(self) -> NDArray[np.int64]:
        """int64[G], how many moves were made in each game."""
        return self.tree.game[:, at.PLY].copy()

    @property
    def episodes(self) -> NDArray[np.int64]:
        """int64[G], how many games were finished in each row."""
        return self.tree.game[:, at.EPISODE].copy()

    def run(self, evaluate: Evaluate | Submits) -> SearchResult:
        """Search the next move of every game.

        Raises `BadNet` if the network's answer is no number. If `evaluate` itself raises, `result` has what was found.
        """
        games, submit = self.tree.game, self._submitter(evaluate)
        self._clear()
        games[:, at.FAULT] = 0
        pending = []
        for begin, end in self._parts:
            self._step(begin, end, BEGIN)
            cells = self._network.observations[begin:end]
            self._root_observations[begin:end] = cells.reshape(-1, *self.observation_shape)
            self._root_masks[begin:end] = self._network.masks[begin:end]
            pending.append(self._ask(submit, begin, end))
        for _ in range(self.options.simulations):
            for part, (begin, end) in enumerate(self._parts):
                self._take(pending[part])
                self._step(begin, end, SIMULATE)
                pending[part] = self._ask(submit, begin, end)
        for part, (begin, end) in enumerate(self._parts):
            self._take(pending[part])
            self._step(begin, end, END)
            # While the network evaluates the other part.
            self._summarise(begin, end)
        return self._gather()

    def result(self) -> SearchResult:
        """What the trees say of a run that was broken off."""
        # Leaves that wait for a network which did not answer.
        for lane in np.flatnonzero(self.tree.game[:, at.WAITING]).tolist():
            cancel(tree_of(self.tree, lane))
        self._summarise(0, self.games)
        return self._gather()

    def _summarise(self, begin: int, end: int) -> None:
        if self._threads is None:
            self._summarise_slice(begin, end)
            return
        size = -(-(end - begin) // self.options.threads)
        slices = [(first, min(first + size, end)) for first in range(begin, end, size)]
        # The kernel runs without Python's lock.
        [*self._threads.map(self._summarise_slice, *zip(*slices, strict=True))]

    def _summarise_slice(self, begin: int, end: int) -> None:
        summarise(begin, end, self._work.plan, self.tree, self._summary)

    def _gather(self) -> SearchResult:
        return SearchResult(
            **self._summary._asdict(),
            observations=self._root_observations,
            masks=self._root_masks,
        )

    def line(self, game: int) -> list[int]:
        """The moves that a game's tree expects: those that were tried most."""
        line = np.zeros(self.options.simulations, np.int64)
        count = main_line(tree_of(self.tree, game), line)
        return [int(action) for action in line[:count]]

    def advance(self, actions: NDArray[np.int64]) -> Advanced:
        """Play an action in every game; those that it ends start over.

        Raises `IllegalAction` naming the first game with one, and no game has moved.
        """
        advanced = self.positions.advance(np.ascontiguousarray(actions, np.int64))
        self._clear()
        return advanced

    def restart(self, mask: NDArray[np.bool_]) -> None:
        """Restart some games, `bool[G]`, for example those that were given up."""
        self.tree.game[mask, at.EPISODE] += 1
        self.tree.game[mask, at.PLY] = 0
        self._clear(mask)
        self.positions.restart(mask)

    def put(self, game: int, position: Any, ply: int = 0) -> None:
        """Make a live position of the contract the root of a game."""
        self.positions.put(game, position)
        self.tree.game[game, at.PLY] = ply
        self._clear(game)

    def position(self, game: int) -> Any:
        """The root of a game as a position of the contract."""
        return self.positions.position(game)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The positions, episodes and plies of all games, from which `restore` goes on; trees are not kept."""
        return {"episodes": self.episodes, "plies": self.plies, **self.positions.snapshot()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Go on from a snapshot of a search with as many games."""
        self.tree.game[:, at.EPISODE], self.tree.game[:, at.PLY] = arrays["episodes"], arrays["plies"]
        self._clear()
        self.positions.restore(arrays)

    def rescale(self, centre: float, spread: float) -> None:
        """Value the end of a game by `(score - centre) / spread`, cut to -1..1, from the next move on."""
        self._work.plan.options[[at.CENTRE, at.SPREAD]] = centre, spread

    def clear_cache(self) -> None:
        """Forget what the network said: it has changed."""
        if self._cache is not None:
            self._cache.clear()

    def _clear(self, games: NDArray[np.bool_] | int | slice = slice(None)) -> None:
        """Forget the trees of some games, by default of all."""
        for column in (at.NODES, at.EDGES, at.DONE, at.WAITING):
            self.tree.game[games, column] = 0

    def _step(self, begin: int, end: int, phase: int) -> None:
        self.positions.step(begin, end, phase)
        faults = self.tree.game[begin:end, at.FAULT]
        if faults.any():
            lane = begin + int(faults.argmax())
            raise BadNet(
                f"the network's answer for game {lane} is no number: value {self._network.answers[lane]}, "
                f"logits {self._network.logits[lane].tolist()[:16]}; {int(faults.sum())} of {end - begin} games"
            )

    def _submitter(self, evaluate: Evaluate | Submits) -> Submit:
        """How the network is called: by its own `submit`, in another thread, or at once."""
        if isinstance(evaluate, Submits):
            return evaluate.submit
        pool = self._pool
        if pool is not None:
            return lambda observations, masks, _: pool.submit(evaluate, observations, masks)
        return lambda observations, masks, _: _Done(evaluate(observations, masks))

    def _ask(self, submit: Submit, begin: int, end: int) -> _Pending | None:
        network, rows = self._network, np.flatnonzero(self.tree.game[begin:end, at.WAITING]) + begin
        if self._cache is not None:
            rows = self._cache.look_up(rows, network)
        if not len(rows):
            return None
        whole = self.options.fixed_batches or len(rows) == end - begin
        selection: NDArray[np.int64] | slice = slice(begin, end) if whole else rows
        observations = network.observations[selection].reshape(-1, *self.observation_shape)
        masks = network.masks[selection]
        into = (network.logits[selection], network.answers[selection]) if isinstance(selection, slice) else None
        self.leaves += len(rows)
        return _Pending(selection, len(masks), submit(observations, masks, into))

    def _take(self, pending: _Pending | None) -> None:
        if pending is None:
            return
        logits, values = pending.handle.result()
        network, size = self._network, pending.size
        if logits.shape != (size, self.action_size) or values.shape != (size,):
            raise BadNet(
                f"the network answered with shapes {list(logits.shape)} and {list(values.shape)}, "
                f"expected {[size, self.action_size]} and {[size]}"
            )
        if logits.base is not network.logits:
            network.logits[pending.rows], network.answers[pending.rows] = logits, values
        if self._cache is not None:
            rows = np.arange(*pending.rows.indices(self.games)) if isinstance(pending.rows, slice) else pending.rows
            self._cache.remember(rows, network)
