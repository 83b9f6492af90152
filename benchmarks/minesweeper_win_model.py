"""Fit the weights of Minesweeper's probability to win to games of `expert`.

    python -m benchmarks.minesweeper_win_model --games 1000 --workers 16
    python -m benchmarks.minesweeper_win_model --games 3000 --boards beginner_9x9_10  # leaves the others as they are

Every position in which a cell is revealed is a sample, but for the ends of games, whose value is exact. The weights go
into the data of the game, where reviews read them.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.documents import ROOT
from benchmarks.logistic import fit
from ludex.core.executor import executor_for
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, spec
from ludex.games.minesweeper.agents.expert import ExpertAgent
from ludex.games.minesweeper.agents.reviewer import EVERY_BOARD, FEATURES, FILE, position_figures
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import ExpertOptions

DATA = ROOT / "src" / "ludex" / "games" / "minesweeper" / "data"
GAMES_PER_TASK = 10
PENALTY = 1e-5
"""Of large weights: features that hardly differ on a board must not grow without bound."""

Sample = tuple[float, ...]
"""The features, the safety of the next reveal, and 1 if the game was won."""


def samples(task: tuple[str, int, int]) -> list[Sample]:
    """The positions of some games of `expert`, each with the game's result."""
    preset, first, games = task
    game = make("minesweeper", preset)
    assert isinstance(game, Minesweeper)
    agent, samples = ExpertAgent(game, ExpertOptions()), []
    for seed in range(first, first + games):
        match: Match[Any, Any] = Match(game, seed)
        seen: list[tuple[float, ...]] = []
        while not match.over:
            decision = decide(match, agent, Limit())
            if decision.value is None:
                _, figures = position_figures(game, game.view(match.state, 0), decision.action)
                seen.append((*figures.features(), figures.safety))
            match.play(decision.action)
        assert match.outcome is not None
        samples += [(*position, float(match.outcome.scores[0] > 0)) for position in seen]
    return samples


def fitted(samples: NDArray[np.float64]) -> list[float]:
    """The weights with the greatest likelihood."""
    features, safety, won = samples[:, : len(FEATURES)], samples[:, -2], samples[:, -1]

    begin = np.zeros(len(FEATURES))
    weights = fit(features, won, begin, PENALTY * len(won) / len(FEATURES), safety)
    return [round(float(weight), 6) for weight in weights]


def main() -> None:
    """Write the weights of the boards, and with all of them also those for other boards; a board at a time."""
    presets = tuple(spec("minesweeper").presets)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--boards", nargs="*", default=presets, choices=presets, help="the others keep their weights")
    parser.add_argument("--into", type=Path, default=DATA)
    options = parser.parse_args()
    path = options.into / FILE
    boards: dict[str, Any] = json.loads(path.read_text())["boards"] if path.exists() else {}
    together = []
    begin = time.monotonic()
    for preset in options.boards:
        begins = range(options.seed, options.seed + options.games, GAMES_PER_TASK)
        tasks = [(preset, first, min(GAMES_PER_TASK, begins.stop - first)) for first in begins]
        rows = [row for _, part in executor_for(options.workers).run(samples, tasks) for row in part]
        positions = np.array(sorted(rows))
        together.append(positions)
        boards[preset] = {"weights": fitted(positions), "games": options.games, "positions": len(positions)}
        print(preset, boards[preset], f"{time.monotonic() - begin:.0f} s", flush=True)
        if len(together) == len(presets):
            boards[EVERY_BOARD] = {"weights": fitted(np.concatenate(together))}
        command = f"python -m benchmarks.minesweeper_win_model --seed {options.seed}"
        document = {"command": command, "features": list(FEATURES), "boards": boards}
        options.into.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
