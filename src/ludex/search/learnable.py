"""Which games a tree search with a network can learn and play."""

from ludex.core.compiled import compiled_rules
from ludex.core.errors import Unsupported
from ludex.core.game import AnyGame


def require_learnable(game: AnyGame) -> None:
    """Raise `Unsupported`, with the reasons, unless two players who see everything play for scores that sum to 0."""
    info = game.info
    reasons = {
        "has one player": info.players == 1,
        "hides information": info.information != "perfect",
        "has dice": info.chance != "none",
        "is not zero-sum": info.players == 2 and not info.zero_sum,
        "may end without a score": bool(info.aborts),
    }
    found = [reason for reason, holds in reasons.items() if holds]
    if found:
        raise Unsupported(
            "alphazero and zero need a two-player game of perfect information without dice; "
            f"{info.id} {' and '.join(found)}"
        )


def require_ownership(game: AnyGame) -> None:
    """Raise `Unsupported` unless a game's compiled rules declare what became of each cell."""
    rules, board = compiled_rules(game), f"{game.info.id} {game.info.preset}"
    if rules is None:
        raise Unsupported(f"{board} has no compiled rules (GameSpec.compiled), which would declare its ownership")
    if rules.ownership is None:
        raise Unsupported(f"the compiled rules of {board} declare no ownership (CompiledRules.ownership)")
