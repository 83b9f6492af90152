"""A match as one person may see it, whole or as a line of a list."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ludex.core.errors import LudexError
from ludex.core.game import Mask, Outcome, Player
from ludex.core.hooks import as_json, as_message, try_hook
from ludex.core.log import logger
from ludex.core.messages import Message
from ludex.core.record import PERSON
from ludex.core.registry import resolve, spec
from ludex.core.rendering import ending, plain_picture
from ludex.core.scene import Scene
from ludex.store.hosting import Offer, Seating
from ludex.store.matches import DamagedMatch, ListedMatch, Page
from ludex.web.boards import agent_title, board_title, fill_message, game_title
from ludex.web.errors import BadRequest
from ludex.web.leaderboard import Levels
from ludex.web.matches.model import MatchSnapshot
from ludex.web.matches.policy import (
    is_public,
    is_rated,
    refusals,
    sees_moves_of,
    sees_search,
    viewer_of,
)
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Texts
from ludex.web.schemas.matches import (
    MatchClock,
    MatchLine,
    MatchList,
    MatchPace,
    MatchView,
    Permissions,
    PlayedMove,
    Rematch,
    Seat,
    StandingOffer,
)

log = logger("web.view")

HIDDEN = "?"
"""The text of a move that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class ViewContext:
    """What a view shows that its snapshot does not hold: equal contexts give a person equal views of a snapshot."""

    searching: bool
    waiting: int | None
    analysis: Analysis | None
    clock: MatchClock | None
    levels: Levels
    pace_ms: int
    nicknames: Mapping[str, str]
    rematch: Rematch | None


def match_view(
    snapshot: MatchSnapshot, person: str, context: ViewContext, ply: int | None = None, picture: bool = False
) -> MatchView:
    """The match after so many plies; after the last if None. With `picture` the board as text comes with any game."""
    match, stored, analysis, levels = snapshot.match, snapshot.stored, context.analysis, context.levels
    shown_ply = match.ply if ply is None else ply
    if not 0 <= shown_ply <= match.ply:
        raise BadRequest(f"ply: the match has plies 0..{match.ply}, found {shown_ply}")
    outcome, viewer, refused = match.outcome, viewer_of(snapshot, person, shown_ply), refusals(snapshot, person)
    scene, fault = (None, None) if viewer is None else _scene(snapshot, shown_ply, viewer)
    view = MatchView(
        id=snapshot.id,
        version=snapshot.version,
        game=snapshot.spec.id,
        title=snapshot.spec.title,
        preset=snapshot.game.info.preset,
        names=game_title(snapshot.spec.id),
        board=board_title(*snapshot.board),
        seats=_seats(snapshot, person, context.nicknames),
        practice=snapshot.practice,
        positioned=snapshot.match.position is not None,
        rated=is_rated(snapshot, levels) and bool(snapshot.seats_of(person)),
        help=[] if snapshot.hosting is None else [*snapshot.hosting.help],
        rematch=context.rematch,
        draw=_standing(snapshot.draw_offer, snapshot, person),
        takeback=_standing(snapshot.takeback_offer, snapshot, person),
        created_utc=stored.created_utc,
        begun_utc=stored.begun_utc,
        updated_utc=stored.updated_utc,
        ply=shown_ply,
        plies=match.ply,
        moves=[],
        live=snapshot.live,
        to_move=snapshot.game.to_move(match.positions[shown_ply]) if snapshot.live else None,
        phase=snapshot.game.phase(match.positions[shown_ply]),
        outcome=outcome,
        aborted=match.aborted,
        abort_message=match.abort_message,
        status=_status(snapshot, person),
        scene=scene,
        scene_fault=fault,
        picture=_picture(snapshot, shown_ply, viewer, wanted=picture or scene is None),
        can=Permissions(**{action: action not in refused for action in Permissions.model_fields}),
        why={action: reason.code for action, reason in refused.items()},
        coach=_coach(snapshot, person) if shown_ply == match.ply else None,
        searching=context.searching,
        waiting=context.waiting,
        analysis=analysis if analysis is not None and sees_search(snapshot, person, analysis.player, levels) else None,
        seed=None if snapshot.live else str(match.seed),
        game_of=snapshot.game_of,
        clock=context.clock,
        pace=_pace(snapshot, context.pace_ms),
    )
    view.write(_moves(snapshot, person))
    return view


