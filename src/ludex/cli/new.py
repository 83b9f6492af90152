"""`ludex new`: the start of a package with a game or an agent."""

import keyword
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal

import typer

from ludex.core import registry
from ludex.core.errors import BadOption, StoreError, Unsupported

Folder = Annotated[Path, typer.Option("--into", help="the folder in which the package is made")]

app = typer.Typer(no_args_is_help=True, help="Write the start of a package: a game or an agent of your own.")


@app.command()
def game(
    name: Annotated[str, typer.Argument(help="the game's name, such as my_game")],
    *,
    players: Annotated[int, typer.Option(min=1, max=2, help="how many play it")] = 2,
    board: Annotated[
        Literal["square", "hex", "none"], typer.Option(help="its board in the browser; none: a list of the legal moves")
    ] = "square",
    into: Folder = Path(),
) -> None:
    """Write a package with a game that passes `ludex check` at once: rules, spec, a board, tests and README."""
    if name in registry.names():
        raise BadOption(f"game {name!r} exists already; choose another name")
    extras = [*(["scene=None,"] if board == "none" else []), *(["compiled=None,"] if players == 1 else [])]
    texts = {
        "players": str(players),
        "board": "hex" if board == "hex" else "square",
        "extras": "".join(f"\n    {extra}" for extra in extras),
        "then_turn": "; then it is the other player's turn" if players == 2 else "",
        "next_turn": "1 - state[TURN]" if players == 2 else "0",
        "score": "1.0 if state[TURN] == 1 else -1.0" if players == 2 else "1.0",
    }
    _write("game", name, into, texts)


@app.command()
def agent(
    name: Annotated[str, typer.Argument(help="the agent's name, such as my_agent")],
    *,
    games: Annotated[str, typer.Option(help="the games that it plays, separated by commas; *: every game")] = "*",
    into: Folder = Path(),
) -> None:
    """Write a package with an agent that passes `ludex check` at once: a class, its spec, tests and README."""
    game_ids = [] if games == "*" else games.split(",")
    for game_id in game_ids:
        registry.spec(game_id)
    first = game_ids[0] if game_ids else registry.available()[0][0].id
    if name in registry.spec(first).agents:
        raise BadOption(f"agent {name!r} of {first} exists already; choose another name")
    texts = {
        "games": '"*"' if not game_ids else repr(tuple(game_ids)).replace("'", '"'),
        "games_words": "every game" if not game_ids else " and ".join(game_ids),
        "first_game": first,
    }
    _write("agent", name, into, texts)


def _write(kind: str, name: str, into: Path, texts: dict[str, str]) -> None:
    """Fill the templates of a kind into the folder NAME, and print what to do next."""
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        raise BadOption(f"{name!r} is no name of a package, expected small letters, digits and _, such as my_{kind}")
    folder = into / name
    if folder.exists():
        raise Unsupported(f"{folder} exists already; nothing was written")
    words = name.replace("_", " ")
    texts |= {"name": name, "dashed": name.replace("_", "-"), "title": words.capitalize()}
    texts["class_name"] = words.title().replace(" ", "")
    try:
        for path, template in _templates(files("ludex.cli").joinpath("templates", kind), ""):
            file = folder / path.replace("NAME", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(template.read_text(encoding="utf-8").format(**texts), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from error
    print(f"{folder} is written. Next:\n  ludex check {folder}\n  pip install -e {folder}")


def _templates(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    """Every template below a folder, by the path of the file that it makes."""
    files = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        here = f"{path}{entry.name}"
        if entry.is_dir():
            files += _templates(entry, f"{here}/")
        elif entry.name.endswith(".txt"):
            files.append((here.removesuffix(".txt"), entry))
    return files
