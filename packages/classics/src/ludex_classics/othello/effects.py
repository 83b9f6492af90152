"""What a move of Othello does, in words: corners, room to move, and discs."""

from collections.abc import Iterator

from ludex.core.game import Action, legal_actions
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, followers
from ludex.kit.game import Position
from ludex_classics.othello.game import Othello

FEW = 4
"""Squares to choose from that are few."""
LATE = 10
"""Free squares of an ending, where discs count."""


def effects(game: Othello, view: Position, action: Action) -> Iterator[Message]:
    """The end, a corner, what the other player can do then, and the discs that are turned."""
    if action == game.grid.sites:
        yield effect(game, "passes")
        return
    after, size = game.apply(view, action, Rng(0)), game.grid.rows
    counts = [len(game.layout.members(after, name)) for name in ("black", "white")]
    player = game.to_move(view)
    outcome = game.outcome(after)
    if outcome is not None:
        kind = "draws" if outcome.scores[0] == 0 else "wins" if outcome.scores[player] > 0 else "loses"
        yield effect(game, kind, own=counts[player], other=counts[1 - player])
        return
    corners = {0, size - 1, size * (size - 1), size * size - 1}
    if action in corners:
        yield effect(game, "corner", action, corner=game.grid.names[action])
    replies = legal_actions(game.legal(after))
    given = corners.intersection(replies)
    givers = [
        other for other in followers(game, view).values() if corners.intersection(legal_actions(game.legal(other)))
    ]
    if replies == [game.grid.sites]:
        yield effect(game, "silences")
    elif len(replies) <= FEW:
        yield effect(game, "narrows", *replies, count=len(replies))
    if givers and not given:
        yield effect(game, "keeps", count=len(givers))
    before = game.layout.members(view, ("white", "black")[player])
    discs = sorted({*before}.intersection(game.layout.members(after, ("black", "white")[player])))
    if game.grid.sites - sum(counts) < LATE:
        yield effect(game, "turns", *discs, count=len(discs))
    elif not given:
        yield effect(game, "leaves", count=len(replies))
        yield effect(game, "quietly", *discs, count=len(discs))
