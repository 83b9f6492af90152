"""The reasons for a decision: the game's own and the agent's, in sentences and as JSON."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from ludex.core.decision import Candidate, Decision, JudgedMove, line_texts
from ludex.core.game import Action, AnyGame, Json
from ludex.core.hooks import as_message, try_hook
from ludex.core.messages import COMMON, Language, ListOf, Message, Parameter
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
    if screen is None or (decision.value is None and all(other.score is None for other in decision.candidates)):
        return None

    def reason_of() -> Message | None:
        view = game.view(state, game.to_move(state))
        if screen.reason is not None:
            reason = resolve(screen.reason)(game, view, decision, addressed)
            return None if reason is None else as_message(reason)
        effects = _effects(game, state, decision.action)[:MOST_EFFECTS]
        if not effects:
            return None
        wins = PROVEN in decision.explanation and game.outcome(game.apply(view, decision.action, Rng(0))) is None
        named: dict[str, Parameter] = {"effects": ListOf(tuple(effects))}
        return as_message(Message(f"{COMMON}.effects{'_winning' if wins else ''}", named, _cells(effects)))

    return try_hook(game.info.id, "screen.effects" if screen.reason is None else "screen.reason", reason_of, None)


def effect_reasons(judged: JudgedMove, costs: Collection[str] = ()) -> list[Message]:
    """What the answer to a bad move does, or the move itself where none is certain; then what the better one does that
    the bad one does not. Empty where the game names no `effects`.

    `costs` are the ids of effects that speak against a move: of the bad one they come first, of the better one last.
    """
    game, before, after = judged.game, judged.before, judged.after
    if judged.best == judged.action:
        return _move_sentence(game, before, judged.action, _effects(game, before, judged.action))
    played, better = (_effects(game, before, action) for action in (judged.action, judged.best))
    shared = {effect.text() for effect in played} & {effect.text() for effect in better}
    gains = [effect for effect in better if effect.id not in costs]
    played, better = ([effect for effect in side if effect.text() not in shared] for side in (played, better))
    if all(effect.id in costs for effect in better):
        better += gains
    played.sort(key=lambda effect: effect.id not in costs)
    better.sort(key=lambda effect: effect.id in costs)
    if judged.reply and game.outcome(after) is None and game.to_move(after) != judged.player:
        answer = _effects(game, after, judged.reply[0])
        messages = _move_sentence(game, after, judged.reply[0], answer, "answer")
    else:
        messages = _move_sentence(game, before, judged.action, played, "worse")
    return messages + _move_sentence(game, before, judged.best, better)


def move_message(game: AnyGame, state: Any, action: Action) -> Message | None:
    """A legal move in words; None where the game leaves it in its notation, or fails to describe it."""
    hook = spec(game.info.id).screen.describe_move
    if hook is None:
        return None
    return try_hook(game.info.id, "screen.describe_move", lambda: as_message(resolve(hook)(game, state, action)), None)


def move_words(game: AnyGame, state: Any, action: Action) -> dict[Language, str] | None:
    """The same in every language."""
    message = move_message(game, state, action)
    return None if message is None else message.texts()


def _move_sentence(
    game: AnyGame, state: Any, action: Action, effects: Sequence[Message], kind: str = "move"
) -> list[Message]:
    """The most important effects of a move in a sentence that begins with the move."""
    if not effects:
        return []
    words, most = move_message(game, state, action), tuple(effects[:MOST_EFFECTS])
    parameters: dict[str, Parameter] = {"move": words or game.action_text(state, action), "effects": ListOf(most)}
    name = kind if words is None else "worse_words" if kind == "worse" else "words"
    return [Message(f"{COMMON}.effects_{name}", parameters, _cells(most))]


def _effects(game: AnyGame, state: Any, action: Action) -> list[Message]:
    """What a move does, as the player to move sees it, the most important first."""
    hook = spec(game.info.id).screen.effects
    return [] if hook is None else [*resolve(hook)(game, game.view(state, game.to_move(state)), action)]


def _cells(effects: Sequence[Message]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(cell for message in effects for cell in message.cells))


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
