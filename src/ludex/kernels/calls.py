"""Calls of compiled functions by their addresses, so that a kernel serves every game without being compiled again.

A kernel that works on a range of lanes is called by its address on several threads too: Numba compiles the body of a
parallel loop three times over, and with it all that it calls, so the loop is a kernel of its own.
"""

from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ludex.core.compiled import CompiledRules, Words
from ludex.kernels.jit import bare_parallel_kernel, inline_kernel, parallel_range

Vector = NDArray[np.int64]

_VECTOR = types.Array(types.int64, 1, "C")
_MASK = types.Array(types.uint8, 1, "C")
_FLOATS = types.Array(types.float32, 1, "C")
_SIGNS = types.Array(types.int8, 1, "C")
_WORDS = types.Array(types.uint64, 1, "C")
RESET, APPLY, LEGAL, OUTCOME, PLAYER, OBSERVE, ESTIMATE, OWNERSHIP, DRAWS = range(9)


def addresses(rules: CompiledRules, *, observing: bool = True, owning: bool = False) -> Vector:
    """int64[9]: where the machine code of each rule lies; it stays there while the game's module is loaded.

    Searches with a network are `observing` and need `reset` and `observe`; the others need `estimate`, if there is one.
    Those that learn what became of each cell are `owning`. What is not needed is 0. `DRAWS` is 1 if the rules draw.
    """
    table, dice = np.zeros(DRAWS + 1, np.int64), [_WORDS] if rules.draws else []
    table[DRAWS] = rules.draws
    table[APPLY] = _address(rules.apply, types.none, _VECTOR, _VECTOR, types.int64, *dice)
    table[LEGAL] = _address(rules.legal, types.int64, _VECTOR, _VECTOR, _MASK)
    table[OUTCOME] = _address(rules.outcome, types.float64, _VECTOR, _VECTOR)
    table[PLAYER] = _address(rules.player, types.int64, _VECTOR, _VECTOR)
    if observing:
        table[RESET] = _address(rules.reset, types.none, _VECTOR, _VECTOR, *dice)
        table[OBSERVE] = _address(rules.observe, types.none, _VECTOR, _VECTOR, _FLOATS)
    elif rules.estimate is not None:
        table[ESTIMATE] = _address(rules.estimate, types.float64, _VECTOR, _VECTOR)
    if owning:
        assert rules.ownership is not None
        table[OWNERSHIP] = _address(rules.ownership.write, types.none, _VECTOR, _VECTOR, types.int64, _SIGNS)
    return table


def _address(function: Any, result: Any, *arguments: Any) -> int:
    if not hasattr(function, "py_func"):
        raise TypeError(f"{function.__name__} is no kernel: mark it with ludex.kernels.jit.kernel")
    function.compile(arguments)
    compiled = function.overloads[arguments]
    kind = compiled.signature.return_type
    if kind != result:
        raise TypeError(f"{function.py_func.__name__} returns {kind}, expected {result}")
    pointer = int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    assert pointer, f"{function.py_func.__name__} has no address"
    return pointer


def _invoke(context: Any, builder: Any, address: Any, result: Any, kinds: Any, values: Any) -> Any:
    """Call what lies at an address by Numba's convention, with values of these types. What is called raises nothing."""
    convention = context.call_conv
    function = convention.get_function_type(result, kinds)
    packed = [*convention._get_arg_packer(kinds).as_arguments(builder, values)]
    returned = cgutils.alloca_once(builder, convention.get_return_type(result).pointee)
    raised = cgutils.alloca_once_value(builder, ir.Constant(function.args[1].pointee, None))
    builder.call(builder.inttoptr(address, function.as_pointer()), [returned, raised, *packed])
    return context.get_returned_value(builder, result, builder.load(returned))


