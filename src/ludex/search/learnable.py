"""Which games a tree search with a network can learn and play."""

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
