"""A learned score of Minesweeper's guesses beside the formula: make games, train a network, play the same boards.

    python -m benchmarks.minesweeper_guesses make --out FOLDER --games 38000
    python -m benchmarks.minesweeper_guesses train --out FOLDER
    python -m benchmarks.minesweeper_guesses pair --out FOLDER --games 2000 --variants "[[0.03, 1.0, 3, 0.8]]"

A variant is four numbers: the network weighs cells within this share of the best by the formula, with this exponent
beside the formula's score, so many at most, where no larger share of the cells is uncertain. Games of `pair` count as
the product of the safeties of their guesses; with --plain they are won or lost.
"""

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.minesweeper_guesses.play import CELLS, CHANNELS, COLS, MOST_EVENTS, ROWS, WIDE, Play, play_game
from ludex.games.minesweeper.agents.search.guessing import GuessRecord
from ludex.games.minesweeper.agents.search.solutions import Solutions
from ludex.games.minesweeper.agents.search.start import opening
from ludex.games.minesweeper.agents.search.tree import Tree
from ludex.games.minesweeper.options import Start
from ludex.games.minesweeper.rules.inference.workspace import field, workspace
from ludex.kernels.records import new_record

STARTS: tuple[Start, Start] = ("zero", "safe")
TRAINING_SEED, JUDGING_SEED = 51_000_001, 51_000_003
PART = 1000
"""Games of a file."""
FORMULA = (0.0, 0.0, 1, 1.0)
BAND, EXPLORE = 0.1, 0.2
"""In games to learn from, a fifth of the guesses takes any cell within this share of the best."""


class Player:
    """The memory of one player."""

    def __init__(self) -> None:
        self.work = workspace(ROWS, COLS)
        self.memory = new_record(Solutions), new_record(Tree), new_record(GuessRecord)
        self.play = new_record(Play)
        field(self.play, "frame")[:] = [(cell // COLS + 1) * WIDE + cell % COLS + 1 for cell in range(CELLS)]
        self.scratch = np.zeros(8, np.int16), np.zeros(CHANNELS, np.float32)

    def load(self, net: Path) -> None:
        """Read the weights of a network."""
        with np.load(net) as arrays:
            for name in arrays:
                field(self.play, name)[:] = arrays[name]

    def game(self, seed: int, game: int, start: Start, variant: Any, explore: float, plain: bool, keep: bool) -> float:
        """See `play_game`."""
        first = opening(ROWS, COLS, 99, start)
        return play_game(
            seed, game, start == "zero", first, self.work, *self.memory, self.play, *self.scratch,
            *variant, explore, plain, keep,
        )  # fmt: skip

    def figures(self) -> list[int]:
        """The game's `Play.figures`."""
        return [int(figure) for figure in field(self.play, "figures")]


def make(out: Path, games: int) -> None:
    """Write what guesses led to, in parts; goes on where it stopped."""
    player = Player()
    for part in range(games // PART):
        path = out / f"part-{part}.npz"
        if not path.exists():
            np.savez(out / "writing.npz", **rows_of(player, range(part * PART, (part + 1) * PART)))
            (out / "writing.npz").rename(path)
            print(path, flush=True)


def rows_of(player: Player, games: range) -> dict[str, Any]:
    """The positions after guesses, and where each game paid afterwards."""
    play, events = player.play, 0
    names = ("codes", "values", "following", "begins", "ends", "tails", "cells", "hazards")
    rows: dict[str, list[Any]] = {name: [] for name in names}
    for game in games:
        variant = (BAND, 0.0, 64, 1.0)
        value = player.game(TRAINING_SEED, game, STARTS[game % 2], variant, EXPLORE, False, True)
        samples, count, *_, tail = player.figures()
        if value < 0.0 or not samples or count >= MOST_EVENTS:
            continue
        rows["codes"].append(field(play, "codes")[:samples].copy())
        rows["values"].append((value / field(play, "prefix")[:samples]).astype(np.float32))
        rows["following"].append(field(play, "following")[:samples].astype(np.float32))
        rows["begins"].append(events + field(play, "first_event")[:samples].astype(np.int64))
        rows["ends"].append(np.full(samples, events + count, np.int64))
        rows["tails"].append(np.full(samples, events + min(tail, count), np.int64))
        rows["cells"].append(field(play, "event_cell")[:count].copy())
        rows["hazards"].append(field(play, "event_hazard")[:count].copy())
        events += count
    return {name: np.concatenate(parts) for name, parts in rows.items()}


def pair(out: Path, games: range, seed: int, variants: list[Any], plain: bool) -> None:
    """Games of the formula and of variants on the same boards."""
    player = Player()
    player.load(out / "net.npz")
    rows: dict[str, list[list[float]]] = {start: [] for start in STARTS}
    for game in games:
        for start in STARTS:
            row: list[float] = []
            for variant in (FORMULA, *variants):
                begin = time.process_time()
                value = player.game(seed, game, start, variant, 0.0, plain, False)
                row += [value, time.process_time() - begin, *player.figures()[2:5]]
            rows[start].append(row)
    tables = {start: summary(np.array(many), variants) for start, many in rows.items()}
    print(json.dumps(tables, indent=1))


def summary(rows: NDArray[np.float64], variants: list[Any]) -> list[dict[str, Any]]:
    """Gains in points with 95 % intervals; boards that are too complex for one of them are left out."""
    table = rows.reshape(len(rows), -1, 5)
    table = table[(table[:, :, 0] >= 0).all(axis=1)]
    base = table[:, 0]
    won, cpu = 100 * float(base[:, 0].mean()), 1000 * float(base[:, 1].mean())
    result: list[dict[str, Any]] = [{"games": len(table), "won": round(won, 3), "ms": round(cpu, 2)}]
    for index, variant in enumerate(variants, 1):
        gain = 100 * (table[:, index, 0] - base[:, 0])
        mean, half = float(gain.mean()), 1.96 * float(gain.std()) / math.sqrt(len(gain))
        names = ("ms", "guesses", "choices", "changed")
        means = {name: round(float(table[:, index, 1 + n].mean()), 4) for n, name in enumerate(names)}
        means["ms"] *= 1000
        bounds = {"gain": round(mean, 3), "from": round(mean - half, 3), "to": round(mean + half, 3)}
        result.append({"variant": variant, **bounds, **means})
    return result


def main() -> None:
    """Make games, train, or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "train", "pair"])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", type=int, default=38_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=JUDGING_SEED)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--variants", type=json.loads, default=[[0.03, 1.0, 3, 0.8]])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.what == "make":
        make(options.out, options.games)
    elif options.what == "train":
        from benchmarks.minesweeper_guesses.training import train

        train(options.out)
    else:
        pair(
            options.out,
            range(options.first, options.first + options.games),
            options.seed,
            options.variants,
            options.plain,
        )


if __name__ == "__main__":
    main()
