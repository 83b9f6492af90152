"""Processes as forks of one that has imported the web app: importing it takes 1.5 s of CPU time per server.

`ludex serve` is started as a person starts it by tests/packaging/test_wheel.py.
"""

import multiprocessing.process
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import chdir
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any

from ludex.cli.main import main

ROOT = Path(__file__).parents[1]


def forked(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """A function in a process of its own."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.preloaded", __name__])
    process = context.Process(target=target, args=arguments)
    # The search path of the process that is forked begins with the current folder.
    with chdir(ROOT):
        process.start()
    # It is none of the workers that the code under test starts, and finds there.
    multiprocessing.process._children.discard(process)  # type: ignore[attr-defined]
    return process


class ForkedProcess:
    """The `ludex` command in a process of its own, with the methods of `subprocess.Popen` that tests need."""

    def __init__(self, *arguments: str, cwd: Path, env: dict[str, str], stderr: Path, files: str) -> None:
        """`files` limits how many files it may open."""
        reading, writing = os.pipe()
        self.stdout: IO[str] = os.fdopen(reading)
        with Connection(writing, readable=False) as stdout:
            self._process = forked(_run, arguments, cwd, env, stdout, stderr, files)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        assert code is not None, f"the server has not ended within {timeout} s"
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        self.stdout.close()
        self._process.close()


def _run(
    arguments: tuple[str, ...],
    cwd: Path,
    environment: dict[str, str],
    stdout: Connection,
    stderr: Path,
    files: str,
) -> None:
    """Be `ludex ARGUMENTS` from now on."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    sys.path[:0] = [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]
    os.dup2(stdout.fileno(), sys.stdout.fileno())
    stdout.close()
    with stderr.open("a") as errors:
        os.dup2(errors.fileno(), sys.stderr.fileno())
    if files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(files), int(files)))
    sys.argv = ["ludex", *arguments]
    main()
