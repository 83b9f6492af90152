"""The seed's milestones M1 to M4 of Minesweeper, with the seed's network and configurations.

    python -m benchmarks.minesweeper_milestones --device cuda --minutes 12 --out OUT

M1 is PPO from scratch, M2 imitation of forced moves and PPO from it, M3 the same with the curriculum and a density
band, M4 the mine head beside the true mines and the exact probabilities. A part gets its share of the minutes: a few
updates are timed first, and the number of updates follows from that. Every network then plays 10,000 fresh boards.

Runs lie in --work, results in --out: NAME.json and NAME.metrics.jsonl per part, networks and heat maps. Parts that have
a result in --work are not repeated, an interrupted run is resumed, and a part that no longer fits into --limit seconds
is left for the next call. --collect writes benchmarks/results/minesweeper-milestones.json from the parts in --out, and
draws their curves.
"""

import argparse
import json
import multiprocessing
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch import nn

from benchmarks.documents import ROOT, add_into, write
from ludex.games.minesweeper.learning.config import CONFIGS, EnvConfig, MinesweeperConfig
from ludex.games.minesweeper.learning.demonstrations import ExampleTask, make_examples, play_exact
from ludex.games.minesweeper.learning.evaluation import measure
from ludex.games.minesweeper.learning.imitation import Imitation
from ludex.games.minesweeper.learning.network import build, encode, load_net, save_net
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.games.minesweeper.learning.training import NET, train
from ludex.games.minesweeper.screen.heatmap import heat_map_svg
from ludex.games.minesweeper.spec import SPEC
from ludex.games.minesweeper.tools.calibration import calibration
from ludex.learn.checkpoints import load_checkpoint
from ludex.learn.config import dump_config, load_config, parse_config
from ludex.learn.device import device_name
from ludex.learn.runs import Row, Run
from ludex.learn.trainer import Trainer

GAMES, SEED = 10_000, 977
BAND = [0.12, 0.20]
BANDED = [
    {"H": 8, "W": 8, "mine_count": 10, "weight": 1.0, "density_band": BAND},
    {"H": 16, "W": 16, "mine_count": 40, "weight": 1.0, "density_band": BAND},
]
TUNED: dict[str, Any] = {"ppo.lr": 1e-4, "ppo.ent_coef": 0.001, "finetune.value_updates": 5}
"""M3's "tune entropy/lr", for PPO from an imitated policy."""
MEASURED = "training and the 10,000 boards on the GPU, mine heads on a CPU, by the commands in it"
PICTURE = ROOT / "docs/pictures/minesweeper-milestones.svg"
STOPPED = "stopped.pt"
"""The network of a run that was stopped."""
SLOW = 1.5
"""A run that takes so many times its budget is stopped, and its last checkpoint judged."""


@dataclass(frozen=True)
class Part:
    """One training run of a milestone."""

    name: str
    milestone: str
    title: str
    config: str
    stage: str
    share: float
    """Of the minutes."""
    boards: tuple[str, ...]
    """Presets on which it is judged."""
    changes: dict[str, Any] = field(default_factory=dict)
    after: str | None = None
    """The part whose network it begins with."""

    def command(self, changes: dict[str, Any]) -> str:
        """What a person types for the same run."""
        named = {**changes, **({} if self.after is None else {"start_from": f"runs/{self.after}/{NET}"})}
        sets = " ".join(f"--set '{key}={json.dumps(value)}'" for key, value in named.items())
        return f"ludex train minesweeper --config {self.config} --stage {self.stage} {sets}"


