"""The tables of the README and the docs, made from the results: no figure in them was typed by hand.

In a Markdown file a table stands between `<!-- measured: NAME -->` and `<!-- /measured -->`.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.documents import RESULTS
from benchmarks.soak import table as soak
from benchmarks.tables import alphazero
from benchmarks.tables.board_games import (
    alphazero_peer,
    mcts,
    quoridor_ladder,
    quoridor_master,
    quoridor_tuned,
    tictactoe_strength,
)
from benchmarks.tables.formatting import Row, markdown
from benchmarks.tables.levels import minesweeper_levels, quoridor_levels, skirmish_small_levels, tictactoe_levels
from benchmarks.tables.minesweeper import (
    minesweeper_calibration,
    minesweeper_gains,
    minesweeper_milestone_commands,
    minesweeper_milestones,
    minesweeper_mine_heads,
    minesweeper_net,
    minesweeper_solvers,
    minesweeper_strength,
)
from benchmarks.tables.provenance import clock, sources
from benchmarks.tables.review import review_calibration, review_ladder, review_timing
from benchmarks.tables.server import attack, scaling, startup, web_crowd, web_crowd_soak, web_load, web_pair, web_speed
from benchmarks.tables.skirmish import (
    skirmish_contract,
    skirmish_contract_curve,
    skirmish_contract_metrics,
    skirmish_deployment,
    skirmish_ladder,
    skirmish_levels,
    skirmish_maskable,
    skirmish_net,
    skirmish_runs,
    skirmish_shipped,
)
from benchmarks.tables.speed import (
    headlines,
    minesweeper_alone,
    minesweeper_net_speed,
    minesweeper_speed,
    ppo_speed,
    quoridor_speed,
    skirmish_gpu,
    skirmish_speed,
    tictactoe_speed,
)

MARKED = re.compile(r"<!-- measured: ([\w-]+) -->\n(.*?)<!-- /measured -->", re.DOTALL)


class UnknownTable(ValueError):
    """A marker that names no table."""


def filled(text: str, folder: Path = RESULTS) -> str:
    """A Markdown text with its marked tables regenerated."""

    def table(marker: re.Match[str]) -> str:
        name = marker[1]
        if name not in TABLES:
            raise UnknownTable(f"no table is called {name!r}; there are {', '.join(TABLES)}")
        return f"<!-- measured: {name} -->\n{markdown(*TABLES[name](folder))}<!-- /measured -->"

    return MARKED.sub(table, text)


TABLES: dict[str, Callable[[Path], Iterator[Row]]] = {
    "headlines": headlines,
    "tictactoe-speed": tictactoe_speed,
    "quoridor-speed": quoridor_speed,
    "minesweeper-speed": minesweeper_speed,
    "minesweeper-alone": minesweeper_alone,
    "skirmish-speed": skirmish_speed,
    "skirmish-gpu": skirmish_gpu,
    "ppo-speed": ppo_speed,
    "quoridor-master": quoridor_master,
    "quoridor-ladder": quoridor_ladder,
    "quoridor-tuned": quoridor_tuned,
    "skirmish-ladder": skirmish_ladder,
    "skirmish-shipped": skirmish_shipped,
    "skirmish-levels": skirmish_levels,
    "skirmish-net": skirmish_net,
    "skirmish-deployment": skirmish_deployment,
    "skirmish-runs": skirmish_runs,
    "skirmish-maskable": skirmish_maskable,
    "skirmish-contract": skirmish_contract,
    "skirmish-contract-metrics": skirmish_contract_metrics,
    "skirmish-contract-curve": skirmish_contract_curve,
    "minesweeper-strength": minesweeper_strength,
    "minesweeper-solvers": minesweeper_solvers,
    "minesweeper-net": minesweeper_net,
    "minesweeper-gains": minesweeper_gains,
    "minesweeper-net-speed": minesweeper_net_speed,
    "minesweeper-calibration": minesweeper_calibration,
    "minesweeper-milestones": minesweeper_milestones,
    "minesweeper-milestone-commands": minesweeper_milestone_commands,
    "minesweeper-mine-heads": minesweeper_mine_heads,
    "tictactoe-strength": tictactoe_strength,
    "mcts": mcts,
    "alphazero-peer": alphazero_peer,
    "alphazero-curve": alphazero.curve,
    "alphazero-quoridor": alphazero.long_curve,
    "alphazero-solved": alphazero.solved,
    "alphazero-teaching": alphazero.teaching,
    "alphazero-seeds": alphazero.seeds,
    "alphazero-speed": alphazero.speed,
    "alphazero-threads": alphazero.threads,
    "alphazero-workers": alphazero.workers,
    "alphazero-strength": alphazero.strength,
    "alphazero-ownership": alphazero.ownership,
    "levels-tictactoe": tictactoe_levels,
    "levels-quoridor": quoridor_levels,
    "levels-skirmish": skirmish_small_levels,
    "levels-minesweeper": minesweeper_levels,
    "review-calibration": review_calibration,
    "review-ladder": review_ladder,
    "review-timing": review_timing,
    "web-speed": web_speed,
    "web-load": web_load,
    "web-crowd": web_crowd,
    "web-pair": web_pair,
    "web-crowd-soak": web_crowd_soak,
    "attack": attack,
    "startup": startup,
    "web-soak": soak.findings,
    "web-soak-latencies": soak.latencies,
    "scaling": scaling,
    "clock": clock,
    "sources": sources,
}
