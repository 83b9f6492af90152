"""Positions that people edit: drawn by the game's renderer, analysed by workers, and the beginning of matches."""

import base64
import binascii
from typing import Any, cast

from ludex.core import registry
from ludex.core.editing import Draft, Setting, Tool, editor_of, read_draft, read_file
from ludex.core.errors import Unsupported
from ludex.core.game import Json
from ludex.operations.permissions import VISITOR
from ludex.web.boards import board_title, game_title, public_game
from ludex.web.errors import BadRequest
from ludex.web.offload import Offload
from ludex.web.schemas.base import Document, Texts
from ludex.web.schemas.requests import EditAnalysisRequest, EditRequest, NewMatch
from ludex.web.teaching import ShownPosition, scene_document
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.task import Task

PUBLIC_SEED = 0
"""Of analyses: what is hidden is drawn the same way each time, and no match has it."""


class EditedPosition(Document):
    """A position while it is edited; whether the rules allow it is found by analysing it or playing on."""

    game: str
    names: Texts
    board: str
    """The preset with its options."""
    title: Texts
    text: str
    """The whole position; the next request brings it back."""
    position: ShownPosition
    """The moves of its scene are the places that can be clicked."""
    tools: list[Tool]
    settings: list[Setting]


async def first_position(
    pool: WorkerPool, offload: Offload, request: NewMatch, person: str, seed: int
) -> tuple[str, Json]:
    """The board and the position that a new match begins with, what is hidden drawn from its seed."""
    assert request.position is not None
    board = (await offload.run(public_game, request.game, request.preset)).info.preset
    await offload.run(editor_of, request.game)
    search = pool.begin(_task(request.game, board, request.position, seed, "", None, begins=True), person)
    try:
        first = await search.facts()
    finally:
        search.abandon()
    return str(first["preset"]), cast(Json, first["position"])


def edited_position(draft: Draft) -> EditedPosition:
    """A draft as the page shows it."""
    game = draft.game
    info = game.info
    return EditedPosition(
        game=info.id,
        names=game_title(info.id),
        board=info.preset,
        title=board_title(info.id, info.preset),
        text=draft.text,
        position=_show_position(draft),
        tools=[*draft.tools],
        settings=[*draft.settings],
    )


def edit(game: str, request: EditRequest) -> EditedPosition:
    """A position with its changes. Raises `LudexError` for one that the editor refuses."""
    board = public_game(game, request.board)
    if request.file is None:
        draft = read_draft(board, request.text, public_game)
    else:
        try:
            data = base64.b64decode(request.file.data, validate=True)
        except binascii.Error as error:
            raise BadRequest(f"file.data: expected base64: {error}") from error
        draft = read_file(board, request.file.name, data, public_game)
    for change in request.changes:
        draft = draft.put(change.name, change.value) if change.kind == "put" else draft.set(change.name, change.value)
    return edited_position(draft)


def analysis_task(game: str, request: EditAnalysisRequest) -> Task:
    """The search of an edited position. Raises `LudexError` for an agent that a visitor may not have play it."""
    require_explanations(game, request.about)
    board = editor_of(game).read(public_game(game, request.board), request.text).game
    agent = registry.default_analyst(board) if request.agent is None else request.agent
    VISITOR.check_agent(board, agent)
    return _task(game, request.board, request.text, PUBLIC_SEED, agent, request.movetime_ms, about=request.about)


def require_explanations(game: str, place: str | None) -> None:
    """Raise `Unsupported` if a place of a game's board is to be explained, and the game explains none."""
    if place is not None and registry.spec(game).screen.explain is None:
        raise Unsupported(f"about: {game} explains no places of its board, only the best move")


def _task(game: str, board: str, text: str, seed: int, agent: str, movetime_ms: int | None, **options: Any) -> Task:
    return Task(game, board, seed, (), agent, movetime_ms, public_seed=True, addressed=True, draft=text, **options)


def _show_position(draft: Draft) -> ShownPosition:
    game = draft.game
    screen = registry.spec(game.info.id).screen
    model = None if screen.scene is None else screen.board_model
    return ShownPosition(
        preset=game.info.preset,
        board=None if model is None else registry.resolve(model)(game),
        scene=None
        if screen.scene is None
        else scene_document(registry.resolve(screen.scene)(game, draft.view, draft.places)),
        picture="" if screen.scene is not None else draft.text,
        # The board does not turn when the other player is to move.
        viewer=0,
        to_move=draft.to_move,
        players=game.info.players,
    )
