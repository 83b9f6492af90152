"""A kernel that works on a range of lanes, called for all lanes on several threads.

Numba compiles the body of a parallel loop three times over, and with it all that it calls. So the loop is a kernel of
its own, which calls by address.
"""

from collections.abc import Callable
from typing import Any, cast

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ludex.kernels.jit import bare_parallel_kernel, parallel_range


def address_of(kernel: Any, *arguments: Any) -> int:
    """Where the machine code lies of a kernel that returns nothing, for arguments such as these.

    It stays there while the kernel's module is loaded.
    """
    signature = tuple(numba.typeof(argument) for argument in arguments)
    kernel.compile(signature)
    compiled = kernel.overloads[signature]
    assert compiled.signature.return_type == types.none
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


@intrinsic
def _call_range_at(_: Any, address: Any, arguments: Any, begin: Any, end: Any) -> Any:
    def call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        convention, given = context.call_conv, (*arguments.types, types.int64, types.int64)
        passed = [*cgutils.unpack_tuple(builder, values[1]), *values[2:]]
        packed = [*convention._get_arg_packer(given).as_arguments(builder, passed)]
        kind = convention.get_function_type(types.none, given)
        returned = cgutils.alloca_once(builder, convention.get_return_type(types.none).pointee)
        raised = cgutils.alloca_once_value(builder, ir.Constant(kind.args[1].pointee, None))
        builder.call(builder.inttoptr(values[0], kind.as_pointer()), [returned, raised, *packed])
        return context.get_dummy_value()

    return types.none(types.int64, arguments, types.int64, types.int64), call


_call = cast(Callable[[int, tuple[Any, ...], int, int], None], _call_range_at)


@bare_parallel_kernel
def run_in_chunks(address: int, arguments: tuple[Any, ...], count: int, chunk: int) -> None:
    """Call the kernel at `address` with (*arguments, begin, end) for each `chunk` of `count` lanes."""
    for part in parallel_range((count + chunk - 1) // chunk):
        _call(address, arguments, part * chunk, min(count, (part + 1) * chunk))
