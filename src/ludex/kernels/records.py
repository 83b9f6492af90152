"""Records that kernels receive as single pointers, laid out by the annotations of a class."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, TypeVar, cast, get_args, get_type_hints

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

R = TypeVar("R")


def element_of(array: Any) -> Any:
    """The element of `NDArray[np.int8]`, which from NumPy 2.5 on Python 3.12 is not wrapped in its dtype."""
    element = get_args(array)[-1]
    return (get_args(element) or (element,))[0]


def layout_of(fields: type) -> np.dtype[np.void]:
    """The layout of a class's fields: `int` is int64, `Annotated[NDArray[np.int8], 3, 2]` is int8[3, 2]."""
    members: list[tuple[Any, ...]] = []
    for name, annotation in get_type_hints(fields, include_extras=True).items():
        array, *shape = get_args(annotation) or (None,)
        members.append((name, np.int64 if annotation is int else element_of(array), tuple(shape)))
    return np.dtype(members, align=True)


def _field(name: str) -> property:
    """Reads and writes one field: numpy's own records take nine times as long."""

    def write(record: Any, value: object) -> None:
        record[name] = value

    return property(itemgetter(name), write)


def new_record(fields: type[R]) -> R:
    """A record of zeros with the fields of a class, also for Python by name."""
    layout = layout_of(fields)
    kind = type(fields.__name__, (np.void,), {name: _field(name) for name in layout.names or ()})
    return cast(R, np.zeros(1, np.dtype((kind, layout)))[0])


def record_over(fields: type[R]) -> Callable[[NDArray[np.int64]], R]:
    """For kernels: what reads an int64 vector as a record with the fields of a class, which its first words hold."""
    kind = numba.from_dtype(layout_of(fields))

    @intrinsic
    def view(_: Any, words: Any) -> Any:
        def read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = make_array(words)(context, builder, arguments[0]).data
            return builder.bitcast(data, context.get_value_type(kind))

        return kind(words), read

    return cast(Callable[[NDArray[np.int64]], R], view)


def record_on_stack(fields: type[R]) -> Callable[[], R]:
    """For kernels: what makes a record with the fields of a class, of any content, until the kernel returns."""
    layout = layout_of(fields)
    kind = numba.from_dtype(layout)

    @intrinsic
    def reserve(_: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            words = ir.Constant(ir.IntType(64), -(-layout.itemsize // 8))
            return builder.bitcast(cgutils.alloca_once(builder, ir.IntType(64), words), context.get_value_type(kind))

        return kind(), make

    return cast(Callable[[], R], reserve)
