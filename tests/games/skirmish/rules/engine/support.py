"""What the tests of the battle share: waiting, rolling until something happens, and reading events."""

from collections.abc import Callable, Iterator

from ludex.core.seeding import generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import texts

ROLLS = (events.HIT_ROLL, events.WOUND_ROLL, events.SAVE_ROLL)


def events_of(position: Position, kind: int) -> list[tuple[int, ...]]:
    """The numbers of the last ply's events of one kind."""
    return [tuple(row[1:]) for row in position.events.tolist() if row[0] == kind]


def dice(position: Position) -> list[int]:
    """Every die of the last ply, in the order of the events."""
    rolled: list[int] = []
    for kind, first, second, third in position.events.tolist():
        if kind in ROLLS:
            rolled.append(first)
        elif kind == events.ADVANCE_ROLL:
            rolled.append(second)
        elif kind == events.CHARGE_ROLL:
            rolled += [second, third]
    return rolled


def active(unit: int) -> dict[int, int]:
    """The words of a position in which this unit was activated."""
    return {layout.ACTIVE: unit}


def outcomes(game: Skirmish, position: Position, text: str, seeds: int) -> Iterator[Position]:
    """What an action may lead to, seed by seed."""
    action = game.parse_action(position, text)
    for seed in range(seeds):
        yield game.apply(position, action, generator(seed, 1))


def until(game: Skirmish, position: Position, text: str, wanted: Callable[[Position], bool]) -> Position:
    """The position after an action whose dice fell as wanted."""
    return next(after for after in outcomes(game, position, text, 5000) if wanted(after))


def waiting(game: Skirmish, position: Position) -> Iterator[Position]:
    """All units wait: the positions until the game is over, without a roll."""
    while game.outcome(position) is None:
        known = sorted(texts(game, position))
        text = "wait" if "wait" in known else known[0]
        position = game.apply(position, game.parse_action(position, text), generator(0, 0))
        assert dice(position) == []
        yield position
