"""Equality of any two values by content: positions, views and decisions need not define it."""

import hashlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray


def fingerprint(value: Any, *, whole: bool = False) -> bytes:
    """Equal for equal contents. What a dataclass leaves out of its equality counts only in the `whole`.

    A `cached_property` never counts: it is derived from the other attributes.

    >>> fingerprint({"a": np.zeros(2)}) == fingerprint({"a": np.zeros(2)})
    True
    >>> fingerprint([1, 2]) == fingerprint([2, 1])
    False
    """
    return hashlib.blake2b(repr(_plain(value, whole, ())).encode(), digest_size=16).digest()


def _plain(value: Any, whole: bool, above: tuple[int, ...]) -> Any:
    """The value as nested tuples of texts, numbers and bytes. `above` holds the ids around it, against cycles."""
    kind: type = type(value)
    if kind in _ATOMS:
        return value
    if id(value) in above:
        return ("around", above.index(id(value)))
    inside = (*above, id(value))
    form = _form(kind)
    match form:
        case "enum":
            items: list[Any] = [kind.__qualname__, value.name]
        case "map":
            pairs = [(_plain(key, whole, inside), _plain(item, whole, inside)) for key, item in value.items()]
            items = sorted(pairs, key=repr)
        case "set":
            items = sorted((_plain(item, whole, inside) for item in value), key=repr)
        case "sequence":
            items = [_plain(item, whole, inside) for item in value]
        case "array":
            return _plain_array(np.asarray(value), whole, inside)
        case "atom":
            # A number or text of a subclass means the same.
            return next(atom(value) for atom in _PLAIN_TYPES if isinstance(value, atom))
        case _:
            return ("opaque", id(value)) if callable(value) else _plain_object(value, whole, inside)
    return (form, *items)


@lru_cache(maxsize=512)
def _form(kind: type) -> str:
    """How values of this type are written; to find it among abstract classes takes time."""
    return next((form for kinds, form in _FORMS if issubclass(kind, kinds)), "object")


def _plain_array(array: NDArray[Any], whole: bool, inside: tuple[int, ...]) -> Any:
    if array.dtype.hasobject:
        return ("objects", array.shape, _plain(array.tolist(), whole, inside))
    # A scalar of NumPy means the same number as one of Python.
    return array.item() if array.ndim == 0 else (array.dtype.str, array.shape, array.tobytes())


def _plain_object(value: Any, whole: bool, inside: tuple[int, ...]) -> Any:
    if is_dataclass(value) and not whole:
        names = [field.name for field in fields(value) if field.compare]
    else:
        slots = [slot for kind in type(value).__mro__ for slot in _slots(kind)]
        attributes = {*slots, *getattr(value, "__dict__", {})} - {"__dict__", "__weakref__"}
        names = sorted(name for name in attributes if not isinstance(getattr(type(value), name, None), cached_property))
    items = [(name, _plain(getattr(value, name), whole, inside)) for name in names if hasattr(value, name)]
    return ("object", type(value).__qualname__, *items, _plain_reduced(value, whole, inside))


def _plain_reduced(value: Any, whole: bool, inside: tuple[int, ...]) -> Any:
    """What an object written in C says of itself to be pickled, such as the state of a generator."""
    kind: Any = type(value)
    if kind.__reduce__ is object.__reduce__ and kind.__reduce_ex__ is object.__reduce_ex__:
        return None
    try:
        return _plain(value.__reduce_ex__(4), whole, inside)
    except TypeError:
        return ("opaque", id(value))


def _slots(kind: type) -> list[str]:
    declared = kind.__dict__.get("__slots__", ())
    slots = [declared] if isinstance(declared, str) else list(declared)
    # Python stores a private slot under a name mangled with the class's own.
    private = f"_{kind.__name__.lstrip('_')}"
    return [private + slot if slot.startswith("__") and not slot.endswith("__") else slot for slot in slots]


_ATOMS = frozenset({type(None), bool, int, float, complex, str, bytes})
_PLAIN_TYPES: Final[tuple[Any, ...]] = (int, float, complex, str, bytes)
_FORMS: Final[tuple[tuple[Any, str], ...]] = (
    (Enum, "enum"),
    (np.generic | np.ndarray, "array"),
    (_PLAIN_TYPES, "atom"),
    (Mapping, "map"),
    (Set, "set"),
    (Sequence, "sequence"),
)
