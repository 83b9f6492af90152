"""What a stone of Go does, in words: captures, liberties, groups, and areas."""

from collections.abc import Iterator

from ludex.core.game import Action
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect
from ludex.kit.game import Position
from ludex_classics.go.game import Go
from ludex_classics.go.rules import PASSES


def effects(game: Go, view: Position, action: Action) -> Iterator[Message]:
    """What is taken, saved, threatened and joined; else areas, liberties and room."""
    player, after = game.to_move(view), game.apply(view, action, Rng(0))
    if action == game.grid.sites:
        black, white = map(len, game.areas(after))
        kind = "ends" if view[PASSES] else "passes"
        yield effect(game, kind, black=black, white=f"{white + game.komi:g}")
        return
    own = next(group for group in game.groups(after, player) if action in group)
    free, near = game.liberties(after, own), {*game.near[action].tolist()}
    ours, theirs = game.groups(view, player), game.groups(after, 1 - player)
    stones, areas = game.stones(after), (game.areas(view), game.areas(after))
    taken = game.stones(view)[1 - player] - stones[1 - player]
    danger = [group for group in ours if len(game.liberties(view, group)) == 1]
    saved = [group for group in danger if len(game.liberties(after, game.reach(group, stones[player]))) > 1]
    chased = [group for group in theirs if len(game.liberties(after, group)) == 1 < len(game.liberties(view, group))]
    joined, beside = ([group for group in groups if group & near] for groups in (ours, theirs))
    weak = [group for group in ours if action in (free_before := game.liberties(view, group)) and len(free_before) == 2]
    gained, cut = areas[1][player] - areas[0][player] - own, areas[0][1 - player] - areas[1][1 - player] - taken
    small = game.grid.sites // 4
    motives = (
        ("captures", taken, len(taken)),
        ("saves", set().union(*saved), sum(map(len, saved))),
        ("chases", set().union(*chased), sum(map(len, chased))),
        ("secures", set().union(*weak), sum(map(len, weak)) if len(free) > 2 else 0),
        ("surrounds", gained, len(gained) if ours and len(gained) < small else 0),
        ("reduces", cut, len(cut) if len(cut) < small else 0),
        ("splits", set().union(*beside), len(beside) if len(beside) > 1 else 0),
        ("joins", own, len(joined) if len(joined) > 1 and len(free) > 1 else 0),
    )
    for name, cells, count in motives:
        if count:
            yield effect(game, name, *sorted(cells), count=count, left=len(free))
    if len(free) == 1 and not taken:
        yield effect(game, "exposes", *sorted(own), count=len(own))
    elif not ours and not theirs:
        yield effect(game, "begins", action, count=1 + border(game, action))
    elif beside and not chased:
        left = min(len(game.liberties(after, group)) for group in beside)
        yield effect(game, "presses", *sorted(set().union(*beside)), count=left, own=len(free))
    elif joined and not beside:
        yield effect(game, "extends", *sorted(own), count=len(free))
    elif not beside:
        distance = min(steps(game, action, other) for other in set().union(*game.stones(view)))
        yield effect(game, "room", action, count=distance, line=1 + border(game, action))


def steps(game: Go, one: int, other: int) -> int:
    """Along the lines, from point to point."""
    return sum(abs(a - b) for a, b in zip(game.grid.places[one], game.grid.places[other], strict=True))


def border(game: Go, point: int) -> int:
    """How far a point is from the nearest border."""
    return min(min(place, game.grid.rows - 1 - place) for place in game.grid.places[point])
