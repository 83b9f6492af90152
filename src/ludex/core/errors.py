"""Every error Ludex raises on purpose: one root, one stable `code` each, by default its class's name: `bad_net`.

The command line maps codes to exit codes (`ludex.cli.exits`), the web app to HTTP statuses. A game's own errors
subclass these in its slice.
"""

import re
from typing import Any, ClassVar, Protocol, Self


class Sentence(Protocol):
    """What an error needs of a `ludex.core.messages.Message`, which raises errors itself."""

    @property
    def id(self) -> str: ...

    def text(self, language: Any = "en") -> str: ...

    def texts(self) -> dict[Any, str]:
        """The sentence by language."""
        ...


class LudexError(Exception):
    """The root: something a person can understand and act upon."""

    code: ClassVar[str] = "error"
    owner: ClassVar[str] = "ludex"
    """Whose catalogues hold the sentence `error_CODE`, which stands for the message in other languages."""
    explanation: Sentence | None = None
    """The message as data, where it has parameters that people need."""

    def __init_subclass__(cls) -> None:
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Error")).lower()

    @classmethod
    def of(cls, explanation: Sentence) -> Self:
        """The error that a message explains."""
        error = cls(explanation.text())
        error.explanation = explanation
        return error

    @property
    def message(self) -> str:
        return str(self)


class UsageError(LudexError):
    """A name, option or combination that does not exist."""


class UnknownGame(UsageError):
    """No game is registered under this name."""


class BrokenGame(UsageError):
    """A third party's game that cannot be loaded."""


class NotInstalled(UsageError):
    """The package is on Python's path, but its metadata is missing or older than its code."""


class UnknownAgent(UsageError):
    """The game has no agent of this name."""


class UnknownPreset(UsageError):
    """The game has no board of this name."""


class BadOption(UsageError):
    """An option of a game, an agent or a command that is unknown, ill-typed or impossible."""


class BadConfig(UsageError):
    """A configuration file with an unknown, missing or ill-typed key."""


class Unsupported(UsageError):
    """A request this game or board cannot serve."""


class UnknownPuzzle(UsageError):
    """No puzzle has this id."""


class UnknownRound(UsageError):
    """The person has no round of puzzles with this id."""

    code = "unknown_round"


class StaleRound(UsageError):
    """The puzzle of a round has its answer already."""

    code = "stale_round"


class MissingDependency(UsageError):
    """An optional package is needed and not installed."""


class MoveError(LudexError):
    """A move that was refused. The position is unchanged."""


class IllegalAction(MoveError):
    """The rules forbid this action here."""


class MalformedAction(MoveError):
    """The text names no action of this game."""


class OutOfTurn(MoveError):
    """It is another player's turn."""


class GameOver(MoveError):
    """The match has ended."""


class NothingToUndo(MoveError):
    """The match stands at its first position."""


class DataError(LudexError):
    """A file or document that is not what it claims to be. Nothing was taken from it."""


class BadPosition(DataError):
    """JSON that describes no position of this game."""


class BadRecord(DataError):
    """A match file that is truncated, tampered with, or of another game or version."""


class BadRankings(DataError):
    """A rankings file that breaks its format. The store is unchanged."""


class BadRun(DataError):
    """A run folder that is missing, unfinished or damaged."""


class BadJob(DataError):
    """A job's folder that is damaged."""


class RunPaused(LudexError):
    """Training stopped on request, at a checkpoint from which it can be resumed."""


class BadNet(DataError):
    """A file of weights that is missing, damaged, or of another net."""


class BadJournal(DataError):
    """A journal of games that is damaged, of other games, or in use."""


class BadPuzzle(DataError):
    """A puzzle or a file of puzzles that breaks its format, or whose proof does not hold."""


class BadTournament(DataError):
    """A kept tournament that is missing, damaged, or another one of the same name."""


class BadBackup(DataError):
    """A backup that is damaged, cut off, or of a newer Ludex. The database is unchanged."""


class StoreError(LudexError):
    """The database refused. What was committed before is still there."""


class StoreUnavailable(StoreError):
    """The database cannot be opened or written where it is."""


class StoreLocked(StoreError):
    """Another process holds the database for too long."""


class StoreFull(StoreError):
    """The disk, or the database's own limit, is full."""


class StoreTooNew(StoreError):
    """The database was written by a newer Ludex."""


class StoreInUse(StoreError):
    """The database holds something that a backup would replace."""


class UnknownMatch(StoreError):
    """No match has this id."""


class StaleMatch(StoreError):
    """The match has moved on since it was read."""


class SeatTaken(StoreError):
    """Another request came first."""


class FolderUnwritable(StoreError):
    """A folder Ludex needs cannot be written."""


class AgentFault(LudexError):
    """An agent crashed, moved illegally or broke its protocol."""


class IllegalChoice(AgentFault):
    """An agent chose what the rules forbid, or what names no action at all."""


class AgentTimeout(AgentFault):
    """An agent did not answer in its time and a generous grace."""


class WorkerLost(LudexError):
    """A worker died in the same task again and again."""


class KernelsFailed(LudexError):
    """The kernels of a game cannot be compiled."""


class ClusterUnavailable(LudexError):
    """A cluster that cannot be reached, or runs another Ludex."""


class GroupFailed(LudexError):
    """Processes that train together have lost one of them, or no longer agree."""


class DeclaredAbort(LudexError):
    """A game ends without a score. Only codes listed in `GameInfo.aborts` may be raised."""

    code = "abort"
