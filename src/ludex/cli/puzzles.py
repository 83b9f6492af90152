"""`ludex puzzles`: make, check, show and solve puzzles."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.operations import command_fields, perform, request_of, take_values, with_flags
from ludex.cli.output import console, emit, progress, table_of
from ludex.core import registry
from ludex.core.errors import MoveError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from ludex.core.messages import Language
    from ludex.core.puzzle import Puzzle

KEYS: Final = "a move · h solution · q quit · ? help"
Game = Annotated[str, typer.Argument(metavar="GAME", help="the game", autocompletion=completion.games)]
Theme = Annotated[str | None, typer.Option(help="one theme only", show_default="every theme of the game")]
French = Annotated[bool, typer.Option("--french", help="in French")]

app = typer.Typer(no_args_is_help=True, help="Make, prove, show and solve puzzles.")
_FIELDS = command_fields("puzzles")


def make(
    *,
    output: Annotated[Path, typer.Option(metavar="FOLDER", help="where puzzles_THEME.json is written")] = Path(),
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="store every finished task in a file, and resume from it")
    ] = None,
    as_json: parameters.Json = False,
    **values: Any,
) -> None:
    """Make puzzles and print where they are."""
    request: Any = request_of("puzzles", {"game": values.pop("game"), **take_values(_FIELDS, values)})
    result: Any = perform("puzzles", request, folder=output, journal=journal)
    text = f"{result.puzzles} puzzles in {result.file}, {result.bytes:,} bytes"
    emit(result.model_dump(mode="json"), as_json, lambda: text)
    if result.puzzles < request.count:
        raise typer.Exit(exits.FAILURE)


app.command()(with_flags(make, make, _FIELDS, "puzzles", Game))


@app.command()
def check(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="the game", show_default="every game")] = None,
    *,
    theme: Theme = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="a file of puzzles", show_default="those that ship")
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="puzzles per theme", show_default="all")] = None,
    executor: parameters.Executor = "local",
    workers: parameters.Workers = 1,
    address: parameters.Address = "auto",
    as_json: parameters.Json = False,
) -> None:
    """Prove puzzles again from their positions alone. The exit code is 1 if a proof does not hold."""
    from ludex.coach.puzzles.collection import games_with_puzzles
    from ludex.coach.puzzles.making import check_all
    from ludex.operations.requests import executor_of

    games = [game] if game is not None else games_with_puzzles()
    rows = []
    tasks = executor_of(executor, workers, address)
    for name, puzzles in _by_theme(games, theme, file):
        selected = puzzles[:count]
        with progress(name, len(selected)) as advance:
            problems = {}
            for puzzle_id, problem in check_all(selected, tasks):
                advance(1)
                if problem is not None:
                    problems[puzzle_id] = problem
        rows.append(
            {"theme": name, "puzzles": len(selected), "proven": len(selected) - len(problems), "wrong": problems}
        )
    failed = any(row["wrong"] for row in rows)
    emit({"ok": not failed, "themes": rows}, as_json, lambda: _render_checks(rows))
    if failed:
        raise typer.Exit(exits.FAILURE)


@app.command()
def export(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="the game", show_default="every game")] = None,
    *,
    theme: Theme = None,
    form: Annotated[Literal["prompts"], typer.Option("--format", help="prompts: questions for language models")] = (
        "prompts"
    ),
    names: Annotated[int | None, typer.Option(min=0, help="seed of other names and turned boards")] = None,
) -> None:
    """Print the proven puzzles as questions with their exact answers, one JSON document per line."""
    import json

    from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped_puzzles
    from ludex.coach.puzzles.prompts import prompt_of

    for name in [game] if game is not None else games_with_puzzles():
        for puzzle in of_theme([*shipped_puzzles(name).values()], theme):
            print(json.dumps(prompt_of(puzzle, names)))


@app.command()
def show(
    game: Game,
    puzzle: Annotated[str | None, typer.Argument(metavar="ID", help="one puzzle", show_default="a list")] = None,
    *,
    theme: Theme = None,
    french: French = False,
    as_json: parameters.Json = False,
) -> None:
    """List the puzzles that a game ships, or show one with its solution and proof."""
    from ludex.coach.puzzles.collection import of_theme, shipped_puzzles
    from ludex.coach.puzzles.collection import puzzle as find

    language: Language = "fr" if french else "en"
    if puzzle is None:
        listed = of_theme([*shipped_puzzles(game).values()], theme)
        rows = [
            {"id": entry.id, "theme": entry.theme, "board": entry.position.board, "difficulty": entry.proof.difficulty}
            for entry in listed
        ]
        emit({"game": game, "puzzles": rows}, as_json, lambda: _render_list(rows))
        return
    saved_puzzle = find(game, puzzle)
    document = {"id": saved_puzzle.id, "game": game, "theme": saved_puzzle.theme, **saved_puzzle.document()}
    emit(document, as_json, lambda: _render_puzzle(saved_puzzle, language))


@app.command()
def play(
    game: Game,
    *,
    theme: Theme = None,
    count: Annotated[int, typer.Option(min=1, help="how many puzzles")] = 5,
    seed: parameters.Seed = 0,
    french: French = False,
) -> None:
    """Solve puzzles in the terminal: type a move, h for the solution, q to quit or ? for these keys."""
    from ludex.coach.puzzles.collection import of_theme, shipped_puzzles
    from ludex.core.puzzle import judge
    from ludex.core.seeding import generator

    language: Language = "fr" if french else "en"
    selected = of_theme([*shipped_puzzles(game).values()], theme)
    if not selected:
        raise UsageError(f"{game} ships no puzzles" + ("" if theme is None else f" of theme {theme!r}"))
    generator(seed, 0).shuffle(selected)
    solved = asked = 0
    text: str | None = ""
    for puzzle in selected[:count]:
        console().print(_render_question(puzzle, language), KEYS)
        names: list[str] = []
        while True:
            text = _ask()
            if text is None or text in ("h", "hint"):
                break
            if text in ("", "?", "help"):
                console().print(KEYS)
                continue
            try:
                answer = judge(puzzle, text, made=names)
            except MoveError as error:
                console().print(error.message)
                continue
            if answer.reply is not None:
                names.append(answer.move)
                console().print(f"{answer.move} {answer.reply}")
                continue
            solved += answer.solved
            if answer.reason is not None:
                console().print(answer.reason.text(language))
            break
        if text is None:
            break
        asked += 1
        console().print(_render_solution(puzzle, language))
    console().print(f"{solved}/{asked}")


def _ask() -> str | None:
    """What a person types; None where they leave."""
    try:
        text = console().input("move > ").strip()
    except (EOFError, UnicodeDecodeError):
        return None
    return None if text in ("q", "quit") else text


def _by_theme(games: "list[str]", theme: str | None, file: Path | None) -> "list[tuple[str, Sequence[Puzzle]]]":
    from ludex.coach.puzzles.collection import Collection, of_theme, shipped_puzzles

    if file is not None:
        collection = Collection.read(file)
        return [(f"{collection.game} {collection.theme}", collection.puzzles)]
    return [
        (f"{game} {name}", of_theme([*shipped_puzzles(game).values()], name))
        for game in games
        for name in registry.spec(game).puzzles.themes
        if theme in (None, name)
    ]


def _render_checks(rows: list[dict[str, Any]]) -> str:
    lines = [f"{row['theme']}: {row['proven']} of {row['puzzles']} puzzles proven again" for row in rows]
    lines += [f"  {puzzle}: {problem}" for row in rows for puzzle, problem in row["wrong"].items()]
    return "\n".join(lines)


def _render_list(rows: list[dict[str, Any]]) -> "RenderableType":
    texts = [[str(value) for value in row.values()] for row in rows]
    return table_of("id", "theme", "board", "difficulty", rows=texts)


def _render_puzzle(puzzle: "Puzzle", language: "Language") -> "RenderableType":
    from rich.console import Group

    return Group(_render_question(puzzle, language), _render_solution(puzzle, language))


def _render_question(puzzle: "Puzzle", language: "Language") -> "RenderableType":
    from rich.console import Group

    position = puzzle.position.build(puzzle.game)
    draw = registry.resolve(registry.spec(puzzle.game).screen.terminal)
    board = draw(position.game, position.game.view(position.state, position.seen_by), None)
    return Group(board, f"\n{puzzle.id}, {puzzle.proof.difficulty}: {puzzle.task.text(language)}")


def _render_solution(puzzle: "Puzzle", language: "Language") -> "RenderableType":
    words = [" ".join(puzzle.proof.accept), *(message.text(language) for message in puzzle.proof.explanation)]
    return "\n".join(words) + "\n"
