"""Several processes started together on this machine, as torchrun would."""

import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def start(processes: int, *arguments: str) -> list["subprocess.Popen[str]"]:
    """`python ARGUMENTS` in several processes, each with its rank in the environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    common = {**os.environ, "PYTHONPATH": paths, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    common |= {"WORLD_SIZE": str(processes), "OMP_NUM_THREADS": "1"}
    return [
        subprocess.Popen(
            [sys.executable, *arguments],
            env={**common, "RANK": str(rank), "LOCAL_RANK": str(rank)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(processes)
    ]


def ended(started: list["subprocess.Popen[str]"], seconds: float) -> list[tuple[int, str, str]]:
    """Each process's exit status, output and errors. None may outlast the seconds."""
    try:
        outputs = [process.communicate(timeout=seconds) for process in started]
    finally:
        for process in started:
            process.kill()
    return [(one.returncode, *said) for one, said in zip(started, outputs, strict=True)]
