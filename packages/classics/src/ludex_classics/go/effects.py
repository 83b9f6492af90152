"""What a stone of Go does, in words: captures, liberties, groups, and areas."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import Action
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.kit.effects import effect
from ludex.kit.game import Position
from ludex_classics.go.game import Go
from ludex_classics.go.rules import PASSES, REACH


def effects(game: Go, view: Position, action: Action) -> Iterator[Message]:
    """What is taken, saved, threatened and joined; then corners, ground and races of liberties."""
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
    claimed = ground(game, after, player) - ground(game, view, player)
    left = min((len(game.liberties(after, group)) for group in beside), default=len(free))
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
        ("corner", {action}, int(corner(game, action) & set().union(*stones) == {action})),
        ("claims", claimed, len(claimed)),
    )
    for name, cells, count in motives:
        if count and (ours or theirs):
            yield effect(game, name, *sorted(cells), count=count, left=len(free))
    if len(free) == 1 and not taken:
        yield effect(game, "exposes", *sorted(own), count=len(own))
    elif not ours and not theirs:
        yield effect(game, "begins", action, count=int((distances(game, {action}) <= REACH).sum()))
    elif left < len(free) and not chased:
        yield effect(game, "leads", *sorted(set().union(*beside)), count=left, own=len(free))
    elif not claimed and not chased:
        kind = "presses" if beside else "extends" if joined else "room"
        yield effect(game, kind, *sorted(own), count=len(free))


def distances(game: Go, points: set[int]) -> NDArray[np.int64]:
    """From every point the steps along the lines to the nearest of some points."""
    places = np.array(game.grid.places)
    return np.asarray(np.abs(places[:, None] - places[sorted(points)]).sum(2).min(1, initial=game.grid.sites), np.int64)


def ground(game: Go, state: Position, player: int) -> set[int]:
    """The free points that lie nearer to a player's stones than to the other's."""
    mine, others = (distances(game, game.stones(state)[seat]) for seat in (player, 1 - player))
    return game.free(state) & {*np.flatnonzero(mine < others).tolist()}


def corner(game: Go, point: int) -> set[int]:
    """The quarter of the board around a point; nothing where it lies on a middle line."""
    places, middle = np.array(game.grid.places), (game.grid.rows - 1) / 2
    return {*np.flatnonzero((np.sign(places - middle) * np.sign(places[point] - middle) > 0).all(1)).tolist()}
