"""The games of a batched search by compiled rules: everything happens in kernels."""

from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

import ludex.search.batched.layout as at
from ludex.core import seeding
from ludex.core.compiled import RUNNING, CompiledRules, Ownership, Symmetries, Vector
from ludex.core.errors import BadPosition, IllegalAction
from ludex.kernels.calls import (
    LEGAL,
    OUTCOME,
    OWNERSHIP,
    PLAYER,
    addresses,
    begin_by,
    legal_at,
    move_by,
    ownership_at,
    player_at,
    score_at,
)
from ludex.kernels.jit import bare_kernel, on_threads, to_word
from ludex.search.batched.layout import ROOT, Exchange, Plan, Tree
from ludex.search.batched.step import step, step_on_threads

ALL_LEGAL: Final = -1
"""What `play_moves` returns where no action is illegal."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a search shares with its positions."""

    seed: int
    threads: int
    plan: Plan
    tree: Tree
    network: Exchange


@dataclass(frozen=True, slots=True)
class Advanced:
    """The games that a move ended; they have started over."""

    finished: NDArray[np.bool_]
    """[G]"""
    outcomes: NDArray[np.float32]
    """[G], the score of player 0 where a game is finished."""
    aborted: NDArray[np.bool_]
    """[G], finished without a score."""
    ownership: NDArray[np.int8]
    """[G, 2, K, H, W], what became of each cell as either player sees it, where a game is finished; K is 0 where it is
    not collected. The next move overwrites it."""


