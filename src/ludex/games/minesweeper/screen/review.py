"""Why a reveal was worse than another, and how much luck a reveal and a game had, by exact probabilities."""

from typing import Any

from ludex.core.decision import JudgedMove
from ludex.core.errors import Unsupported
from ludex.core.game import Action, Json
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.messages import Message, Parameter
from ludex.games.minesweeper.agents.decisions import SolverContext, percent, proof
from ludex.games.minesweeper.agents.luck import luck_of
from ludex.games.minesweeper.agents.reviewer import position_figures
from ludex.games.minesweeper.agents.solving import safety_of
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import proofs, smallest_proof
from ludex.games.minesweeper.rules.position import View


def is_mark(game: Minesweeper, action: Action) -> bool:
    """A flag is a note of the player's."""
    return action >= game.cells


def luck(judged: JudgedMove) -> float | None:
    """What the mines gave: a reveal that held gives back what its risk took, another one takes all that was left."""
    game = judged.game
    assert isinstance(game, Minesweeper)
    if is_mark(game, judged.action):
        return None
    safety = _safety(judged, judged.action)
    if safety in (0.0, 1.0):
        return None
    return -judged.kept if judged.after.exploded is not None else judged.kept * (1.0 / safety - 1.0)


def reasons(judged: JudgedMove) -> list[Message]:
    """A needless guess with the proof of a safe cell, a riskier guess than need be, or luck alone."""
    game = judged.game
    assert isinstance(game, Minesweeper)
    if is_mark(game, judged.action):
        return []
    safety, best = _safety(judged, judged.action), _safety(judged, judged.best)
    names = game.action_text(judged.before, judged.action), game.action_text(judged.before, judged.best)
    parameters: dict[str, Parameter] = {
        "cell": names[0],
        "best": names[1],
        "safety": percent(safety),
        "best_safety": percent(best),
    }
    cells = (judged.action, judged.best)
    if judged.best == judged.action:
        kind = "unlucky" if judged.after.exploded is not None else "lucky"
        return [Message(f"minesweeper.review_{kind}", parameters, cells[:1])] if safety < 1.0 else []
    if safety == 0.0:
        return [Message("minesweeper.review_certain_mine", parameters, cells[:1]), *_proof(judged, best)]
    if best == 1.0 and safety < 1.0:
        return [Message("minesweeper.review_needless", parameters, cells), *_proof(judged, best)]
    kind = "riskier" if safety < best else "follow"
    return [Message(f"minesweeper.review_{kind}", parameters, cells)]


def _safety(judged: JudgedMove, cell: Action) -> float:
    game = judged.game
    assert isinstance(game, Minesweeper)
    probability, _ = position_figures(game, game.view(judged.before, 0), cell)
    return safety_of(probability[cell])


def _proof(judged: JudgedMove, safety: float) -> tuple[Message, ...]:
    """The proof that the better cell is safe, where rules give one."""
    game = judged.game
    assert isinstance(game, Minesweeper)
    numbers = game.view(judged.before, 0).numbers
    forced = proofs(numbers)
    if safety < 1.0 or not any(move.cell == judged.best and move.kind == "reveal" for move in forced):
        return ()
    return proof(SolverContext(game), numbers, judged.best, smallest_proof(numbers, forced, judged.best))


def facts(match: Match[Any, View], limit: Limit) -> dict[str, Json]:
    """How much luck the game took; None where it cannot be counted, or not in time."""
    try:
        luck_taken = luck_of(match, limit)
    except Unsupported:
        # On a large board too many layouts may fit to be counted, or time runs out.
        return {"luck": None}
    return {
        "luck": {"spent": luck_taken.spent, "guesses": len(luck_taken.guesses), "needless": len(luck_taken.needless)}
    }
