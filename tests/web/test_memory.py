"""Large blocks go back to the system when they are freed, and loading pauses the garbage collector."""

import gc
import subprocess
import sys

import pytest

from ludex.web.memory import paused_collector

CODE = """
import os, sys
from pathlib import Path
import numpy as np
from ludex.web.memory import give_back_large_blocks

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

if sys.argv[1] == "set":
    give_back_large_blocks()
# After the first one is freed, malloc keeps the next ones.
del_me = np.ones(20 << 17); del del_me
begin = resident()
held, between = [], []
for _ in range(8):
    held.append(np.ones(10 << 17))
    between.append(np.ones(1 << 11))
full = resident()
del held
print(begin, full, resident())
"""


def measured(how: str) -> tuple[float, float, float]:
    found = subprocess.run([sys.executable, "-c", CODE, how], check=True, capture_output=True, text=True).stdout
    begin, full, end = map(float, found.split())
    return begin, full, end


@pytest.mark.slow
def test_what_is_freed_is_given_back() -> None:
    begin, full, end = measured("set")
    assert full - begin > 70
    assert end - begin < 8


def test_what_is_loaded_is_not_collected() -> None:
    frozen = gc.get_freeze_count()
    with paused_collector():
        assert not gc.isenabled()
        loaded = [[number] for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(loaded)
    gc.unfreeze()
