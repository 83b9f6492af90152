"""What a run of `contract` learned, and how much of it by placing: `python -m benchmarks.skirmish_contract runs/RUN`.

The run's network after imitation (`imitated.pt`) and after MaskablePPO (`net.pt`), under the contract's order of
deployment: against every scripted player as it is, and against the strongest with the planner's battle after its own
placements, then with its own battle after the planner's placements. Writes skirmish-contract.json, a row as soon as it
is known; rows that are there are kept, so that an interrupted measurement is resumed.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Final

from benchmarks.documents import measurement_parser, read, write
from ludex.core.bench import machine
from ludex.core.registry import make
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.evaluation import Measuring
from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers
from ludex.learn.device import device_name, select_device

NAME: Final = "skirmish-contract"
PRESET: Final = "mirror"
PACKAGES: Final = ("ludex", "numpy", "numba", "sb3-contrib", "stable-baselines3", "torch")
NETS: Final = {"before": "imitated.pt", "after": "net.pt"}
OPPONENTS: Final = ("objective", "aggressive", "defensive")
SCRIPT: Final = "objective"
"""The scripted player that places or fights instead of the network, and the opponent of these games."""
PARTS: Final = (("learned", SCRIPT), (SCRIPT, "learned"))
"""Who places and who fights, where one of the two is the network's."""
CURVE: Final = (
    *("update", "seconds", "transitions", "games", "wins", "approx_kl", "clip_fraction", "entropy_loss"),
    *("policy_gradient_loss", "value_loss", "explained_variance", "lr", "deployment_valid_action_rate"),
    *("deployment_invalid_action_attempt_rate", "deployment_steps_mean", "deployment_deadlock_count"),
    *("deployment_pass_count", "winrate_with_active_deployment"),
)


def plan() -> list[dict[str, str]]:
    """What is measured: the network's stage, the opponent, who places and who fights."""
    rows = [(stage, rival, "learned", "learned") for stage in NETS for rival in OPPONENTS]
    rows += [(stage, SCRIPT, placing, fighting) for stage in NETS for placing, fighting in PARTS]
    # The planner alone needs no network: what both parts are compared with.
    rows += [("scripted", SCRIPT, SCRIPT, SCRIPT)]
    names = ("stage", "opponent", "deployment", "battle")
    return [dict(zip(names, row, strict=True)) for row in rows]


def log_of(run: Path) -> dict[str, Any]:
    """What the run's own log says: its updates, their time, and its evaluations."""
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
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


def measured(args: argparse.Namespace, row: dict[str, str]) -> dict[str, Any]:
    """One row of the plan, with its result."""
    game = make("skirmish", PRESET)
    assert isinstance(game, Skirmish)
    net = args.run / NETS.get(row["stage"], NETS["after"])
    sizes = {"games": args.games, "lanes": args.lanes, "seed": args.seed}
    with OpponentWorkers(args.workers) as workers:
        measuring = Measuring(game, net, select_device(args.device), workers, **sizes, advance=lambda games: None)
        return {**row, **measuring.against(row["opponent"], 0.0, row["deployment"], row["battle"]).row()}


def main() -> None:
    """Measure what is missing."""
    parser = measurement_parser(__doc__)
    parser.add_argument("run", type=Path, help="the folder of a finished run of `contract`")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--lanes", type=int, default=500)
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument("--seed", type=int, default=977)
    parser.add_argument("--fresh", action="store_true", help="drop the rows that are there")
    args = parser.parse_args()
    path = args.into / f"{NAME}.json"
    previous = [] if args.fresh or not path.exists() else read(NAME, args.into)["rows"]
    rows = [row for row in previous if row.get("games") == args.games]
    keys = ("stage", "opponent", "deployment", "battle")
    known = {tuple(row[key] for key in keys) for row in rows}
    document = {
        "game": "skirmish",
        "preset": PRESET,
        "device": device_name(select_device(args.device)),
        "machine": machine(PACKAGES),
        "measured": "`ludex train skirmish --config contract --device cuda`, then `python -m benchmarks."
        f"skirmish_contract runs/RUN --games {args.games} --lanes {args.lanes} --seed {args.seed} --device cuda`",
        **log_of(args.run),
    }
    for row in plan():
        if tuple(row[key] for key in keys) not in known:
            rows.append(measured(args, row))
            write(args.into, NAME, {**document, "rows": rows})
            print(json.dumps({key: rows[-1][key] for key in (*keys, "games", "win_rate", "ci95")}), flush=True)


if __name__ == "__main__":
    main()
