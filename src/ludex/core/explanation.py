"""The reasons for a decision: the game's own and the agent's, in sentences and as JSON."""

from typing import Any

from ludex.core.decision import Candidate, Decision, line_texts
from ludex.core.game import AnyGame, Json
from ludex.core.messages import Message
from ludex.core.registry import names, resolve, spec


def _reason(message: Message) -> dict[str, Json]:
    return {**message.document(), "text": {str(language): text for language, text in message.texts().items()}}


def reasons_of(game: AnyGame, state: Any, decision: Decision, *, addressed: bool = False) -> tuple[Message, ...]:
    """The game's own reason for a decision, where it has one, and the agent's; `ScreenSpec.reason` has `addressed`."""
    # A game that is not registered, such as one under test, has no screen.
    hook = spec(game.info.id).screen.reason if game.info.id in names() else None
    # An agent that values no move chose by chance, and a reason would claim more.
    if hook is None or all(candidate.score is None for candidate in decision.candidates):
        return decision.explanation
    reason: Message | None = resolve(hook)(game, game.view(state, game.to_move(state)), decision, addressed)
    return decision.explanation if reason is None else (reason, *decision.explanation)


def first_reason(game: AnyGame, state: Any, decision: Decision, *, addressed: bool = False) -> str:
    """The first of `reasons_of` in English, for terminals; empty without any."""
    return next((message.text() for message in reasons_of(game, state, decision, addressed=addressed)), "")


def explain(game: AnyGame, state: Any, decision: Decision, *, addressed: bool = False) -> dict[str, Json]:
    """A decision as JSON, actions beside their texts: what `ludex analyse --json` prints."""
    reasons = reasons_of(game, state, decision, addressed=addressed)

    def describe(candidate: Candidate) -> dict[str, Json]:
        return {
            "action": candidate.action,
            "text": game.action_text(state, candidate.action),
            "score": candidate.score,
            "prob": candidate.prob,
            "line": list(candidate.line),
            "line_text": list(line_texts(game, state, candidate.line)),
            "terms": dict(candidate.terms),
        }

    return {
        "action": decision.action,
        "text": game.action_text(state, decision.action),
        "value": decision.value,
        "candidates": [describe(candidate) for candidate in decision.candidates],
        "stats": dict(decision.stats),
        "note": first_reason(game, state, decision, addressed=addressed),
        "explanation": [_reason(message) for message in reasons],
        "overlay": {name: list(layer) for name, layer in decision.overlay.items()},
        "resigns": decision.resigns,
    }
