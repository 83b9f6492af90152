"""What a move of Othello does, in words: corners, room to move, and discs."""

from collections.abc import Iterator

from ludex.core.game import Action, legal_actions
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, followers
from ludex.kit.game import Position
from ludex_classics.othello.game import Othello

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
    others = [other for choice, other in followers(game, view).items() if choice != action]
    given = corners & replies(game, after)
    givers = [other for other in others if corners & replies(game, other)]
    free, discs = len(replies(game, after)), turned(game, view, after)
    if not free:
        yield effect(game, "silences")
    elif givers and not given and action not in corners:
        yield effect(game, "keeps", count=len(givers))
    if game.grid.sites - sum(counts) < LATE:
        yield effect(game, "turns", *discs, count=len(discs))
    elif not given:
        rooms = [len(replies(game, other)) for other in others]
        fewer = 2 * sum(free < room for room in rooms) > len(others)
        edges = [len(outside(game, other, player)) for other in others]
        border = outside(game, after, player)
        inside = 2 * sum(len(border) < edge for edge in edges) > len(others)
        if free and (fewer or not inside) and free < max(rooms, default=0):
            yield effect(game, "leaves", *sorted(replies(game, after)), count=free, most=max(rooms))
        if inside:
            yield effect(game, "quietly", *border, count=len(border), most=max(edges))
    safe = sorted({*settled(game, after, player)}.difference(settled(game, view, player), {action} & corners))
    if safe:
        yield effect(game, "settles", *safe, count=len(safe))


def replies(game: Othello, position: Position) -> set[int]:
    """The squares that the player to move can choose from."""
    return {*legal_actions(game.legal(position))} - {game.grid.sites}


def outside(game: Othello, position: Position, player: int) -> list[int]:
    """The discs of a player beside a free square, which the other player may turn."""
    discs = [{*game.layout.members(position, name)} for name in ("black", "white")]
    near = game.grid.neighbours
    return [
        disc for disc in sorted(discs[player]) if {int(cell) for cell in near[disc] if cell >= 0} - discs[0] - discs[1]
    ]


def settled(game: Othello, position: Position, player: int) -> list[int]:
    """The discs of a player in a row from a corner along an edge, which can never be turned."""
    own, size = {*game.layout.members(position, ("black", "white")[player])}, game.grid.rows
    last, cells = size * (size - 1), set[int]()
    for corner, steps in ((0, (1, size)), (size - 1, (-1, size)), (last, (1, -size)), (last + size - 1, (-1, -size))):
        for step in steps:
            for place in range(size):
                if corner + place * step not in own:
                    break
                cells.add(corner + place * step)
    return sorted(cells)


def turned(game: Othello, before: Position, after: Position) -> list[int]:
    """The discs that a move has turned."""
    names = ("white", "black") if game.to_move(before) == 0 else ("black", "white")
    return sorted({*game.layout.members(before, names[0])}.intersection(game.layout.members(after, names[1])))
