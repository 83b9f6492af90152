"""Third-party engines as agents: a process that follows a match by its moves, line by line, and answers with one."""

import os
import queue
import re
import shlex
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, ClassVar, Final

from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, AgentTimeout, BadOption, IllegalChoice, LudexError, MoveError, Unsupported
from ludex.core.folders import data_folder, make_folder
from ludex.core.game import AnyGame, Json, Mask, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.log import logger
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.system import kill_tree

ANSWER_SECONDS = 30.0
"""An engine written in Python may compile or load for a while."""
GRACE_SECONDS = 5.0
"""How long after its time an engine may still answer before it is at fault."""
MOST_LINES = 10_000
"""How far an engine may be ahead of us: beyond it `info` is dropped, and other lines unread for long are a fault."""
LONGEST_LINE = 65_536
MOST_FILES: Final = 20
"""Older logs are deleted."""
MOST_BYTES: Final = 1 << 20
"""A log ends there: an engine that talks without end must not fill the disk."""
log = logger("engine")


class EngineProcess:
    """Starts the command at once and keeps it until `close`."""

    def __init__(self, name: str, command: str, complaint: str) -> None:
        """`complaint` begins the lines by which the engine complains."""
        self.name = name
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise BadOption(f"{name!r} is no command: {error}") from error
        if not arguments:
            raise BadOption(f'an engine needs a command: {name}"command arguments"')
        self._complaint = complaint
        self.complaints: deque[str] = deque(maxlen=5)
        self.log = EngineLog(command)
        try:
            # Its standard error stays ours: what an engine complains of, people should see. Bytes that are no UTF-8,
            # such as a name in Latin-1, become escapes.
            self.process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="backslashreplace",
                bufsize=1,
            )
        except OSError as error:
            self.log.close()
            raise AgentFault(f"{name}: cannot start: {error.strerror}") from error
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._flooded = False
        self.reader = threading.Thread(target=self._listen, daemon=True)
        self.reader.start()

    def send(self, line: str) -> None:
        """Write a line to the engine."""
        assert self.process.stdin is not None
        self.log.keep_sent(line)
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise self.fault("ended unexpectedly") from error

    def deadline(self, longest_ms: float | None) -> float:
        """When an answer that may take so long is overdue."""
        return time.monotonic() + (ANSWER_SECONDS if longest_ms is None else longest_ms / 1000) + GRACE_SECONDS

    def lines_until(self, last: Callable[[str], bool], deadline: float | None = None) -> list[str]:
        """The lines up to the first of which `last` is true, that one included."""
        deadline = time.monotonic() + ANSWER_SECONDS if deadline is None else deadline
        lines: list[str] = []
        while not lines or not last(lines[-1]):
            line = self.next_line(deadline)
            lines += [] if line is None else [line]
        return lines

    def next_line(self, deadline: float, patience: float = ANSWER_SECONDS) -> str | None:
        """The next line, or None if `patience` ran out first. Raises `AgentTimeout` at the deadline."""
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise AgentTimeout(self.fault("no answer in time").message)
        try:
            line = self._lines.get(timeout=min(patience, remaining))
        except queue.Empty:
            return None
        if line is None:
            raise self.fault(f"wrote more than {MOST_LINES} lines unread" if self._flooded else "ended unexpectedly")
        if line.startswith(self._complaint):
            self.complaints.append(line)
        return line

    def fault(self, reason: str) -> AgentFault:
        """The engine's fault, with what it complained of last."""
        complaint = f"; it said: {' / '.join(self.complaints)}" if self.complaints else ""
        return AgentFault(f"{self.name}: {reason}{complaint}")

    def close(self) -> None:
        """Ask the engine to quit, and end it if it does not."""
        assert self.process.stdin is not None
        if self.process.poll() is None:
            try:
                self.send("quit")
                self.process.wait(GRACE_SECONDS)
            except (AgentFault, subprocess.TimeoutExpired):
                # The command may be a script that started the engine.
                kill_tree(self.process)
                self.process.wait()
        # What was last written may never have reached an engine that is gone.
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        # It closes its pipe at the end of it, which a process that the engine left behind puts off.
        self.reader.join(GRACE_SECONDS)
        self.log.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while text := self.process.stdout.readline(LONGEST_LINE):
                line = text.rstrip()
                self.log.keep_received(line)
                if line.startswith("info ") and self._lines.full():
                    continue
                try:
                    self._lines.put(line, timeout=GRACE_SECONDS)
                except queue.Full:
                    self._flooded = True
                    kill_tree(self.process)
                    break
        except ValueError:
            # The log was closed under the reader by `close`: nothing is left to hear.
            return
        finally:
            self.process.stdout.close()
            if self._lines.full():
                self._lines.get()
            self._lines.put(None)


