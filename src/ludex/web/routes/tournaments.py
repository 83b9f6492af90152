"""Tournaments, ladders with the WebSocket by which a bot connects, and the leaderboard of the agents that ship."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, WebSocket
from fastapi.responses import JSONResponse

from ludex.core.errors import BadTournament, LudexError
from ludex.remote.ladder import bot_of
from ludex.web.answers import StrictRoute
from ludex.web.errors import UnknownTournament, problems
from ludex.web.ladders import LadderState
from ludex.web.leaderboard import Leaderboard
from ludex.web.people import PeopleOnBoards
from ludex.web.routes.live import TRY_AGAIN
from ludex.web.state import Person, State
from ludex.web.tournaments import GameList, TournamentDetail, TournamentList

router = APIRouter(tags=["tournaments"], route_class=StrictRoute)

TournamentName = Annotated[str, Path(max_length=64)]
Agent = Annotated[str | None, Query(max_length=1024)]
BEARER: Final = "Bearer "
ONE = ("unknown_tournament", "data", "bad_request")


@router.get("/api/tournaments", responses=problems())
async def list_tournaments(state: State) -> TournamentList:
    """Every saved tournament, the newest first."""
    return await asyncio.to_thread(state.tournaments.all)


@router.get("/api/tournaments/{name}", responses=problems(*ONE))
async def tournament(state: State, name: TournamentName) -> TournamentDetail:
    """A tournament, while it is played and afterwards: ratings, results and their history."""
    return await asyncio.to_thread(state.tournaments.detail, name)


@router.get("/api/tournaments/{name}/games", responses=problems(*ONE))
async def tournament_games(
    state: State,
    name: TournamentName,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[int | None, Query(ge=1, lt=1 << 31, description="only games of smaller numbers")] = None,
    agent: Agent = None,
    opponent: Agent = None,
) -> GameList:
    """Its games, newest first: all, an agent's, or those of two agents against each other."""
    agents = tuple(reference for reference in (agent, opponent) if reference is not None)
    return await asyncio.to_thread(state.tournaments.games, name, agents, before, limit)


@router.get("/api/leaderboard", responses=problems())
async def leaderboard(state: State) -> Leaderboard:
    """The strength of the agents that ship with their games, and the commands that measured it."""
    return await state.leaderboard.games()


@router.get("/api/leaderboard/people", responses=problems())
async def people(state: State, person: Person) -> PeopleOnBoards:
    """Other people beside the agents: those with a nickname, by their matches that count."""
    return await state.people.besides(person)


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
        saved = await state.ladders.open(name)
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
