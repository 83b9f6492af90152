"""The nicknames of people, remembered for a while: every view of a match needs those of its people."""

import time
from collections.abc import Callable, Iterable
from typing import Final

from ludex.store.nicknames import Nicknames
from ludex.web.offload import Offload
from ludex.web.recent import Recent

SECONDS: Final = 30.0
"""After so long a nickname is read again: another server may have changed it."""
MOST_KNOWN: Final = 10_000


class KnownNicknames:
    """Reads and writes nicknames away from the event loop."""

    def __init__(self, store: Nicknames, offload: Offload, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._offload = offload
        self._monotonic = monotonic
        self._known = Recent[str, tuple[float, str | None]](MOST_KNOWN)

    async def of(self, people: Iterable[str]) -> dict[str, str]:
        """The nicknames of those people who have one."""
        now, wanted = self._monotonic(), {*people}
        missing = [person for person in wanted if self._known.get(person, (0.0, None))[0] <= now]
        nicknames: dict[str, str] = await self._offload.run(self._store.of, missing) if missing else {}
        for person in missing:
            self._keep(person, nicknames.get(person))
        known = {person: self._known[person][1] for person in wanted if person in self._known}
        return {person: name for person, name in known.items() if name is not None}

    async def set(self, person: str, nickname: str | None) -> None:
        """Give a person a checked nickname, or take it away."""
        await self._offload.run(self._store.set, person, nickname)
        self._keep(person, nickname)

    def _keep(self, person: str, nickname: str | None) -> None:
        self._known[person] = (self._monotonic() + SECONDS, nickname)
