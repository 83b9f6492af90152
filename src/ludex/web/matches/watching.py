"""The watch over the clocks: a match whose time has run out ends, though nobody moves or looks."""

import asyncio
from typing import Final

from ludex.core.errors import LudexError, StoreError, UnknownMatch
from ludex.core.log import logger
from ludex.web.matches.keeping import Keeper

log = logger("web.watching")

GLANCE: Final = 0.1
"""Seconds between two looks at the clocks."""
PAUSE: Final = 5.0
"""Seconds before a database that cannot be used is tried again."""


async def watch_clocks(keeper: Keeper, begun: list[str]) -> None:
    """Watch for ever, and over those matches too whose turns have `begun` with the server."""
    for match_id in begun:
        await _look_at(keeper, match_id)
    while True:
        await asyncio.sleep(GLANCE)
        for match_id in keeper.turns.late():
            await _look_at(keeper, match_id)


async def _look_at(keeper: Keeper, match_id: str) -> None:
    """Load a match, which ends it if its time is over."""
    try:
        await keeper.load(match_id)
    except UnknownMatch:
        keeper.turns.forget(match_id)
    except StoreError as error:
        log.error("cannot judge the time", match=match_id, code=error.code, message=error.message)
        await asyncio.sleep(PAUSE)
    except LudexError as error:
        log.warning("cannot judge the time", match=match_id, code=error.code, message=error.message)
        keeper.turns.forget(match_id)
    except Exception:
        # Nobody else would notice that the server has stopped watching.
        log.exception("cannot judge the time", match=match_id)
        keeper.turns.forget(match_id)
