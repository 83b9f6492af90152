"""What a move of EinStein würfelt nicht! does, in words: stones that are taken, and the rolls that win next."""

from collections.abc import Iterator

from ludex.core.game import Action, Player, legal_actions
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, winning_moves
from ludex.kit.game import Position
from ludex_classics.einstein.game import GOALS, EinStein
from ludex_classics.einstein.rules import DIE, SIDES


def effects(game: EinStein, view: Position, action: Action) -> Iterator[Message]:
    """The end, what is taken, either player's chances to win next, and how far the stone has to go."""
    player, after = game.to_move(view), game.apply(view, action, Rng(0))
    start, end = game.notation.choices[action].sites
    for seat, name in ((1 - player, "takes"), (player, "thins")):
        for number in game.stones(view, seat).keys() - game.stones(after, seat).keys():
            close = name == "takes" and steps(game, end, seat) == 1
            yield effect(game, "takes_close" if close else name, end, number=number)
    if game.outcome(after) is not None:
        yield effect(game, "wins")
        return
    before, theirs = (rolls(game, view, 1 - player), rolls(game, after, 1 - player))
    own = rolls(game, after, player)
    if own:
        yield effect(game, "hopes", count=own)
    if theirs == 0 < before:
        yield effect(game, "stops")
    elif theirs != before:
        yield effect(game, "risks" if theirs > before else "lowers", count=theirs)
    danger = rolls(game, after, 1 - player, end)
    if not danger and rolls(game, view, 1 - player, start):
        yield effect(game, "escapes", end)
    exposes = [effect(game, "exposes", end, count=danger)] if danger else []
    other = min(steps(game, cell, 1 - player) for cell in game.stones(after, 1 - player).values())
    walks = [effect(game, "walks", end, square=game.grid.names[end], count=steps(game, end, player), other=other)]
    taken = len(game.stones(after, 1 - player)) < len(game.stones(view, 1 - player))
    yield from exposes + walks if taken else walks + exposes


def steps(game: EinStein, cell: int, player: Player) -> int:
    """How far a cell lies from the corner that a player makes for."""
    return max(abs(a - b) for a, b in zip(game.grid.places[cell], game.grid.places[GOALS[player]], strict=True))


def rolls(game: EinStein, position: Position, player: Player, target: int | None = None) -> int:
    """By how many of the six rolls a player, if to move, wins at once or moves to a target."""
    count = 0
    for die in range(1, SIDES + 1):
        numbers = position.vector()
        numbers[0], numbers[DIE] = player, die
        rolled = Position(numbers)
        if target is None:
            count += bool(winning_moves(game, rolled))
        else:
            actions = legal_actions(game.legal(rolled))
            count += any(game.notation.choices[action].sites[1] == target for action in actions)
    return count
