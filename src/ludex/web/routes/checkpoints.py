"""Checkpoints of runs as opponents, and trained agents that are kept as levels."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Response

from ludex.core.kept_agents import find_kept, remove
from ludex.core.options import KEPT, RUN
from ludex.learn.exchange import export_agent, keep_from_run
from ludex.learn.run_agents import find_agent, reference_of
from ludex.web.administrators import record_action
from ludex.web.checkpoints import MOST_PLIES, checkpoints_of, find_run, keep_upload, kept_line, kept_list, view_task
from ludex.web.errors import problems
from ludex.web.schemas.checkpoints import (
    CheckpointView,
    ImportRequest,
    KeepRequest,
    KeptAgentLine,
    KeptAgents,
    RunCheckpoints,
)
from ludex.web.state import Address, Administrator, Person, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(tags=["checkpoints"], route_class=StrictRoute)

RunName = Annotated[str, Path(max_length=256)]
Step = Annotated[int, Path(ge=0, le=1 << 53)]
KeptName = Annotated[str, Path(max_length=64)]
FAILS: Final = ("unknown_run", "unknown_agent", "data", "bad_request", "unknown_game", "unknown_preset", "broken_game")
SEARCHES: Final = ("too_busy", "agent_fault", "abandoned", "preparing", "kernels_failed", "usage")
WRITES: Final = ("administrator_only", "wrong_origin", "too_large", "not_json", "usage")
FILE: Final = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


@router.get("/api/runs/{name}/checkpoints", responses=problems(*FAILS))
async def checkpoints(name: RunName) -> RunCheckpoints:
    """The agents that a run keeps, by step: each is an opponent under the name in `agent`."""
    return await asyncio.to_thread(checkpoints_of, name)


@router.get("/api/runs/{name}/checkpoints/{step}/view", responses=problems(*FAILS, *SEARCHES))
async def view(
    state: State,
    person: Person,
    address: Address,
    name: RunName,
    step: Step,
    plies: Annotated[int, Query(ge=0, le=MOST_PLIES, description="random moves before the position")] = 0,
) -> CheckpointView:
    """What the agent would do at the beginning of a game, or after some moves, which are the same for every agent."""
    await asyncio.to_thread(find_run, name)
    run, kept, agent = await asyncio.to_thread(find_agent, f"{name}@{step}")
    reference = reference_of(run, agent)
    await state.preparation.require(run.game)
    task, position = await asyncio.to_thread(view_task, run.game, kept.board, reference, plies)
    search = state.pool.begin(task, person, lambda analysis: None, address=address)
    analysis = await search.result()
    return CheckpointView(agent=reference, step=step, plies=len(position.moves), position=position, analysis=analysis)


@router.get(
    "/api/runs/{name}/checkpoints/{step}/file",
    response_class=Response,
    responses={**problems(*FAILS), 200: FILE},
)
async def checkpoint_file(name: RunName, step: Step) -> Response:
    """The agent as a file that others can import: ONNX, safetensors or a ranking in JSON."""
    return await _file(f"{RUN}{name}@{step}")


@router.get("/api/agents", responses=problems())
async def kept() -> KeptAgents:
    """The trained agents that are kept as levels."""
    return await asyncio.to_thread(kept_list)


@router.post("/api/agents", status_code=201, responses=problems(*FAILS, *WRITES))
async def keep(state: State, administrator: Administrator, request: KeepRequest) -> KeptAgentLine:
    """Keep an agent of a run as a level of the home page, for the administrator."""
    agent = await asyncio.to_thread(keep_from_run, f"{request.run}@{request.step}", request.title)
    await record_action(state.database, administrator, "keep agent", f"{agent.reference} {agent.origin}")
    state.pool.forget(agent.game)
    return await asyncio.to_thread(kept_line, agent)


@router.post("/api/agents/import", status_code=201, responses=problems(*FAILS, *WRITES, "preparing", "kernels_failed"))
async def import_agent(state: State, administrator: Administrator, request: ImportRequest) -> KeptAgentLine:
    """Check a file, play some moves with it in a process of its own, and keep it as a level; for the administrator."""
    await state.preparation.require(request.game)
    await record_action(state.database, administrator, "import agent", f"{request.game} {request.file_name!r}")
    agent = await asyncio.to_thread(keep_upload, request)
    state.pool.forget(agent.game)
    return await asyncio.to_thread(kept_line, agent)


@router.get("/api/agents/{name}/file", response_class=Response, responses={**problems(*FAILS), 200: FILE})
async def kept_file(name: KeptName) -> Response:
    """A kept agent as a file that others can import."""
    return await _file(f"{KEPT}{name}")


@router.delete("/api/agents/{name}", status_code=204, responses=problems(*FAILS, *WRITES))
async def forget(state: State, administrator: Administrator, name: KeptName) -> None:
    """Forget a kept agent, for the administrator; the run that it came from is untouched."""
    agent = await asyncio.to_thread(find_kept, name)
    await record_action(state.database, administrator, "remove agent", agent.reference)
    await asyncio.to_thread(remove, name)
    state.pool.forget(agent.game)


async def _file(reference: str) -> Response:
    name, data = await asyncio.to_thread(export_agent, reference)
    disposition = f'attachment; filename="{name}"'
    return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": disposition})
