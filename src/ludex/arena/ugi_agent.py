"""A third-party engine as an agent: a process that speaks UGI on its pipes."""

import os
import queue
import re
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Final

from ludex.arena.ugi_go import BOARD, require_open_game, words_of
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

HANDSHAKE_SECONDS = 30.0
"""An engine written in Python may compile or load for a while."""
GRACE_SECONDS = 5.0
"""How long after its time an engine may still answer before it is at fault."""
POLL_SECONDS = 0.02
MOST_LINES = 10_000
"""How far an engine may be ahead of us: beyond it `info` is dropped, and other lines unread for long are a fault."""
LONGEST_LINE = 65_536
MOST_TEXTS = 12
"""How many legal moves the complaint about an illegal one names."""
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
_NUMBERS = ("depth", "score", "nodes", "nps", "time")
MOST_FILES: Final = 20
"""Older logs are deleted."""
MOST_BYTES: Final = 1 << 20
"""A log ends there: an engine that talks without end must not fill the disk."""
log = logger("ugi")


class UgiAgent:
    """Starts the command at once and keeps it until `close`. `options` are set by `setoption` before the first game."""

    def __init__(self, game: AnyGame, command: str, options: Mapping[str, str] | None = None) -> None:
        require_open_game(game)
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise BadOption(f"ugi:{command!r} is no command: {error}") from error
        if not arguments:
            raise BadOption('a UGI engine needs a command: ugi:"command arguments"')
        self.name = f"ugi:{command}"
        self._game = game
        self._match: Match[Any, Any] | None = None
        """Our copy of the match; None before the first."""
        self._complaints: deque[str] = deque(maxlen=5)
        self._announced: set[str] = set()
        """The options that the engine has."""
        self._log = EngineLog(command)
        try:
            # Its standard error stays ours: what an engine complains of, people should see. Bytes that are no UTF-8,
            # such as a name in Latin-1, become escapes.
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="backslashreplace",
                bufsize=1,
            )
        except OSError as error:
            self._log.close()
            raise AgentFault(f"{self.name}: cannot start: {error.strerror}") from error
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._flooded = False
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        try:
            self._greet()
            self._set_options(options or {})
        except LudexError:
            self.close()
            raise

    def follow(self, moves: Sequence[str]) -> None:
        """Bring the engine and our copy to the match; moves that do not continue the last ones begin a new game."""
        match = self._match
        if match is None or not _extends(moves, [move.text for move in match.moves]):
            match = self._match = Match(self._game, seed=0)
            self._send("uginewgame")
        try:
            for move in moves[match.ply :]:
                match.play_text(move)
        except MoveError as error:
            raise self._elsewhere() from error
        self._send(" ".join(["position startpos", *(["moves"] if moves else []), *moves]))
        self._confirm()

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        assert self._match is not None, "decide was called before follow"
        state = sample_state(self._game, view, Rng(rng.state))
        if self._game.dump(state) != self._game.dump(self._match.state):
            raise self._elsewhere()
        budget = words_of(limit, self._match.to_move)
        if not budget:
            raise BadOption(f"{self.name} needs a limit: --movetime, --depth, --nodes or --clock")
        self._send(f"go {' '.join(budget)}")
        stats: dict[str, Json] = {}
        text = self._best_move(limit, stats)
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

    def _elsewhere(self) -> Unsupported:
        """The refusal of a match that begins with a given position, of which the moves say nothing."""
        return Unsupported(f"{self.name} follows a match from its first position, and this one begins with another")

    def close(self) -> None:
        """Ask the engine to quit, and end it if it does not."""
        if self._process.poll() is None and self._process.stdin is not None:
            try:
                self._send("quit")
                self._process.wait(GRACE_SECONDS)
            except (AgentFault, subprocess.TimeoutExpired):
                # The command may be a script that started the engine.
                kill_tree(self._process)
                self._process.wait()
        if self._process.stdin is not None:
            _close(self._process.stdin)
        # It closes its pipe at the end of it, which a process that the engine left behind puts off.
        self._reader.join(GRACE_SECONDS)
        self._log.close()

    def _greet(self) -> None:
        self._send("ugi")
        self._await("ugiok", HANDSHAKE_SECONDS)

    def _set_options(self, options: Mapping[str, str]) -> None:
        if BOARD in self._announced:
            options = {BOARD: self._game.info.preset, **options}
        for key, value in options.items():
            if key not in self._announced:
                known = ", ".join(sorted(self._announced)) or "none"
                raise BadOption(f"{self.name}: unknown option {key!r}; the engine's options: {known}")
            self._send(f"setoption name {key} value {value}")
        if options:
            self._complaints.clear()
            self._send("isready")
            self._await("readyok", HANDSHAKE_SECONDS)
            if self._complaints:
                raise BadOption(f"{self.name}: refused an option{self._said()}")

    def _confirm(self) -> None:
        """Make sure the position was accepted: an engine that complains would answer for another one."""
        self._complaints.clear()
        self._send("isready")
        self._await("readyok", HANDSHAKE_SECONDS)
        if self._complaints:
            raise AgentFault(f"{self.name}: refused the position{self._said()}")

    def _best_move(self, limit: Limit, stats: dict[str, Json]) -> str:
        allowed = HANDSHAKE_SECONDS if limit.longest_ms is None else limit.longest_ms / 1000
        deadline = time.monotonic() + allowed + GRACE_SECONDS
        stopping = False
        while True:
            if limit.stopped and not stopping:
                stopping = True
                self._send("stop")
            words = (self._next(deadline, POLL_SECONDS) or "").split()
            if words[:1] == ["bestmove"] and len(words) > 1:
                return words[1]
            if words[:1] == ["info"]:
                stats.update(_numbers(words))

    def _await(self, expected: str, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._next(deadline, seconds) != expected:
            pass

    def _next(self, deadline: float, patience: float) -> str | None:
        """The next line, or None if `patience` ran out first."""
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise AgentTimeout(f"{self.name}: no answer in time{self._said()}")
        try:
            line = self._lines.get(timeout=min(patience, remaining))
        except queue.Empty:
            return None
        if line is None:
            reason = f"wrote more than {MOST_LINES} lines unread" if self._flooded else "ended unexpectedly"
            raise AgentFault(f"{self.name}: {reason}{self._said()}")
        if line.startswith("info string error"):
            self._complaints.append(line)
        if line.startswith("option name "):
            self._announced.add(line.removeprefix("option name ").partition(" type ")[0])
        return line

    def _said(self) -> str:
        return f"; it said: {' / '.join(self._complaints)}" if self._complaints else ""

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._log.sent(line)
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise AgentFault(f"{self.name}: ended unexpectedly{self._said()}") from error

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            while text := self._process.stdout.readline(LONGEST_LINE):
                line = text.rstrip()
                self._log.heard(line)
                if line.startswith("info ") and self._lines.full():
                    continue
                try:
                    self._lines.put(line, timeout=GRACE_SECONDS)
                except queue.Full:
                    self._flooded = True
                    kill_tree(self._process)
                    break
        except ValueError:
            # The log was closed under the reader by `close`: nothing is left to hear.
            return
        finally:
            self._process.stdout.close()
            if self._lines.full():
                self._lines.get()
            self._lines.put(None)


def _close(pipe: IO[str]) -> None:
    """Close our end of a pipe, even if what was last written never reached an engine that is gone."""
    with suppress(BrokenPipeError):
        pipe.close()


def _extends(moves: Sequence[str], known: Sequence[str]) -> bool:
    """Whether moves go on from the known ones; the same again are a new game, as after a loss on time."""
    return len(moves) > len(known) and list(moves[: len(known)]) == known


def _numbers(words: list[str]) -> dict[str, Json]:
    numbers: dict[str, Json] = {}
    for key, value in pairwise(words):
        if key in _NUMBERS and _NUMBER.fullmatch(value):
            numbers[key] = float(value) if "." in value else int(value)
    return numbers


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

    def sent(self, line: str) -> None:
        """Keep a line to the engine."""
        self._keep("<", line)

    def heard(self, line: str) -> None:
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
