"""Everything a game says of a position, so that two positions can be compared."""

from typing import Any

from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.game import AnyGame, legal_actions


def answers(game: AnyGame, state: Any) -> dict[str, bytes]:
    """The fingerprint of every answer, by name."""
    mask, outcome = game.legal(state), game.outcome(state)
    said: dict[str, Any] = {
        "dump": game.dump(state),
        "mask": mask,
        "outcome": outcome,
        "phase": game.phase(state),
        "player to move": game.to_move(state) if outcome is None else None,
        "set of texts": [game.action_text(state, action) for action in legal_actions(mask)] if outcome is None else [],
    }
    for player in range(game.info.players):
        view = game.view(state, player)
        said[f"view of player {player}"] = view
        said[f"observation of player {player}"] = game.observe(view)
    return {name: fingerprint(answer) for name, answer in said.items()}
