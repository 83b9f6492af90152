"""Exit codes; `ludex --help` lists them."""

from typing import Final

from ludex.core.errors import AgentFault, DataError, DeclaredAbort, LudexError, MoveError, StoreError, UsageError

OK: Final = 0
FAILURE: Final = 1
USAGE: Final = 2
MOVE: Final = 3
DATA: Final = 4
STORE: Final = 5
AGENT: Final = 6
ABORT: Final = 7
INTERRUPTED: Final = 130

MEANINGS: Final = {
    OK: "done",
    FAILURE: "failed",
    USAGE: "wrong usage: an unknown game, agent, preset, option or config",
    MOVE: "a move was refused",
    DATA: "a file is not what it should be",
    STORE: "the database or a folder cannot be used",
    AGENT: "an agent crashed or moved illegally",
    ABORT: "a game ended without a score",
    INTERRUPTED: "interrupted; what was finished is reported",
}

_OF_ERROR: Final[tuple[tuple[type[LudexError], int], ...]] = (
    (UsageError, USAGE),
    (MoveError, MOVE),
    (DataError, DATA),
    (StoreError, STORE),
    (AgentFault, AGENT),
    (DeclaredAbort, ABORT),
)


def exit_code(error: LudexError) -> int:
    """The code of an error's family."""
    return next((code for family, code in _OF_ERROR if isinstance(error, family)), FAILURE)
