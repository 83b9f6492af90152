"""Agents from outside: a class of any Python module or file, run in a process of its own with a time-out.

`py:package.module:Class:key=value` and `py:./file.py:Class` name one wherever an agent is named. The class is called
with the game and with the options as keywords. Agents that other packages register run in the same way.
"""

import os
import pickle
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Final

from pydantic import ConfigDict

from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, AgentTimeout, BadOption
from ludex.core.game import AnyGame, Mask
from ludex.core.limit import Limit
from ludex.core.options import Options
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.core.spec import AgentSpec

START_SECONDS: Final = 60.0
"""How long a module may take to be imported and its agent to be made."""
MOVE_SECONDS: Final = 60.0
"""How long a move may take without a limit in time."""
GRACE_SECONDS: Final = 5.0
"""How long after its time, or after the stop flag, an agent may still answer."""
POLL_SECONDS: Final = 0.02


def _inherit_connection(connection: Connection) -> dict[str, Any]:
    """Arguments of `Popen` by which the new process inherits a connection."""
    if sys.platform == "win32":
        os.set_handle_inheritable(connection.fileno(), True)
        return {"close_fds": False}
    return {"pass_fds": [connection.fileno()]}


class OutsideOptions(Options):
    """Any options: the class itself says which it takes."""

    model_config = ConfigDict(extra="allow", frozen=True)


class OutsideAgent:
    """An agent of another process, which is started at once and again after a fault."""

    def __init__(self, game: AnyGame, name: str) -> None:
        self.name = name
        self._order = (game.info.id, game.info.preset, name)
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    def follow(self, moves: Sequence[str]) -> None:
        """Pass the moves on if the agent wants them."""
        with self._close_on_failure():
            self._start()
            if self._follows:
                self._send(("follow", list(moves)))

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        budget = {name: getattr(limit, name) for name in ("time_ms", "depth", "nodes", "simulations", "clocks")}
        allowed = MOVE_SECONDS if limit.longest_ms is None else limit.longest_ms / 1000
        stopping = False
        with self._close_on_failure():
            self._start()
            self._send(("decide", view, legal, rng.state, budget))
            deadline = time.monotonic() + allowed + GRACE_SECONDS
            while True:
                if limit.stopped and not stopping:
                    stopping = True
                    self._send(("stop",))
                    deadline = min(deadline, time.monotonic() + GRACE_SECONDS)
                kind, *answer = self._receive(deadline, None if stopping else POLL_SECONDS) or ("nothing",)
                if kind == "report":
                    limit.report(answer[0])
                elif kind == "decision":
                    return self._decision(answer[0])
                elif kind == "fault":
                    raise AgentFault(f"{self.name}: {answer[0]}")

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._finalizer()
            self._process = None

    @contextmanager
    def _close_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            # What the process still answers would be taken for its decision in the next position.
            self.close()
            raise

    def _decision(self, answer: Any) -> Decision:
        if not isinstance(answer, Decision) or type(answer.action) is not int:
            raise AgentFault(f"{self.name}: decide gave {answer!r}, expected a Decision with a whole number as action")
        return answer

    def _start(self) -> None:
        """Start the process if none runs, and wait until its agent is made."""
        if self._process is not None:
            return
        # Sockets on POSIX, named pipes on Windows.
        ours, theirs = Pipe()
        command = [sys.executable, "-m", "ludex.core.outside_process", str(theirs.fileno())]
        # Standard output may be that of a protocol, so what the agent prints goes to standard error.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno() if _is_file(sys.stderr) else subprocess.DEVNULL,
            **_inherit_connection(theirs),
        )
        theirs.close()
        self._connection = ours
        self._finalizer = weakref.finalize(self, _end, self._process, ours)
        self._send(self._order)
        kind, *answer = self._receive(time.monotonic() + START_SECONDS, None) or ("nothing",)
        if kind != "ready":
            self.close()
            raise BadOption(f"{self.name}: {answer[0]}")
        self._follows: bool = answer[0]

    def _send(self, message: tuple[Any, ...]) -> None:
        try:
            self._connection.send(message)
        except OSError as error:
            raise self._end_of_process() from error
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise AgentFault(f"{self.name}: the view cannot be sent to another process: {error}") from error

    def _receive(self, deadline: float, patience: float | None) -> Any | None:
        """The next message, None if patience ran out first."""
        remaining = deadline - time.monotonic()
        wait = remaining if patience is None else min(patience, remaining)
        try:
            if remaining > 0 and self._connection.poll(wait):
                return self._connection.recv()
        except (EOFError, OSError) as error:
            raise self._end_of_process() from error
        if wait < remaining:
            return None
        self.close()
        raise AgentTimeout(f"{self.name}: no answer in time; its process was ended")

    def _end_of_process(self) -> AgentFault:
        assert self._process is not None
        code = self._process.wait()
        self.close()
        manner = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return AgentFault(f"{self.name}: its process {manner}")


def outside(game: AnyGame, options: OutsideOptions, services: Services, name: str) -> OutsideAgent:
    """The factory of every agent from outside."""
    return OutsideAgent(game, name)


OUTSIDE: Final = AgentSpec(
    summary="a class of a Python module or file",
    factory="ludex.core.outside:outside",
    options=OutsideOptions,
)


def _is_file(stream: Any) -> bool:
    try:
        os.fstat(stream.fileno())
    except (AttributeError, OSError, ValueError):
        return False
    return True


def _end(process: "subprocess.Popen[bytes]", connection: Connection) -> None:
    connection.close()
    if process.poll() is None:
        # It ends by itself once its connection is closed, unless its agent never returns.
        process.kill()
    process.wait()
