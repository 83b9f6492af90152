"""Puzzles of Quoridor: win by force, in one move or several, and the only move that does not lose. With few walls left
all are solved.

A maker solves all that can follow a position with few walls left and walks about in it at random; a proof solves it
again, from the puzzle's own position.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from ludex.core.game import Action, legal_actions
from ludex.core.messages import Message, Parameter
from ludex.core.puzzle import EASIEST, HARDEST, Candidate, Proof, Reason, Turn, reasons_of
from ludex.core.seeding import Rng
from ludex.games.quoridor.agents.solver import Solution, Verdict, solve
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import action_name
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import Position, standing, words

MOST_LEFT: Final = {5: 3, 7: 2}
"""By size, the walls in hand of both players together with which a board is solved in a fraction of a second."""
WALKS: Final = 12
"""Random games from one solved position."""
LEAST_LEGAL: Final = 8
"""Moves to choose from."""
MOST_WINNING: Final = 2
SHORTEST: Final = 5
LONGEST: Final = 15
"""Plies of a win by force; one that takes longer is no task for a person."""
MOST_TURNS: Final = 3
"""Moves of a combination, at each of which one wins."""
SHOWN: Final = 9
"""Plies of the line that is shown."""
WALL_SHARE: Final = 70
"""Of 100 random moves before few walls are left, so many are walls."""


_NO_CHANCE: Final = Rng(0)
"""For rules that never draw."""
_Judge: TypeAlias = Callable[[Quoridor, Solution, Position, dict[Action, Verdict]], list[Action] | None]
_Best: TypeAlias = tuple[Action, int, Message]
"""The best of the right moves, the difficulty before a wall's surcharge, and what is said of the move."""
_Describe: TypeAlias = Callable[[dict[Action, Verdict], list[Action]], _Best]


def make_win(game: Quoridor, rng: Rng) -> Candidate | None:
    """A position in which one or two moves win by force."""
    return _find_puzzle(game, rng, _wins)


def make_hold(game: Quoridor, rng: Rng) -> Candidate | None:
    """A position in which every move but one loses."""
    return _find_puzzle(game, rng, _holds)


def make_combination(game: Quoridor, rng: Rng) -> Candidate | None:
    """A position from which the mover wins by several moves, each of them the only one."""
    return _find_puzzle(game, rng, _combines)


def prove_win(game: Quoridor, position: Position) -> Proof | None:
    """Solve the position: the moves after which the other player loses, whatever comes."""
    return _prove(game, position, _wins, _describe_win(game, position), _solution(game, position))


