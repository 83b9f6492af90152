"""The agents that a run keeps while it is trained: files in `checkpoints/agents`, each an opponent.

After n checkpoints a run keeps the first, the last and those between whose numbers are multiples of a stride, which
grows with n. Which are kept depends on n alone, so a run that was interrupted keeps what an uninterrupted one does.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from ludex.core.documents import parse_json, read_text, write_bytes
from ludex.core.errors import BadRun, UnknownAgent
from ludex.core.folders import make_folder, runs_folder
from ludex.core.kept_agents import trained_agent
from ludex.core.options import RUN, StrictModel, join_reference, split_reference, validate
from ludex.core.registry import board_options, spec
from ludex.core.spec import AgentFormat, AgentSpec, GameSpec, TrainedAgentSpec
from ludex.learn.config import parse_config
from ludex.learn.runs import Run, find_run

FOLDER: Final = "checkpoints/agents"
INDEX: Final = "index.json"
MOST_BETWEEN: Final = 20
"""Agents that are kept besides the first and the last."""
PLAYED_BY: Final = {"agent", "option", "format", "any_board"}
"""What `RunAgents` has of a `TrainedAgentSpec`."""


class RunAgent(StrictModel):
    """One agent that a run keeps."""

    step: int = Field(ge=0)
    """How far training was, as people count it: updates, iterations, epochs or games."""
    index: int = Field(ge=0)
    """How many checkpoints came before it."""
    row: int = Field(ge=0)
    """How many rows of metrics the run had."""
    bytes: int
    sha256: str


class RunAgents(StrictModel):
    """The agents of a run and what plays them: `index.json`."""

    agent: str
    option: str
    format: AgentFormat
    board: str
    any_board: bool
    agents: list[RunAgent] = Field(default_factory=list)

    @property
    def trained(self) -> TrainedAgentSpec:
        """What plays them."""
        return TrainedAgentSpec(**self.model_dump(include=PLAYED_BY))


def stride(index: int) -> int:
    """The distance of the agents that are kept after so many checkpoints: 1, 2, 10, 20, 100 ...

    >>> [stride(index) for index in (20, 21, 41, 200, 201, 1000)]
    [1, 2, 10, 10, 20, 100]
    """
    distance, factor = 1, 2
    while index > MOST_BETWEEN * distance:
        distance, factor = distance * factor, 7 - factor
    return distance


def is_due(index: int) -> bool:
    """Whether the agent after so many checkpoints is kept even if it is not the last."""
    return index % stride(index) == 0


def keep_agent(run: Run, index: int, step: int, data: bytes, board: str | None = None) -> None:
    """Keep the agent of a checkpoint as a file, and remove those that are not kept any more.

    `board` is the one that it has learned, if not the one of `TrainedAgentSpec.board`.
    """
    known = agents_of(run) or _new_agents(run, board)
    folder = make_folder(run.folder / FOLDER, "LUDEX_RUNS")
    write_bytes(file_of(run, known, step), data)
    new = RunAgent(step=step, index=index, row=run.rows(), bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    every = stride(index)
    agents = [*(agent for agent in known.agents if agent.index < index and agent.index % every == 0), new]
    changed = known.model_copy(update={"agents": agents})
    run.write(f"{FOLDER}/{INDEX}", json.dumps(changed.model_dump()) + "\n")
    names = {INDEX, *(file_of(run, known, agent.step).name for agent in agents)}
    for path in folder.iterdir():
        if path.name not in names:
            path.unlink(missing_ok=True)


def agents_of(run: Run) -> RunAgents | None:
    """The agents that a run keeps, by step; None if it keeps none. Raises `BadRun`."""
    path = run.folder / FOLDER / INDEX
    if not path.is_file():
        return None
    where = f"run {run.name!r}: {FOLDER}/{INDEX}"
    return validate(RunAgents, parse_json(read_text(path, BadRun), where, BadRun), where, BadRun)


def find_agent(name: str) -> tuple[Run, RunAgents, RunAgent]:
    """The agent of `NAME@STEP`, the last one of `NAME`. Raises `UnknownAgent` if it is not kept."""
    run_name, at, step = name.rpartition("@") if "@" in name else (name, "", "")
    try:
        run = find_run(runs_folder(), run_name)
    except BadRun as error:
        raise UnknownAgent(f"{RUN}{name}: no run is called {run_name!r}") from error
    agents = agents_of(run)
    if agents is None or not agents.agents:
        raise UnknownAgent(f"{RUN}{name}: the run keeps no agents, or none yet")
    if not at:
        return run, agents, agents.agents[-1]
    for agent in agents.agents:
        if str(agent.step) == step:
            return run, agents, agent
    known = ", ".join(str(agent.step) for agent in agents.agents)
    raise UnknownAgent(f"{RUN}{name}: no agent of step {step!r} is kept; those of {run_name} are {known}")


def pin_reference(reference: str) -> str:
    """The reference with its step: what `run:NAME` names now, though training goes on. Raises `UnknownAgent`."""
    name, values = split_reference(reference)
    if not name.startswith(RUN) or "@" in name:
        return reference
    run, _, agent = find_agent(name.removeprefix(RUN))
    return join_reference(reference_of(run, agent), values)


def reference_of(run: Run, agent: RunAgent) -> str:
    """What stands wherever an agent is named."""
    return f"{RUN}{run.name}@{agent.step}"


def run_agent(game_spec: GameSpec, name: str) -> AgentSpec:
    """What `run:NAME@STEP` plays as. Raises `UnknownAgent` if there is none of this game."""
    run, agents, agent = find_agent(name)
    if run.game != game_spec.id:
        raise UnknownAgent(f"{RUN}{name} plays {run.game}, not {game_spec.id}")
    boards = None if agents.any_board else (agents.board,)
    summary = f"run {run.name} at step {agent.step}"
    return trained_agent(game_spec, agents.agent, agents.option, file_of(run, agents, agent.step), boards, summary)


def _new_agents(run: Run, board: str | None) -> RunAgents:
    """What plays the agents of a run that keeps none yet."""
    from ludex.learn.trainings import training_of_run

    game_spec = spec(run.game)
    training = training_of_run(game_spec, run)
    if training.trained is None:
        raise BadRun(f"run {run.name!r}: the training of {run.game} does not say what plays its agents")
    trained = training.trained
    if board is None and trained.board is not None:
        config = parse_config(training.config, run.config_text, f"{run.name}/config.yaml")
        board = getattr(config, trained.board)
    played_by: dict[str, Any] = {name: getattr(trained, name) for name in PLAYED_BY}
    return RunAgents(**played_by, board=board_options(run.game, board)[1])


def file_of(run: Run, agents: RunAgents, step: int) -> Path:
    """The file of the agent of a step."""
    return run.folder / FOLDER / f"{step}.{agents.format}"