PARTS = (
    Part("m1-ppo", "M1", "PPO from scratch", "small_8x8_10", "ppo", 0.17, ("small",)),
    Part(
        "m1-ppo-reveals",
        "M1",
        "PPO from scratch, without flags",
        "small_8x8_10",
        "ppo",
        0.17,
        ("small",),
        {"env.reveal_only": True},
    ),
    Part("m2-il", "M2", "imitation of forced moves", "small_8x8_10", "il", 0.08, ("small",)),
    Part("m2-il-ppo", "M2", "imitation, then PPO", "small_8x8_10", "ppo", 0.12, ("small",), TUNED, "m2-il"),
    Part("m3-il", "M3", "imitation, 12-20 % mines", "med_16x16_40", "il", 0.1, ("small", "med"), {"boards": BANDED}),
    Part(
        "m3-curriculum",
        "M3",
        "then PPO with the curriculum, 12-20 % mines",
        "med_16x16_40",
        "ppo",
        0.13,
        ("small", "med"),
        {**TUNED, "boards": BANDED},
        "m3-il",
    ),
    Part("m3-expert-il", "M3", "imitation", "expert_16x30_99", "il", 0.1, ("small", "med", "expert")),
    Part(
        "m3-expert",
        "M3",
        "then PPO with the curriculum",
        "expert_16x30_99",
        "ppo",
        0.13,
        ("small", "med", "expert"),
        TUNED,
        "m3-expert-il",
    ),
)
MINES = {
    "m2-il": ("small", 2000),
    "m2-il-ppo": ("small", 2000),
    "m3-il": ("med", 1000),
    "m3-expert-il": ("expert", 400),
}
"""The networks whose mine heads M4 judges, with the board and at least how many states."""
MINIATURE: dict[str, Any] = {
    "model.width": 8,
    "imitation.batch_cells": 2048,
    "imitation.games_per_chunk": 8,
    "imitation.chunks_ahead": 1,
    "imitation.ring": 2000,
    "ppo.num_envs": 8,
    "ppo.steps_per_env": 8,
    "ppo.mini_batches": 2,
    "ppo.ppo_epochs": 1,
}
"""What --miniature changes everywhere, to try the script itself in a minute on a CPU."""
TINY = [
    {"H": 6, "W": 6, "mine_count": 4, "weight": 1.0, "density_band": [0.1, 0.15]},
    {"H": 8, "W": 8, "mine_count": 8, "weight": 1.0},
]
"""The boards of its curricula; its networks play `small` alone."""


class OutOfTime(Exception):
    """A run has used up its time."""


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
    given = {"device": settings.device.type, "stage": part.stage, "imitation.workers": settings.workers, **changes}
    if settings.miniature:
        given |= MINIATURE if len(part.boards) == 1 else {**MINIATURE, "boards": TINY}
    return load_config(MinesweeperConfig, CONFIGS, part.config, given)


