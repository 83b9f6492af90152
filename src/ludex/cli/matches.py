"""`ludex matches`: list, export, import and delete the matches of the database."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ludex.cli import completion, exits, parameters
from ludex.core.errors import BadOption

if TYPE_CHECKING:
    from ludex.core.record import Record
    from ludex.store.database import Database
    from ludex.store.matches import DamagedMatch, StoredMatch

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help="List, export, import and delete matches.")

PAGE: Final = 200
LISTED: Final = 50

Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="which matches; all if none is named")]
Game = Annotated[str | None, typer.Option(help="only matches of this game", autocompletion=completion.games)]


@app.command("list")
def list_(
    game: Game = None,
    limit: Annotated[int, typer.Option(min=1, max=10**6, help="number of matches, newest first")] = LISTED,
    as_json: parameters.Json = False,
) -> None:
    """List the matches of the database, newest first."""
    from rich.table import Table

    from ludex.cli.output import emit
    from ludex.store.database import Database

    with Database.open() as database:
        found = database.matches.list(limit, game)
    document = [_listed(match) for match in found]

    def render() -> Any:
        if not document:
            return "no matches yet"
        table = Table(box=None, header_style="bold")
        table.add_column("id", no_wrap=True, min_width=10)
        for name in ("game", "board", "players", "plies", "result", "when"):
            table.add_column(name, overflow="fold")
        for row in document:
            if "damaged" in row:
                table.add_row(row["id"], "damaged", "", row["damaged"], "", "", row["updated"][:16])
                continue
            score = "-" if row["outcome"] is None else " : ".join(f"{value:g}" for value in row["outcome"])
            players = " - ".join(row["agents"])
            table.add_row(row["id"], row["game"], row["preset"], players, str(row["plies"]), score, row["updated"][:16])
        return table

    emit(document, as_json, render)


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="where to write ID.json for each match; made if need be")],
    ids: Ids = None,
    game: Game = None,
    as_json: parameters.Json = False,
) -> None:
    """Write matches as files that `import`, `ludex replay` and the web app read."""
    from ludex.cli.output import emit, note
    from ludex.core.documents import write_text
    from ludex.core.errors import DataError, UsageError
    from ludex.core.folders import made
    from ludex.core.record import match_file, replay
    from ludex.core.registry import make
    from ludex.store.database import Database

    written, left_out = [], []
    with Database.open() as database:
        chosen = _chosen(database, ids, game)
        made(folder, "FOLDER")
        for match_id in chosen:
            try:
                record = database.matches.get(match_id).record
                text = match_file(replay(make(record.game, record.preset), record), record.agents)
            except (DataError, UsageError) as error:
                # One match that is damaged, or of a game that is gone, must not keep the others from being saved.
                left_out.append({"id": match_id, "code": error.code, "message": error.message})
                note(f"left out {match_id}: {error.message}")
                continue
            write_text(folder / f"{match_id}.json", text)
            written.append(match_id)
    document = {"folder": str(folder), "written": written, "left_out": left_out}
    emit(document, as_json, lambda: f"wrote {len(written)} matches to {folder}")
    if left_out:
        raise typer.Exit(exits.DATA)


@app.command("import")
def import_(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER...", help="match files, or folders of *.json")],
    as_json: parameters.Json = False,
) -> None:
    """Check all match files by a replay, then store those that are not stored yet."""
    from ludex.cli.output import emit
    from ludex.store.database import Database
    from ludex.store.matches import StoredMatch

    records = [_read(file) for path in paths for file in _files(path)]
    with Database.open() as database:
        known = {match.record for match in _every(database, None) if isinstance(match, StoredMatch)}
        kept = database.matches.create_all([record for record in records if record not in known])
    document = {"imported": kept, "known": len(records) - len(kept)}
    emit(document, as_json, lambda: f"imported {len(kept)} matches; {len(records) - len(kept)} were kept already")


@app.command()
def delete(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="which matches")] = None,
    game: Game = None,
    every: Annotated[bool, typer.Option("--all", help="every match, of --game if one is named")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    as_json: parameters.Json = False,
) -> None:
    """Delete the named matches, or --all, for all participants. This cannot be undone."""
    from ludex.cli.output import emit
    from ludex.store.database import Database

    if every == bool(ids) or (game is not None and not every):
        raise BadOption("name the matches to delete, or say --all, with --game for one game's")
    with Database.open() as database:
        chosen = _chosen(database, ids, game)
        if chosen and not yes:
            typer.confirm(f"delete {len(chosen)} matches in {database.name} for good?", abort=True, err=True)
        database.matches.delete(*chosen)
    emit({"deleted": chosen}, as_json, lambda: f"deleted {len(chosen)} matches")


def _chosen(database: "Database", ids: list[str] | None, game: str | None) -> list[str]:
    """The ids that are named, each once, else of all matches, or of all of one game."""
    if ids and game is not None:
        raise BadOption("--game chooses among all matches: it does not go with ids")
    return [*dict.fromkeys(ids)] if ids else [match.id for match in _every(database, game)]


def _every(database: "Database", game: str | None) -> "Iterator[StoredMatch | DamagedMatch]":
    """All matches, newest first."""
    before = None
    while page := database.matches.list(PAGE, game, before):
        yield from page
        before = page[-1].id


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.json"))
    if not found:
        raise BadOption(f"{path}: expected match files, *.json, found none")
    return found


def _read(path: Path) -> "Record":
    """The record of a match file that was played again."""
    from ludex.core.errors import BadRecord, LudexError
    from ludex.core.record import MatchFile, Record
    from ludex.core.registry import make

    file = MatchFile.read(path)
    try:
        match = file.replay(make(file.record.game, file.record.preset))
    except LudexError as error:
        raise BadRecord(f"{path}: {error.message}") from error
    return Record.of(match, file.record.agents)


def _listed(match: "StoredMatch | DamagedMatch") -> dict[str, Any]:
    from ludex.store.matches import DamagedMatch

    if isinstance(match, DamagedMatch):
        return {"id": match.id, "damaged": match.fault, "updated": match.updated_utc}
    record = match.record
    return {
        "id": match.id,
        "game": record.game,
        "preset": record.preset,
        "agents": list(record.agents),
        "plies": len(record.actions),
        "outcome": None if record.outcome is None else list(record.outcome.scores),
        "updated": match.updated_utc,
    }
