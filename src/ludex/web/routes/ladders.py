"""Ladders: how their bots are, and the WebSocket by which a bot connects; its other pages are those of a tournament."""

from typing import Final

from fastapi import APIRouter, WebSocket
from fastapi.responses import JSONResponse

from ludex.core.errors import BadTournament, LudexError
from ludex.remote.ladder import bot_of
from ludex.web.errors import UnknownTournament, problems
from ludex.web.ladders import LadderState
from ludex.web.routes.live import TRY_AGAIN
from ludex.web.routes.tournaments import TournamentName
from ludex.web.state import State
from ludex.web.strict_json import StrictRoute

router = APIRouter(tags=["tournaments"], route_class=StrictRoute)
BEARER: Final = "Bearer "


@router.get("/api/ladders/{name}", responses=problems("unknown_tournament"))
async def ladder(state: State, name: TournamentName) -> LadderState:
    """The bots of a ladder: who waits, plays, is away or paused."""
    try:
        return await state.ladders.state(name)
    except BadTournament as error:
        raise UnknownTournament(f"no ladder is called {name!r}") from error


@router.websocket("/api/ladders/{name}/bot")
async def bot(socket: WebSocket, name: str, state: State) -> None:
    """Ask an invited bot for its moves, which it answers by the number of the question."""
    token = socket.headers.get("authorization", "")
    try:
        saved = await state.ladders.saved(name)
    except BadTournament:
        await socket.send_denial_response(JSONResponse({"message": f"no ladder is called {name!r}"}, 404))
        return
    known = bot_of(saved, token.removeprefix(BEARER)) if token.startswith(BEARER) else None
    if known is None:
        await socket.send_denial_response(JSONResponse({"message": "the token is none of a bot of this ladder"}, 401))
        return
    await socket.accept()
    try:
        await state.ladders.ready(saved)
    except LudexError as error:
        await socket.close(TRY_AGAIN, error.code)
        return
    await state.ladders.play(saved, known, socket)
