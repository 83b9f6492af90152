"""Tasks that worker processes can import."""

import os
import signal
from pathlib import Path


def square(number: int) -> int:
    if number == 13:
        raise ArithmeticError("unlucky")
    return number * number


def process_id(_: int) -> int:
    return os.getpid()


def dies_once(mark: str) -> str:
    """The first worker that takes this up is killed."""
    path = Path(mark)
    if path.suffix == ".deadly" and not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path.stem


def dies_always(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0
