"""Makes the finished training of a game that ships: `python scripts/example_runs.py GAME [--run RUN]`.

It trains as the table says, or takes a run that exists, measures what was learned in many games, and copies what the
laboratory shows into the folder that `LearningSpec.example` names: metrics, measurement and the agents of its steps.
"""

import json
import shutil
from pathlib import Path
from typing import Annotated, Final

import typer

from ludex.core.folders import runs_folder
from ludex.core.registry import spec
from ludex.learn.learned import Learned
from ludex.learn.run_agents import FOLDER, INDEX, agents_of, file_of
from ludex.learn.runs import Run, example_runs
from ludex.operations import training
from ludex.operations.learned import measure_learning
from ludex.operations.operation import Context

GAMES: Final = 100
"""Per measured step: intervals of about ten percent to each side."""
CHANGES: Final = {"quoridor": {"synchronous": True, "minutes": None, "iterations": 12, "seed": 1}}
"""What is changed of the configuration `minute`: a training by the clock is another one on every machine."""
MOST_BYTES: Final = 800_000
"""Of all agents: where those of all measured steps are larger, some between the first and the last are left out."""
FILES: Final = ("config.yaml", "metrics.jsonl", "run.json", "status.json", "summary.json", "learned.json")


def main(
    game: str, run: Annotated[str | None, typer.Option(help="a finished run, to be measured and copied")] = None
) -> None:
    """Write the finished training that ships with a game."""
    if run is None:
        request = training.TRAINING.parse({"game": game, "config": "minute", "changes": CHANGES.get(game, {})})
        [run] = training.run(request.checked(None, remote=None), Context()).runs
    made = Run.open(runs_folder(), run)
    write_example(made, measure_learning(made, GAMES, Context()), example_folder(game))


def example_folder(game: str) -> Path:
    """Where the run of a game ships."""
    [name] = [str(spec(game).learning.example).partition(":")[2]]
    return example_runs()[name].folder


def write_example(run: Run, learned: Learned, folder: Path) -> None:
    """Copy the files of a run that its page shows, with the agents of the measured steps alone."""
    agents = agents_of(run)
    assert agents is not None
    steps = [strength.step for strength in learned.strength]
    size = max(agent.bytes for agent in agents.agents)
    while len(steps) > 2 and len(steps) * size > MOST_BYTES:
        # The middle one stays until the end.
        steps.pop(1 if len(steps) % 2 == 0 else -2)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / FOLDER).mkdir(parents=True)
    for name in FILES:
        shutil.copyfile(run.folder / name, folder / name)
    about = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    about.pop("group", None)
    (folder / "run.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    subset = agents.model_copy(update={"agents": [agent for agent in agents.agents if agent.step in steps]})
    (folder / FOLDER / INDEX).write_text(json.dumps(subset.model_dump()) + "\n", encoding="utf-8")
    for step in steps:
        shutil.copyfile(file_of(run, agents, step), folder / FOLDER / file_of(run, agents, step).name)


if __name__ == "__main__":
    typer.run(main)