def match_list(
    page: Page, seatings: Mapping[str, Seating], person: str, nicknames: Mapping[str, str], more: bool
) -> MatchList:
    """The lines of a list of matches, written, without a replay; a match that cannot be shown says why."""
    # Most matches of a page share their game, board, agents and result.
    facts_of = cache(partial(_line_facts, cache(_titles)))
    lines = [
        _damaged_line(match, seatings.get(match.id), person).model_dump_json()
        if isinstance(match, DamagedMatch)
        else _match_line(match, seatings.get(match.id), person, nicknames, facts_of)
        for match in page
    ]
    matches = MatchList(matches=[], before=page[-1].id if more else None)
    matches.write(",".join(lines))
    return matches


def _damaged_line(match: DamagedMatch, seating: Seating | None, person: str) -> MatchLine:
    unseated: dict[str, Any] = {name: [] for name in ("agents", "agent_titles", "nicknames", "you", "open")}
    nameless: dict[str, Any] = {name: {"en": "", "fr": ""} for name in ("names", "board")}
    return MatchLine(
        id=match.id,
        **dict.fromkeys(("game", "title", "preset"), ""),
        **unseated,
        **nameless,
        plies=0,
        live=False,
        status="Damaged.",
        result=Message("ludex.error_damaged_match").texts(),
        yours=is_of(seating, person),
        fault="the match is damaged: it cannot be read",
        created_utc=match.created_utc,
        updated_utc=match.updated_utc,
    )


class _Titles(NamedTuple):
    """What people call a game, a board and its agents; the names themselves where the game says why it cannot."""

    game: str
    names: Texts
    board: Texts
    agents: list[Texts | None]
    fault: str | None = None


def _titles(game: str, preset: str, agents: tuple[str, ...]) -> _Titles:
    try:
        titles = [_title(game, agent) for agent in agents]
        return _Titles(spec(game).title, game_title(game), board_title(game, preset), titles)
    except LudexError as error:
        names: list[Texts | None] = [{"en": agent, "fr": agent} for agent in agents]
        return _Titles(game, {"en": game, "fr": game}, {"en": preset, "fr": preset}, names, error.message)


def _line_facts(
    titles_of: Callable[[str, str, tuple[str, ...]], _Titles],
    game: str,
    preset: str,
    agents: tuple[str, ...],
    outcome: Outcome | None,
    aborted: str | None,
    you: tuple[bool, ...],
) -> str:
    """The fields that the lines of equal matches share, as JSON without its first brace."""
    titles = titles_of(game, preset, agents)
    facts = {
        "game": game,
        "title": titles.game,
        "preset": preset,
        "names": titles.names,
        "board": titles.board,
        "agents": agents,
        "agent_titles": titles.agents,
        "you": you,
        "live": outcome is None and aborted is None,
        "result": _result(outcome, aborted, titles, you),
        "fault": titles.fault,
    }
    return json.dumps(facts)[1:]


def _match_line(
    match: ListedMatch,
    seating: Seating | None,
    person: str,
    nicknames: Mapping[str, str],
    facts_of: Callable[..., str],
) -> str:
    """A `MatchLine` as JSON: to validate a hundred of them and write them one by one costs as much as to read them."""
    seats, players = {} if seating is None else seating.seats, range(len(match.agents))
    you = tuple([seats.get(player) == person for player in players])
    names = [_name(match.agents, player, is_own and sum(you) == 1) for player, is_own in enumerate(you)]
    own = {
        "id": match.id,
        "nicknames": [nicknames.get(seats.get(player) or "") for player in players],
        "open": [player in seats and seats[player] is None for player in players],
        "plies": match.plies,
        "status": ending(match.game, match.outcome, match.aborted, match.plies, names),
        "yours": is_of(seating, person),
        "created_utc": match.created_utc,
        "updated_utc": match.updated_utc,
    }
    facts = facts_of(match.game, match.preset, match.agents, match.outcome, match.aborted, you)
    return f"{json.dumps(own)[:-1]},{facts}"


