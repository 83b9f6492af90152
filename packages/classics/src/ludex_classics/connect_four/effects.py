"""What a move of Connect Four does, in words: threats, forks, and the fours that are still possible."""

from collections.abc import Iterator

from connect_four.game import ConnectFour

from ludex.core.game import Action
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, followers, passed, race_effects, winning_moves
from ludex.kit.game import Position


def effects(game: ConnectFour, view: Position, action: Action) -> Iterator[Message]:
    """Wins and threats, then forks of the other player, then what the stone is worth for fours to come."""
    player, after = game.to_move(view), game.apply(view, action, Rng(0))
    if game.outcome(after) is not None and all(game.pieces(after)) and not winning_moves(game, view):
        yield effect(game, "fills")
        return
    urgent = [*race_effects(game, view, after)]
    yield from urgent
    if urgent:
        return
    stopped = {*forks(game, passed(view))} - {*forks(game, after)}
    if stopped:
        yield effect(game, "prevents", columns=tuple(game.action_text(view, column) for column in sorted(stopped)))
    sign, cell = 1 - 2 * player, landing(game, view, action)
    values = [sign * value for value in game.pieces(after)]
    lines = [line for line in game.grid.lines(4) if cell in line]
    best = max(lines, key=lambda line: sum(values[other] for other in line) if is_open(values, line) else 0)
    own = sum(values[other] for other in best) if is_open(values, best) else 0
    if own > 1:
        yield effect(game, "gathers", *best, count=own)
    spoiled = sum(
        all(values[other] <= 0 for other in line if other != cell) and -1 in (values[o] for o in line) for line in lines
    )
    if spoiled:
        yield effect(game, "spoils", cell, count=spoiled)
    rows = sum(is_open(values, line) for line in lines)
    if rows and own < 2:
        yield effect(game, "opens", cell, count=rows)


def forks(game: ConnectFour, position: Position) -> list[Action]:
    """The columns after which the player to move has two ways to win and the other player none."""
    return [
        column
        for column, after in followers(game, position).items()
        if game.outcome(after) is None
        and not winning_moves(game, after)
        and len(winning_moves(game, passed(after))) > 1
    ]


def landing(game: ConnectFour, view: Position, column: Action) -> int:
    """The cell on which a stone comes to lie."""
    values = [*game.pieces(view)]
    return next(cell for cell in game.notation.choices[column].sites if values[cell] == 0)


def is_open(values: list[int], line: tuple[int, ...]) -> bool:
    """Whether a four can still be made of a line: no stone of the other player lies on it."""
    return all(values[cell] >= 0 for cell in line)
