"""A match as one person may see it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludex.arena.picture import ending, plain_picture
from ludex.core.game import Mask, Player
from ludex.core.match import Move
from ludex.core.record import PERSON
from ludex.core.registry import resolve
from ludex.web.errors import BadRequest
from ludex.web.matches.permission import permissions
from ludex.web.matches.sight import sees_moves_of, viewer_of
from ludex.web.matches.table import Table
from ludex.web.schemas import MatchClock, MatchOutcome, MatchView, PlayedMove, Seat, Thought

HIDDEN = "?"
"""The text of a move that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A position through one player's eyes."""

    scene: dict[str, Any] | None
    picture: str


NOTHING = Drawing(None, "")


def show(
    table: Table,
    person: str,
    ply: int | None,
    thinking: bool,
    thought: Thought | None,
    clock: MatchClock | None,
) -> MatchView:
    """The match after so many plies; after the last if None."""
    match, stored = table.match, table.stored
    shown = match.ply if ply is None else ply
    if not 0 <= shown <= match.ply:
        raise BadRequest(f"ply: the match has plies 0..{match.ply}, asked for {shown}")
    drawing = draw(table, person, shown)
    outcome = match.outcome
    return MatchView(
        id=table.id,
        version=table.version,
        game=table.spec.id,
        title=table.spec.title,
        preset=table.game.info.preset,
        seats=seats(table, person),
        practice=table.practice,
        created_utc=stored.created_utc,
        updated_utc=stored.updated_utc,
        ply=shown,
        plies=match.ply,
        moves=[_told(move, sees_moves_of(table, person, move.player)) for move in match.moves],
        live=table.live,
        to_move=match.to_move if table.live else None,
        phase=table.game.phase(match.positions[shown]),
        outcome=None if outcome is None else MatchOutcome(scores=[*outcome.scores], reason=outcome.reason),
        aborted=match.aborted,
        status=status(table, person),
        scene=drawing.scene,
        picture=drawing.picture,
        can=permissions(table, person),
        thinking=thinking,
        thought=thought if thought is not None and sees_moves_of(table, person, thought.player) else None,
        seed=None if table.live else str(match.seed),
        game_of=table.game_of,
        clock=clock,
    )


def seats(table: Table, person: str) -> list[Seat]:
    """Who sits where, as a person sees it."""
    held = table.seats_of(person)
    return [
        Seat(
            player=player,
            kind="person" if name == PERSON else "machine",
            name=name,
            you=player in held,
            open=player in table.open_seats,
        )
        for player, name in enumerate(table.agents)
    ]


def status(table: Table, person: str) -> str:
    """One sentence on how the match stands."""
    match, held = table.match, table.seats_of(person)
    if not table.live:
        names = [_name(table, player, player in held) for player in range(len(table.agents))]
        return ending(match.outcome, match.aborted, match.ply, names)
    player = match.to_move
    if player in held:
        return "Your turn." if len(held) == 1 else f"Player {player + 1}'s turn."
    if player in table.open_seats:
        return f"Waiting for somebody to take the seat of player {player + 1}."
    return f"{_name(table, player, yours=False)}'s turn."


def draw(table: Table, person: str, ply: int) -> Drawing:
    """The board as a person may see it; nothing where they may not."""
    player = viewer_of(table, person, ply)
    if player is None:
        return NOTHING
    key = (ply, player)
    if key not in table.drawn:
        table.drawn[key] = _drawn(table, ply, player)
    drawing: Drawing = table.drawn[key]
    return drawing


def _drawn(table: Table, ply: int, player: Player) -> Drawing:
    game, state = table.game, table.match.positions[ply]
    scene: dict[str, Any] | None = None
    if table.spec.scene is not None:
        scene = resolve(table.spec.scene)(game, game.view(state, player), _legal(table, ply, player))
        if table.spec.history is not None:
            scene = {**scene, **resolve(table.spec.history)(table.match, ply)}
    return Drawing(scene, plain_picture(game, state, player))


def _legal(table: Table, ply: int, player: Player) -> Mask:
    """The mask of a position; empty where another's would tell their secrets, and at the end."""
    game, state = table.game, table.match.positions[ply]
    ended = not table.live and ply == table.match.ply
    if ended or (game.info.information == "hidden" and game.outcome(state) is None and game.to_move(state) != player):
        return np.zeros(game.info.num_actions, np.bool_)
    return game.legal(state)


def _told(move: Move, known: bool) -> PlayedMove:
    if known:
        return PlayedMove(player=move.player, action=move.action, text=move.text)
    return PlayedMove(player=move.player, action=-1, text=HIDDEN)


def _name(table: Table, player: Player, yours: bool) -> str:
    name = table.agents[player]
    if name != PERSON or yours:
        return name
    return f"Player {player + 1}"