def is_of(seating: Seating | None, person: str) -> bool:
    """Whether a person began a match or holds a seat of it."""
    return seating is not None and (seating.creator == person or person in seating.seats.values())


def _result(outcome: Outcome | None, aborted: str | None, titles: _Titles, yours: tuple[bool, ...]) -> Texts:
    """How a match ended, in a few words for its reader."""
    if outcome is None:
        return Message("ludex.result_live" if aborted is None else "ludex.result_aborted").texts()
    if len(outcome.scores) == 1:
        score = outcome.scores[0]
        result = "solved" if score > 0 else "unsolved" if score < 0 else "undecided"
        return Message(f"ludex.result_{result}").texts()
    winner = next((player for player, score in enumerate(outcome.scores) if score > 0), None)
    if winner is None:
        return Message("ludex.result_draw").texts()
    if yours.count(True) == 1:
        return Message("ludex.result_won" if yours[winner] else "ludex.result_lost").texts()
    title = titles.agents[winner] or Message("ludex.player", {"number": winner + 1}).texts()
    return fill_message("ludex.result_wins", "player", title)


def _seats(snapshot: MatchSnapshot, person: str, nicknames: Mapping[str, str]) -> list[Seat]:
    own_seats, still_open = snapshot.seats_of(person), snapshot.open_seats
    holders = {} if snapshot.hosting is None else snapshot.hosting.seats
    return [
        Seat(
            player=player,
            kind="person" if name == PERSON else "machine",
            name=name,
            title=_title(snapshot.spec.id, name),
            you=player in own_seats,
            open=player in still_open,
            nickname=nicknames.get(holders.get(player) or ""),
        )
        for player, name in enumerate(snapshot.agents)
    ]


def _title(game: str, name: str) -> Texts | None:
    return None if name == PERSON else agent_title(game, name)


def _standing(offer: Offer | None, snapshot: MatchSnapshot, person: str) -> StandingOffer | None:
    return (
        None if offer is None else StandingOffer(player=offer.player, yours=offer.player in snapshot.seats_of(person))
    )


def _pace(snapshot: MatchSnapshot, least_ms: int) -> MatchPace | None:
    if snapshot.hosting is None or not snapshot.live or not snapshot.without_people:
        return None
    ms = max(least_ms, snapshot.hosting.pace_ms or 0)
    return MatchPace(paused=snapshot.paused, ms=ms, least_ms=least_ms)


def _moves(snapshot: MatchSnapshot, person: str) -> str:
    """The plies as JSON, those hidden that the person may not know."""
    if is_public(snapshot):
        return ",".join(snapshot.move_texts)
    players = range(len(snapshot.agents))
    hidden = [PlayedMove(player=player, action=-1, text=HIDDEN).model_dump_json() for player in players]
    visible = [sees_moves_of(snapshot, person, player) for player in players]
    return ",".join(
        text if visible[move.player] else hidden[move.player]
        for text, move in zip(snapshot.move_texts, snapshot.match.moves, strict=True)
    )


def _status(snapshot: MatchSnapshot, person: str) -> str:
    """One sentence on the state of the match."""
    match, own_seats = snapshot.match, snapshot.seats_of(person)
    if not snapshot.live:
        names = [_name(snapshot.agents, player, own_seats == (player,)) for player in range(len(snapshot.agents))]
        game = match.game.info.id
        return ending(game, match.outcome, match.aborted, match.ply, names, match.abort_message)
    player = snapshot.to_move
    if player in own_seats:
        return "Your turn." if len(own_seats) == 1 else f"Player {player + 1}'s turn."
    if player in snapshot.open_seats:
        return f"Waiting for player {player + 1} to join."
    return f"{_name(snapshot.agents, player, yours=False)}'s turn."


