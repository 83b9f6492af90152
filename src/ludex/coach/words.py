"""Moves in words, where people do not read a game's notation."""

from typing import Any

from ludex.core.game import Action, AnyGame
from ludex.core.messages import Language, Message
from ludex.core.registry import resolve, spec


def move_message(game: AnyGame, state: Any, action: Action) -> Message | None:
    """A legal move in words; None where the game leaves it in its notation."""
    hook = spec(game.info.id).screen.describe_move
    if hook is None:
        return None
    message: Message = resolve(hook)(game, state, action)
    return message


def move_words(game: AnyGame, state: Any, action: Action) -> dict[Language, str] | None:
    """A legal move in words, in every language; None where the game leaves it in its notation."""
    message = move_message(game, state, action)
    return None if message is None else message.texts()