def _describe_win(game: Quoridor, position: Position) -> _Describe:
    def describe(after: dict[Action, Verdict], right: list[Action]) -> _Best:
        quickest = min(right, key=lambda action: after[action].plies or 0)
        plies = 1 + (after[quickest].plies or 0)
        # Of the mover alone, as people count moves.
        parameters: dict[str, Parameter] = {"move": game.action_text(position, quickest), "count": (plies + 1) // 2}
        message = Message("quoridor.puzzle_wins", parameters, _cells(game, quickest))
        return quickest, 600 + 60 * plies + 8 * len(after), message

    return describe


def prove_combination(game: Quoridor, position: Position) -> Proof | None:
    """Solve the position: one move wins, and after the longest defence again only one."""
    solution = _solution(game, position)
    proof = None if solution is None else _prove(game, position, _combines, _describe_win(game, position), solution)
    if proof is None or solution is None:
        return None
    turns = tuple(
        Turn(
            reply=turn.reply,
            accept=(game.action_text(turn.position, turn.right),),
            reasons=_reasons(game, solution, turn.position, turn.after, [turn.right]),
        )
        for turn in _turns(game, solution, position)[1:]
    )
    parameters = {**proof.parameters, "count": 1 + len(turns)}
    difficulty = min(HARDEST, proof.difficulty + 150 * len(turns))
    return replace(proof, turns=turns, difficulty=difficulty, parameters=parameters)


class _Turn(NamedTuple):
    """A turn of a combination."""

    reply: str
    """The longest defence that led here; empty in the first turn."""
    position: Position
    after: dict[Action, Verdict]
    right: Action


def _turns(game: Quoridor, solution: Solution, position: Position) -> list[_Turn]:
    """The turns of the mover, until several moves win or the game is over."""
    turns: list[_Turn] = []
    reply = ""
    while len(turns) < MOST_TURNS and game.outcome(position) is None:
        after = _verdicts(game, solution, position)
        right = [action for action, verdict in after.items() if verdict.winner == position.turn]
        if len(right) != 1:
            break
        turns.append(_Turn(reply, position, after, right[0]))
        position = game.apply(position, right[0], _NO_CHANCE)
        if game.outcome(position) is None:
            defence = solution.best(position)[0]
            reply = game.action_text(position, defence)
            position = game.apply(position, defence, _NO_CHANCE)
    return turns


def prove_hold(game: Quoridor, position: Position) -> Proof | None:
    """Solve the position: the one move after which the other player cannot win by force."""

    def describe(after: dict[Action, Verdict], right: list[Action]) -> _Best:
        (only,) = right
        how = "holds" if after[only].winner is None else "keeps_winning"
        parameters: dict[str, Parameter] = {"move": game.action_text(position, only), "count": len(after) - 1}
        return only, 1000 + 12 * len(after), Message(f"quoridor.puzzle_hold_{how}", parameters, _cells(game, only))

    return _prove(game, position, _holds, describe, _solution(game, position))


def _prove(
    game: Quoridor, position: Position, judge: _Judge, describe: _Describe, solution: Solution | None
) -> Proof | None:
    if solution is None:
        return None
    after = _verdicts(game, solution, position)
    right = judge(game, solution, position, after)
    if right is None:
        return None
    best, difficulty, message = describe(after, right)
    line = _line(game, solution, position, best)
    return Proof(
        accept=tuple(game.action_text(position, action) for action in right),
        difficulty=max(EASIEST, min(HARDEST, difficulty + (250 if best >= game.squares else 0))),
        explanation=(
            message,
            *_paths(game, position, best),
            Message("quoridor.puzzle_line", {"line": " ".join(line)}),
        ),
        reasons=_reasons(game, solution, position, after, right),
        line=line,
        parameters={"colour": Message(f"quoridor.puzzle_colour_{position.turn}")},
    )


def _combines(
    game: Quoridor, solution: Solution, position: Position, after: dict[Action, Verdict]
) -> list[Action] | None:
    right = _wins(game, solution, position, after)
    return right if right is not None and len(_turns(game, solution, position)) > 1 else None


def _wins(game: Quoridor, _solution: Solution, position: Position, after: dict[Action, Verdict]) -> list[Action] | None:
    """The right moves, if the position is a puzzle of this kind."""
    right = [action for action, verdict in after.items() if verdict.winner == position.turn]
    plies = 1 + min((after[action].plies or 0 for action in right), default=0)
    fits = 1 <= len(right) <= MOST_WINNING and SHORTEST <= plies <= LONGEST and len(after) >= LEAST_LEGAL
    return right if fits and _in_time(game, position, after) else None


def _holds(
    game: Quoridor, _solution: Solution, position: Position, after: dict[Action, Verdict]
) -> list[Action] | None:
    right = [action for action, verdict in after.items() if verdict.winner != 1 - position.turn]
    if len(right) != 1 or len(after) < LEAST_LEGAL or not _in_time(game, position, after):
        return None
    # A short win is the other kind of puzzle.
    return right if after[right[0]].winner is None or (after[right[0]].plies or 0) >= LONGEST else None


def _in_time(game: Quoridor, position: Position, after: dict[Action, Verdict]) -> bool:
    """Whether every win comes before the move limit, which the solver does not know."""
    longest = max(verdict.plies or 0 for verdict in after.values())
    return position.ply + 1 + longest <= game.info.max_plies


def _find_puzzle(game: Quoridor, rng: Rng, judge: _Judge) -> Candidate | None:
    """A puzzle among positions that random games meet, once few walls are left."""
    root = _with_few_walls(game, rng)
    solution = None if root is None else _solution(game, root)
    if root is None or solution is None:
        return None
    for _ in range(WALKS):
        state = root
        while game.outcome(state) is None:
            fresh = state._replace(seen=(standing(state.pawns, state.turn),))
            after = _verdicts(game, solution, fresh)
            right = judge(game, solution, fresh, after)
            if right is not None:
                return Candidate(fresh, frozenset(right))
            state = game.apply(state, rng.choice(sorted(after)), rng)
    return None


def _with_few_walls(game: Quoridor, rng: Rng) -> Position | None:
    """Walls and steps at random, until few walls are in hand; None if a pawn arrived before."""
    state = game.initial(rng)
    while sum(state.left) > MOST_LEFT[game.size]:
        legal = legal_actions(game.legal(state))
        walls = [action for action in legal if action >= game.squares]
        steps = [action for action in legal if action < game.squares]
        state = game.apply(state, rng.choice(walls if walls and rng.below(100) < WALL_SHARE else steps), rng)
        if game.outcome(state) is not None:
            return None
    return state


def _solution(game: Quoridor, position: Position) -> Solution | None:
    if game.outcome(position) is not None or sum(position.left) > MOST_LEFT.get(game.size, -1):
        return None
    return solve(game, position)


def _verdicts(game: Quoridor, solution: Solution, position: Position) -> dict[Action, Verdict]:
    """By legal move, the verdict on what follows it."""
    return {
        action: solution.value(game.apply(position, action, _NO_CHANCE))
        for action in legal_actions(game.legal(position))
    }


def _reasons(
    game: Quoridor, solution: Solution, position: Position, after: dict[Action, Verdict], right: Sequence[Action]
) -> tuple[Reason, ...]:
    messages = []
    for action, verdict in after.items():
        if action in right:
            continue
        move = game.action_text(position, action)
        if verdict.winner is None:
            messages.append((Message("quoridor.puzzle_draws"), move))
            continue
        reply = solution.best(game.apply(position, action, _NO_CHANCE))[0]
        text = action_name(reply, game.size)
        messages.append((Message("quoridor.puzzle_loses", {"reply": text}, _cells(game, reply)), move))
    return reasons_of(messages)


def _paths(game: Quoridor, position: Position, action: Action) -> tuple[Message, ...]:
    """What a wall does to both ways."""
    if action < game.squares:
        return ()
    after = game.apply(position, action, _NO_CHANCE)
    steps = [
        [int(distance(words(state, game.size), player, game.size, game.geometry)) for player in (0, 1)]
        for state in (position, after)
    ]
    mine, theirs = position.turn, 1 - position.turn
    parameters: dict[str, Parameter] = {
        "move": game.action_text(position, action),
        "theirs": steps[1][theirs] - steps[0][theirs],
        "mine": steps[1][mine] - steps[0][mine],
    }
    return (Message("quoridor.puzzle_paths", parameters),)


def _line(game: Quoridor, solution: Solution, position: Position, action: Action) -> tuple[str, ...]:
    """The move, then best play on both sides."""
    texts = [game.action_text(position, action)]
    position = game.apply(position, action, _NO_CHANCE)
    while game.outcome(position) is None and len(texts) < SHOWN:
        best = solution.best(position)[0]
        texts.append(game.action_text(position, best))
        position = game.apply(position, best, _NO_CHANCE)
    return tuple(texts)


def _cells(game: Quoridor, action: Action) -> tuple[int, ...]:
    """The square of a step; a wall lies between squares."""
    return (action,) if action < game.squares else ()
