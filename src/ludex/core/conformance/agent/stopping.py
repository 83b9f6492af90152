"""The check that an agent ends its thinking when it is told to."""

import threading
import time
from collections.abc import Iterator
from typing import Final

import numpy as np

from ludex.core.agent import AnyAgent
from ludex.core.conformance.agent.seat import Turn
from ludex.core.conformance.report import told
from ludex.core.decision import Decision
from ludex.core.limit import Limit

PATIENCE: Final = 2.0
"""Seconds an agent may go on after it was told to stop. Far more than it needs: a busy machine is no fault."""


def stops(asked: tuple[Turn, AnyAgent]) -> Iterator[str]:
    """Told to stop, before it begins or while it thinks without other bounds, the agent soon gives a legal action."""
    turn, agent = asked
    for when, limit in (("before it began", Limit(stop=np.ones(1, np.uint8))), ("after 30 ms", Limit(time_ms=30))):
        answers: list[Decision | str] = []
        # In a thread, so that an agent that never ends does not take the checker along.
        thread = threading.Thread(target=_ask, args=(turn, agent, limit, answers), daemon=True)
        begun = time.monotonic()
        thread.start()
        thread.join(PATIENCE)
        if thread.is_alive():
            yield f"told to stop {when}, it was still thinking after {time.monotonic() - begun:.1f} s"
            return
        given = answers[0]
        if not isinstance(given, Decision):
            yield f"told to stop {when}, decide gave {given}, expected a Decision"
        elif not turn.allows(given.action):
            yield f"told to stop {when}, it chose {given.action!r}, expected a legal action"


def _ask(turn: Turn, agent: AnyAgent, limit: Limit, answers: list[Decision | str]) -> None:
    try:
        answers.append(turn.put_to(agent, turn.game.view(turn.state, turn.player), turn.legal.copy(), limit))
    except Exception as error:
        answers.append(told(error))
