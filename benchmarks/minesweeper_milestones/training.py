"""One run of a milestone, trained or resumed within its share of the time."""

import json
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from benchmarks.minesweeper_milestones.parts import Part, Settings, config_of
from ludex.games.minesweeper.agents.network import PlayStyle
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.demonstrations import ExampleTask, make_examples
from ludex.games.minesweeper.learning.imitation import Imitation
from ludex.games.minesweeper.learning.network import build, save_net
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.games.minesweeper.learning.training import NET, train
from ludex.learn.checkpoints import load_state_tensors
from ludex.learn.config import dump_config, parse_config
from ludex.learn.runs import Row, Run
from ludex.learn.trainer import Trainer

STOPPED = "stopped.pt"
"""The network of a run that was stopped."""
SLOW = 1.5
"""A run that takes so many times its budget is stopped, and its last checkpoint judged."""


class OutOfTime(Exception):
    """A run has used up its time."""


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
    if part.updates is not None:
        most = float("inf")

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


def changes_of(part: Part, settings: Settings) -> dict[str, Any]:
    """A part's changes of its configuration, the number of updates by the time it has."""
    started = {} if part.after is None else {"start_from": str(file_of(run_of(part.after, settings)))}
    # To compile the network costs more than it saves in a run of a minute or two.
    changes: dict[str, Any] = {"ppo.compile": False, **part.changes, **started}
    section = "imitation" if part.stage == "il" else "finetune"
    if part.updates is None:
        budget = part.share * settings.seconds
        each = seconds_per_step(config_of(part, settings, changes), settings)
        # An evaluation costs about as much as a few updates: a tenth of the time is left for them.
        count = max(4, int(0.85 * budget / each))
    else:
        count = 4 if settings.miniature else part.updates
    changes[f"{section}.{'steps' if part.stage == 'il' else 'updates'}"] = count
    changes[f"{section}.eval_every"] = max(1, count // (6 if part.stage == "il" else 12))
    changes[f"{section}.eval_games"] = min(settings.games, 1000)
    changes[f"{section}.checkpoint_every"] = max(1, count // 20)
    if part.stage == "il":
        changes["imitation.log_every"] = max(1, count // 50)
    elif part.updates is None:
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


def reached(rows: Iterable[Row]) -> int:
    """The last update that a run's metrics tell of."""
    return max(int(str(row.get("update", row.get("step", 0)))) for row in rows)


def file_of(run: Run) -> Path:
    """The file of the trained network, or of that of the last checkpoint."""
    if (run.folder / NET).exists():
        return run.folder / NET
    config = parse_config(MinesweeperConfig, run.config_text, run.name)
    state = run.resume()
    if state is None:
        raise SystemExit(f"{run.folder}: neither a network nor a checkpoint")
    net = build(config.model, config.env.shown)
    net.load_state_dict(load_state_tensors(run, state, torch.device("cpu"))["net"])
    save_net(run.folder / STOPPED, net, config.model, config.env.shown, PlayStyle.of(config.env))
    return run.folder / STOPPED


def prepare() -> None:
    """Compile the kernels that imitation, evaluations and M4 need, while the GPU trains."""
    torch.set_num_threads(1)
    for teacher in ("forced_moves", "forced_pairs", "exact"):
        cfg = EnvConfig(mine_count=20, random_first_click=True, reveal_only=teacher == "exact")
        make_examples(ExampleTask(cfg, 0, 2, teacher))


def _finish(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()
