"""What a line of Dots and Boxes does, in words: the boxes that it takes, and those that it gives."""

from collections.abc import Iterator

from ludex.core.game import Action, legal_actions
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect
from ludex.kit.game import Position
from ludex_classics.boxes.game import Boxes

FEW = 12
"""So few lines that give nothing away are worth counting."""


def effects(game: Boxes, view: Position, action: Action) -> Iterator[Message]:
    """Boxes that it takes and that are left to take; else what the other player can take, and must open then."""
    after = game.apply(view, action, Rng(0))
    gained = sorted(owned(game, after) - owned(game, view))
    if gained:
        yield effect(game, "takes", *gained, count=len(gained))
        conceded, rest = run(game, after)
        if conceded:
            yield effect(game, "follows", *conceded, count=len(conceded))
        elif safe(game, rest):
            yield effect(game, "goes_on", count=len(safe(game, rest)))
        return
    conceded, rest = run(game, after)
    lost = least_opened(game, rest)
    if lost:
        kind = "forces_after" if conceded else "forces"
        yield effect(game, kind, *conceded, given=len(conceded), count=lost)
    elif not conceded:
        left = len(safe(game, after))
        yield effect(game, "gives_nothing", count=len(safe(game, view)), left=left)
        if left % 2 == 0 and left < FEW:
            yield effect(game, "parity")
    else:
        ready, _ = run(game, view)
        others = [len(run(game, game.apply(view, other, Rng(0)))[0]) for other in legal_actions(game.legal(view))]
        kind = "least" if not ready and len(conceded) == min(others) else "gives"
        yield effect(game, kind, *conceded, count=len(conceded))


def owned(game: Boxes, position: Position) -> set[int]:
    """The boxes that are closed."""
    return {cell for cell in range(len(game.grid.places)) if position[1 + cell]}


def closing(game: Boxes, position: Position) -> Action | None:
    """A line that closes a box; None without one."""
    cells = len(game.grid.places)
    for cell in range(cells):
        if game.edges_of(position, cell) == 3:
            return next(int(edge) - cells for edge in game.grid.borders[cell] if not position[1 + int(edge)])
    return None


def run(game: Boxes, position: Position) -> tuple[list[int], Position]:
    """The boxes that the player to move can take in a row, and the position after that."""
    before = owned(game, position)
    while (action := closing(game, position)) is not None:
        position = game.apply(position, action, Rng(0))
    return sorted(owned(game, position) - before), position


def safe(game: Boxes, position: Position) -> list[Action]:
    """The lines after which no box lacks one edge alone."""
    lines = legal_actions(game.legal(position))
    return [line for line in lines if closing(game, game.apply(position, line, Rng(0))) is None]


def least_opened(game: Boxes, position: Position) -> int:
    """How many boxes every line gives away at least; 0 where one gives none, and at the end."""
    lines = legal_actions(game.legal(position))
    return min((len(run(game, game.apply(position, line, Rng(0)))[0]) for line in lines), default=0)
