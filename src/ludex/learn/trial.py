"""Plays some moves with the file of a trained agent, in a process with little memory and time.

A file from elsewhere may have the wrong shape, or be made to fill the memory: only such a process ends then.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from ludex.core.agent import AnyAgent
from ludex.core.errors import BadNet, LudexError
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.core.spec import TrainedAgentSpec
from ludex.core.system import limit_memory

SECONDS: Final = 300
"""Kernels may have to be compiled first."""
MEMORY_BYTES: Final = 3 << 30
"""Of a trial; kernels and onnxruntime need a fraction of it."""
PLIES: Final = 6
MOVE_MS: Final = 200
REFUSED: Final = 3


def try_file(game: str, board: str, trained: TrainedAgentSpec, data: bytes, source: str) -> None:
    """Play a file's agent on a board. Raises `BadNet` with what is wrong with it."""
    with tempfile.TemporaryDirectory(prefix="ludex-") as folder:
        path = Path(folder) / f"agent.{trained.format}"
        path.write_bytes(data)
        command = [sys.executable, "-m", "ludex.learn.trial", game, board, trained.agent, trained.option, str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise BadNet(f"{source}: it did not play {PLIES} moves within {SECONDS} s") from error
    if done.returncode == REFUSED:
        raise BadNet(json.loads(done.stdout).replace(str(path), source))
    if done.returncode:
        raise BadNet(f"{source}: playing {PLIES} moves with it ended the process: it may need too much memory")


def play_moves(game: AnyGame, agent: AnyAgent) -> None:
    """The first moves of a match in which the agent has every seat."""
    match = Match(game, seed=0)
    while match.ply < PLIES and not match.over:
        match.play(decide(match, agent, Limit(time_ms=MOVE_MS)).action)


def main(game: str, board: str, agent: str, option: str, path: str) -> None:
    """Run a trial in this process."""
    limit_memory(MEMORY_BYTES)
    try:
        made = make(game, board)
        play_moves(made, make_agent(made, agent, None, **{option: path}))
    except LudexError as error:
        print(json.dumps(error.message))
        sys.exit(REFUSED)


if __name__ == "__main__":
    main(*sys.argv[1:])
