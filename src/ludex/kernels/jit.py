"""The one place that knows Numba: how kernels are compiled and given plain functions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, register_jitable
from numpy.typing import NDArray

from ludex.core import seeding
from ludex.kernels.dispatcher import Kernel

F = TypeVar("F", bound=Callable[..., Any])

STACK_WORDS = 32
to_word = cast(Callable[[int], int], np.uint64)
"""An unsigned 64-bit word inside kernels; to Python's type checker an int."""
to_index = cast(Callable[[int], int], np.int64)
"""A signed 64-bit number inside kernels."""

parallel_range = numba.prange
"""`range` in a parallel kernel, whose turns are shared among threads."""

_PARALLEL = Lock()


def kernel(function: F) -> F:
    """Compile for speed: no Python objects, cached on disk, other threads run meanwhile."""
    return cast(F, Kernel(function))


def bare_kernel(function: F) -> F:
    """A kernel that makes no arrays, so that Numba need not count references to those it is given."""
    # The counting is atomic and costs as much as a small step.
    return cast(F, Kernel(function, targetoptions={"_nrt": False}))


def inline_kernel(function: F) -> F:
    """A bare kernel that becomes part of each kernel that calls it, so that handing on many arrays costs nothing."""
    return cast(F, Kernel(function, targetoptions={"_nrt": False, "forceinline": True}))


def bare_parallel_kernel(function: F) -> F:
    """A kernel whose `parallel_range` loops run on several threads; for batches only.

    It makes no arrays: threads would wait for each other to count references to shared ones.
    """
    return cast(F, Kernel(function, targetoptions={"parallel": True, "_nrt": False}))


def most_threads() -> int:
    """How many threads a parallel kernel may use."""
    return int(getattr(numba.config, "NUMBA_NUM_THREADS"))  # noqa: B009 - numba types its settings as a bare module


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Run parallel kernels on so many threads. One caller at a time: one of Numba's threading layers bears no more."""
    with _PARALLEL:
        numba.set_num_threads(count)
        yield


def share(function: F) -> F:
    """Let kernels call a plain `@compilable` function, which stays plain for Python callers."""
    if not hasattr(function, "__compilable__"):
        raise TypeError(f"{function.__name__} is not marked @compilable: its file would be missing in the cache's hash")
    return register_jitable(function)


@intrinsic
def _trailing_zeros(_: Any, word: Any) -> Any:
    return numba.int64(numba.uint64), lambda context, builder, signature, arguments: builder.cttz(
        arguments[0], ir.Constant(ir.IntType(1), 1)
    )


@intrinsic
def _bit_count(_: Any, word: Any) -> Any:
    return numba.int64(numba.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@intrinsic
def _bit_reverse(_: Any, word: Any) -> Any:
    return numba.uint64(numba.uint64), lambda context, builder, signature, arguments: builder.bitreverse(arguments[0])


@intrinsic
def _stack_words(_: Any) -> Any:
    def reserve(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once(builder, ir.IntType(64), size=ir.Constant(ir.IntType(64), STACK_WORDS))

    return types.CPointer(types.uint64)(), reserve


stack_words = cast(Callable[[], Any], _stack_words)
"""Room for `STACK_WORDS` words until the kernel returns: `array_at(stack_words(), 13)` is an array of 13 of them."""
array_at = cast(Callable[[Any, int], NDArray[np.uint64]], numba.carray)  # type: ignore[attr-defined]
"""An array over memory, inside kernels."""
trailing_zeros = cast(Callable[[int], int], _trailing_zeros)
"""The index of a word's lowest bit, inside kernels; of 0 it is undefined. One instruction, where Numba has loops."""
bit_count = cast(Callable[[int], int], _bit_count)
"""How many bits a word has, inside kernels."""
bit_reverse = cast(Callable[[int], int], _bit_reverse)
"""A word's bits in the opposite order, inside kernels."""

for _function in (seeding.mix, seeding.advance, seeding.state_of, seeding.scaled, seeding.biased):
    share(_function)


@kernel
def draw_below(states: NDArray[np.uint64], lane: int, bound: int) -> int:
    """`Rng.below` inside kernels; `states: uint64[N]` holds one generator a lane."""
    wide = to_word(bound)
    while True:
        states[lane] = seeding.advance(states[lane])
        bits = seeding.mix(states[lane])
        if not seeding.biased(bits, wide):
            return to_index(seeding.scaled(bits, wide))


@kernel
def seed_lane(states: NDArray[np.uint64], lane: int, key: int, episode: int, ply: int) -> None:
    """Set a lane's generator to a ply of an episode; `key` is the `stream_key`."""
    states[lane] = seeding.state_of(to_word(key), to_word(lane), to_word(episode), to_word(ply))


@kernel
def copy_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """`target[:] = source` of equal lengths; by itself Numba compiles 4 s of text for the error of unequal ones."""
    for index in range(len(target)):
        target[index] = source[index]
