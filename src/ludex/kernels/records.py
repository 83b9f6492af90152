"""Records that kernels receive as single pointers, laid out by the annotations of a class."""

from operator import itemgetter
from typing import Any, TypeVar, cast, get_args, get_type_hints

import numpy as np

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
