"""Checks of the mask of legal actions."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ludex.core.conformance.walk.visit import Visit, asked


def mask_form(visit: Visit) -> Iterator[str]:
    """The mask is bool[num_actions]."""
    mask: Any = visit.game.legal(visit.state)
    if not isinstance(mask, np.ndarray):
        yield f"legal gave {type(mask).__name__}, expected an array"
    elif mask.dtype != np.bool_ or mask.shape != (visit.info.num_actions,):
        yield f"legal gave {mask.dtype}{list(mask.shape)}, expected bool[{visit.info.num_actions}]"


def mask_live(visit: Visit) -> Iterator[str]:
    """A live game has a legal action."""
    if visit.live and not visit.mask.any():
        yield "the game is live and no action is legal"


def mask_end(visit: Visit) -> Iterator[str]:
    """A game that is over has none."""
    if not visit.live and visit.mask.any():
        yield f"the game is over ({visit.outcome}) and {int(visit.mask.sum())} actions are legal, expected none"


def mask_private(visit: Visit) -> Iterator[str]:
    """Who changes the mask they were given changes nothing else."""
    expected, given = visit.mask, asked(visit.game.legal, visit.state)
    if not given.flags.writeable:
        return
    given[:] = ~expected
    again = np.array_equal(visit.game.legal(visit.state), expected)
    given[:] = expected
    if not again:
        yield "a change of the returned mask changed the game's next answer"
