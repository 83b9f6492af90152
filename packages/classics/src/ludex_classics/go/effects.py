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
    taken = game.stones(view)[1 - player] - game.stones(after)[1 - player]
    if len(free) == 1 and not taken:
        yield effect(game, "exposes", *sorted(own), count=len(own))
        return
    danger = [group for group in ours if len(game.liberties(view, group)) == 1]
    stones = game.stones(after)[player]
    saved = [group for group in danger if len(game.liberties(after, game.reach(group, stones))) > 1]
    chased = [group for group in theirs if len(game.liberties(after, group)) == 1 < len(game.liberties(view, group))]
    joined, split = ([group for group in groups if group & near] for groups in (ours, theirs))
    others = set().union(*game.stones(view))
    gained = game.areas(after)[player] - game.areas(view)[player] - own
    motives = (
        ("captures", taken, len(taken)),
        ("saves", set().union(*saved), sum(map(len, saved))),
        ("chases", set().union(*chased), sum(map(len, chased))),
        ("joins", own, len(joined) if len(joined) > 1 else 0),
        ("splits", set().union(*split), len(split) if len(split) > 1 else 0),
        ("surrounds", gained, len(gained) if others and len(gained) < game.grid.sites // 4 else 0),
    )
    for name, cells, count in motives:
        if count:
            yield effect(game, name, *sorted(cells), count=count)
    if any(count for *_, count in motives):
        return
    distance = min((steps(game, action, other) for other in others), default=0)
    left = min((len(game.liberties(after, group)) for group in split), default=len(free))
    if not others:
        yield effect(game, "begins", action, count=1 + border(game, action))
    elif left < len(free):
        yield effect(game, "presses", *sorted(set().union(*split)), count=left)
    elif len(free) > 2:
        name, count = ("room", distance) if distance > 2 else ("extends", len(free))
        yield effect(game, name, *sorted(own), count=count)


def steps(game: Go, one: int, other: int) -> int:
    """Along the lines, from point to point."""
    return sum(abs(a - b) for a, b in zip(game.grid.places[one], game.grid.places[other], strict=True))


def border(game: Go, point: int) -> int:
    """How far a point is from the nearest border."""
    return min(min(place, game.grid.rows - 1 - place) for place in game.grid.places[point])
