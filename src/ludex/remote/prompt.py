"""A position as a question in words: what a language model reads."""

import json
from collections.abc import Sequence
from typing import Any

from ludex.core.game import AnyGame, Json
from ludex.core.text import GameText


def build_prompt(
    game: AnyGame,
    text: GameText,
    view: Any,
    state: Any,
    *,
    named: bool = False,
    moves: Sequence[str] = (),
    legal: Sequence[str] | None = None,
    as_document: bool = False,
    task: str | None = None,
) -> list[dict[str, str]]:
    """The rules, and the view with whose turn it is. `named`: the text has other names, so the game's is left out.

    `moves` are those so far in the game's notation, `legal` the legal ones as the text calls them. `task` asks for
    more than a move.
    """
    title = "a game" if named else game.info.id
    you = text.player(game.to_move(state))
    rules = (
        f"You play {title}. These are the rules.\n\n{text.rules()}.\n\n"
        "Answer with your move alone: one word in the notation above, without any other word or sign."
    )
    lists: dict[str, list[str]] = {}
    # In a game with secrets a move of the other player may be one.
    if game.info.information == "perfect" or game.info.players == 1:
        lists["moves_so_far"] = [text.write(move) for move in moves]
    if legal is not None:
        lists["legal_moves"] = list(legal)
    if as_document:
        document: dict[str, Json] = {"you": you, "position": text.document(view)}
        document |= {name: list[Json](values) for name, values in lists.items()}
        document |= {} if task is None else {"task": task}
        return [message_of("system", rules), message_of("user", json.dumps(document))]
    lines = [f"You are {you}. It is your turn.", text.board(view)]
    lines += [f"{name.replace('_', ' ').capitalize()}: {' '.join(values) or 'none'}" for name, values in lists.items()]
    lines += [] if task is None else [task]
    return [message_of("system", rules), message_of("user", "\n\n".join([*lines, "Your move:"]))]


def message_of(role: str, content: str) -> dict[str, str]:
    """A message of the chat-completions protocol."""
    return {"role": role, "content": content}
