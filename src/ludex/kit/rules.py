"""A game's rules, written once as kernels of one module, in every form that Ludex needs.

The module of the rules holds these functions, each marked with `kernel`. `legal` and `apply` are called in live
positions, the others in any:

    initial(board, state)              write the first position over zeros; without it, it is all zeros
    legal(board, state, mask)          write 1 for each legal action over zeros
    apply(board, state, action)        one legal action, and whose turn it is then
    outcome(board, state) -> float     RUNNING, or the score of player 0, in -1..1
    piece(board, state, site) -> int   what lies on a cell or edge: 0 nothing, 1 a piece of player 0, -1 of player 1,
                                       2 and -2 their pieces of a second kind, and so on up to `GridGame.kinds`;
                                       without it, what the first `Values` or the first two `Bits` of `fields` say
    estimate(board, state) -> float    for `grid_spec(estimate=True)`: the score that player 0 may expect
    feature(board, state, plane, site) -> float    if `GridGame.features` is not 0: its planes 0..features-1, from the
                                                   side of the player to move

What they are given:

    board: int64[]                     `GridGame.board`: first `constants` in their order, arrays flattened row by row
    state: int64[layout.size]          the turn (`TURN`), then `fields` in their order, each from `layout.start` on
    mask: uint8[num_actions]           by action, in the order of the notation
    action, site, plane: int           a site is a cell, or behind the cells an edge

Rules with dice take the generator as a last argument: `initial(board, state, random)`, which they then must have, and
`apply(board, state, action, random)`; `draw_below(random, 0, 6)` is one of six numbers from 0 on.

The rules of a heap of which one, two or three are taken, on `fields={"heap": Number(21)}` and `constants=(21,)`:

    HEAP = 1

    @kernel
    def initial(board, state):
        state[HEAP] = board[0]

    @kernel
    def legal(board, state, mask):
        for action in range(3):
            mask[action] = action < state[HEAP]

    @kernel
    def apply(board, state, action):
        state[HEAP] -= action + 1
        state[TURN] = 1 - state[TURN]

    @kernel
    def outcome(board, state):
        if state[HEAP] > 0:
            return RUNNING
        return 1.0 if state[TURN] == 1 else -1.0

    @kernel
    def piece(board, state, site):
        return int(site < state[HEAP])

    @kernel
    def feature(board, state, plane, site):
        return state[HEAP] / board[0]

A rule must not depend on values that it has not been given: constants of its module are frozen when it is compiled.
`state[TURN]` that `apply` leaves as it is gives the same player another turn. `NUMBA_BOUNDSCHECK=1` finds an index that
leaves an array.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import RUNNING, Vector, Words
from ludex.kernels.jit import F, draw_below, kernel

__all__ = ["RUNNING", "TURN", "Kernels", "Mask", "Vector", "Words", "draw_below", "kernel", "kernels_of"]

TURN: Final = 0
"""Where a position says whose turn it is."""
Mask = NDArray[np.uint8]
"""uint8[num_actions], 1 where an action is legal."""
FIELD, WORDS, KINDS, FEATURES, CELLS, SITES = range(-6, 0)
"""Behind the game's constants: where each site lies on a plane, the first field of pieces and its words or 0, kinds of
pieces, features, cells of a plane, sites."""
TAIL: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernels:
    """The functions of a module of rules, as `ludex.core.compiled` describes them, and `piece`."""

    reset: Callable[..., None]
    apply: Callable[..., None]
    draws: bool
    legal: Callable[[Vector, Vector, Mask], int]
    outcome: Callable[[Vector, Vector], float]
    piece: Callable[[Vector, Vector, int], int]
    observe: Callable[[Vector, Vector, NDArray[np.float32]], None]
    own: Callable[[Vector, Vector, int, NDArray[np.int8]], None]
    estimate: Callable[[Vector, Vector], float] | None


@kernel
def player(board: Vector, state: Vector) -> int:
    """Whose turn it is."""
    return int(state[TURN])


@kernel
def _nothing(board: Vector, state: Vector) -> None:
    """The first position is all zeros."""


@kernel
def piece_of_field(board: Vector, state: Vector, site: int) -> int:
    """What lies on a site, of a game whose fields say it: a number per site, or a bit board per player."""
    start, words = board[FIELD], board[WORDS]
    if words == 0:
        return int(state[start + site])
    word, bit = start + site // 64, site % 64
    return int((state[word] >> bit & 1) - (state[word + words] >> bit & 1))


@kernel
def _no_feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """No further planes."""
    return 0.0


@cache
def kernels_of(module: ModuleType) -> Kernels:
    """The kernels of a module of rules, completed by those that follow from them; nothing is compiled."""
    rules: Any = module
    draws = hasattr(rules, "apply") and "random" in signature(rules.apply.py_func).parameters
    names = ("legal", "apply", "outcome", *(["initial"] if draws else []))
    missing = [name for name in names if not hasattr(rules, name)]
    if missing:
        raise TypeError(f"the rules in {module.__name__} lack {', '.join(missing)}: ludex.kit.rules says what they are")
    first: Callable[..., None] = getattr(rules, "initial", _nothing)
    feature = getattr(rules, "feature", _no_feature)
    write_legal, outcome = rules.legal, rules.outcome
    piece: Callable[..., int] = getattr(rules, "piece", piece_of_field)

    def reset(board: Vector, state: Vector) -> None:
        state[:] = 0
        first(board, state)

    def reset_by_dice(board: Vector, state: Vector, random: Words) -> None:
        state[:] = 0
        first(board, state, random)

    def legal(board: Vector, state: Vector, mask: Mask) -> int:
        mask[:] = 0
        if outcome(board, state) != RUNNING:
            return 0
        write_legal(board, state, mask)
        count = 0
        for action in range(len(mask)):
            count += mask[action] != 0
        return count

    def observe(board: Vector, state: Vector, out: NDArray[np.float32]) -> None:
        sites, cells, kinds = board[SITES], board[CELLS], board[KINDS]
        places = len(board) - TAIL - sites
        sign = 1 - 2 * state[TURN]
        out[:] = 0.0
        for site in range(sites):
            value = sign * piece(board, state, site)
            if value != 0:
                plane = 2 * (abs(value) - 1) + (value < 0)
                out[plane * cells + board[places + site]] = 1.0
            for number in range(board[FEATURES]):
                place = (2 * kinds + number) * cells + board[places + site]
                out[place] = feature(board, state, number, site)

    def own(board: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
        places = len(board) - TAIL - board[SITES]
        sign = 1 - 2 * player
        out[:] = 0
        for site in range(board[SITES]):
            value = sign * piece(board, state, site)
            out[board[places + site]] = (value > 0) - (value < 0)

    return Kernels(
        reset=_made_for(module, reset_by_dice if draws else reset),
        apply=rules.apply,
        draws=draws,
        legal=_made_for(module, legal),
        outcome=outcome,
        piece=piece,
        observe=_made_for(module, observe),
        own=_made_for(module, own),
        estimate=getattr(rules, "estimate", None),
    )


def _made_for(module: ModuleType, function: F) -> F:
    """A kernel around those of a module, named as one of it: two games must not share a compiled function's name."""
    function.__module__, function.__qualname__ = module.__name__, f"kit_{function.__name__}"
    return kernel(function)
