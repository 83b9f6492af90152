"""The training runs of the milestones, and the configuration of each."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig
from ludex.games.minesweeper.learning.training import NET
from ludex.learn.config import load_config


@dataclass(frozen=True)
class Part:
    """One training run of a milestone."""

    name: str
    milestone: str
    title: str
    config: str
    stage: str
    boards: list[str]
    """Presets on which it is judged."""
    share: float = 0.0
    """Of the minutes."""
    changes: dict[str, Any] = field(default_factory=dict)
    after: str | None = None
    """The part whose network it begins with."""
    updates: int | None = None
    """How many it has, whatever the time; None: as many as its share of the minutes allows."""

    def command(self, changes: dict[str, Any]) -> str:
        """What a person types for the same run."""
        named = {**changes, **({} if self.after is None else {"start_from": f"runs/{self.after}/{NET}"})}
        sets = " ".join(f"--set '{key}={json.dumps(value)}'" for key, value in named.items())
        return f"ludex train minesweeper --config {self.config} --stage {self.stage} {sets}"


DOCUMENT: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text())
PARTS = [Part(**row) for row in DOCUMENT["parts"]]
"""Those with a share of the minutes have M3's "tune entropy/lr" after imitation, those with `updates` the numbers that
their configuration states beside the original document's."""
MINES: dict[str, tuple[str, int]] = DOCUMENT["mines"]
"""The networks whose mine heads M4 judges, with the board and at least how many states."""
MINIATURE: dict[str, Any] = DOCUMENT["miniature"]
"""What --miniature changes everywhere, to try the script itself in a minute on a CPU."""
TINY: list[dict[str, Any]] = DOCUMENT["tiny"]
"""The boards of its curricula; its networks play `small` alone."""


@dataclass(frozen=True)
class Settings:
    """What was asked for."""

    work: Path
    out: Path
    device: torch.device
    seconds: float
    workers: int
    games: int
    miniature: bool


def config_of(part: Part, settings: Settings, changes: dict[str, Any]) -> MinesweeperConfig:
    """A part's configuration."""
    changed = {"device": settings.device.type, "stage": part.stage, "imitation.workers": settings.workers, **changes}
    if settings.miniature:
        changed |= MINIATURE if len(part.boards) == 1 else {**MINIATURE, "boards": TINY}
    return load_config(MinesweeperConfig, CONFIGS, part.config, changed)
