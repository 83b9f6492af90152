"""Records as Python sees them. To a kernel `record.name` is an array; Python asks for it by name."""

from typing import Any, cast

from numpy.typing import NDArray


def field(record: object, name: str) -> NDArray[Any]:
    """A field of a record, as an array that shares its memory."""
    return cast("NDArray[Any]", cast(Any, record)[name])
