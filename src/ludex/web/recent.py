"""Values that are kept once they are known: a cache of bounded length, and properties that are computed once."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """The entries that were set or used last; one too many drops the one unused for longest.

    >>> known = Recent[str, int](most=2)
    >>> known["a"], known["b"] = 1, 2
    >>> known.use("a"), known.use("z")
    (1, None)
    >>> known["c"] = 3
    >>> [*known]
    ['a', 'c']
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)

    def use(self, key: K) -> V | None:
        """An entry, which is the last used from then on; None if there is none."""
        if key not in self:
            return None
        self.move_to_end(key)
        return self[key]


class LazyValue(Generic[V]):
    """A property that is computed when it is first read, without a lock.

    `functools.cached_property` of Python 3.11 has one lock per class: while a thread computes the value of one object,
    the event loop would wait for it to read that of another.

    >>> class Circle:
    ...     radius = 2
    ...     area = LazyValue[float](lambda circle: print("computed") or 3.14 * circle.radius**2)
    >>> circle = Circle()
    >>> circle.area, circle.area
    computed
    (12.56, 12.56)
    """

    def __init__(self, compute: Callable[[Any], V]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> V:
        # Without `__set__`, Python finds the value in the object from then on.
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
