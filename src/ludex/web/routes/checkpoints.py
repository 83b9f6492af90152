"""Checkpoints of runs as opponents, and trained agents that are kept as levels."""

import asyncio
import base64
import binascii
from typing import Annotated, Final

from fastapi import APIRouter, Path, Response
from pydantic import Field

from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.kept_agents import LONGEST_TITLE, KeptAgent, find_kept, kept_agents, remove
from ludex.core.options import KEPT, RUN
from ludex.core.spec import AgentFormat
from ludex.core.web_files import renderer_of
from ludex.learn.exchange import export_agent, import_file, keep_from_run
from ludex.learn.run_agents import agents_of, reference_of
from ludex.web.administrators import record_action
from ludex.web.answers import StrictRoute
from ludex.web.boards import board, board_title, game_title
from ludex.web.errors import BadRequest, problems
from ludex.web.routes.runs import find_run
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.state import Administrator, State

router = APIRouter(tags=["checkpoints"], route_class=StrictRoute)
RunName = Annotated[str, Path(max_length=256)]
Step = Annotated[int, Path(ge=0, le=1 << 53)]
KeptName = Annotated[str, Path(max_length=64)]
FAILS: Final = ("unknown_run", "unknown_agent", "data", "bad_request", "unknown_game", "unknown_preset", "broken_game")
WRITES: Final = ("administrator_only", "wrong_origin", "too_large", "not_json", "usage")
FILE: Final = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


class CheckpointLine(Document):
    """An agent that a run keeps."""

    step: int
    """How far training was: updates, iterations, epochs or games."""
    row: int
    """How many rows of metrics the run had."""
    agent: str
    """What stands in the seats of a new match."""
    bytes: int


class RunCheckpoints(Document):
    """The agents that a run keeps, by step; none where its training keeps none."""

    name: str
    game: str
    players: int
    """0 if there are none."""
    preset: str | None
    """The board that they have learned; None if there are none."""
    board: Texts | None
    renderer: str | None
    """The folder that draws the game; None: the generic board."""
    checkpoints: list[CheckpointLine]


class KeptAgentLine(Document):
    """A trained agent that was kept as a level."""

    name: str
    agent: str
    """What stands in the seats of a new match."""
    title: str
    game: str
    names: Texts
    preset: str
    board: Texts
    players: int
    format: AgentFormat
    bytes: int
    origin: str
    """Where it comes from: an agent of a run, or an imported file."""
    created_utc: str


class KeptAgents(Document):
    """Every trained agent that was kept, the oldest first."""

    agents: list[KeptAgentLine]
    broken: list[str]
    """Why others cannot be read."""


class KeepRequest(RequestBody):
    """An agent of a run to keep as a level."""

    run: str = Field(min_length=1, max_length=256)
    step: int = Field(ge=0, le=1 << 53)
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)


class ImportRequest(RequestBody):
    """A file of a trained agent to keep as a level."""

    game: str = Field(min_length=1, max_length=64)
    preset: str = Field(min_length=1, max_length=256)
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    file_name: str = Field(min_length=1, max_length=128)
    content: str = Field(min_length=1)
    """The file's bytes in Base64."""


def checkpoints_of(name: str) -> RunCheckpoints:
    """The agents that a run keeps."""
    run = find_run(name)
    trained, game = agents_of(run), run.game
    if trained is None:
        # The game of an old run need not be installed any more.
        return RunCheckpoints(
            name=run.name, game=game, players=0, preset=None, board=None, renderer=None, checkpoints=[]
        )
    return RunCheckpoints(
        name=run.name,
        game=game,
        players=board(game, trained.board).info.players,
        preset=trained.board,
        board=board_title(game, trained.board),
        renderer=None if renderer_of(registry.spec(game)) is None else game,
        checkpoints=[
            CheckpointLine(step=agent.step, row=agent.row, agent=reference_of(run, agent), bytes=agent.bytes)
            for agent in trained.agents
        ],
    )


def kept_line(agent: KeptAgent) -> KeptAgentLine:
    """A kept agent as a page lists it."""
    return KeptAgentLine(
        name=agent.name,
        agent=agent.reference,
        title=agent.title,
        game=agent.game,
        names=game_title(agent.game),
        preset=agent.board,
        board=board_title(agent.game, agent.board),
        players=board(agent.game, agent.board).info.players,
        format=agent.format,
        bytes=agent.bytes,
        origin=agent.origin,
        created_utc=agent.created_utc,
    )


def kept_list() -> KeptAgents:
    """Every kept agent; one of a game that is gone must not hide the others."""
    readable, faults = kept_agents()
    agents, broken = [], [fault.message for fault in faults]
    for agent in readable:
        try:
            agents.append(kept_line(agent))
        except LudexError as error:
            broken.append(f"{agent.title}: {error.message}")
    return KeptAgents(agents=agents, broken=broken)


def keep_upload(request: ImportRequest) -> KeptAgent:
    """Check and keep the file of a request. Raises `BadNet` that names what is wrong with it."""
    try:
        data = base64.b64decode(request.content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRequest("content: expected the bytes of a file in Base64") from error
    if not request.file_name.isprintable():
        raise BadRequest("file_name: expected printable characters")
    return import_file(request.game, request.preset, request.title, data, request.file_name)


@router.get("/api/runs/{name}/checkpoints", responses=problems(*FAILS))
async def checkpoints(name: RunName) -> RunCheckpoints:
    """The agents that a run keeps, by step: each is an opponent under the name in `agent`."""
    return await asyncio.to_thread(checkpoints_of, name)


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
    name = f"{request.run}@{request.step}"
    await record_action(state.database, administrator, "keep agent", f"{RUN}{name} {request.title!r}")
    agent = await asyncio.to_thread(keep_from_run, name, request.title)
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
