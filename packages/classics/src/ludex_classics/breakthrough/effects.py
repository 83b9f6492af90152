"""What a move of Breakthrough does, in words: wins, captures, guards, and men that cannot be caught."""

from collections.abc import Iterator

from ludex.core.game import Action
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, race_effects, winning_moves
from ludex.kit.game import Position
from ludex_classics.breakthrough.game import Breakthrough

Place = tuple[int, int]
"""The row as the player counts it, from 0 at home, and the column."""


def effects(game: Breakthrough, view: Position, action: Action) -> Iterator[Message]:
    """The race, then what is taken, guarded or left behind, then how far the man stands."""
    player, after = game.to_move(view), game.apply(view, action, Rng(0))
    end = game.notation.choices[action].sites[1]
    takes = men(game, view, 1 - player) != men(game, after, 1 - player)
    if takes:
        yield effect(game, "captures", end, square=game.grid.names[end])
    size, (row, col) = game.grid.rows, place(game, end, player)
    reach = {(row + 1, col - 1), (row + 1, col + 1)}
    takers = sorted(cell for cell in men(game, after, 1 - player) if place(game, cell, player) in reach)
    for message in race_effects(game, view, after):
        # A man that can be taken first threatens nothing.
        if not takers or message.id.endswith(("late", "stops")):
            yield message
    if game.outcome(after) is not None or winning_moves(game, after):
        return
    loose, left = hanging(game, view, player), hanging(game, after, player)
    if takers:
        kind = "retaken" if takes else "risks" if end in left else "exchanges"
        squares = tuple(game.grid.names[cell] for cell in takers)
        yield effect(game, kind, *takers, square=game.grid.names[end], squares=squares)
    count = free_run(game, after, player)
    if count and (free_run(game, view, player) or size) > count:
        yield effect(game, "runs", count=count)
    loosened = sorted(hanging(game, after, 1 - player) - hanging(game, view, 1 - player))
    if loosened:
        yield effect(game, "attacks", *loosened, squares=tuple(game.grid.names[cell] for cell in loosened))
    if game.notation.choices[action].sites[0] in loose and not takers:
        yield effect(game, "escapes", end)
    guarded = sorted((loose - left) & men(game, after, player))
    if guarded:
        yield effect(game, "guards", *guarded, squares=tuple(game.grid.names[cell] for cell in guarded))
    covered = sorted(advances(game, view, player)[0] & advances(game, after, player)[1])
    if covered:
        yield effect(game, "covers", *covered, squares=tuple(game.grid.names[cell] for cell in covered))
    if not takes and not takers:
        yield effect(game, "safely", end, square=game.grid.names[end], count=size - 1 - row)


def men(game: Breakthrough, position: Position, player: int) -> set[int]:
    """The squares with men of a player."""
    return {*game.layout.members(position, ("white", "black")[player])}


def place(game: Breakthrough, cell: int, player: int) -> Place:
    """Where a cell lies for a player."""
    row, col = game.grid.places[cell]
    return (row if player == 0 else game.grid.rows - 1 - row), col


def hanging(game: Breakthrough, position: Position, player: int) -> set[int]:
    """The men of a player that can be taken, and that no other man could avenge."""
    own = {place(game, cell, player): cell for cell in men(game, position, player)}
    theirs = {place(game, cell, player) for cell in men(game, position, 1 - player)}

    def beside(row: int, col: int, men: set[Place]) -> bool:
        return bool(men & {(row, col - 1), (row, col + 1)})

    return {
        cell for (row, col), cell in own.items() if beside(row + 1, col, theirs) and not beside(row - 1, col, {*own})
    }


def advances(game: Breakthrough, position: Position, player: int) -> tuple[set[int], set[int]]:
    """The free squares that men of the other player can step to: where none can be taken, and where one can."""
    own = {place(game, cell, player) for cell in men(game, position, player)}
    theirs = {place(game, cell, player) for cell in men(game, position, 1 - player)}
    steps = {(row - 1, col + side) for row, col in theirs for side in (-1, 0, 1)} - own - theirs
    reach = {(row + 1, col + side) for row, col in own for side in (-1, 1)}
    sites = range(game.grid.sites)
    free, watched = (
        {cell for cell in sites if place(game, cell, player) in places} for places in (steps - reach, steps & reach)
    )
    return free, watched


def free_run(game: Breakthrough, position: Position, player: int) -> int:
    """In how many moves a man gets through that cannot be reached, before any of the other player's does; 0 if none.

    A man of the other player reaches a square of the run only from within the cone of squares ahead of it. It is the
    other player's turn: who needs as many moves comes first.
    """
    last = game.grid.rows - 1
    theirs = [place(game, cell, player) for cell in men(game, position, 1 - player)]
    quickest = min((row for row, _ in theirs), default=last + 1)
    runs = [
        last - row
        for row, col in (place(game, cell, player) for cell in men(game, position, player))
        if not any(other > row and abs(side - col) <= other - row for other, side in theirs)
    ]
    return min((run for run in runs if run < quickest), default=0)
