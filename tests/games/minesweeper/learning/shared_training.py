"""A small training in one of several processes; optionally the second one is killed after some updates."""

import os
import signal
import sys
from pathlib import Path

from ludex.games.minesweeper.learning.training import train
from ludex.learn.distributed import join_group
from ludex.learn.launch import read_launch
from ludex.learn.runs import Run
from tests.games.minesweeper.learning.support import tiny

if __name__ == "__main__":
    with join_group(read_launch()) as group:
        left = [int(sys.argv[2])]

        def advance(amount: int) -> None:
            left[0] -= amount
            if left[0] < 0 and not group.is_main:
                os.kill(os.getpid(), signal.SIGKILL)

        train(tiny(), Run(Path(sys.argv[1])), advance)
