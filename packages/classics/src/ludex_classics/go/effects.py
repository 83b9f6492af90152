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
    taken = sorted(game.stones(view)[1 - player] - game.stones(after)[1 - player])
    if taken:
        yield effect(game, "captures", *taken, count=len(taken))
    own = next(group for group in game.groups(after, player) if action in group)
    joined = [group for group in game.groups(view, player) if group <= own and group.intersection(game.near[action])]
    free = game.liberties(after, own)
    in_danger = [group for group in game.groups(view, player) if len(game.liberties(view, group)) == 1]
    saved = sorted(
        stone
        for group in in_danger
        for stone in group
        if all(len(game.liberties(after, other)) > 1 for other in game.groups(after, player) if group <= other)
    )
    if saved:
        yield effect(game, "saves", *saved, count=len(saved))
    chased = [
        group
        for group in game.groups(after, 1 - player)
        if len(game.liberties(after, group)) == 1 < len(game.liberties(view, group))
    ]
    if chased:
        stones = sorted(set().union(*chased))
        yield effect(game, "chases", *stones, count=len(stones))
    if len(joined) > 1:
        yield effect(game, "joins", *sorted(own), count=len(joined))
    gained = sorted(game.areas(after)[player] - game.areas(view)[player] - own)
    if gained and game.stones(view)[1 - player] and len(gained) < game.grid.sites // 4:
        yield effect(game, "surrounds", *gained, count=len(gained))
    pressed = [group for group in game.groups(after, 1 - player) if group.intersection(game.near[action])]
    if pressed:
        stones = sorted(set().union(*pressed))
        left = min(len(game.liberties(after, group)) for group in pressed)
        yield effect(game, "presses", *stones, count=left)
    if len(own) == 1:
        others = set().union(*game.stones(view))
        if others:
            distance = min(steps(game, action, other) for other in others)
            yield effect(game, "room" if distance > 2 else "starts", action, count=distance, liberties=len(free))
        else:
            yield effect(game, "begins", action, count=1 + border(game, action))
    else:
        yield effect(game, "extends", *sorted(own), count=len(free))


def steps(game: Go, one: int, other: int) -> int:
    """Along the lines, from point to point."""
    return sum(abs(a - b) for a, b in zip(game.grid.places[one], game.grid.places[other], strict=True))


def border(game: Go, point: int) -> int:
    """How far a point is from the nearest border."""
    return min(min(place, game.grid.rows - 1 - place) for place in game.grid.places[point])
