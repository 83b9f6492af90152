"""What a move of EinStein würfelt nicht! does, in words: stones that are taken, and the rolls that win next."""

from collections.abc import Iterator

from ludex.core.game import Action, Player
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, winning_moves
from ludex.kit.game import Position
from ludex_classics.einstein.game import GOALS, EinStein
from ludex_classics.einstein.rules import DIE, SIDES


def effects(game: EinStein, view: Position, action: Action) -> Iterator[Message]:
    """The end, what is taken, either player's chances to win next, and how far the stone has to go."""
    player, after = game.to_move(view), game.apply(view, action, Rng(0))
    for seat, name in ((1 - player, "takes"), (player, "thins")):
        for number in game.stones(view, seat).keys() - game.stones(after, seat).keys():
            yield effect(game, name, number=number)
    if game.outcome(after) is not None:
        yield effect(game, "wins")
        return
    before, theirs = (winning_rolls(game, position, 1 - player) for position in (view, after))
    own = winning_rolls(game, after, player)
    if own:
        yield effect(game, "hopes", count=own)
    if theirs == 0 < before:
        yield effect(game, "stops")
    elif theirs != before:
        yield effect(game, "risks" if theirs > before else "lowers", count=theirs)
    end = game.notation.choices[action].sites[1]
    (row, col), (goal_row, goal_col) = game.grid.places[end], game.grid.places[GOALS[player]]
    left = max(abs(goal_row - row), abs(goal_col - col))
    yield effect(game, "walks", end, square=game.grid.names[end], count=left)


def winning_rolls(game: EinStein, position: Position, player: Player) -> int:
    """By how many of the six rolls a player wins at once, if it were that player's turn."""
    count = 0
    for die in range(1, SIDES + 1):
        numbers = position.vector()
        numbers[0], numbers[DIE] = player, die
        count += bool(winning_moves(game, Position(numbers)))
    return count
