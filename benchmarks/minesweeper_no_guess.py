"""How long boards without a guess take to find: `python -m benchmarks.minesweeper_no_guess [BOARDS]`, as JSON.

Each time twice: as it passes, which depends on what else the machine does, and of the processor.
"""

import json
import sys
import time

import numpy as np

import ludex
from ludex.core.seeding import generator

PRESETS = ("beginner", "med", "expert")


def milliseconds(preset: str, boards: int) -> dict[str, float]:
    """The milliseconds of one board at the median, the 99th percentile and at most, over as many seeds."""
    game = ludex.make("minesweeper", f"{preset}:no_guess=true")
    game.initial(generator(0, 0))
    clocks = {"wall": time.perf_counter, "cpu": time.thread_time}
    times = np.empty((len(clocks), boards))
    for seed in range(boards):
        begin = [clock() for clock in clocks.values()]
        game.initial(generator(seed, 0))
        times[:, seed] = [1000 * (clock() - began) for clock, began in zip(clocks.values(), begin, strict=True)]
    return {
        f"{name}_{figure}_ms": round(float(value), 2)
        for name, row in zip(clocks, times, strict=True)
        for figure, value in (("median", np.median(row)), ("p99", np.quantile(row, 0.99)), ("most", row.max()))
    }


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(json.dumps({"boards": count, **{preset: milliseconds(preset, count) for preset in PRESETS}}, indent=2))
