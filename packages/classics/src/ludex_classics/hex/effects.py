"""What a stone of Hex does, in words: chains, groups, bridges, and how many stones the shortest chains lack."""

from collections.abc import Iterator

from ludex.core.game import Action
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect, race_effects
from ludex.kit.game import Position
from ludex.kit.geometry import groups as connected
from ludex.kit.geometry import signed
from ludex_classics.hex.game import Hex

COLOURS = ("blue", "orange")
FAR = 1000


def effects(game: Hex, view: Position, action: Action) -> Iterator[Message]:
    """The race, groups that are joined, bridges, and what both players' shortest chains lack before and after."""
    player = game.to_move(view)
    if action == game.grid.sites:
        yield effect(game, "swaps")
        return
    seen = game.info.information == "perfect"
    after = game.apply(view, action, Rng(0)) if seen else with_stone(game, view, player, action)
    if seen and game.outcome(after) is not None:
        yield effect(game, "wins", *chain(game, after, player)[1])
        return
    lacking = (missing(game, view, 1 - player), missing(game, after, 1 - player), missing(game, after, player))
    if seen and 1 in lacking:
        yield from race_effects(game, view, after)
    joined = [group for group in groups(game, view, player) if group & {*near(game, action)}]
    if len(joined) > 1:
        yield effect(game, "joins", *sorted(set().union(*joined)), count=len(joined))
    theirs, own = lacking[1] - lacking[0], lacking[2]
    if own == 0:
        # The other player's last way is closed with it, and no distance is left to count.
        yield effect(game, "completes", *chain(game, after, player)[1])
        return
    bridged = bridges(game, after, player, action)
    if theirs > 0:
        yield effect(game, "blocks", action, count=theirs, left=lacking[1])
    if bridged and len(joined) < 2:
        yield effect(game, "bridges", action, *bridged, cells=tuple(game.grid.names[cell] for cell in bridged))
    edge = border(game, after, player, action)
    if edge and len(joined) < 2:
        yield effect(game, "anchors", action, *edge)
    if not stones(game, view, player) and all(
        abs(2 * place + 1 - game.grid.rows) <= 1 for place in game.grid.places[action]
    ):
        yield effect(game, "centre", action)
    if theirs == 0 and missing(game, with_stone(game, view, 1 - player, action), 1 - player) < lacking[0]:
        yield effect(game, "narrows", action)
    # A threat to connect is named already.
    if own < missing(game, view, player) and (own > 1 or not seen):
        yield effect(game, "nears", *chain(game, after, player)[1], count=own)


def with_stone(game: Hex, view: Position, player: int, cell: int) -> Position:
    """What a player sees with a stone of the player's own on a cell."""
    numbers = view.vector()
    numbers[game.layout.start[COLOURS[player]] + cell // 64] |= signed(1 << cell % 64)
    return Position(numbers)


def near(game: Hex, cell: int) -> list[int]:
    """The cells beside a cell."""
    return [int(other) for other in game.grid.neighbours[cell] if other >= 0]


def stones(game: Hex, position: Position, player: int) -> set[int]:
    """The stones of a player that are seen."""
    return {*game.layout.members(position, COLOURS[player])}


def groups(game: Hex, position: Position, player: int) -> list[set[int]]:
    """The connected stones of a player."""
    return connected(game.grid.neighbours, stones(game, position, player))


def bridges(game: Hex, position: Position, player: int, cell: int) -> list[int]:
    """The stones of a player's other groups with which a stone has two free cells in common."""
    own, other = stones(game, position, player), stones(game, position, 1 - player)
    group = next(group for group in groups(game, position, player) if cell in group)
    free = {*range(game.grid.sites)} - own - other
    return sorted(
        stone for stone in own - group if len(free.intersection(near(game, cell)).intersection(near(game, stone))) == 2
    )


def border(game: Hex, position: Position, player: int, cell: int) -> list[int]:
    """The two free cells between a stone on the second row and a side of its own; empty where one is taken."""
    last, places = game.grid.rows - 1, game.grid.places
    for side, row in ((0, 1), (last, last - 1)):
        if places[cell][player] == row:
            free = {*range(game.grid.sites)} - stones(game, position, 0) - stones(game, position, 1)
            cells = [other for other in near(game, cell) if places[other][player] == side and other in free]
            return cells if len(cells) == 2 else []
    return []


def chain(game: Hex, position: Position, player: int) -> tuple[int, list[int]]:
    """How many stones the shortest chain lacks between a player's sides, and its cells; `FAR` where none is left."""
    size, places = game.grid.rows, game.grid.places
    own, other = stones(game, position, player), stones(game, position, 1 - player)
    best = {cell: (int(cell not in own), [cell]) for cell in range(size * size) if places[cell][player] == 0}
    best = {cell: way for cell, way in best.items() if cell not in other}
    done: dict[int, tuple[int, list[int]]] = {}
    while best:
        cell = min(best, key=lambda cell: (best[cell][0], len(best[cell][1]), cell))
        cost, way = done[cell] = best.pop(cell)
        if places[cell][player] == size - 1:
            return cost, way
        for following in near(game, cell):
            step = cost + (following not in own), [*way, following]
            if following not in other and following not in done and step < best.get(following, (FAR, [])):
                best[following] = step
    return FAR, []


def missing(game: Hex, position: Position, player: int) -> int:
    """How many stones a player's shortest chain lacks."""
    return chain(game, position, player)[0]
