"""Matches: begin, read, change, analyse."""

import math
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Query, Request, Response

from ludex.arena.entrants import FOREIGN
from ludex.core.editing import draft_of
from ludex.core.errors import SeatTaken
from ludex.core.record import MatchFile, match_file
from ludex.core.registry import resolve, supports
from ludex.operations.permissions import VISITOR, Permissions
from ludex.store.timing import format_utc
from ludex.web.administrators import Administrator, record_action
from ludex.web.answers import StrictRoute, wait_for_disconnect
from ludex.web.boards import public_game
from ludex.web.editing import EditedPosition, edited_position
from ludex.web.errors import BadRequest, TooManyEmotes, problems
from ludex.web.matches import agreements, moves
from ludex.web.matches import policy as may
from ludex.web.matches.creation import draft_import
from ludex.web.matches.model import MatchSnapshot
from ludex.web.matches.service import EMOTES, require_version
from ludex.web.matches.view import is_of
from ludex.web.matches.writer import MatchWriter
from ludex.web.offload import TooLong
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

WATCHED: Final = timedelta(minutes=20)
"""A live match without a move for so long is not listed for others to watch."""
MOST_WATCHED: Final = 20
router = APIRouter(prefix="/api/matches", tags=["matches"], route_class=StrictRoute)

