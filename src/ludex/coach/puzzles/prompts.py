"""Proven puzzles as questions to language models, with every right answer."""

from ludex.core.game import Json
from ludex.core.puzzle import Puzzle
from ludex.core.seeding import Rng
from ludex.core.text import game_text
from ludex.remote.prompt import MovePrompt

RENAMED_TASK = "Find the best move."
"""The task of a puzzle names players, which have other names there."""


def prompt_of(puzzle: Puzzle, naming: int | None = None) -> dict[str, Json]:
    """A puzzle as a question: its id, theme, board and difficulty, the messages, and the right moves in their words.

    A naming gives each puzzle other names and another turn. Raises `Unsupported` where a game cannot be renamed.
    """
    position = puzzle.position.build(puzzle.game)
    seed = None if naming is None else naming + int(puzzle.id[:8], 16)
    game, text = position.game, game_text(position.game, seed)
    prompt = MovePrompt.of(
        game,
        text,
        game.view(position.state, position.seen_by),
        game.legal(position.state),
        Rng(0),
        named=naming is not None,
        moves=[move.text for move in position.moves],
        task=puzzle.task.text() if naming is None else RENAMED_TASK,
    )
    return {
        **{"id": puzzle.id, "game": puzzle.game, "theme": puzzle.theme, "board": puzzle.position.board},
        "difficulty": puzzle.proof.difficulty,
        "names": seed,
        "messages": [dict[str, Json](message) for message in prompt.messages],
        "answers": [text.write(move) for move in puzzle.proof.accept],
    }
