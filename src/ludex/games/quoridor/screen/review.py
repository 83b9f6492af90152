"""Why a move was worse than another: what it did to both paths."""

from typing import Final, NamedTuple

import numpy as np

from ludex.core.game import Player
from ludex.core.judgement import JudgedMove
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.quoridor.game import REPETITION, Quoridor
from ludex.games.quoridor.rules.paths import MOST_STEPS, distance, shortest_path
from ludex.games.quoridor.rules.position import Position, words

FAR: Final = 4
"""A last wall is missed with so many steps to go."""


class Steps(NamedTuple):
    """Steps to the goal."""

    own: int
    theirs: int


def reasons(judged: JudgedMove) -> list[Message]:
    """What the move did, then what the better one would have done; of the best move only what it achieved."""
    game = judged.game
    assert isinstance(game, Quoridor)
    if judged.best == judged.action:
        return _explain_gain(game, judged)
    return [*_explain_move(game, judged), *_better(game, judged)]


def steps_of(game: Quoridor, position: Position, player: Player) -> Steps:
    """The steps of a player and of the other one."""
    row = words(position, game.size)
    return Steps(*(int(distance(row, seat, game.size, game.geometry)) for seat in (player, 1 - player)))


def path_of(game: Quoridor, position: Position, player: Player) -> tuple[int, ...]:
    """The squares of a shortest path."""
    path = np.empty(MOST_STEPS, np.int64)
    count = int(shortest_path(words(position, game.size), player, game.size, game.geometry, path))
    return tuple(path[: count + 1].tolist())


def _explain_move(game: Quoridor, judged: JudgedMove) -> list[Message]:
    player, before = judged.player, steps_of(game, judged.before, judged.player)
    after = steps_of(game, judged.after, player)
    if game.outcome(judged.after) == REPETITION:
        return [Message("quoridor.review_draw")]
    messages = []
    if judged.action >= game.squares:
        path = path_of(game, judged.after, 1 - player)
        idle = Message("quoridor.review_idle_wall")
        messages.append(idle if after == before else _wall("quoridor.review_wall", before, after, path))
        if judged.after.left[player] == 0 and after.own >= FAR:
            messages.append(Message("quoridor.review_last_wall", {"count": after.own}))
    elif after.own >= before.own:
        messages.append(Message("quoridor.review_no_nearer", {"count": after.own}, path_of(game, judged.after, player)))
    if judged.reply and judged.reply[0] >= game.squares:
        walled = steps_of(game, game.apply(judged.after, judged.reply[0], Rng(0)), player)
        if walled.own - after.own > 1:
            wall = game.action_text(judged.after, judged.reply[0])
            messages.append(Message("quoridor.review_lets_wall", {"wall": wall, "own": _count(walled.own - after.own)}))
    elif after.theirs < after.own and not any(judged.after.left):
        messages.append(Message("quoridor.review_race", {"theirs": _count(after.theirs), "own": _count(after.own)}))
    return messages


def _explain_gain(game: Quoridor, judged: JudgedMove) -> list[Message]:
    """What a wall added to the other's path; another good move shows its worth in the line that follows."""
    before, after = (steps_of(game, position, judged.player) for position in (judged.before, judged.after))
    if judged.action < game.squares or after.theirs - before.theirs <= after.own - before.own:
        return []
    return [_wall("quoridor.review_wall", before, after, path_of(game, judged.after, 1 - judged.player))]


def _better(game: Quoridor, judged: JudgedMove) -> list[Message]:
    before = steps_of(game, judged.before, judged.player)
    position = game.apply(judged.before, judged.best, Rng(0))
    after, move = steps_of(game, position, judged.player), game.action_text(judged.before, judged.best)
    if judged.best >= game.squares:
        if after == before:
            # A wall that keeps a path open rather than closes one: the line shows more than the steps.
            return []
        path = path_of(game, position, 1 - judged.player)
        return [_wall("quoridor.review_better_wall", before, after, path, move=move)]
    if after.own >= before.own:
        # A step to the side: it is not better for its distance.
        return []
    return [Message("quoridor.review_better_step", {"move": move, "count": after.own}, (judged.best,))]


def _wall(message: str, before: Steps, after: Steps, path: tuple[int, ...], **named: str) -> Message:
    added = {"theirs": _count(after.theirs - before.theirs), "own": _count(after.own - before.own)}
    return Message(message, {**named, **added}, path)


def _count(steps: int) -> Message:
    return Message("quoridor.review_steps", {"count": steps}) if steps else Message("quoridor.review_no_steps")