UNPREPARED: Final = ("preparing", "kernels_failed")
ONE: Final = (
    *("unknown_match", "bad_request", "damaged_match", "broken_game", "unknown_game", "unknown_preset"),
    *UNPREPARED,
)
"""How every route of one match may fail: a stored match may be of a game that is not installed any more."""
WRITES: Final = ("wrong_origin", "too_large")
BEGINS: Final = (
    *(*WRITES, "bad_request", "usage", "unknown_game", "unknown_preset", "unknown_agent", "too_many_matches"),
    *("disk_quota", "data", *UNPREPARED),
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


def _board_model(snapshot: MatchSnapshot) -> BoardModel:
    hook, game = snapshot.spec.screen.board_model, snapshot.game
    return BoardModel(
        game=snapshot.spec.id,
        preset=game.info.preset,
        stage=None if hook is None else resolve(hook)(game),
        agents=[agent for agent in snapshot.spec.agents if supports(game, agent)],
    )


async def _agree(
    state: AppState,
    match_id: str,
    version: int,
    person: str,
    agreement: Callable[[MatchWriter, MatchSnapshot, str], Awaitable[MatchSnapshot]],
) -> MatchView:
    snapshot = await state.matches.load(match_id)
    require_version(snapshot, version)
    return await state.matches.show(await agreement(state.matches.writer, snapshot, person), person)


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
    page, seatings = await state.matches.cache.page(limit + 1, game, before, person if yours else None)
    return await state.matches.show_list(page[:limit], seatings, person, more=len(page) > limit)


@router.get("/live", responses=problems())
async def live(state: State, person: Person) -> MatchList:
    """The matches that other people play now, the newest first."""
    page, seatings = await state.matches.cache.live_matches(MOST_WATCHED, format_utc(datetime.now(UTC) - WATCHED))
    others = [match for match in page if not is_of(seatings.get(match.id), person)]
    return await state.matches.show_list(others, seatings, person)


@router.post("", status_code=201, responses=problems(*BEGINS))
async def begin(state: State, person: Person, administrator: PerhapsAdministrator, request: NewMatch) -> MatchView:
    """Begin a match. The administrator may name classes and programs that the server's owner has allowed."""
    return await state.matches.begin(request, person, await _permit(state, administrator, request.seats))


@router.post("/import", status_code=201, responses=problems(*BEGINS, "data"))
async def read(state: State, person: Person, file: Annotated[dict[str, Any], Body()]) -> MatchView:
    """Take a match from a file that `/file` or `ludex replay --export` wrote; one that was changed is refused."""
    matches, most = state.matches, state.settings.replay_ms
    await matches.quota.require(person)
    parsed = await matches.offload.run(MatchFile.parse, file, "the file")
    await matches.preparation.wait_for(parsed.record.game)
    game = await matches.offload.run(public_game, parsed.record.game, parsed.record.preset)
    try:
        match = await matches.cache.replay(game, len(parsed.moves), parsed.replaying(game), most / 1000)
    except TooLong:
        message = f"the file: this server replays a match for {most} ms at most, and this takes longer"
        raise BadRequest(message) from None
    draft = await matches.offload.run(draft_import, match, parsed.record.agents, person)
    return await matches.show(await matches.writer.begin(draft), person)


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
    await state.matches.writer.delete(await state.matches.load_permitted(match_id, person, may.check_delete))


@router.get("/{match_id}/stage", responses=problems(*ONE))
async def stage(state: State, match_id: str) -> BoardModel:
    """What never changes during a match."""
    return await state.matches.offload.run(_board_model, await state.matches.load(match_id))


@router.get("/{match_id}/legal", responses=problems(*ONE, "secret"))
async def legal(state: State, person: Person, match_id: str) -> LegalMoves:
    """Every legal move, for a renderer that knows nothing else of the game."""
    snapshot = await state.matches.load_permitted(match_id, person, may.check_legal)
    kind = (*snapshot.board, "legal")
    legal_moves = await state.matches.offload.run_rules(kind, moves.legal_moves, snapshot)
    return LegalMoves(version=snapshot.version, moves=legal_moves)


@router.post("/{match_id}/undo", responses=problems(*CHANGES, "secret", "clocked", "draw_offered"))
async def undo(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Go back to this person's previous turn; against another person, ask for it, or accept what they ask."""
    matches, version = state.matches, request.version
    snapshot = await matches.load(match_id)
    if not may.needs_consent(snapshot, person):
        return await matches.replace(match_id, version, person, may.check_undo, moves.undo_for)
    require_version(snapshot, version)
    return await matches.show(await agreements.take_back(matches.writer, snapshot, person), person)


@router.post("/{match_id}/resign", responses=problems(*CHANGES))
async def resign(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Resign the match."""
    return await state.matches.resign(match_id, request.version, person)


@router.put("/{match_id}/pace", responses=problems(*ONE, *WRITES, "not_your_seat", "move"))
async def pace(state: State, person: Person, match_id: str, request: PaceRequest) -> MatchView:
    """Pause a match between agents, or let it go on at a speed; the person who began it may."""
    matches, least = state.matches, state.settings.pace_ms
    snapshot = await matches.load_permitted(match_id, person, may.check_pace)
    if request.ms is not None and request.ms < least:
        raise BadRequest(f"ms: this server has {least} ms between two moves at least, found {request.ms}")
    # A search that runs is abandoned and begins again.
    snapshot = await matches.cache.set_pace(snapshot, request.paused, request.ms)
    matches.writer.announce(snapshot)
    return await matches.show(snapshot, person)


@router.post("/{match_id}/step", responses=problems(*ONE, *WRITES, "not_your_seat", "move"))
async def step(state: State, person: Person, match_id: str) -> MatchView:
    """Have the agent to move of a paused match play one move."""
    snapshot = await state.matches.load_permitted(match_id, person, may.check_pace)
    if not snapshot.paused:
        raise BadRequest("a step is one move of a paused match, and this one is not paused: pause it first")
    state.matches.engine_turns.step(snapshot)
    return await state.matches.show(snapshot, person)


@router.post("/{match_id}/try", responses=problems(*ONE, *WRITES, "secret"))
async def judge(state: State, person: Person, match_id: str, request: TrialRequest) -> Trial:
    """Whether a move would be accepted now, or why not; nothing is played."""
    snapshot = await state.matches.load_permitted(match_id, person, may.check_legal)
    return await state.matches.offload.run_rules((*snapshot.board, "try"), moves.try_move, snapshot, request.text)


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
    gone, matches = partial(wait_for_disconnect, connection), state.matches
    permissions = await _permit(state, administrator, [request.agent or ""])
    matches.require_movetime(request.movetime_ms)
    return await matches.analysis.analyse(await matches.load(match_id), request, person, gone, permissions)


@router.post(
    "/{match_id}/edit", responses=problems(*ONE, *WRITES, "usage", "data", "move", "not_your_seat", "no_help", "secret")
)
async def edit(state: State, person: Person, match_id: str, request: EditMatchRequest) -> EditedPosition:
    """The position of a ply in the game's editor; in a live match it counts as engine help."""
    matches = state.matches
    snapshot = await matches.load(match_id)
    plies = snapshot.match.ply
    ply = plies if request.ply is None else request.ply
    if ply > plies:
        raise BadRequest(f"ply: the match has plies 0..{plies}, found {ply}")
    may.check_analysis(snapshot, person, ply)
    snapshot = await matches.analysis.record_help(snapshot, person, "analysis")
    return await matches.offload.run(lambda: edited_position(draft_of(snapshot.match.branch(ply))))


@router.get("/{match_id}/facts", responses=problems(*ONE, *SEARCHES))
async def facts(state: State, person: Person, match_id: str) -> MatchFactsView:
    """What takes time to compute of a finished match, such as the luck it took; computed once, in a worker."""
    return MatchFactsView(facts=await state.matches.facts.of(await state.matches.load(match_id), person))


@router.post("/{match_id}/invitation", responses=problems(*ONE, "wrong_origin", "not_your_seat", "seat_taken"))
async def invite(state: State, person: Person, match_id: str) -> Invitation:
    """A link that gives the open seat to the first person who follows it."""
    snapshot = await state.matches.load_permitted(match_id, person, may.check_invitation)
    if not snapshot.open_seats:
        raise SeatTaken("no seat of the match is open")
    player = snapshot.open_seats[0]
    token = state.seats.invitation(snapshot.id, player)
    return Invitation(path=f"/join/{snapshot.id}?invitation={token}", player=player)


@router.post("/{match_id}/join", responses=problems(*ONE, *WRITES, "bad_invitation", "seat_taken"))
async def join(state: State, person: Person, match_id: str, request: JoinRequest) -> MatchView:
    """Take the seat that an invitation gives; its holder keeps it."""
    matches = state.matches
    snapshot = await matches.load(match_id)
    player = state.seats.invited_to(request.invitation, snapshot.id)
    if player not in snapshot.seats_of(person):
        snapshot = await matches.cache.take_seat(snapshot, player, person)
        matches.writer.clocks.track(snapshot, new=True)
        matches.writer.announce(snapshot)
    return await matches.show(snapshot, person)


@router.post(
    "/{match_id}/rematch", responses=problems(*ONE, "too_many_matches", "disk_quota", *REMATCHES, "seat_taken")
)
async def rematch(state: State, person: Person, match_id: str) -> MatchView:
    """Offer the other person a rematch with swapped seats, or accept theirs: the new match either way."""
    snapshot = await state.matches.load(match_id)
    return await state.matches.show(await state.matches.rematches.offer_or_accept(snapshot, person), person)


@router.post("/{match_id}/rematch/decline", responses=problems(*ONE, *REMATCHES, "no_rematch"))
async def decline_rematch(state: State, person: Person, match_id: str) -> MatchView:
    """Decline the rematch that the other person offers; it is deleted, and the person who waits in it is notified."""
    snapshot = await state.matches.load(match_id)
    await state.matches.rematches.decline(snapshot, person)
    return await state.matches.show(snapshot, person)


@router.post("/{match_id}/draw", responses=problems(*CHANGES, "draw_offered"))
async def draw(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Offer the other person a draw, or accept theirs, which ends the match; every move withdraws an offer."""
    return await _agree(state, match_id, request.version, person, agreements.offer_draw)


@router.post("/{match_id}/draw/decline", responses=problems(*CHANGES, "no_draw_offer"))
async def decline(state: State, person: Person, match_id: str, request: VersionRequest) -> MatchView:
    """Decline the other person's offer, of a draw or of a move taken back, or withdraw one's own."""
    return await _agree(state, match_id, request.version, person, agreements.end_draw_offer)


@router.post("/{match_id}/emotes", status_code=204, responses=problems(*ONE, *WRITES, "not_your_seat"))
async def emote(state: State, person: Person, match_id: str, request: EmoteRequest) -> None:
    """Give the other person a sign, which both see once; it is not stored."""
    # Who looks at the match on another server does not see it.
    writer = state.matches.writer
    snapshot = await writer.latest(match_id)
    may.check_emote(snapshot, person)
    if seconds := state.matches.emotes.take(person):
        raise TooManyEmotes(f"{EMOTES} signs at once, then one every few seconds", math.ceil(seconds))
    writer.hub.send_emote(match_id, snapshot.seats_of(person)[0], request.emote, snapshot.holders)


@router.get("/{match_id}/file", responses=problems(*ONE, "secret"), response_model=dict[str, Any])
async def file(state: State, person: Person, match_id: str) -> Response:
    """The match as a file, seed and all; while it is live only where nothing is secret."""
    name = f'attachment; filename="ludex-{match_id}.json"'
    snapshot = await state.matches.load_permitted(match_id, person, may.check_download)
    text = await state.matches.offload.run(match_file, snapshot.match, snapshot.agents)
    return Response(text, media_type="application/json", headers={"Content-Disposition": name})
