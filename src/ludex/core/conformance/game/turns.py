"""Checks of whose turn it is and of the phase."""

from collections.abc import Iterator

from ludex.core.conformance.walk.visit import Visit


def turn(visit: Visit) -> Iterator[str]:
    """The player to move is one of the players."""
    if not visit.live:
        return
    mover = visit.game.to_move(visit.state)
    if type(mover) is bool or not isinstance(mover, int) or mover not in visit.players:
        yield f"to_move is {mover!r}, expected one of {list(visit.players)}"


def first_turn(visit: Visit) -> Iterator[str]:
    """Players are numbered in the order of their first turn."""
    if visit.ply == 0 and visit.live and visit.mover in visit.players and visit.mover != 0:
        yield f"player {visit.mover} moves first, expected player 0"


def phase(visit: Visit) -> Iterator[str]:
    """The phase is one of those declared."""
    found = visit.game.phase(visit.state)
    if found not in visit.info.phases:
        yield f"phase is {found!r}, expected one of {list(visit.info.phases)}"