def changes_of(part: Part, settings: Settings) -> dict[str, Any]:
    """A part's changes of its configuration, the number of updates by the time it has."""
    started = {} if part.after is None else {"start_from": str(file_of(run_of(part.after, settings)))}
    # To compile the network costs more than it saves in a run of a minute or two.
    changes: dict[str, Any] = {"ppo.compile": False, **part.changes, **started}
    section = "imitation" if part.stage == "il" else "finetune"
    budget = part.share * settings.seconds
    each = seconds_per_step(config_of(part, settings, changes), settings)
    # An evaluation costs about as much as a few updates: a tenth of the time is left for them.
    count = max(4, int(0.85 * budget / each))
    changes[f"{section}.{'steps' if part.stage == 'il' else 'updates'}"] = count
    changes[f"{section}.eval_every"] = max(1, count // (12 if part.milestone == "M1" else 6))
    changes[f"{section}.eval_games"] = min(settings.games, 1000)
    changes[f"{section}.checkpoint_every"] = max(1, count // 20)
    if part.stage == "il":
        changes["imitation.log_every"] = max(1, count // 50)
    else:
        changes["ppo.frontier_mask_until_updates"] = min(200, count // 3)
    return changes


def seconds_per_step(config: MinesweeperConfig, settings: Settings) -> float:
    """How long one update takes on the hardest board, compilation not counted."""
    hardest = config.all_boards[-1]
    if config.boards is not None:
        config = config.model_copy(update={"boards": [hardest]})
    net = build(config.model, config.env.shown).to(settings.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    config = config.model_copy(
        update={
            "imitation": config.imitation.model_copy(
                update={"workers": 1, "chunks_ahead": 1, "games_per_chunk": 32, "steps_per_chunk": 1000}
            )
        }
    )
    warm, timed = (20, 40) if config.stage == "il" else (2, 3)
    with TemporaryDirectory() as folder:
        run = Run.create(Path(folder), "minesweeper", "timing", dump_config(config))
        stage: Imitation | Finetuning = (
            Imitation(config, run.folder, net, settings.device)
            if config.stage == "il"
            else Finetuning(config, net, None, settings.device)
        )
        trainer = Trainer(run, lambda steps: None)
        for step in range(warm + timed):
            if step == warm:
                _finish(settings.device)
                begin = time.perf_counter()
            trainer.step(stage)
        _finish(settings.device)
        return (time.perf_counter() - begin) / timed


def run_of(name: str, settings: Settings) -> Run:
    """The finished or interrupted run of a part. Raises KeyError if there is none."""
    return Run(settings.work / json.loads((settings.work / "runs.json").read_text())[name])


def trained(part: Part, settings: Settings) -> tuple[Run, MinesweeperConfig, Row]:
    """Train a part, or resume it, within its time; returns how it went."""
    known = settings.work / "runs.json"
    runs = json.loads(known.read_text()) if known.exists() else {}
    plan = settings.work / f"{part.name}.changes.json"
    if part.name not in runs:
        changes = changes_of(part, settings)
        plan.write_text(json.dumps(changes))
        run = Run.create(settings.work, "minesweeper", part.name, dump_config(config_of(part, settings, changes)))
        known.write_text(json.dumps({**runs, part.name: run.name}))
    run, changes = run_of(part.name, settings), json.loads(plan.read_text())
    config = config_of(part, settings, changes)
    begin, most = time.perf_counter(), SLOW * part.share * settings.seconds + 30.0 + 600.0 * settings.miniature

    def advance(steps: int) -> None:
        if time.perf_counter() - begin > most:
            raise OutOfTime

    finished = True
    try:
        summary = train(config, run, advance)
        run.finish(summary)
    except OutOfTime:
        finished = False
    return (
        run,
        config,
        {
            "finished": finished,
            "seconds": time.perf_counter() - begin,
            "command": part.command(changes),
            "updates": config.imitation.steps if part.stage == "il" else config.finetune.updates,
            "reached": reached(run.metrics()),
        },
    )


def reached(rows: Iterable[Row]) -> int:
    """The last update that a run's metrics tell of."""
    return max(int(str(row.get("update", row.get("step", 0)))) for row in rows)


def file_of(run: Run) -> Path:
    """The file of the trained network, or of that of the last checkpoint."""
    if (run.folder / NET).exists():
        return run.folder / NET
    config = parse_config(MinesweeperConfig, run.config_text, run.name)
    found = load_checkpoint(run, torch.device("cpu"))
    if found is None:
        raise SystemExit(f"{run.folder}: neither a network nor a checkpoint")
    net = build(config.model, config.env.shown)
    net.load_state_dict(found[1]["net"])
    save_net(run.folder / STOPPED, net, config.model, config.env.shown)
    return run.folder / STOPPED


def board_of(preset: str, config: MinesweeperConfig, *, reveal_only: bool) -> EnvConfig:
    """A preset's board with what the network was trained to see and do."""
    options = SPEC.presets[SPEC.aliases[preset]]
    rules = {name: getattr(config.env, name) for name in type(config.env).model_fields}
    rules |= {"H": options["rows"], "W": options["cols"], "mine_count": options["mines"], "reveal_only": reveal_only}
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
            found = measure(
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
                    **found.figures(),
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
    played = [play_exact(ExampleTask(cfg, SEED, 16))]
    while sum(len(examples.won) for examples, _ in played) < states:
        played.append(play_exact(ExampleTask(cfg, SEED + len(played), 16)))
    shown = np.concatenate([examples.numbers for examples, _ in played])
    exact = np.concatenate([examples.chance.astype(np.float64) for examples, _ in played])
    true = np.concatenate([mine for _, mine in played])
    said = []
    for first in range(0, len(shown), 512):
        part = torch.from_numpy(shown[first : first + 512]).to(settings.device)
        planes = encode(part, torch.full((len(part),), cfg.mine_count, device=settings.device), cfg)
        said.append(net(planes, return_mine=True)[2].float().squeeze(1).sigmoid().cpu().numpy())
    predicted = np.concatenate(said).astype(np.float64)
    padded = np.pad(shown >= 0, ((0, 0), (1, 1), (1, 1)))
    rows, cols = shown.shape[1:]
    beside = np.any([padded[:, r : r + rows, c : c + cols] for r in range(3) for c in range(3)], axis=0)
    cells = (shown < 0) & beside
    document: Row = {"net": name, "preset": preset, "states": len(shown), "cells": int(cells.sum())}
    for against, values in (("exact", exact), ("true_mines", true.astype(np.float64))):
        found = calibration(predicted[cells], values[cells])
        document[against] = {
            "correlation": found.correlation,
            "ece": found.ece,
            "mean_error": found.mean_error,
            "brier": float(np.mean((predicted[cells] - values[cells]) ** 2)),
        }
    best = calibration(exact[cells], true[cells].astype(np.float64))
    document["exact_against_true_mines"] = {
        "correlation": best.correlation,
        "brier": float(np.mean((exact[cells] - true[cells]) ** 2)),
    }
    at = int(np.argmax(((exact > 0.0) & (exact < 1.0) & cells).sum((1, 2))))
    for title, values in (("net", predicted), ("exact", exact), ("true", true.astype(np.float64))):
        picture = settings.out / f"m4-{name}-{title}.svg"
        picture.write_text(heat_map_svg(np.where(shown[at] < 0, values[at], np.nan), shown[at]))
    return document


def prepare() -> None:
    """Compile the kernels that imitation, evaluations and M4 need, while the GPU trains."""
    torch.set_num_threads(1)
    for teacher in ("forced_moves", "exact"):
        cfg = EnvConfig(mine_count=20, random_first_click=True, reveal_only=teacher == "exact")
        make_examples(ExampleTask(cfg, 0, 2, teacher))


def _finish(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


def collected(folder: Path) -> list[Row]:
    """The results of all parts, in five digits, those of training before those of mine heads."""
    names = [part.name for part in PARTS] + [f"m4-{name}" for name in MINES]
    return [
        short(json.loads(path.read_text())) for path in (folder / f"{name}.json" for name in names) if path.exists()
    ]


def short(value: Any) -> Any:
    """Five digits say enough."""
    if isinstance(value, dict):
        return {key: short(one) for key, one in value.items()}
    if isinstance(value, list):
        return [short(one) for one in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def draw(rows: list[Row]) -> None:
    """The curves of every run that was evaluated while it was trained, a panel per milestone."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.2), layout="constrained")
    panels = dict(zip(("M1", "M2", "M3"), figure.subplots(1, 3, sharey=True), strict=True))
    for row in rows:
        curve: Any = row.get("curve", [])
        for board in dict.fromkeys(point["board"] for point in curve):
            points = [point for point in curve if point["board"] == board]
            share = [point.get("update", point.get("step")) / row["updates"] for point in points]
            panel = panels[str(row["milestone"])]
            line = panel.plot(
                share, [point["win_rate"] for point in points], marker=".", label=f"{row['name']}, {board}"
            )
            if row["milestone"] == "M1":
                panel.plot(share, [point["avg_progress"] for point in points], ":", color=line[0].get_color())
    for milestone, panel in panels.items():
        panel.set_title(
            f"{milestone}: games won" + ("; dotted: cells revealed" if milestone == "M1" else ""), fontsize=10
        )
        panel.set_xlabel("share of the run's updates")
        panel.set_ylim(0, 1)
        panel.grid(alpha=0.3)
        panel.legend(fontsize=6)
    figure.savefig(PICTURE, metadata={"Date": None})


class Parts:
    """Which parts are left to do, and their results."""

    def __init__(self, settings: Settings, wanted: list[str], limit: float) -> None:
        self._settings, self._wanted, self._limit = settings, wanted, limit
        self._began = time.perf_counter()

    def done(self, name: str) -> bool:
        """Whether a part has a result, which is then in --out too."""
        kept = self._settings.work / f"{name}.json"
        if kept.exists():
            shutil.copy(kept, self._settings.out)
        return kept.exists()

    def due(self, name: str, seconds: float) -> bool:
        """Whether a part is to be done now, and there is time for it."""
        if self.done(name) or not any(name == one or name.startswith(f"{one}-") for one in self._wanted):
            return False
        return time.perf_counter() - self._began + seconds <= self._limit

    def keep(self, name: str, document: Row) -> None:
        """Write a result."""
        device = self._settings.device
        document = {"name": name, **document, "device": device_name(device), "torch": torch.__version__}
        (self._settings.work / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
        self.done(name)
        shown = {key: value for key, value in document.items() if key != "curve"}
        print(f"{time.perf_counter() - self._began:.0f} s: {json.dumps(shown)}", flush=True)


def train_and_judge(part: Part, parts: Parts, settings: Settings) -> None:
    """One training run with its result."""
    run, config, how = trained(part, settings)
    net = load_net(file_of(run), settings.device).eval()
    shutil.copy(run.folder / "metrics.jsonl", settings.out / f"{part.name}.metrics.jsonl")
    shutil.copy(file_of(run), settings.out / f"{part.name}.pt")
    parts.keep(
        part.name,
        {
            "milestone": part.milestone,
            "title": part.title,
            "config": part.config,
            **how,
            "judged": list(judged(net, config, part.boards[:1] if settings.miniature else part.boards, settings)),
            "curve": [dict(row) for row in run.metrics() if "win_rate" in row],
        },
    )


def main() -> None:
    """Run the parts that are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--work", type=Path, default=Path("runs/milestones"), help="folder of the runs")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--minutes", type=float, default=12.0, help="of training, over all parts")
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds after which no part is begun")
    parser.add_argument("--only", default="m1,m2,m3,m4", help="milestones or parts, such as m1,m3-expert")
    parser.add_argument("--workers", type=int, default=12, help="processes that make demonstrations")
    parser.add_argument("--games", type=int, default=GAMES, help="fresh boards per evaluation")
    parser.add_argument("--miniature", action="store_true", help="tiny numbers, to try the script")
    parser.add_argument("--collect", action="store_true", help="only gather the parts of --out into one document")
    add_into(parser)
    chosen = parser.parse_args()
    if chosen.collect:
        rows = collected(chosen.out)
        document = {"game": "minesweeper", "device": rows[0]["device"], "measured": MEASURED, "rows": rows}
        write(chosen.into, "minesweeper-milestones", document)
        draw(rows)
        return
    for folder in (chosen.work, chosen.out):
        folder.mkdir(parents=True, exist_ok=True)
    settings = Settings(
        chosen.work.resolve(),
        chosen.out.resolve(),
        torch.device(chosen.device),
        60.0 * chosen.minutes,
        chosen.workers,
        chosen.games,
        chosen.miniature,
    )
    parts = Parts(settings, chosen.only.split(","), chosen.limit)
    compiling = multiprocessing.get_context("spawn").Process(target=prepare)
    compiling.start()
    for part in PARTS:
        if parts.due(part.name, part.share * settings.seconds):
            if part.stage == "il":
                compiling.join()
            if part.after is None or parts.done(part.after):
                train_and_judge(part, parts, settings)
            else:
                print(f"{part.name}: left out, {part.after} comes first", flush=True)
    compiling.join()
    for name, (preset, states) in MINES.items():
        if (settings.out / f"{name}.pt").exists() and parts.due(f"m4-{name}", 20.0):
            chosen_states = ("small", 20) if settings.miniature else (preset, states)
            found = mine_head(name, *chosen_states, settings)
            parts.keep(f"m4-{name}", {"milestone": "M4", "title": "mine head", **found})


if __name__ == "__main__":
    main()
