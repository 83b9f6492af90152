"""What a game ships for the browser."""

from importlib.resources import files
from typing import TYPE_CHECKING

from ludex.core.errors import BrokenGame
from ludex.core.spec import RENDERER_FILES, WEB_FILES, GameSpec

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def web_folder(game_spec: GameSpec) -> "Traversable | None":
    """The folder of a game's files for the browser, None if it ships none. Raises `BrokenGame` if files are missing."""
    reference, where = game_spec.screen.web, f"game {game_spec.id!r}: screen.web"
    if reference is None:
        return None
    package, _, name = reference.partition(":")
    if not package or not name:
        raise BrokenGame(f"{where}: {reference!r} is no folder of a package, expected 'package:folder'")
    try:
        folder = files(package).joinpath(name)
    except ModuleNotFoundError as error:
        raise BrokenGame(f"{where}: {error}") from error
    if not folder.is_dir():
        raise BrokenGame(f"{where}: {package} holds no folder {name!r}")
    if not any(folder.joinpath(file).is_file() for file in WEB_FILES):
        raise BrokenGame(f"{where}: {reference} holds none of {', '.join(WEB_FILES)}")
    missing = [file for file in RENDERER_FILES if not folder.joinpath(file).is_file()]
    if missing and len(missing) < len(RENDERER_FILES):
        raise BrokenGame(f"{where}: {reference} holds no {', '.join(missing)}")
    return folder


def renderer_of(game_spec: GameSpec) -> "Traversable | None":
    """The folder of a game's own renderer, None if it is drawn by the generic one. Raises `BrokenGame`."""
    folder = web_folder(game_spec)
    return folder if folder is not None and folder.joinpath("renderer.js").is_file() else None