def _scene(snapshot: MatchSnapshot, ply: int, player: Player) -> tuple[dict[str, Any] | None, str | None]:
    """The position from one player's view, or why the game cannot draw it; drawn once per snapshot."""
    if snapshot.spec.screen.scene is None:
        return None, None
    game, state = snapshot.game, snapshot.match.positions[ply]
    if game.info.information != "hidden" and game.view(state, player) is state:
        # Where the view is the position itself it is drawn once for all.
        player = 0
    drawn: dict[str, Any] | str = snapshot.cached_drawing(
        (ply, player, False), partial(_scene_document, snapshot, ply, player)
    )
    return (None, drawn) if isinstance(drawn, str) else (drawn, None)


def _coach(snapshot: MatchSnapshot, person: str) -> Texts | None:
    """What the person to move can do now, in words."""
    hook = snapshot.spec.screen.coach
    if hook is None or not snapshot.live or snapshot.to_move not in snapshot.seats_of(person):
        return None
    game, match = snapshot.game, snapshot.match

    def words() -> Texts:
        return as_message(resolve(hook)(game, game.view(match.state, snapshot.to_move), match.legal())).texts()

    return try_hook(game.info.id, "screen.coach", words, None)


def _scene_document(snapshot: MatchSnapshot, ply: int, player: Player) -> dict[str, Any] | str:
    """As JSON, or the reason why there is none."""
    screen = snapshot.spec.screen
    try:
        drawn = scene_at(snapshot, ply, player)
        if isinstance(drawn, Scene):
            marks = _marks_of_last_move(snapshot, ply, player, drawn)
            if ply == snapshot.match.ply:
                snapshot.scenes[player] = snapshot.match.state, drawn
            return drawn.document(*marks)
        history = screen.history
        if history is None:
            document: dict[str, Any] = drawn
            return document
        before = partial(resolve(history), snapshot.match, ply)
        return {**drawn, **try_hook(snapshot.spec.id, "screen.history", lambda: as_json(before()), {})}
    except Exception as error:
        # A third-party scene may raise anything; the match stays playable from its list of moves.
        reason = f"{screen.scene}: {type(error).__name__}: {error}"
        log.exception("cannot draw the scene", match=snapshot.id, ply=ply, error=reason)
        return reason


def scene_at(snapshot: MatchSnapshot, ply: int, player: Player) -> Any:
    """What the game draws of a position for a player."""
    game, state, reference = snapshot.game, snapshot.match.positions[ply], snapshot.spec.screen.scene
    assert reference is not None
    scene: Callable[..., Scene | dict[str, Any]] = resolve(reference)
    return scene(game, game.view(state, player), _legal(snapshot, ply, player))


def _marks_of_last_move(
    snapshot: MatchSnapshot, ply: int, player: Player, drawn: Scene
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cells of the move before a position and those that it changed besides, where the viewer could see it."""
    if ply == 0:
        return (), ()
    state, before = snapshot.scenes.get(player, (None, None))
    if state is not snapshot.match.positions[ply - 1]:
        before = scene_at(snapshot, ply - 1, player)
    if not isinstance(before, Scene):
        return (), ()
    text = snapshot.match.moves[ply - 1].text
    return before.cells_of(text), before.effects_of(text, drawn)


def _picture(snapshot: MatchSnapshot, ply: int, player: Player | None, *, wanted: bool) -> str:
    """The position as text. It costs up to a hundred times a move, so games with a scene send it on request only."""
    if player is None or not wanted:
        return ""
    draw = partial(plain_picture, snapshot.game, snapshot.match.positions[ply], player)
    drawn: str = snapshot.cached_drawing((ply, player, True), draw)
    return drawn


def _legal(snapshot: MatchSnapshot, ply: int, player: Player) -> Mask:
    """The mask of a position; empty where another player's would reveal secrets, and at the end."""
    game, state = snapshot.game, snapshot.match.positions[ply]
    ended = not snapshot.live and ply == snapshot.match.ply
    if ended or (game.info.information == "hidden" and game.outcome(state) is None and game.to_move(state) != player):
        return np.zeros(game.info.num_actions, np.bool_)
    return game.legal(state)


def _name(agents: tuple[str, ...], player: Player, yours: bool) -> str:
    name = agents[player]
    return name if name != PERSON or yours else f"Player {player + 1}"
