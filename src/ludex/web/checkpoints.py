"""Trained agents as documents: those of a run with what they would do, and those that were kept as levels."""

import base64
import binascii
from typing import Any, Final

from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.folders import runs_folder
from ludex.core.game import legal_actions
from ludex.core.illustration import Illustration, PositionSpec
from ludex.core.kept_agents import KeptAgent, kept_agents
from ludex.core.match import Match
from ludex.core.seeding import generator
from ludex.core.web_files import renderer_of
from ludex.learn.exchange import import_file
from ludex.learn.run_agents import agents_of, reference_of
from ludex.learn.runs import Run, list_runs
from ludex.web.boards import board, board_title, game_title
from ludex.web.errors import BadRequest, UnknownRun
from ludex.web.schemas.checkpoints import CheckpointLine, ImportRequest, KeptAgentLine, KeptAgents, RunCheckpoints
from ludex.web.schemas.teaching import ShownPosition
from ludex.web.teaching import shown_position
from ludex.web.workers.task import Task

SEED: Final = 7
"""Of the positions in which agents are shown."""
MOST_PLIES: Final = 60
VIEW_MS: Final = 300


def find_run(name: str) -> Run:
    """A run by its name. Raises `UnknownRun`."""
    known = {run.name: run for run in list_runs(runs_folder())}
    if name not in known:
        raise UnknownRun(f"no run is called {name!r}")
    return known[name]


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


def view_task(game: str, preset: str, agent: str, plies: int) -> tuple[Task, ShownPosition]:
    """A position after so many random moves, the same for every agent, and the search of an agent there."""
    match = _play_random_moves(Match(board(game, preset), seed=SEED), plies)
    spec = PositionSpec(board=match.game.info.preset, viewer=match.to_move)
    illustration = Illustration(game=match.game, state=match.state, spec=spec, moves=tuple(match.moves))
    return Task.of(match, match.ply, agent, VIEW_MS, public_seed=True), shown_position(illustration)


def _play_random_moves(match: Match[Any, Any], plies: int) -> Match[Any, Any]:
    """The match after so many random moves, none of which ends it: fewer if every other one would."""
    draws = generator(SEED, 0)
    while match.ply < plies:
        left = legal_actions(match.legal())
        while left:
            match.play(left.pop(draws.below(len(left))))
            if not match.over:
                break
            match.undo()
        else:
            return match
    return match


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