class EngineLog:
    """Keeps the lines of one engine in `LUDEX_DATA/engines`, and shows them with -v."""

    def __init__(self, command: str) -> None:
        folder = make_folder(data_folder() / "engines", "LUDEX_DATA")
        logs = sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime)
        for old in logs[: max(0, len(logs) - MOST_FILES + 1)]:
            old.unlink(missing_ok=True)
        self.path: Path = folder / f"{_file_name(command)}-{os.getpid()}-{id(self):x}.log"
        self._command = command
        self._left = MOST_BYTES
        self._file: IO[str] = self.path.open("w", encoding="utf-8")

    def keep_sent(self, line: str) -> None:
        """Keep a line to the engine."""
        self._keep("<", line)

    def keep_received(self, line: str) -> None:
        """Keep a line of the engine."""
        self._keep(">", line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _keep(self, direction: str, line: str) -> None:
        log.info("engine", command=self._command, direction=direction, line=line)
        if self._left <= 0 or self._file.closed:
            return
        self._left -= len(line) + 3
        self._file.write(f"{direction} {line}\n")
        if self._left <= 0:
            self._file.write("the log ends here: it is full\n")
        self._file.flush()


def _file_name(command: str) -> str:
    """The program's name, as letters that any file system takes.

    >>> _file_name("/opt/engines/other engine --threads 2")
    'other'
    """
    program = Path(command.split(maxsplit=1)[0] if command.split() else "engine").name
    return re.sub(r"[^A-Za-z0-9._-]", "_", program)[:40]


MOST_TEXTS: Final = 12
"""How many legal moves the complaint about an illegal one names."""
RESIGNATION: Final = "resign"
"""The answer of an engine that gives up."""


class EngineAgent(ABC):
    """Starts the command at once and keeps it until `close`. `options` are set before the first game."""

    protocol: ClassVar[str]
    complaint: ClassVar[str]
    """How the lines begin by which an engine complains."""

    def __init__(self, game: AnyGame, command: str, options: Mapping[str, str] | None = None) -> None:
        require_open_game(game)
        self.name = f"{self.protocol}:{command}"
        self._game = game
        self._match: Match[Any, Any] | None = None
        """Our copy of the match; None before the first."""
        self._engine = EngineProcess(self.name, command, self.complaint)
        try:
            self._greet(options or {})
        except LudexError:
            self.close()
            raise

    def follow(self, moves: Sequence[str]) -> None:
        """Bring the engine and our copy to the match; moves that do not continue the last ones begin a new game."""
        match = self._match
        if match is None or not _extends(moves, [move.text for move in match.moves]):
            match = self._match = Match(self._game, seed=0)
            self._begin_game()
        try:
            for move in moves[match.ply :]:
                match.play_text(move)
        except MoveError as error:
            raise self._elsewhere() from error
        self._set_position(match)

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        assert self._match is not None, "decide was called before follow"
        state = sample_state(self._game, view, Rng(rng.state))
        if self._game.dump(state) != self._game.dump(self._match.state):
            raise self._elsewhere()
        stats: dict[str, Json] = {}
        text = self._ask_move(self._match, limit, stats)
        if text == RESIGNATION:
            return Decision(legal_actions(legal)[0], resigns=True)
        try:
            action = self._game.parse_action(self._match.state, text)
        except MoveError as error:
            raise IllegalChoice(f"{self.name}: {error.message}") from error
        if not legal[action]:
            texts = [self._game.action_text(self._match.state, other) for other in legal_actions(legal)]
            more = ", ..." if len(texts) > MOST_TEXTS else ""
            raise IllegalChoice(
                f"{self.name}: answered {text!r}, which is illegal; legal are {', '.join(texts[:MOST_TEXTS])}{more}"
            )
        return Decision(
            action=action, stats=stats, explanation=(Message("ludex.by_engine", {"move": text, "engine": self.name}),)
        )

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    @abstractmethod
    def _greet(self, options: Mapping[str, str]) -> None:
        """Learn what the engine knows, and set the options."""

    @abstractmethod
    def _begin_game(self) -> None:
        """Announce a new game."""

    @abstractmethod
    def _set_position(self, match: Match[Any, Any]) -> None:
        """Bring the engine to the position of a match that continues the last one, or is new."""

    @abstractmethod
    def _ask_move(self, match: Match[Any, Any], limit: Limit, stats: dict[str, Json]) -> str:
        """The engine's move within a limit, and its numbers about the search."""

    def _elsewhere(self) -> Unsupported:
        """The refusal of a match that begins with a given position, of which the moves say nothing."""
        return Unsupported(f"{self.name} follows a match from its first position, and this one begins with another")

    def _unknown(self, option: str, known: list[str]) -> BadOption:
        return BadOption(
            f"{self.name}: unknown option {option!r}; the engine's options: {', '.join(sorted(known)) or 'none'}"
        )


def require_open_game(game: AnyGame) -> None:
    """Raise `Unsupported` for a game that the protocols of engines have no words for."""
    info = game.info
    if info.players != 2 or info.chance != "none" or info.information != "perfect":
        raise Unsupported(f"UGI and GTP need two players, no dice and no secrets, unlike {info.id}")


def _extends(moves: Sequence[str], known: Sequence[str]) -> bool:
    """Whether moves go on from the known ones; the same again are a new game, as after a loss on time."""
    return len(moves) > len(known) and list(moves[: len(known)]) == known
