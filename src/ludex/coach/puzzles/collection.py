"""The puzzles of one theme in a file, sealed with a digest, and all those that games ship."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from ludex.core import registry
from ludex.core.documents import digest, parse_json, read_text, write_text
from ludex.core.errors import BadPuzzle, UnknownPuzzle
from ludex.core.puzzle import Puzzle
from ludex.core.spec import GameSpec

FORMAT: Final = "ludex-puzzles"
FORMAT_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Puzzles of one theme, in the order in which they were made."""

    game: str
    version: int
    """The game's."""
    theme: str
    seed: int
    """They follow from it."""
    puzzles: tuple[Puzzle, ...]

    def text(self) -> str:
        """The file: one line per puzzle, so that a change of one shows as one."""
        head = {
            "format": FORMAT,
            "formatVersion": FORMAT_VERSION,
            "game": self.game,
            "version": self.version,
            "theme": self.theme,
            "seed": str(self.seed),
        }
        documents = [puzzle.document() for puzzle in self.puzzles]
        lines = [json.dumps(document, separators=(",", ":"), ensure_ascii=False) for document in documents]
        seal = digest({**head, "puzzles": documents})
        joined = ",\n".join(lines)
        return f'{json.dumps(head)[:-1]}, "puzzles": [\n{joined}\n], "digest": "{seal}"}}\n'

    def write(self, path: Path) -> None:
        """Write the file whole or not at all."""
        write_text(path, self.text())

    @classmethod
    def parse(cls, text: str, source: str) -> "Collection":
        """The puzzles of a file. Raises `BadPuzzle` that names the source."""
        body = parse_json(text, source, BadPuzzle)
        if not isinstance(body, dict) or body.get("format") != FORMAT:
            raise BadPuzzle(f"{source}: not a file of puzzles: expected an object with format {FORMAT!r}")
        if body.get("formatVersion") != FORMAT_VERSION:
            raise BadPuzzle(f"{source}: formatVersion {body.get('formatVersion')!r}, expected {FORMAT_VERSION}")
        if body.pop("digest", None) != digest(body):
            raise BadPuzzle(f"{source}: the digest does not fit the content: the file was changed after it was written")
        try:
            game, version, theme = str(body["game"]), int(body["version"]), str(body["theme"])
            puzzles = tuple(Puzzle.of(document, game, version, theme) for document in body["puzzles"])
            return cls(game=game, version=version, theme=theme, seed=int(body["seed"]), puzzles=puzzles)
        except (KeyError, TypeError, ValueError) as error:
            raise BadPuzzle(f"{source}: {type(error).__name__}: {error}") from error
        except BadPuzzle as error:
            raise BadPuzzle(f"{source}: {error.message}") from error

    @classmethod
    def read(cls, path: Path) -> "Collection":
        """The puzzles of a file. Raises `BadPuzzle`."""
        return cls.parse(read_text(path, BadPuzzle), str(path))


def file_name(theme: str) -> str:
    """The name of a theme's file in the package that a game's `puzzles.data` names."""
    return f"puzzles_{theme}.json"


@cache
def shipped_puzzles(game: str) -> Mapping[str, Puzzle]:
    """Every puzzle that a game ships, by id; empty where it ships none. Raises `BadPuzzle`."""
    spec = registry.spec(game)
    if spec.puzzles.data is None:
        return {}
    version = registry.make(game).info.version
    puzzles: dict[str, Puzzle] = {}
    for theme in spec.puzzles.themes:
        collection = Collection.parse(_text(spec, theme), file_name(theme))
        if (collection.game, collection.version, collection.theme) != (game, version, theme):
            raise BadPuzzle(
                f"{file_name(theme)}: of {collection.game} version {collection.version}, theme {collection.theme!r}; "
                f"expected {game} version {version}, theme {theme!r}"
            )
        puzzles |= {puzzle.id: puzzle for puzzle in collection.puzzles}
    return puzzles


def puzzle(game: str, puzzle_id: str) -> Puzzle:
    """A puzzle that a game ships. Raises `UnknownPuzzle`."""
    shipped_puzzle = shipped_puzzles(game).get(puzzle_id)
    if shipped_puzzle is None:
        raise UnknownPuzzle(f"{game} ships no puzzle {puzzle_id!r}")
    return shipped_puzzle


def games_with_puzzles() -> list[str]:
    """The games that ship puzzles, in the order of the home page."""
    return [spec.id for spec in registry.available()[0] if spec.puzzles.data is not None and spec.puzzles.themes]


def of_theme(puzzles: Sequence[Puzzle], theme: str | None) -> list[Puzzle]:
    """Those of one theme; all of them if None."""
    return [candidate for candidate in puzzles if theme is None or candidate.theme == theme]


def _text(spec: GameSpec, theme: str) -> str:
    assert spec.puzzles.data is not None
    try:
        source: Any = files(spec.puzzles.data).joinpath(file_name(theme))
        return str(source.read_text(encoding="utf-8"))
    except (OSError, ModuleNotFoundError) as error:
        raise BadPuzzle(f"{spec.id}: {spec.puzzles.data}/{file_name(theme)}: {error}") from error
