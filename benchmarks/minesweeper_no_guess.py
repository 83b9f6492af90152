"""How long boards without a guess take to find: `python -m benchmarks.minesweeper_no_guess [BOARDS]`, as JSON.

The generation is what a match on such a board waits for when it is made.
"""

import json
import sys
import time

import numpy as np

import ludex
from ludex.core.seeding import generator

PRESETS = ("beginner", "med", "expert")


def milliseconds(preset: str, boards: int) -> dict[str, float]:
    """The time of one board at the median, the 99th percentile and at most, over as many seeds."""
    game = ludex.make("minesweeper", f"{preset}:no_guess=true")
    game.initial(generator(0, 0))
    times = []
    for seed in range(boards):
        begun = time.perf_counter()
        game.initial(generator(seed, 0))
        times.append(1000 * (time.perf_counter() - begun))
    return {"median_ms": float(np.median(times)), "p99_ms": float(np.quantile(times, 0.99)), "most_ms": max(times)}


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(json.dumps({"boards": count, **{preset: milliseconds(preset, count) for preset in PRESETS}}, indent=2))