class Positions(Protocol):
    """The positions of many games, and how a search moves them."""

    games: int
    action_size: int
    observation_shape: tuple[int, int, int]
    orientation: Vector
    """[2, A]: player p's action a is the network's output `orientation[p, a]`."""
    symmetries: Symmetries | None
    ownership: Ownership | None
    """What became of each cell, if it is collected."""
    chance: bool

    def open(self, work: Work, capacity: int) -> None:
        """Make room for trees of so many nodes, and begin every game."""

    def step(self, begin: int, end: int, phase: int) -> None:
        """One step of the searches of some games, see `ludex.search.batched.step`."""

    def advance(self, actions: NDArray[np.int64]) -> Advanced:
        """Play an action in every game; `IllegalAction` names the first game with one, and no game has moved."""

    def restart(self, mask: NDArray[np.bool_]) -> None:
        """Restart some games."""

    def players(self) -> NDArray[np.int64]:
        """[G], who moves."""

    def put(self, game: int, position: Any) -> None:
        """Make a position of the contract the root of a game."""

    def position(self, game: int) -> Any:
        """The root of a game as a position of the contract."""

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The positions of all games as arrays."""

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """The positions of a snapshot."""


class CompiledPositions:
    """`games` games of compiled rules."""

    def __init__(self, rules: CompiledRules, games: int, *, owning: bool = False) -> None:
        """If `owning`, what became of each cell is collected when games end; the rules must declare it."""
        self.games = games
        self.rules = rules
        self.action_size = rules.action_size
        self.chance = rules.draws
        self.observation_shape = rules.observation_shape
        identity = np.tile(np.arange(rules.action_size, dtype=np.int64), (2, 1))
        self.orientation = identity if rules.orientation is None else rules.orientation
        self.symmetries = rules.symmetries
        self.ownership = rules.ownership if owning else None
        planes = 0 if self.ownership is None else self.ownership.planes
        self._owned = np.zeros((games, 2, planes, *rules.observation_shape[1:]), np.int8)
        self._addresses = addresses(rules, owning=owning)
        self._work: Work
        self._states: Vector

    def open(self, work: Work, capacity: int) -> None:
        self._work = work
        self._states = np.zeros((self.games, capacity, self.rules.state_size), np.int64)
        self.restart(np.ones(self.games, np.bool_))
        parts = (tuple(work.plan), tuple(work.tree), tuple(work.network))
        self._arguments = (self._addresses, self._states, self.rules.constants, *parts)

    def step(self, begin: int, end: int, phase: int) -> None:
        if self._work.threads == 1:
            step(begin, end, phase, *self._arguments)
        else:
            with on_threads(self._work.threads):
                step_on_threads(begin, end, phase, *self._arguments)

    def advance(self, actions: NDArray[np.int64]) -> Advanced:
        finished, outcomes = np.zeros(self.games, np.bool_), np.zeros(self.games, np.float32)
        owned = self._owned.reshape(self.games, 2, -1)
        rules, constants = self._addresses, self.rules.constants
        work = self._work
        lane = play_moves(actions, rules, constants, work.plan, work.tree, self._states, finished, outcomes, owned)
        if lane != ALL_LEGAL:
            raise illegal(lane, actions[lane])
        return Advanced(finished, outcomes, np.zeros(self.games, np.bool_), self._owned)

    def restart(self, mask: NDArray[np.bool_]) -> None:
        episodes = self._work.tree.game[:, at.EPISODE]
        for lane in np.flatnonzero(mask).tolist():
            dice = seeding.generator(self._work.seed, 0, lane=lane, episode=int(episodes[lane]))
            self.rules.begin(self._states[lane, ROOT], dice)

    def players(self) -> NDArray[np.int64]:
        players = np.zeros(self.games, np.int64)
        _write_players(self._addresses, self.rules.constants, self._states, players)
        return players

    def put(self, game: int, position: Any) -> None:
        state = self.rules.pack(position)
        if self.rules.outcome(self.rules.constants, state) != RUNNING:
            raise finished_root(game)
        self._states[game, ROOT] = state

    def position(self, game: int) -> Any:
        return self.rules.unpack(self._states[game, ROOT])

    def packed(self, game: int) -> Vector:
        """The root of a game as it is."""
        root: Vector = self._states[game, ROOT]
        return root

    def snapshot(self) -> dict[str, NDArray[Any]]:
        return {"states": self._states[:, ROOT].copy()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._states[:, ROOT] = arrays["states"]


@bare_kernel
def _write_players(rules: Vector, constants: Vector, states: Vector, players: NDArray[np.int64]) -> None:
    for lane in range(len(players)):
        players[lane] = player_at(rules[PLAYER], constants, states[lane, ROOT])


def finished_root(game: int) -> BadPosition:
    """The error of a root without a move."""
    return BadPosition(f"game {game}: the position is the end of a game, expected a live one")


def illegal(game: int, action: int) -> IllegalAction:
    """The error of an illegal action in one of many games."""
    return IllegalAction(f"game {game}: action {action} is illegal; no game has moved")


@bare_kernel
def _write_ownership(rules: Vector, constants: Vector, state: Vector, out: NDArray[np.int8]) -> None:
    """What became of each cell, `out [2, K * H * W]`, as either player sees it; nothing if there are no planes."""
    if out.shape[1] > 0:
        for viewer in range(2):
            ownership_at(rules[OWNERSHIP], constants, state, viewer, out[viewer])


@bare_kernel
def _own_dice(lane: int, game: Vector, ply: int, plan: Plan) -> int:
    """A game's own chance, as a batch environment draws it: the first position from ply 0, move n from ply n."""
    return seeding.state_of(to_word(plan.chance), to_word(lane), to_word(game[at.EPISODE]), to_word(ply))


@bare_kernel
def play_moves(
    actions: NDArray[np.int64],
    rules: Vector,
    constants: Vector,
    plan: Plan,
    trees: Tree,
    states: Vector,
    finished: NDArray[np.bool_],
    outcomes: NDArray[np.float32],
    owned: NDArray[np.int8],
) -> int:
    """Play an action in every game, or return the first game in which it is illegal and play none."""
    for lane in range(len(actions)):
        action, mask = actions[lane], trees.mask[lane]
        legal_at(rules[LEGAL], constants, states[lane, ROOT], mask)
        if action < 0 or action >= len(mask) or mask[action] == 0:
            return lane
    for lane in range(len(actions)):
        game, root = trees.game[lane], states[lane, ROOT]
        random = trees.random[lane]
        if plan.options[at.CHANCE] != 0.0:
            random[0] = _own_dice(lane, game, game[at.PLY] + 1, plan)
        move_by(rules, constants, root, actions[lane], random)
        score = score_at(rules[OUTCOME], constants, root)
        finished[lane] = score != RUNNING
        if finished[lane]:
            outcomes[lane] = score
            _write_ownership(rules, constants, root, owned[lane])
            game[at.EPISODE] += 1
            game[at.PLY] = 0
            if plan.options[at.CHANCE] != 0.0:
                random[0] = _own_dice(lane, game, 0, plan)
            begin_by(rules, constants, root, random)
        else:
            game[at.PLY] += 1
    return ALL_LEGAL
