"""A position as a question in words: what a language model reads."""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from ludex.core.errors import MoveError
from ludex.core.game import Action, AnyGame, Json, Mask, legal_actions, sample_state
from ludex.core.seeding import Rng
from ludex.core.text import GameText
from ludex.remote.address import LONGEST_SHOWN
from ludex.remote.chat import ChatFaultError

LONGEST_MOVE: Final = 200
"""Characters of an answer that may be a move."""


@dataclass(frozen=True, slots=True)
class MovePrompt:
    """A question for a move of a view, and the way to read its answer."""

    game: AnyGame
    text: GameText
    named: bool
    """Whether the text has other names than the game."""
    state: Any
    """A position that may be behind the view."""
    legal: dict[str, Action]
    """The legal moves as the text calls them."""
    messages: list[dict[str, str]]

    @classmethod
    def of(
        cls,
        game: AnyGame,
        text: GameText,
        view: Any,
        legal: Mask,
        rng: Rng,
        *,
        named: bool,
        moves: Sequence[str],
        listed: bool = False,
        as_document: bool = False,
        task: str | None = None,
    ) -> Self:
        """The rules, the view with whose turn it is, and the moves so far in the game's notation.

        `named`: the text has other names, so the game's is left out. `listed` names the legal moves too, and `task`
        asks for more than a move.
        """
        state = sample_state(game, view, rng)
        texts = {text.write(game.action_text(state, action)): action for action in legal_actions(legal)}
        you = text.player(game.to_move(state))
        rules = (
            f"You play {'a game' if named else game.info.id}. These are the rules.\n\n{text.rules()}.\n\n"
            "Answer with your move alone: one word in the notation above, without any other word or sign."
        )
        lists: dict[str, list[str]] = {}
        # In a game with secrets a move of the other player may be one.
        if game.info.information == "perfect" or game.info.players == 1:
            lists["moves_so_far"] = [text.write(move) for move in moves]
        if listed:
            lists["legal_moves"] = list(texts)
        if as_document:
            document: dict[str, Json] = {"you": you, "position": text.document(view)}
            document |= {name: list[Json](values) for name, values in lists.items()}
            question = json.dumps(document if task is None else {**document, "task": task})
        else:
            words = [f"{name.replace('_', ' ').capitalize()}: {' '.join(lists[name]) or 'none'}" for name in lists]
            tasks = [] if task is None else [task]
            lines = [f"You are {you}. It is your turn.", text.board(view), *words, *tasks, "Your move:"]
            question = "\n\n".join(lines)
        messages = [message_of("system", rules), message_of("user", question)]
        return cls(game, text, named, state, texts, messages)

    def read(self, answer: str) -> Action:
        """The legal move that an answer is. Raises `ChatFaultError` that says why it is none."""
        answer = answer.strip()
        start = ascii(answer[:LONGEST_SHOWN])
        if len(answer) > LONGEST_MOVE:
            raise ChatFaultError("too_long", f"the answer is longer than a move: {start}")
        if not answer:
            raise ChatFaultError("empty", "the answer is empty")
        if not answer.isascii():
            strange = next(letter for letter in answer if not letter.isascii())
            name = unicodedata.name(strange, "unnamed")
            raise ChatFaultError("look_alike", f"{start} holds U+{ord(strange):04X} {name}, which no move does")
        if len(answer.split()) > 1:
            raise ChatFaultError("prose", f"{start} is more than one word, expected the move alone")
        if answer in self.legal:
            return self.legal[answer]
        try:
            self.game.parse_action(self.state, self.text.read(answer))
        except MoveError as error:
            reason = f"{start} is no move in the notation" if self.named else error.message
            raise ChatFaultError("malformed", reason) from error
        raise ChatFaultError("illegal", f"{answer} is a move that the rules forbid in this position")


def correction(refused: ChatFaultError) -> dict[str, str]:
    """What is said to a model whose answer was no move."""
    return message_of("user", f"That is no legal move: {refused.reason}. Answer with a legal move alone.")


def message_of(role: str, content: str) -> dict[str, str]:
    """A message of the chat-completions protocol."""
    return {"role": role, "content": content}
