"""Tournaments, and the leaderboard of the agents that ship."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query

from ludex.web.errors import problems
from ludex.web.leaderboard import Leaderboard
from ludex.web.people import PeopleOnBoards
from ludex.web.state import Person, State
from ludex.web.strict_json import StrictRoute
from ludex.web.tournaments import GameList, TournamentDetail, TournamentList

router = APIRouter(tags=["tournaments"], route_class=StrictRoute)

TournamentName = Annotated[str, Path(max_length=64)]
Agent = Annotated[str | None, Query(max_length=1024)]
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
