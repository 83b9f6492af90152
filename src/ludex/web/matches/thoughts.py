"""What machines thought, remembered small: as objects two thousand thoughts would take eighty megabytes."""

import zlib
from collections import OrderedDict
from typing import Final

from ludex.web.schemas import Thought

MOST_BYTES: Final = 8 << 20
"""What all remembered thoughts take together; the oldest are forgotten first."""


class Thoughts:
    """The last thoughts of all matches, one a match and ply."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._held: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._bytes = 0

    def remember(self, match_id: str, thought: Thought) -> None:
        """Keep a thought, in place of an earlier one about the same ply."""
        key, packed = (match_id, thought.ply), zlib.compress(thought.model_dump_json().encode(), level=1)
        self._bytes += len(packed) - len(self._held.pop(key, b""))
        self._held[key] = packed
        while self._bytes > self._most:
            self._bytes -= len(self._held.popitem(last=False)[1])

    def recall(self, match_id: str, ply: int) -> Thought | None:
        """What was thought when so many plies were played."""
        packed = self._held.get((match_id, ply))
        return None if packed is None else Thought.model_validate_json(zlib.decompress(packed))
