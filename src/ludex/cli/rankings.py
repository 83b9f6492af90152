"""`ludex rankings`: learned move values in and out of the database."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, parameters
from ludex.cli.output import emit, note, table_of
from ludex.core import registry
from ludex.core.errors import BadOption, BadRankings
from ludex.core.registry import ranking_of

if TYPE_CHECKING:
    from ludex.core.game import AnyGame
    from ludex.core.ranking import RankingCodec

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich", help="Move learned rankings in and out of the database."
)

Game = Annotated[
    str | None,
    typer.Option(
        help="the ranking's game; needed if several games have rankings", autocompletion=completion.games_with_rankings
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(help="board; the game's default if none is named", autocompletion=completion.ranked_presets),
]


@app.command("list")
def list_(as_json: parameters.Json = False) -> None:
    """List the rankings in the database."""
    from ludex.store.database import Database

    with Database.open() as database:
        rankings = database.list_rankings()
    document = [
        {"game": ranking.game, "preset": ranking.preset, "entries": ranking.entries, "createdUtc": ranking.created_utc}
        for ranking in rankings
    ]

    def render() -> Any:
        rows = [(ranking.game, ranking.preset, str(ranking.entries), ranking.created_utc) for ranking in rankings]
        return table_of("game", "board", "entries", "created", rows=rows) if rankings else "no rankings in the database"

    emit(document, as_json, render)


@app.command()
def export(
    path: Annotated[Path | None, typer.Argument(help="where to write; standard output if not given")] = None,
    game: Game = None,
    preset: Preset = None,
    shipped: Annotated[bool, typer.Option("--shipped", help="the ranking that comes with Ludex instead")] = False,
) -> None:
    """Write the database's ranking as a file, without loss of precision."""
    from ludex.core.documents import write_text
    from ludex.store.database import Database

    board, codec = _subject(game, preset)
    if shipped:
        entries, created = codec.shipped()
    else:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with Database.open() as database:
            entries = list(database.rankings(board.info.id, board.info.preset).entries())
            for ranking in database.list_rankings():
                if (ranking.game, ranking.preset) == (board.info.id, board.info.preset):
                    created = ranking.created_utc
        if not entries:
            note(f"the database holds no ranking of {board.info.id} {board.info.preset}; --shipped writes ours")
    text = json.dumps(codec.export(entries, created), indent=1) + "\n"
    if path is None:
        print(text, end="")
        return
    write_text(path, text)
    note(f"wrote {len(entries)} values to {path}")


@app.command("import")
def import_(
    path: Annotated[Path, typer.Argument(help="a rankings file")],
    game: Game = None,
    preset: Preset = None,
    as_json: parameters.Json = False,
) -> None:
    """Check a rankings file as a whole, then put it in place of the database's ranking."""
    from ludex.core.documents import read_json
    from ludex.store.database import Database

    board, codec = _subject(game, preset)
    data = read_json(path, BadRankings)
    try:
        entries, created_utc = codec.parse(data)
    except BadRankings as error:
        raise BadRankings(f"{path}: {error.message}") from error
    with Database.open() as database:
        database.rankings(board.info.id, board.info.preset).replace(entries, created_utc)
    text = f"imported {len(entries)} values; play them with --agent {codec.agent}"
    emit({"game": board.info.id, "preset": board.info.preset, "entries": len(entries)}, as_json, lambda: text)


@app.command()
def reset(
    game: Game = None,
    preset: Preset = None,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    as_json: parameters.Json = False,
) -> None:
    """Forget the database's ranking. The one that ships is untouched."""
    from ludex.store.database import Database

    board, _ = _subject(game, preset)
    if not yes:
        typer.confirm(f"forget the ranking of {board.info.id} {board.info.preset}?", abort=True, err=True)
    with Database.open() as database:
        ranking = database.rankings(board.info.id, board.info.preset)
        entries = sum(1 for _ in ranking.entries())
        ranking.reset()
    text = f"forgot {entries} values of {board.info.id} {board.info.preset}"
    emit({"game": board.info.id, "preset": board.info.preset, "entries": entries}, as_json, lambda: text)


def _subject(game: str | None, preset: str | None) -> "tuple[AnyGame, RankingCodec]":
    if game is None:
        with_rankings = [spec.id for spec in registry.available()[0] if spec.learning.rankings is not None]
        if len(with_rankings) != 1:
            raise BadOption(f"--game is needed: {', '.join(with_rankings)} have rankings")
        game = with_rankings[0]
    return ranking_of(game, preset)
