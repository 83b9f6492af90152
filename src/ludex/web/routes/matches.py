"""Matches: begin, read, change, analyse."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Query, Request, Response

from ludex.arena.entrants import FOREIGN
from ludex.operations.permissions import VISITOR, Permissions
from ludex.web.administrators import Administrator, record_action
from ludex.web.answers import disconnected
from ludex.web.editing import EditedPosition
from ludex.web.errors import problems
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.matches import BoardModel, Invitation, LegalMoves, MatchFactsView, MatchList, MatchView, Trial
from ludex.web.schemas.requests import (
    AnalysisRequest,
    EditMatchRequest,
    EmoteRequest,
    ForkRequest,
    JoinRequest,
    MoveRequest,
    NewMatch,
    PaceRequest,
    TrialRequest,
    VersionRequest,
)
from ludex.web.seats import person_of
from ludex.web.state import AppState, PerhapsAdministrator, Person, State, state_of
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api/matches", tags=["matches"], route_class=StrictRoute)

UNPREPARED: Final = ("preparing", "kernels_failed")
ONE: Final = (
    *("unknown_match", "bad_request", "damaged_match", "broken_game", "unknown_game", "unknown_preset"),
    *UNPREPARED,
)
"""How every route of one match may fail: a stored match may be of a game that is not installed any more."""
WRITES: Final = ("wrong_origin", "too_large")
BEGINS: Final = (
    *WRITES,
    *(
        "bad_request",
        "usage",
        "unknown_game",
        "unknown_preset",
        "unknown_agent",
        "too_many_matches",
        "disk_quota",
        "data",
    ),
    *UNPREPARED,
)
REMATCHES: Final = ("wrong_origin", "not_your_seat", "match_live")
SEARCHES: Final = ("too_busy", "agent_fault", "abandoned")
CHANGES: Final = (*ONE, *WRITES, "not_your_seat", "stale_match", "move")


async def _permit(state: AppState, administrator: Administrator | None, agents: Sequence[str]) -> Permissions:
    """What the caller may name; the programs and classes that the administrator names are in the audit log by then."""
    if administrator is None:
        return VISITOR
    for name in agents:
        if name.startswith(FOREIGN):
            await record_action(state.database, administrator, "run program", name)
    return state.settings.permissions


# Routes are tried in turn: the most frequent comes first.
@router.post("/{match_id}/moves", responses=problems(*CHANGES))
async def move(connection: Request, match_id: str, request: MoveRequest) -> MatchView:
    """Play a move, or several that one text stands for."""
    # Not as dependencies: to resolve both costs more than the rules of the move.
    state, person = await state_of(connection), await person_of(connection)
    return await state.matches.move(match_id, request, person)


@router.get("", responses=problems("bad_request", "unknown_match"))
async def matches(
    state: State,
    person: Person,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[str | None, Query(max_length=64)] = None,
    game: Annotated[str | None, Query(max_length=64, pattern=r"^[^\x00]*$")] = None,
    yours: bool = False,
) -> MatchList:
    """Matches, newest first: all, of one game, or those this person began or sits in."""
    return await state.matches.page(limit, before, game, yours, person)


@router.get("/live", responses=problems())
async def live(state: State, person: Person) -> MatchList:
    """The matches that other people play now, the newest first."""
    return await state.matches.live_matches(person)


@router.post("", status_code=201, responses=problems(*BEGINS))
async def begin(state: State, person: Person, administrator: PerhapsAdministrator, request: NewMatch) -> MatchView:
    """Begin a match. The administrator may name classes and programs that the server's owner has allowed."""
    return await state.matches.begin(request, person, await _permit(state, administrator, request.seats))


@router.post("/import", status_code=201, responses=problems(*BEGINS, "data"))
async def read(state: State, person: Person, file: Annotated[dict[str, Any], Body()]) -> MatchView:
    """Take a match from a file that `/file` or `ludex replay --export` wrote; one that was changed is refused."""
    return await state.matches.read(file, person)


@router.get("/{match_id}", responses=problems(*ONE))
async def match(
    state: State,
    person: Person,
    match_id: str,
    ply: Annotated[int | None, Query(ge=0, lt=1 << 31)] = None,
    picture: bool = False,
) -> MatchView:
    """A match as this person may see it, after so many plies or as it is; on request with its board as text."""
    return await state.matches.view(match_id, person, ply, picture=picture)


@router.delete("/{match_id}", status_code=204, responses=problems(*ONE, "wrong_origin", "not_your_seat"))
async def delete(state: State, person: Person, match_id: str) -> None:
    """Delete a match for all participants."""
    await state.matches.delete(match_id, person)


@router.get("/{match_id}/stage", responses=problems(*ONE))
async def stage(state: State, match_id: str) -> BoardModel:
    """What never changes during a match."""
    return await state.matches.stage(match_id)


@router.get("/{match_id}/legal", responses=problems(*ONE, "secret"))
async def legal(state: State, person: Person, match_id: str) -> LegalMoves:
    """Every legal move, for a renderer that knows nothing else of the game."""
    return await state.matches.legal(match_id, person)


