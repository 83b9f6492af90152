"""Every error Ludex raises on purpose: one root, one stable `code` each.

The command line maps codes to exit codes (`ludex.cli.exits`), the web app to HTTP statuses. A game's own errors
subclass these in its slice.
"""

from typing import Any, ClassVar, Protocol, Self


class Sentence(Protocol):
    """What an error needs of a `ludex.core.messages.Message`, which raises errors itself."""

    def text(self) -> str: ...

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

    code = "usage"


class UnknownGame(UsageError):
    code = "unknown_game"


class BrokenGame(UsageError):
    """A third party's game that cannot be loaded."""

    code = "broken_game"


class NotInstalled(UsageError):
    """The package is on Python's path, but its metadata is missing or older than its code."""

    code = "not_installed"


class UnknownAgent(UsageError):
    code = "unknown_agent"


class UnknownPreset(UsageError):
    code = "unknown_preset"


class BadOption(UsageError):
    """An option of a game, an agent or a command that is unknown, ill-typed or impossible."""

    code = "bad_option"


class BadConfig(UsageError):
    """A configuration file with an unknown, missing or ill-typed key."""

    code = "bad_config"


class Unsupported(UsageError):
    """A request this game or board cannot serve."""

    code = "unsupported"


class UnknownPuzzle(UsageError):
    """No puzzle has this id."""

    code = "unknown_puzzle"


class MissingDependency(UsageError):
    """An optional package is needed and not installed."""

    code = "missing_dependency"


class MoveError(LudexError):
    """A move that was refused. The position is unchanged."""

    code = "move"


class IllegalAction(MoveError):
    """The rules forbid this action here."""

    code = "illegal_action"


class MalformedAction(MoveError):
    """The text names no action of this game."""

    code = "malformed_action"


class OutOfTurn(MoveError):
    """It is another player's turn."""

    code = "out_of_turn"


class GameOver(MoveError):
    """The match has ended."""

    code = "game_over"


class NothingToUndo(MoveError):
    """The match stands at its first position."""

    code = "nothing_to_undo"


class DataError(LudexError):
    """A file or document that is not what it claims to be. Nothing was taken from it."""

    code = "data"


class BadPosition(DataError):
    """JSON that describes no position of this game."""

    code = "bad_position"


class BadRecord(DataError):
    """A match file that is truncated, tampered with, or of another game or version."""

    code = "bad_record"


class BadRankings(DataError):
    """A rankings file that breaks its format. The store is unchanged."""

    code = "bad_rankings"


class BadRun(DataError):
    """A run folder that is missing, unfinished or damaged."""

    code = "bad_run"


class BadJob(DataError):
    """A job's folder that is damaged."""

    code = "bad_job"


class RunPaused(LudexError):
    """Training stopped on request, at a checkpoint from which it can be resumed."""

    code = "run_paused"


class BadNet(DataError):
    """A file of weights that is missing, damaged, or of another net."""

    code = "bad_net"


class BadJournal(DataError):
    """A journal of games that is damaged, of other games, or in use."""

    code = "bad_journal"


class BadPuzzle(DataError):
    """A puzzle or a file of puzzles that breaks its format, or whose proof does not hold."""

    code = "bad_puzzle"


class BadTournament(DataError):
    """A kept tournament that is missing, damaged, or another one of the same name."""

    code = "bad_tournament"


class BadBackup(DataError):
    """A backup that is damaged, cut off, or of a newer Ludex. The database is unchanged."""

    code = "bad_backup"


class StoreError(LudexError):
    """The database refused. What was committed before is still there."""

    code = "store"


class StoreUnavailable(StoreError):
    """The database cannot be opened or written where it is."""

    code = "store_unavailable"


class StoreLocked(StoreError):
    """Another process holds the database for too long."""

    code = "store_locked"


class StoreFull(StoreError):
    """The disk, or the database's own limit, is full."""

    code = "store_full"


class StoreTooNew(StoreError):
    """The database was written by a newer Ludex."""

    code = "store_too_new"


class StoreInUse(StoreError):
    """The database holds something that a backup would replace."""

    code = "store_in_use"


class UnknownMatch(StoreError):
    """No match has this id."""

    code = "unknown_match"


class StaleMatch(StoreError):
    """The match has moved on since it was read."""

    code = "stale_match"


class SeatTaken(StoreError):
    """Another request came first."""

    code = "seat_taken"


class FolderUnwritable(StoreError):
    """A folder Ludex needs cannot be written."""

    code = "folder_unwritable"


class AgentFault(LudexError):
    """An agent crashed, moved illegally or broke its protocol."""

    code = "agent_fault"


class IllegalChoice(AgentFault):
    """An agent chose what the rules forbid, or what names no action at all."""

    code = "illegal_choice"


class AgentTimeout(AgentFault):
    """An agent did not answer in its time and a generous grace."""

    code = "agent_timeout"


class WorkerLost(LudexError):
    """A worker died in the same task again and again."""

    code = "worker_lost"


class KernelsFailed(LudexError):
    """The kernels of a game cannot be compiled."""

    code = "kernels_failed"


class ClusterUnavailable(LudexError):
    """A cluster that cannot be reached, or runs another Ludex."""

    code = "cluster_unavailable"


class GroupFailed(LudexError):
    """Processes that train together have lost one of them, or no longer agree."""

    code = "group_failed"


class DeclaredAbort(LudexError):
    """A game ends without a score. Only codes listed in `GameInfo.aborts` may be raised."""

    code = "abort"
