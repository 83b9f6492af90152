"""The games of a batched search by the plain contract: slower, for every game with perfect information."""

import json
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ludex.search.batched.layout as at
from ludex.core.compiled import Ownership, Symmetries, Vector, compiled_rules
from ludex.core.errors import DeclaredAbort, IllegalAction, Unsupported
from ludex.core.game import Action, AnyGame, Observation
from ludex.core.seeding import Rng, generator
from ludex.search.batched.layout import NONE, ROOT, tree_of
from ludex.search.batched.positions import Advanced, CompiledPositions, Positions, Work, finished_root, illegal
from ludex.search.batched.step import finish_leaf, join_twin, receive_and_select
from ludex.search.model import position_key, require_ownership


def positions_of(game: AnyGame, games: int, *, owning: bool = False) -> Positions:
    """The positions of many games: by compiled rules where the game has them.

    If `owning`, what became of each cell is collected when games end; `Unsupported` if the game does not declare it.
    """
    if owning:
        require_ownership(game)
    rules = compiled_rules(game)
    return PlainPositions(game, games) if rules is None else CompiledPositions(rules, games, owning=owning)


def check_batched(game: AnyGame) -> None:
    """Raise `Unsupported` where a batched search cannot play a game."""
    info = game.info
    if info.information == "hidden":
        raise Unsupported(f"{info.id} hides information: a batched search needs games that hide nothing")
    if info.players == 2 and not info.zero_sum:
        raise Unsupported(f"{info.id} is not zero-sum: a batched search has one value for both players")


class Planes:
    """Observations of any game as planes: grids as they are, other numbers as planes of their own, and who moves."""

    def __init__(self, game: AnyGame) -> None:
        start = game.initial(Rng(0))
        arrays = game.observe(game.view(start, game.to_move(start)))
        grids = [array.shape[-2:] for array in arrays.values() if array.ndim >= 2]
        self._size: tuple[int, ...] = max(grids, key=lambda size: size[0] * size[1], default=(1, 1))
        self._players = game.info.players
        height, width = self._size
        self.shape = (len(self.of(arrays, 0)), height, width)

    def of(self, arrays: Observation, player: int) -> NDArray[np.float32]:
        """float32[C, H, W]"""
        planes = [np.full((1, *self._size), player, np.float32)] if self._players == 2 else []
        for array in arrays.values():
            if array.ndim >= 2 and array.shape[-2:] == self._size:
                planes.append(array.reshape(-1, *self._size).astype(np.float32))
            else:
                numbers = array.astype(np.float32).reshape(-1, 1, 1)
                planes.append(np.broadcast_to(numbers, (numbers.size, *self._size)))
        return np.concatenate(planes)


