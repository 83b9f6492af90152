"""What a move of Nine Men's Morris does, in words: mills that are closed, prevented or prepared, and room to move."""

from collections.abc import Iterable, Iterator

from ludex.core.game import Action, legal_actions
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, followers, passed
from ludex.kit.game import Position
from ludex_classics.morris.game import MILLS, POINTS, Morris
from ludex_classics.morris.rules import HAND, MOVE, TAKE, TAKING


def effects(game: Morris, view: Position, action: Action) -> Iterator[Message]:
    """The end, a mill, what is taken, mills of the other player that are prevented, and mills to come."""
    player, after = game.to_move(view), game.apply(view, action, Rng(0))
    own, theirs = (men(game, view, seat) for seat in (player, 1 - player))
    outcome = game.outcome(after)
    if outcome is not None:
        yield effect(game, "wins" if outcome.scores[player] > 0 else "draws")
    if TAKE <= action < MOVE:
        point = action - TAKE
        rest = [{*mill} - {point} for mill in MILLS if point in mill]
        could = closing(game, passed(cleared(view))) - closing(game, after) if outcome is None else set()
        for kind, lines in (
            ("disarms", [could] if could else []),
            ("breaks", [line | {point} for line in rest if line & theirs and not line & own]),
            ("frees", [line | {point} for line in rest if line <= own]),
            ("opens", [line | {point} for line in rest if line & own and not line & theirs]),
            ("takes", [{point}]),
        ):
            if lines:
                cells = sorted(set().union(*lines))
                named = tuple(POINTS[cell] for cell in cells) if kind == "disarms" else names(lines)
                yield effect(game, kind, *cells, point=POINTS[point], mills=named)
                break
    if after[TAKING]:
        closed = mills_of(game, after, player, action)
        yield effect(game, "mill", *(point for mill in closed for point in mill), mills=names(closed))
    stopped = closing(game, passed(view)) if not view[TAKING] else set()
    left_open = closing(game, after if not after[TAKING] else passed(cleared(after)))
    prevented = sorted(stopped - left_open)
    if prevented and not left_open:
        blocked = [mill for mill in MILLS if any(p in mill and theirs.issuperset({*mill} - {p}) for p in prevented)]
        yield effect(game, "prevents", *prevented, mills=names(blocked))
    if outcome is not None or after[TAKING]:
        return
    moves = [] if view[HAND] or view[HAND + 1] else [*room(game, view, after)]
    if TAKE <= action < MOVE:
        yield from moves
        return
    threats = sorted(closing(game, passed(after)) - closing(game, view))
    if threats:
        yield effect(
            game, "forks" if len(threats) > 1 else "prepares", *threats, points=tuple(POINTS[p] for p in threats)
        )
    risky = [then for then in followers(game, view).values() if not then[TAKING] and closing(game, then)]
    if risky and not left_open and not prevented:
        yield effect(game, "keeps", count=len(risky))
    yield from moves
    end = game.notation.choices[action].sites[-1]
    begun = [mill for mill in MILLS if end in mill and len(theirs & {*mill}) == 1 and not own & {*mill}]
    if begun and not threats:
        yield effect(game, "spoils", *sorted(set().union(*begun)), mills=names(begun))
    near = [point for point in range(len(POINTS)) if any(steps_apart(mill, end, point) == 1 for mill in MILLS)]
    if len(near) > 2 and not threats and not moves:
        yield effect(game, "reaches", end, count=len(near))


def room(game: Morris, view: Position, after: Position) -> Iterator[Message]:
    """How many moves the other player is left, and how many the player gains, before mills take any."""
    moves = [
        [len(legal_actions(game.legal(cleared(position)))) for position in (before, then)]
        for before, then in ((passed(view), after), (view, passed(after)))
    ]
    for name, (before, then) in zip(("hems", "frees_men"), moves, strict=True):
        if then < before if name == "hems" else then > before:
            yield effect(game, name, before=before, count=then)


def men(game: Morris, position: Position, player: int) -> set[int]:
    """The points with men of a player."""
    return {*game.layout.members(position, ("white", "black")[player])}


def names(lines: Iterable[Iterable[int]]) -> tuple[str, ...]:
    """The lines as people write them."""
    return tuple("-".join(sorted(POINTS[point] for point in line)) for line in lines)


def cleared(position: Position) -> Position:
    """The position as if nothing were to be taken."""
    numbers = position.vector()
    numbers[TAKING] = 0
    return Position(numbers)


def closing(game: Morris, position: Position) -> set[int]:
    """The points on which the player to move can close a mill at once."""
    pairs = set()
    for action in legal_actions(game.legal(position)):
        after = game.apply(position, action, Rng(0))
        if after[TAKING]:
            pairs.add(game.notation.choices[action].sites[-1])
    return pairs


def mills_of(game: Morris, position: Position, player: int, action: Action) -> list[tuple[int, ...]]:
    """The mills that a move has closed."""
    end, own = game.notation.choices[action].sites[-1], men(game, position, player)
    return [mill for mill in MILLS if end in mill and own.issuperset(mill)]


def steps_apart(mill: tuple[int, ...], one: int, other: int) -> int:
    """How far two points lie apart on a line; 0 where they do not both lie on it."""
    return abs(mill.index(one) - mill.index(other)) if one in mill and other in mill else 0