@router.post("/{match_id}/undo", responses=problems(*CHANGES, "secret", "clocked", "draw_offered"))
async def undo(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Go back to this person's previous turn; against another person, ask for it, or accept what they ask."""
    return await state.matches.undo(match_id, request.version, person)


@router.post("/{match_id}/resign", responses=problems(*CHANGES))
async def resign(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Resign the match."""
    return await state.matches.resign(match_id, request.version, person)


@router.put("/{match_id}/pace", responses=problems(*ONE, *WRITES, "not_your_seat", "move"))
async def pace(state: State, person: Person, match_id: str, request: PaceRequest) -> MatchView:
    """Pause a match between agents, or let it go on at a speed; the person who began it may."""
    return await state.matches.set_pace(match_id, request, person)


@router.post("/{match_id}/step", responses=problems(*ONE, *WRITES, "not_your_seat", "move"))
async def step(state: State, person: Person, match_id: str) -> MatchView:
    """Have the agent to move of a paused match play one move."""
    return await state.matches.step(match_id, person)


@router.post("/{match_id}/try", responses=problems(*ONE, *WRITES, "secret"))
async def judge(state: State, person: Person, match_id: str, request: TrialRequest) -> Trial:
    """Whether a move would be accepted now, or why not; nothing is played."""
    return await state.matches.judge(match_id, request.text, person)


@router.post(
    "/{match_id}/fork", status_code=201, responses=problems(*ONE, *BEGINS, "not_your_seat", "no_help", "secret")
)
async def fork(
    state: State, person: Person, administrator: PerhapsAdministrator, match_id: str, request: ForkRequest
) -> MatchView:
    """Begin a match from a ply of this one."""
    permissions = await _permit(state, administrator, request.seats)
    return await state.matches.fork(match_id, request, person, permissions)


@router.post(
    "/{match_id}/analysis",
    responses=problems(
        *ONE, *WRITES, "usage", "move", "unknown_agent", "not_your_seat", "no_help", "secret", *SEARCHES
    ),
)
async def analysis(
    state: State,
    person: Person,
    administrator: PerhapsAdministrator,
    match_id: str,
    request: AnalysisRequest,
    connection: Request,
) -> Analysis:
    """An agent's analysis of a ply. A caller who watches the match sees it improve."""
    gone = partial(disconnected, connection)
    permissions = await _permit(state, administrator, [request.agent or ""])
    return await state.matches.analyse(match_id, request, person, gone, permissions)


@router.post(
    "/{match_id}/edit",
    responses=problems(*ONE, *WRITES, "usage", "data", "move", "not_your_seat", "no_help", "secret"),
)
async def edit(state: State, person: Person, match_id: str, request: EditMatchRequest) -> EditedPosition:
    """The position of a ply in the game's editor; in a live match it counts as engine help."""
    return await state.matches.edit(match_id, request.ply, person)


@router.get("/{match_id}/facts", responses=problems(*ONE, *SEARCHES))
async def facts(state: State, person: Person, match_id: str) -> MatchFactsView:
    """What takes time to compute of a finished match, such as the luck it took; computed once, in a worker."""
    return await state.matches.facts(match_id, person)


@router.post("/{match_id}/invitation", responses=problems(*ONE, "wrong_origin", "not_your_seat", "seat_taken"))
async def invite(state: State, person: Person, match_id: str) -> Invitation:
    """A link that gives the open seat to the first person who follows it."""
    return await state.matches.invite(match_id, person)


@router.post("/{match_id}/join", responses=problems(*ONE, *WRITES, "bad_invitation", "seat_taken"))
async def join(state: State, person: Person, match_id: str, request: JoinRequest) -> MatchView:
    """Take the seat that an invitation gives; its holder keeps it."""
    return await state.matches.join(match_id, request.invitation, person)


@router.post(
    "/{match_id}/rematch", responses=problems(*ONE, "too_many_matches", "disk_quota", *REMATCHES, "seat_taken")
)
async def rematch(state: State, person: Person, match_id: str) -> MatchView:
    """Offer the other person a rematch with swapped seats, or accept theirs: the new match either way."""
    return await state.matches.rematch(match_id, person)


@router.post("/{match_id}/rematch/decline", responses=problems(*ONE, *REMATCHES, "no_rematch"))
async def decline_rematch(state: State, person: Person, match_id: str) -> MatchView:
    """Decline the rematch that the other person offers; it is deleted, and the person who waits in it is notified."""
    return await state.matches.decline_rematch(match_id, person)


@router.post("/{match_id}/draw", responses=problems(*CHANGES, "draw_offered"))
async def draw(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Offer the other person a draw, or accept theirs, which ends the match; every move withdraws an offer."""
    return await state.matches.draw(match_id, request.version, person)


@router.post("/{match_id}/draw/decline", responses=problems(*CHANGES, "no_draw_offer"))
async def decline(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Decline the other person's offer, of a draw or of a move taken back, or withdraw one's own."""
    return await state.matches.decline_draw(match_id, request.version, person)


@router.post("/{match_id}/emotes", status_code=204, responses=problems(*ONE, *WRITES, "not_your_seat"))
async def emote(state: State, person: Person, match_id: str, request: EmoteRequest) -> None:
    """Give the other person a sign, which both see once; it is not stored."""
    await state.matches.emote(match_id, request.emote, person)


@router.get("/{match_id}/file", responses=problems(*ONE, "secret"), response_model=dict[str, Any])
async def file(state: State, person: Person, match_id: str) -> Response:
    """The match as a file, seed and all; while it is live only where nothing is secret."""
    name = f'attachment; filename="ludex-{match_id}.json"'
    text = await state.matches.file(match_id, person)
    return Response(text, media_type="application/json", headers={"Content-Disposition": name})