class PlainPositions:
    """`games` games by the contract; where it has chance, dice are drawn again and again inside the trees."""

    symmetries: Symmetries | None = None
    ownership: Ownership | None = None

    def __init__(self, game: AnyGame, games: int) -> None:
        check_batched(game)
        self.game = game
        self.games = games
        self.action_size = game.info.num_actions
        self.chance = game.info.chance == "sampled"
        self.planes = Planes(game)
        self.observation_shape = self.planes.shape
        self._owned = np.zeros((games, 2, 0, *self.observation_shape[1:]), np.int8)
        self.orientation: Vector = np.tile(np.arange(self.action_size, dtype=np.int64), (2, 1))
        self._work: Work
        self._nodes: list[list[Any]]
        """By game and node the position; None where the match was broken off without a score."""
        self._keys: list[list[Hashable]]
        """What tells the positions apart that the dice led to."""

    def open(self, work: Work, capacity: int) -> None:
        self._work = work
        self._nodes = [[None] * capacity for _ in range(self.games)]
        self._keys = [[None] * capacity for _ in range(self.games)]
        self.restart(np.ones(self.games, np.bool_))

    def step(self, begin: int, end: int, phase: int) -> None:
        work, tree = self._work, self._work.tree
        receive_and_select(begin, end, phase, work.plan, tree, work.network)
        for lane in range(begin, end):
            leaf = int(tree.game[lane, at.LEAF])
            if leaf > ROOT:
                leaf = self._reach(lane, leaf)
                tree.game[lane, at.WAITING] = leaf != NONE
            if leaf != NONE:
                self._describe(lane, leaf)

    def _reach(self, lane: int, leaf: int) -> int:
        """Find the position of a leaf, or of one below a position to which the dice lead again; returns it, or NONE."""
        work, nodes, keys = self._work, self._nodes[lane], self._keys[lane]
        tree = tree_of(work.tree, lane)
        while leaf != NONE:
            rng = Rng(int(tree.random[0]))
            unrolled = rng.state
            nodes[leaf] = self._after(nodes[tree.nodes[leaf, at.PARENT]], int(tree.game[at.NEW_ACTION]), rng)
            if rng.state == unrolled:
                break
            keys[leaf] = None if nodes[leaf] is None else position_key(self.game, nodes[leaf])
            twin = int(tree.nodes[leaf, at.SIBLING])
            while twin != NONE and keys[twin] != keys[leaf]:
                twin = int(tree.nodes[twin, at.SIBLING])
            if twin == NONE:
                tree.nodes[leaf, at.DRAWN] = 1
                break
            leaf = join_twin(tree, lane, work.plan, twin)
        return leaf

    def _describe(self, lane: int, leaf: int) -> None:
        """Write what the network sees of a leaf."""
        work, tree, game = self._work, self._work.tree, self.game
        position = self._nodes[lane][leaf]
        outcome = None if position is None else game.outcome(position)
        if position is None or outcome is not None:
            score = 0.0 if outcome is None else float(outcome.scores[0])
            tree.nodes[lane, leaf, at.PLAYER] = 0
            finish_leaf(tree_of(tree, lane), work.plan.options, score)
            return
        player = game.to_move(position)
        tree.nodes[lane, leaf, at.PLAYER] = player
        tree.mask[lane] = work.network.masks[lane] = game.legal(position)
        observation = game.observe(game.view(position, player))
        work.network.observations[lane] = self.planes.of(observation, player).reshape(-1)

    def _after(self, position: Any, action: Action, rng: Rng) -> Any:
        try:
            return self.game.apply(position, action, rng)
        except DeclaredAbort:
            return None

    def advance(self, actions: NDArray[np.int64]) -> Advanced:
        finished, outcomes = np.zeros(self.games, np.bool_), np.zeros(self.games, np.float32)
        after = []
        for lane, action in enumerate(actions.tolist()):
            try:
                after.append(self.game.apply(self._nodes[lane][ROOT], action, self._generator(lane, 1)))
            except IllegalAction as error:
                raise illegal(lane, action) from error
            except DeclaredAbort:
                after.append(None)
        games = self._work.tree.game
        for lane, position in enumerate(after):
            outcome = None if position is None else self.game.outcome(position)
            finished[lane] = position is None or outcome is not None
            if outcome is not None:
                outcomes[lane] = outcome.scores[0]
            self._nodes[lane][ROOT] = position
        games[:, at.PLY] += 1
        games[finished, at.EPISODE] += 1
        games[finished, at.PLY] = 0
        self.restart(finished)
        aborted = np.array([position is None for position in after])
        return Advanced(finished, outcomes, aborted, self._owned)

    def _generator(self, lane: int, later: int) -> Rng:
        """The game's own chance, as a batch environment draws it: the first position from ply 0, move n from ply n."""
        game = self._work.tree.game[lane]
        return generator(self._work.seed, int(game[at.PLY]) + later, lane=lane, episode=int(game[at.EPISODE]))

    def restart(self, mask: NDArray[np.bool_]) -> None:
        for lane in np.flatnonzero(mask).tolist():
            self._nodes[lane][ROOT] = self.game.initial(self._generator(lane, 0))

    def players(self) -> NDArray[np.int64]:
        return np.array([self.game.to_move(nodes[ROOT]) for nodes in self._nodes], np.int64)

    def put(self, game: int, position: Any) -> None:
        if self.game.outcome(position) is not None:
            raise finished_root(game)
        self._nodes[game][ROOT] = position

    def position(self, game: int) -> Any:
        return self._nodes[game][ROOT]

    def snapshot(self) -> dict[str, NDArray[Any]]:
        texts = [json.dumps(self.game.dump(nodes[ROOT])) for nodes in self._nodes]
        return {"positions": np.array([text.encode() for text in texts])}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        for nodes, text in zip(self._nodes, arrays["positions"].tolist(), strict=True):
            nodes[ROOT] = self.game.load(json.loads(text))
