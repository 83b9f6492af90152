"""What a run of `contract` learned, and how much of it by placing: `python -m benchmarks.skirmish_contract`.

Trains the configuration under the contract's order of deployment, then judges its network after imitation
(`imitated.pt`) and after MaskablePPO (`net.pt`): against every scripted player as it is, and against the strongest with
the planner's battle after its own placements, then with its own battle after the planner's placements.

The same command resumes: an interrupted run at its last checkpoint, and the judging at the next row, which lie in the
run's folder. With --minutes it stops by itself, so that a machine that is lent for a while is enough. The document is
written when every row is there; --miniature tries all of it with tiny numbers.
"""

import argparse
import json
import time
from typing import Any, Final

import numpy as np

from benchmarks.documents import RESULTS, measurement_parser, write
from ludex.arena.statistics import gain95
from ludex.core.bench import machine
from ludex.core.documents import write_text
from ludex.core.errors import RunPaused
from ludex.core.registry import make, spec
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.network_files import Measuring
from ludex.learn.device import device_name, select_device
from ludex.learn.experiments import begin
from ludex.learn.runs import Run
from ludex.learn.trainings import train_run, training_of

NAME: Final = "skirmish-contract"
CONFIG: Final = "contract"
PACKAGES: Final = ("ludex", "numpy", "numba", "sb3-contrib", "stable-baselines3", "torch")
NETS: Final = {"before": "imitated.pt", "after": "net.pt"}
OPPONENTS: Final = ("objective", "aggressive", "defensive")
SCRIPT: Final = "objective"
"""The scripted player that places or fights instead of the network, and the opponent of these games."""
PARTS: Final = (("learned", SCRIPT), (SCRIPT, "learned"))
"""Who places and who fights, where one of the two is the network's."""
KEYS: Final = ("stage", "opponent", "deployment", "battle")
"""What tells one row from another."""
JUDGED: Final = "judged.json"
"""The rows in the run's folder, with the score of every game."""
CURVE: Final = (
    *("update", "seconds", "transitions", "games", "wins", "approx_kl", "clip_fraction", "entropy_loss"),
    *("policy_gradient_loss", "value_loss", "explained_variance", "lr", "deployment_valid_action_rate"),
    *("deployment_invalid_action_attempt_rate", "deployment_steps_mean", "deployment_deadlock_count"),
    *("deployment_pass_count", "winrate_with_active_deployment"),
)
MINIATURE: Final[dict[str, Any]] = {
    **{"net.width": 8, "net.depth": 1, "imitation.games": 4, "imitation.steps": 2, "imitation.batch": 16},
    **{"imitation.log_every": 1, "curriculum": [{"presets": ["mirror"], "updates": 2}], "ppo.num_envs": 4},
    **{"ppo.steps_per_env": 4, "ppo.mini_batches": 2, "ppo.ppo_epochs": 1, "evaluation.games": 2},
    **{"evaluation.opponents": [SCRIPT], "checkpoint_every": 1},
}
"""What --miniature changes of the configuration."""


def plan() -> list[tuple[str, ...]]:
    """What is judged, as `KEYS`: the network's stage, the opponent, who places and who fights."""
    rows = [(stage, opponent, "learned", "learned") for stage in NETS for opponent in OPPONENTS]
    rows += [(stage, SCRIPT, placing, fighting) for stage in NETS for placing, fighting in PARTS]
    # The planner alone needs no network: what both parts are compared with.
    return [*rows, ("scripted", SCRIPT, SCRIPT, SCRIPT)]


def train(args: argparse.Namespace, deadline: float) -> tuple[Run, SkirmishConfig] | None:
    """The finished run with its configuration, trained or resumed now; None if the time was up first."""
    game = spec("skirmish")
    training = training_of(game, CONFIG)
    changes: dict[str, Any] = {"imitation.workers": args.workers, "opponents.workers": args.workers}
    changes |= {"device": args.device} | (MINIATURE if args.miniature else {})
    run, config = begin(game, training, CONFIG, changes, args.name)
    assert isinstance(config, SkirmishConfig)
    if run.summary() is None:
        minutes = (deadline - time.monotonic()) / 60
        try:
            train_run(training, run, config, lambda amount: None, None if minutes == float("inf") else max(minutes, 0))
        except RunPaused:
            return None
    return run, config