def _call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Call the rule at the first value with the others."""
    return _invoke(context, builder, values[0], signature.return_type, signature.args[1:], values[1:])


@intrinsic
def _player_at(_: Any, address: Any, constants: Any, state: Any) -> Any:
    return numba.int64(numba.int64, _VECTOR, _VECTOR), _call


@intrinsic
def _score_at(_: Any, address: Any, constants: Any, state: Any) -> Any:
    return numba.float64(numba.int64, _VECTOR, _VECTOR), _call


@intrinsic
def _reset_at(_: Any, address: Any, constants: Any, state: Any) -> Any:
    return numba.none(numba.int64, _VECTOR, _VECTOR), _call


@intrinsic
def _apply_at(_: Any, address: Any, constants: Any, state: Any, action: Any) -> Any:
    return numba.none(numba.int64, _VECTOR, _VECTOR, numba.int64), _call


@intrinsic
def _reset_by_dice_at(_: Any, address: Any, constants: Any, state: Any, random: Any) -> Any:
    return numba.none(numba.int64, _VECTOR, _VECTOR, _WORDS), _call


@intrinsic
def _apply_by_dice_at(_: Any, address: Any, constants: Any, state: Any, action: Any, random: Any) -> Any:
    return numba.none(numba.int64, _VECTOR, _VECTOR, numba.int64, _WORDS), _call


@intrinsic
def _legal_at(_: Any, address: Any, constants: Any, state: Any, mask: Any) -> Any:
    return numba.int64(numba.int64, _VECTOR, _VECTOR, _MASK), _call


@intrinsic
def _observe_at(_: Any, address: Any, constants: Any, state: Any, out: Any) -> Any:
    return numba.none(numba.int64, _VECTOR, _VECTOR, _FLOATS), _call


@intrinsic
def _ownership_at(_: Any, address: Any, constants: Any, state: Any, player: Any, out: Any) -> Any:
    return numba.none(numba.int64, _VECTOR, _VECTOR, numba.int64, _SIGNS), _call


apply_at = cast(Callable[[int, Vector, Vector, int], None], _apply_at)
"""`apply` of rules that draw nothing."""
_reset = cast(Callable[[int, Vector, Vector], None], _reset_at)
_reset_by_dice = cast(Callable[[int, Vector, Vector, Words], None], _reset_by_dice_at)
_apply_by_dice = cast(Callable[[int, Vector, Vector, int, Words], None], _apply_by_dice_at)
legal_at = cast(Callable[[int, Vector, Vector, NDArray[np.uint8]], int], _legal_at)
player_at = cast(Callable[[int, Vector, Vector], int], _player_at)
score_at = cast(Callable[[int, Vector, Vector], float], _score_at)
"""`outcome` and `estimate`."""
observe_at = cast(Callable[[int, Vector, Vector, NDArray[np.float32]], None], _observe_at)
ownership_at = cast(Callable[[int, Vector, Vector, int, NDArray[np.int8]], None], _ownership_at)


@inline_kernel
def begin_by(rules: Vector, constants: Vector, state: Vector, random: Words) -> None:
    """`reset` of any rules at these addresses."""
    if rules[DRAWS]:
        _reset_by_dice(rules[RESET], constants, state, random)
    else:
        _reset(rules[RESET], constants, state)


@inline_kernel
def move_by(rules: Vector, constants: Vector, state: Vector, action: int, random: Words) -> None:
    """`apply` of any rules at these addresses."""
    if rules[DRAWS]:
        _apply_by_dice(rules[APPLY], constants, state, action, random)
    else:
        apply_at(rules[APPLY], constants, state, action)


def address_of(kernel: Any, *arguments: Any) -> int:
    """Where the machine code lies of a kernel that returns nothing, for arguments such as these.

    It stays there while the kernel's module is loaded.
    """
    return _address(kernel, types.none, *map(numba.typeof, arguments))


@intrinsic
def _call_range_at(_: Any, address: Any, arguments: Any, begin: Any, end: Any) -> Any:
    def call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        passed = [*cgutils.unpack_tuple(builder, values[1]), *values[2:]]
        return _invoke(context, builder, values[0], types.none, (*arguments.types, types.int64, types.int64), passed)

    return types.none(types.int64, arguments, types.int64, types.int64), call


_call_range = cast(Callable[[int, tuple[Any, ...], int, int], None], _call_range_at)


@bare_parallel_kernel
def run_in_chunks(address: int, arguments: tuple[Any, ...], count: int, chunk: int) -> None:
    """Call the kernel at `address` with (*arguments, begin, end) for each `chunk` of `count` lanes."""
    for part in parallel_range((count + chunk - 1) // chunk):
        _call_range(address, arguments, part * chunk, min(count, (part + 1) * chunk))
