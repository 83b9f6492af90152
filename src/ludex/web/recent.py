"""A cache of bounded length."""

from collections import OrderedDict
from typing import TypeVar

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
