"""The public checker: whether a game, its spec, an agent, compiled rules or a batch environment keep the contract.

It names no game and branches on declarations alone. Each check is a function that yields what it finds wrong, and its
name is the `check` of the fault.

>>> from ludex.core.conformance import check_game
>>> from ludex.core.registry import make
>>> check_game(make("tictactoe"), plays=1)
"""

from ludex.core.conformance.agent import check_agent
from ludex.core.conformance.batch import check_batch
from ludex.core.conformance.compiled import check_compiled
from ludex.core.conformance.game import check_game
from ludex.core.conformance.report import ConformanceError, Fault
from ludex.core.conformance.scene import check_editor, check_scene, check_text
from ludex.core.conformance.spec import check_spec, check_teaching

__all__ = [
    "ConformanceError",
    "Fault",
    "check_agent",
    "check_batch",
    "check_compiled",
    "check_editor",
    "check_game",
    "check_scene",
    "check_spec",
    "check_teaching",
    "check_text",
]
