"""What a move does, for people: what the effects of several games (`ScreenSpec.effects`) are made of."""

from collections.abc import Iterator, Sequence

from ludex.core.game import Action, legal_actions
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.game import GridGame, Position
from ludex.kit.rules import TURN


def effect(game: GridGame, name: str, *cells: int, **parameters: str | int | tuple[str, ...]) -> Message:
    """The entry `effect_NAME` of the game's catalogues."""
    return Message(f"{game.id}.effect_{name}", parameters, cells)


def passed(position: Position) -> Position:
    """The position with the other player to move."""
    numbers = position.vector()
    numbers[TURN] = 1 - numbers[TURN]
    return Position(numbers)


def winning_moves(game: GridGame, position: Position) -> list[Action]:
    """The moves that win at once."""
    sign = 1 - 2 * game.to_move(position)
    outcomes = [(action, game.outcome(after)) for action, after in followers(game, position).items()]
    return [action for action, outcome in outcomes if outcome is not None and sign * outcome.scores[0] > 0]


def followers(game: GridGame, position: Position) -> dict[Action, Position]:
    """The positions after every legal move."""
    return {action: game.apply(position, action, Rng(0)) for action in legal_actions(game.legal(position))}


def race_effects(game: GridGame, before: Position, after: Position) -> Iterator[Message]:
    """Of a game that one move can win: `wins`; `late`: the other player wins all the same; `stops` a win of the other
    player; `forks` or `threatens` to win.
    """
    if game.outcome(after) is not None:
        yield effect(game, "wins")
        return
    left = winning_moves(game, after)
    if left:
        yield effect(game, "late", moves=move_names(game, after, left))
        return
    stopped = winning_moves(game, passed(before))
    if stopped:
        yield effect(game, "stops", moves=move_names(game, before, stopped))
    threats = winning_moves(game, passed(after))
    if threats:
        kind = "forks" if len(threats) > 1 else "threatens"
        yield effect(game, kind, moves=move_names(game, after, threats))


def move_names(game: GridGame, position: Position, actions: Sequence[Action]) -> tuple[str, ...]:
    """The moves as people write them."""
    return tuple(game.action_text(position, action) for action in actions)
