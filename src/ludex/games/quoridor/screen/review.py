"""Why a move was worse than another, and why a move is good: what it does to both paths."""

from typing import Final, NamedTuple

import numpy as np

from ludex.core.decision import Decision, JudgedMove
from ludex.core.game import Action, Player, legal_actions
from ludex.core.messages import Message, Parameter
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
    messages, names = [], _names(player)
    if judged.action >= game.squares:
        path = path_of(game, judged.after, 1 - player)
        idle = Message("quoridor.review_idle_wall")
        messages.append(idle if after == before else _wall("quoridor.review_wall", player, before, after, path))
        if judged.after.left[player] == 0 and after.own >= FAR:
            messages.append(Message("quoridor.review_last_wall", {**names, "count": after.own}))
    elif after.own >= before.own:
        path = path_of(game, judged.after, player)
        messages.append(Message("quoridor.review_no_nearer", {**names, "count": after.own}, path))
    if judged.reply and judged.reply[0] >= game.squares:
        walled = steps_of(game, game.apply(judged.after, judged.reply[0], Rng(0)), player)
        if walled.own - after.own > 1:
            wall = game.action_text(judged.after, judged.reply[0])
            added = step_count(walled.own - after.own)
            messages.append(Message("quoridor.review_lets_wall", {**names, "wall": wall, "own": added}))
    elif after.theirs < after.own and not any(judged.after.left):
        left = {"theirs": step_count(after.theirs), "own": step_count(after.own)}
        messages.append(Message("quoridor.review_race", {**names, **left}))
    return messages


def _explain_gain(game: Quoridor, judged: JudgedMove) -> list[Message]:
    """What a wall added to the other's path; another good move shows its worth in the line that follows."""
    before, after = (steps_of(game, position, judged.player) for position in (judged.before, judged.after))
    if judged.action < game.squares or after.theirs - before.theirs <= after.own - before.own:
        return []
    path = path_of(game, judged.after, 1 - judged.player)
    return [_wall("quoridor.review_wall", judged.player, before, after, path)]


def _better(game: Quoridor, judged: JudgedMove) -> list[Message]:
    before = steps_of(game, judged.before, judged.player)
    position = game.apply(judged.before, judged.best, Rng(0))
    after, move = steps_of(game, position, judged.player), game.action_text(judged.before, judged.best)
    if judged.best >= game.squares:
        if after == before:
            # A wall that keeps a path open rather than closes one: the line shows more than the steps.
            return []
        path = path_of(game, position, 1 - judged.player)
        return [_wall("quoridor.review_better_wall", judged.player, before, after, path, move=move)]
    if after.own >= before.own:
        # A step to the side: it is not better for its distance.
        return []
    parameters: dict[str, Parameter] = {**_names(judged.player), "move": move, "count": after.own}
    return [Message("quoridor.review_better_step", parameters, (judged.best,))]


def _wall(
    message: str, player: Player, before: Steps, after: Steps, path: tuple[int, ...], **parameters: str
) -> Message:
    added = {"theirs": step_count(after.theirs - before.theirs), "own": step_count(after.own - before.own)}
    return Message(message, {**_names(player), **parameters, **added}, path)


def step_count(steps: int) -> Message:
    """A number of steps in words."""
    return Message("quoridor.review_steps", {"count": steps}) if steps else Message("quoridor.review_no_steps")


def reason(game: Quoridor, view: Position, decision: Decision, addressed: bool) -> Message | None:
    """What a wall or a step changes, and that it wins by force; None where neither path says it."""
    player, after = view.turn, game.apply(view, decision.action, Rng(0))
    effect = _wall_effect if decision.action >= game.squares else _step_effect
    message = effect(game, view, after, addressed)
    if message is None or decision.value != 1.0 or game.outcome(after) is not None:
        return message
    names = _names(player)
    return Message(f"quoridor.{_voice('surely', addressed)}", {"effect": message, **names}, message.cells)


def _wall_effect(game: Quoridor, before: Position, after: Position, addressed: bool) -> Message | None:
    player = before.turn
    was, now = steps_of(game, before, player), steps_of(game, after, player)
    added, cost = now.theirs - was.theirs, now.own - was.own
    parameters = {**_names(player), "theirs": step_count(added), "own": step_count(cost)}
    if added > cost:
        kind = "wall" if cost else "free_wall"
        return Message(f"quoridor.{_voice(kind, addressed)}", parameters, path_of(game, after, 1 - player))
    threat, left = _worst_wall(game, _pass(before), player), _worst_wall(game, after, player)
    if threat > left:
        limits = {"threat": step_count(threat), "left": step_count(left)}
        kind = "guard" if left else "full_guard"
        return Message(f"quoridor.{_voice(kind, addressed)}", {**parameters, **limits}, path_of(game, after, player))
    alone, together = _worst_wall(game, before, 1 - player), _worst_wall(game, _pass(after), 1 - player)
    if together <= alone:
        return None
    gains = {"alone": step_count(alone), "together": step_count(together)}
    return Message(
        f"quoridor.{_voice('prepares', addressed)}", {**parameters, **gains}, path_of(game, after, 1 - player)
    )


def _step_effect(game: Quoridor, before: Position, after: Position, addressed: bool) -> Message:
    player = before.turn
    path = path_of(game, after, player)
    was, now = steps_of(game, before, player), steps_of(game, after, player)
    parameters = {**_names(player), "theirs": step_count(now.theirs), "own": step_count(now.own)}
    if now.own == 0:
        return Message(f"quoridor.{_voice('arrives', addressed)}", parameters, path)
    if now.own < was.own:
        kind = "jump" if _is_jump(game, before, after, player) else "nearer"
        return Message(f"quoridor.{_voice(kind, addressed)}", parameters, path)
    parameters["left"] = step_count(_worst_wall(game, after, player))
    return Message(f"quoridor.{_voice('aside', addressed)}", parameters, path)


def _worst_wall(game: Quoridor, position: Position, player: Player) -> int:
    """The most steps that one wall of the other player, who is to move, adds to a player's path."""
    own = steps_of(game, position, player).own
    walls = [action for action in legal_actions(game.legal(position)) if action >= game.squares]
    return max((_added_steps(game, position, wall, player) - own for wall in walls), default=0)


def _added_steps(game: Quoridor, position: Position, wall: Action, player: Player) -> int:
    return steps_of(game, game.apply(position, wall, Rng(0)), player).own


def _pass(position: Position) -> Position:
    """The same position with the other player to move."""
    return position._replace(turn=1 - position.turn)


def _is_jump(game: Quoridor, before: Position, after: Position, player: Player) -> bool:
    return abs(after.pawns[player] - before.pawns[player]) not in (1, game.size)


def _names(player: Player) -> dict[str, Message]:
    """The mover and the other, each as a name and as an owner."""
    seats = {"me": player, "them": 1 - player}
    names = {name: Message(f"quoridor.puzzle_colour_{seat}") for name, seat in seats.items()}
    return {**names, **{f"of_{name}": Message(f"quoridor.of_{seat}") for name, seat in seats.items()}}


def _voice(kind: str, addressed: bool) -> str:
    return f"{'hint' if addressed else 'why'}_{kind}"
