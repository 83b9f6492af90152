"""Checks of `apply`: what it must refuse and what it must accept."""

from collections.abc import Iterable, Iterator

from ludex.core.conformance.game.purity import out_of_range
from ludex.core.conformance.report import told
from ludex.core.conformance.walk.visit import Visit
from ludex.core.errors import DeclaredAbort, IllegalAction
from ludex.core.game import Action


def illegal_refused(visit: Visit) -> Iterator[str]:
    """An action outside the mask raises `IllegalAction`."""
    yield from _accepted(visit, visit.some_illegal)


def range_refused(visit: Visit) -> Iterator[str]:
    """An index that is no action raises `IllegalAction`."""
    yield from _accepted(visit, out_of_range(visit.info.num_actions))


def legal_accepted(visit: Visit) -> Iterator[str]:
    """An action of the mask is executed, or ends the match by an abort."""
    for action in visit.some_legal:
        try:
            visit.game.apply(visit.state, action, visit.chance())
        except DeclaredAbort:
            continue
        except Exception as error:
            yield f"legal action {action} raised {told(error)}"


def abort_declared(visit: Visit) -> Iterator[str]:
    """Only aborts that the game declares are raised."""
    for action in visit.some_legal:
        try:
            visit.game.apply(visit.state, action, visit.chance())
        except DeclaredAbort as abort:
            if abort.code not in visit.info.aborts:
                yield f"action {action} aborted with code {abort.code!r}, declared are {list(visit.info.aborts)}"
        except Exception:
            # Owned by `legal_accepted`.
            continue


def _accepted(visit: Visit, actions: Iterable[Action]) -> Iterator[str]:
    for action in actions:
        try:
            visit.game.apply(visit.state, action, visit.chance())
        except IllegalAction:
            continue
        except Exception as error:
            yield f"action {action} raised {told(error)}, expected IllegalAction"
        else:
            yield f"action {action} is illegal and was executed, expected IllegalAction"