def judge(run: Run, preset: str, args: argparse.Namespace, deadline: float) -> list[dict[str, Any]] | None:
    """All rows of the plan, with the scores of their games; None if the time was up first."""
    path = run.folder / JUDGED
    sizes = {"games": args.games, "seed": args.seed}
    kept = json.loads(path.read_text()) if path.exists() else []
    rows = {tuple(row[key] for key in KEYS): row for row in kept if {key: row[key] for key in sizes} == sizes}
    game = make("skirmish", preset)
    assert isinstance(game, Skirmish)
    device = select_device(args.device)
    with OpponentWorkers(args.workers) as workers:
        for keys in plan():
            if keys in rows:
                continue
            if time.monotonic() >= deadline:
                return None
            stage, opponent, placing, fighting = keys
            net = run.folder / NETS.get(stage, NETS["after"])
            measuring = Measuring(game, net, device, workers, **sizes, lanes=args.lanes, advance=lambda games: None)
            evaluation = measuring.against(opponent, 0.0, placing, fighting)
            scores = {"seed": args.seed, "scores": evaluation.scores.astype(int).tolist()}
            rows[keys] = {**dict(zip(KEYS, keys, strict=True)), **evaluation.row(), **scores}
            write_text(path, json.dumps([*rows.values()]))
            print(json.dumps({key: rows[keys][key] for key in (*KEYS, "games", "win_rate", "ci95")}), flush=True)
    return with_gains([rows[keys] for keys in plan()])


def with_gains(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without scores; those after training say what it gained over those before it, on the same dice."""
    scores = {tuple(row[key] for key in KEYS): np.array(row["scores"]) for row in rows}
    judged = [{key: value for key, value in row.items() if key != "scores"} for row in rows]
    for row in judged:
        keys = tuple(row[key] for key in KEYS)
        if row["stage"] == "after":
            pairs = (scores[keys] - scores["before", *keys[1:]]).reshape(-1, 2).mean(axis=1) / 2
            row["gain"], *row["gain_ci95"] = gain95(pairs.tolist())
    return judged


def log_of(run: Run) -> dict[str, Any]:
    """What the run's own log says: its updates, their time, and its evaluations."""
    rows: list[Any] = run.metrics()
    updates = [row for row in rows if "approx_kl" in row]
    listed = ("hex_slots", "unit_slots")
    return {
        "updates": updates[-1]["update"],
        "transitions": updates[-1]["transitions"],
        "seconds": sum(row["seconds"] for row in updates),
        "curve": [{name: row.get(name) for name in CURVE} for row in updates],
        "evaluations": [
            {name: value for name, value in row.items() if name not in listed} for row in rows if "win_rate" in row
        ],
    }


def main(arguments: list[str] | None = None) -> None:
    """Train and judge what is missing."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--lanes", type=int, default=500)
    parser.add_argument("--workers", type=int, default=15, help="processes of scripted players")
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument("--seed", type=int, default=977, help="of the games that judge")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many; call again to go on")
    parser.add_argument("--name", default=NAME, help="the experiment under which the run is found again")
    parser.add_argument("--miniature", action="store_true", help="tiny numbers, to try the script")
    args = parser.parse_args(arguments)
    if args.miniature and args.into == RESULTS:
        parser.error("a miniature is no result: name another folder by --into")
    deadline = time.monotonic() + 60 * args.minutes
    trained = train(args, deadline)
    if trained is None:
        print("the time is up before the run is trained: call again to go on")
        return
    run, config = trained
    (preset,) = config.presets
    rows = judge(run, preset, args, deadline)
    if rows is None:
        print("the time is up before every row is judged: call again to go on")
        return
    document = {
        "game": "skirmish",
        "preset": preset,
        "device": device_name(select_device(args.device)),
        "machine": machine(PACKAGES),
        "measured": f"`python -m benchmarks.skirmish_contract --games {args.games} --lanes {args.lanes} "
        f"--seed {args.seed} --device {args.device}`",
    }
    write(args.into, NAME, {**document, **log_of(run), "rows": rows})


if __name__ == "__main__":
    main()
