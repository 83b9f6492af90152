"""What the networks are worth: fresh boards, and mine heads beside the true mines and the exact probabilities."""

import time
from collections.abc import Iterable

import numpy as np
import torch
from torch import nn

from benchmarks.minesweeper_milestones.parts import PARTS, Settings, config_of
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.demonstrations import ExampleTask, play_examples
from ludex.games.minesweeper.learning.evaluation import measure
from ludex.games.minesweeper.learning.network import encode, load_net
from ludex.games.minesweeper.spec import SPEC
from ludex.games.minesweeper.tools.network_verbs import calibration
from ludex.games.minesweeper.tools.pictures import heat_map
from ludex.learn.runs import Row

GAMES, SEED = 10_000, 977


def board_of(preset: str, config: MinesweeperConfig, *, reveal_only: bool) -> EnvConfig:
    """A preset's board with what the network was trained to see and do."""
    options = SPEC.presets[SPEC.aliases[preset]]
    rules = {name: getattr(config.env, name) for name in type(config.env).model_fields}
    rules |= {"H": options["rows"], "W": options["cols"], "mine_count": options["mines"], "reveal_only": reveal_only}
    rules["keep_flags"] &= not reveal_only
    for key in ("max_steps", "density_band", "random_first_click"):
        rules.pop(key, None)
    return EnvConfig(**rules)


def judged(net: nn.Module, config: MinesweeperConfig, boards: Iterable[str], settings: Settings) -> list[Row]:
    """Win rates on fresh boards: as the policy was trained, and where that has flags, by reveals alone too."""
    rows: list[Row] = []
    for preset in boards:
        for reveal_only in sorted({config.env.reveal_only, True}):
            cfg = board_of(preset, config, reveal_only=reveal_only)
            begin = time.perf_counter()
            measured = measure(
                lambda planes: net(planes, return_mine=True),
                cfg,
                settings.games,
                SEED,
                settings.device,
                lanes=min(settings.games, 10_000),
            )
            seconds = time.perf_counter() - begin
            rows.append(
                {
                    "preset": preset,
                    "actions": "reveals" if reveal_only else "reveals and flags",
                    "games": settings.games,
                    "seed": SEED,
                    **measured.figures(),
                    "seconds": seconds,
                }
            )
    return rows


@torch.no_grad()
def mine_head(name: str, preset: str, states: int, settings: Settings) -> Row:
    """A mine head beside the true mines and the exact probabilities, over hidden cells next to a number."""
    [trained_as] = [part for part in PARTS if part.name == name]
    config = config_of(trained_as, settings, {**trained_as.changes, "start_from": None, "stage": "il"})
    net = load_net(settings.out / f"{name}.pt", settings.device).eval()
    cfg = board_of(preset, config, reveal_only=True).model_copy(update={"random_first_click": True})
    played = [play_examples(ExampleTask(cfg, SEED, 16))]
    while sum(len(examples.won) for examples, _ in played) < states:
        played.append(play_examples(ExampleTask(cfg, SEED + len(played), 16)))
    numbers = np.concatenate([examples.numbers for examples, _ in played])
    exact = np.concatenate([examples.chance.astype(np.float64) for examples, _ in played])
    true = np.concatenate([mine for _, mine in played])
    parts = []
    for first in range(0, len(numbers), 512):
        part = torch.from_numpy(numbers[first : first + 512]).to(settings.device)
        planes = encode(part, torch.full((len(part),), cfg.mine_count, device=settings.device), cfg)
        parts.append(net(planes, return_mine=True)[2].float().squeeze(1).sigmoid().cpu().numpy())
    predicted = np.concatenate(parts).astype(np.float64)
    padded = np.pad(numbers >= 0, ((0, 0), (1, 1), (1, 1)))
    rows, cols = numbers.shape[1:]
    beside = np.any([padded[:, r : r + rows, c : c + cols] for r in range(3) for c in range(3)], axis=0)
    cells = (numbers < 0) & beside
    document: Row = {"net": name, "preset": preset, "states": len(numbers), "cells": int(cells.sum())}
    for against, values in (("exact", exact), ("true_mines", true.astype(np.float64))):
        measured = calibration(predicted[cells], values[cells])
        document[against] = {
            "correlation": measured.correlation,
            "ece": measured.ece,
            "mean_error": measured.mean_error,
            "brier": float(np.mean((predicted[cells] - values[cells]) ** 2)),
        }
    best = calibration(exact[cells], true[cells].astype(np.float64))
    document["exact_against_true_mines"] = {
        "correlation": best.correlation,
        "brier": float(np.mean((exact[cells] - true[cells]) ** 2)),
    }
    at = int(np.argmax(((exact > 0.0) & (exact < 1.0) & cells).sum((1, 2))))
    for title, values in (("net", predicted), ("exact", exact), ("true", true.astype(np.float64))):
        heat_map(values[at], numbers[at]).savefig(settings.out / f"m4-{name}-{title}.svg")
    return document
