"""Milliseconds a move of the shipped network on a CPU: `python -m benchmarks.minesweeper_net_speed`.

Whole games of `net` through onnxruntime, one board at a time as a person meets it, on every preset with one thread and
with two. `move` is the network's answer alone, `decision` all that comes with it, the exact probabilities for
comparison included. Writes benchmarks/results/minesweeper-net-speed.json. Run it on a machine with nothing else to do:
the load before each measurement is in the file.
"""

import os
import statistics
import time
from typing import Any

from benchmarks.documents import measurement_parser, write
from ludex.core.bench import machine
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make
from ludex.games.minesweeper.agents.network import BoardEvaluator, NetAgent
from ludex.games.minesweeper.env.lanes import game_seed
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import NetOptions

NAME = "minesweeper-net-speed"
PRESETS = ("small", "beginner", "med", "expert")
SEED = 977


def measured(preset: str, threads: int, moves: int) -> dict[str, Any]:
    """Both times of the first so many moves that are not openings."""
    game = make("minesweeper", preset)
    assert isinstance(game, Minesweeper)
    agent, net = NetAgent(game, NetOptions(threads=threads)), BoardEvaluator(threads=threads)
    load = os.getloadavg()[0]
    answers: list[float] = []
    decisions: list[float] = []
    cpu = 0.0
    number = 0
    while len(answers) < moves:
        match = Match(game, game_seed(SEED, number))
        number += 1
        while not match.over and len(answers) < moves:
            begin = time.perf_counter()
            decision = decide(match, agent, Limit())
            spent = time.perf_counter() - begin
            if match.ply > 0:
                view = game.view(match.state, 0)
                begin, ticks = time.perf_counter(), time.process_time()
                net.evaluate(view.numbers[None], view.mines)
                answers.append(1000 * (time.perf_counter() - begin))
                cpu += 1000 * (time.process_time() - ticks)
                decisions.append(1000 * spent)
            match.play(decision.action)
    return {
        "preset": preset,
        "threads": threads,
        "moves": moves,
        "move_ms": statistics.fmean(answers),
        "move_ms_median": statistics.median(answers),
        "move_ms_p95": statistics.quantiles(answers, n=20)[-1],
        "move_cpu_ms": cpu / moves,
        "decision_ms": statistics.fmean(decisions),
        "decision_ms_median": statistics.median(decisions),
        "load_before": load,
    }


def main() -> None:
    """Measure every preset and write the report."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--moves", type=int, default=200)
    args = parser.parse_args()
    where = machine(("onnxruntime",))
    rows = []
    for preset in PRESETS:
        for threads in (1, 2):
            measured(preset, threads, 5)
            rows.append(measured(preset, threads, args.moves))
    write(args.into, NAME, {"game": "minesweeper", "agent": "net", "seed": SEED, "machine": where, "rows": rows})


if __name__ == "__main__":
    main()
