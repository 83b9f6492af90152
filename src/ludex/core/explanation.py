"""The reasons for a decision: the game's own and the agent's, in sentences and as JSON."""

from dataclasses import replace
from itertools import islice
from typing import Any, Final

from ludex.core.decision import Candidate, Decision, JudgedMove, line_texts
from ludex.core.game import Action, AnyGame, Json
from ludex.core.messages import COMMON, ListOf, Message, Parameter
from ludex.core.registry import names, resolve, spec
from ludex.core.seeding import Rng

CLOSE: Final = 0.05
"""Moves whose values, from -1 to 1, differ by less are as good to a person who asks for a hint."""
PROVEN: Final = Message(f"{COMMON}.proves_win")
"""What a search says of a move that wins against every answer, in games without chance and secrets."""
SELDOM: Final = 0.5
"""Of two such moves, the other one was tried at least so often as the best."""
MOST_EFFECTS: Final = 2
"""Effects of a move that one sentence names."""


def _reason(message: Message) -> dict[str, Json]:
    return {**message.document(), "text": {str(language): text for language, text in message.texts().items()}}


def reasons_of(game: AnyGame, state: Any, decision: Decision, *, addressed: bool = False) -> tuple[Message, ...]:
    """The game's own reason for a decision, where it has one, and the agent's; `ScreenSpec.reason` has `addressed`."""
    reason = _own_reason(game, state, decision, addressed=addressed)
    return decision.explanation if reason is None else (reason, *decision.explanation)


def advice(game: AnyGame, state: Any, decision: Decision) -> Decision:
    """The decision as a hint: of moves that are as good, the best for which the game has a reason."""
    if decision.value is None or _own_reason(game, state, decision, addressed=True) is not None:
        return decision
    for candidate in decision.candidates:
        # A move that a search has hardly tried may look as good by chance.
        rarely = candidate.prob is not None and candidate.prob < SELDOM * (decision.candidates[0].prob or 0.0)
        if candidate.value is None or rarely or decision.value - candidate.value > CLOSE:
            continue
        hint = replace(decision, action=candidate.action, value=candidate.value, explanation=(), resigns=False)
        if _own_reason(game, state, hint, addressed=True) is not None:
            return hint
    return decision


def _own_reason(game: AnyGame, state: Any, decision: Decision, *, addressed: bool) -> Message | None:
    # A game that is not registered, such as one under test, has no screen.
    screen = spec(game.info.id).screen if game.info.id in names() else None
    # An agent that values no move chose by chance, and a reason would claim more.
    if screen is None or all(candidate.score is None for candidate in decision.candidates):
        return None
    view = game.view(state, game.to_move(state))
    if screen.reason is not None:
        reason: Message | None = resolve(screen.reason)(game, view, decision, addressed)
        return reason
    effects = _effects(game, view, decision.action)
    if effects is None:
        return None
    wins = PROVEN in decision.explanation and game.outcome(game.apply(view, decision.action, Rng(0))) is None
    return Message(f"{COMMON}.effects{'_winning' if wins else ''}", {"effects": effects}, _cells(effects))


def effect_reasons(judged: JudgedMove) -> list[Message]:
    """What the answer to a bad move does, and what the better one would have done, where the game names `effects`."""
    game, messages = judged.game, []
    moves = [("better", judged.before, judged.best)]
    if judged.best != judged.action and judged.reply and game.outcome(judged.after) is None:
        moves.insert(0, ("answer", judged.after, judged.reply[0]))
    for kind, state, action in moves:
        effects = _effects(game, game.view(state, game.to_move(state)), action)
        if effects is not None:
            named: dict[str, Parameter] = {"move": game.action_text(state, action), "effects": effects}
            messages.append(Message(f"{COMMON}.effects_{kind}", named, _cells(effects)))
    return messages


def _effects(game: AnyGame, view: Any, action: Action) -> ListOf | None:
    hook = spec(game.info.id).screen.effects
    effects = () if hook is None else tuple(islice(resolve(hook)(game, view, action), MOST_EFFECTS))
    return ListOf(effects) if effects else None


def _cells(effects: ListOf) -> tuple[int, ...]:
    return tuple(dict.fromkeys(cell for message in effects.messages for cell in message.cells))


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
