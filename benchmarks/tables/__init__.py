"""The tables of the README and the docs, made from the results: no figure in them was typed by hand.

In a Markdown file a table stands between `<!-- measured: NAME -->` and `<!-- /measured -->`.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.documents import RESULTS
from benchmarks.tables import (
    alphazero,
    board_games,
    language_model,
    levels,
    minesweeper,
    provenance,
    review,
    server,
    skirmish,
    speed,
)
from benchmarks.tables.formatting import Row, markdown

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
    "headlines": speed.headlines,
    "tictactoe-speed": speed.tictactoe_speed,
    "quoridor-speed": speed.quoridor_speed,
    "minesweeper-speed": speed.minesweeper_speed,
    "minesweeper-alone": speed.minesweeper_alone,
    "skirmish-speed": speed.skirmish_speed,
    "skirmish-gpu": speed.skirmish_gpu,
    "ppo-speed": speed.ppo_speed,
    "quoridor-master": board_games.quoridor_master,
    "quoridor-ladder": board_games.quoridor_ladder,
    "quoridor-tuned": board_games.quoridor_tuned,
    "skirmish-ladder": skirmish.skirmish_ladder,
    "skirmish-shipped": skirmish.skirmish_shipped,
    "skirmish-levels": skirmish.skirmish_levels,
    "skirmish-net": skirmish.skirmish_net,
    "skirmish-deployment": skirmish.skirmish_deployment,
    "skirmish-runs": skirmish.skirmish_runs,
    "skirmish-maskable": skirmish.skirmish_maskable,
    "skirmish-contract": skirmish.skirmish_contract,
    "skirmish-contract-metrics": skirmish.skirmish_contract_metrics,
    "skirmish-contract-curve": skirmish.skirmish_contract_curve,
    "minesweeper-strength": minesweeper.minesweeper_strength,
    "minesweeper-solvers": minesweeper.minesweeper_solvers,
    "minesweeper-net": minesweeper.minesweeper_net,
    "minesweeper-gains": minesweeper.minesweeper_gains,
    "minesweeper-net-speed": speed.minesweeper_net_speed,
    "minesweeper-calibration": minesweeper.minesweeper_calibration,
    "minesweeper-milestones": minesweeper.minesweeper_milestones,
    "minesweeper-milestone-commands": minesweeper.minesweeper_milestone_commands,
    "minesweeper-mine-heads": minesweeper.minesweeper_mine_heads,
    "tictactoe-strength": board_games.tictactoe_strength,
    "mcts": board_games.mcts,
    "alphazero-peer": board_games.alphazero_peer,
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
    "alphazero-chance": alphazero.chance,
    "levels-tictactoe": levels.tictactoe_levels,
    "levels-quoridor": levels.quoridor_levels,
    "levels-skirmish": levels.skirmish_small_levels,
    "levels-minesweeper": levels.minesweeper_levels,
    "language-model": language_model.language_model,
    "review-calibration": review.review_calibration,
    "review-ladder": review.review_ladder,
    "review-timing": review.review_timing,
    "web-speed": server.web_speed,
    "web-load": server.web_load,
    "web-whole": server.web_whole,
    "web-crowd": server.web_crowd,
    "web-pair": server.web_pair,
    "attack": server.attack,
    "startup": server.startup,
    "web-soak": server.web_soak,
    "web-soak-latencies": server.web_soak_latencies,
    "scaling": server.scaling,
    "clock": provenance.clock,
    "sources": provenance.sources,
}
