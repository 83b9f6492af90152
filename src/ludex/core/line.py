"""A match as one line of text that people can write, mail and paste: `quoridor 9x9: e2 e8 e3h`."""

import re
from pathlib import Path
from typing import Any

from ludex.core.documents import parse_json, read_text
from ludex.core.errors import BadRecord, LudexError
from ludex.core.match import Match
from ludex.core.record import MatchFile, check_seed
from ludex.core.registry import make

_LINE = re.compile(
    r"\s*(?P<game>\w+)\s+(?P<preset>[^\s]+?)"
    r"(\s+seed\s+(?P<seed>\d{1,39}))?"
    r"\s*:(?P<moves>(\s.*)?)\s*",
    re.S,
)


def line_of(match: Match[Any, Any]) -> str:
    """A match's line; the seed stands in it where the game has dice.

    >>> import ludex
    >>> match = Match(ludex.make("tictactoe"), seed=1)
    >>> play_line(match, "b2 a1")
    >>> line_of(match)
    'tictactoe 3x3x3: b2 a1'
    """
    info = match.game.info
    seed = "" if info.chance == "none" else f" seed {match.seed}"
    return " ".join([f"{info.id} {info.preset}{seed}:", *(move.text for move in match.moves)])


def is_line(text: str) -> bool:
    """Whether a text is a line rather than the name of a file.

    >>> is_line("quoridor 9x9: e2"), is_line("games/one.json")
    (True, False)
    """
    return _LINE.fullmatch(text) is not None


def match_of(line: str) -> Match[Any, Any]:
    """Play a line. Raises `BadRecord` for what is no line, and what the game says of a move it refuses.

    >>> match_of("quoridor 9x9: e2 e8").ply
    2
    """
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise BadRecord(f"expected GAME PRESET [seed N]: MOVE MOVE ..., found {line[:60]!r}")
    seed = int(parts["seed"] or 0)
    check_seed(seed)
    match: Match[Any, Any] = Match(make(parts["game"], parts["preset"]), seed)
    play_line(match, parts["moves"])
    return match


def match_in(path: Path) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """The match of a file, a match file or a line of moves, played again, and its agents. Raises `BadRecord`."""
    text = read_text(path, BadRecord)
    if is_line(text):
        return with_seats(match_of(text))
    file = MatchFile.parse(parse_json(text, str(path), BadRecord), str(path))
    return file.replay(make(file.record.game, file.record.preset)), file.record.agents


def with_seats(match: Match[Any, Any]) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """A match of which nobody says who played, with names for its players."""
    return match, tuple(f"player {seat + 1}" for seat in range(match.game.info.players))


def play_line(match: Match[Any, Any], moves: str) -> None:
    """Play moves separated by spaces. A refused one is named with its ply, and the match is left as it was."""
    begun = match.ply
    for text in moves.split():
        try:
            match.play_text(text)
        except LudexError as error:
            ply = match.ply
            while match.ply > begun:
                match.undo()
            raise type(error)(f"move {ply + 1}, {text!r}: {error.message}") from error
