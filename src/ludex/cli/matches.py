"""`ludex matches`: list, export, import and delete the matches of the database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.output import emit, note, table_of
from ludex.core.errors import BadOption, BadRecord, DataError, LudexError, StaleMatch, UsageError
from ludex.core.registry import make

if TYPE_CHECKING:
    from ludex.store.database import Database
    from ludex.store.hosting import HostedMatch
    from ludex.store.matches import DamagedMatch, ListedMatch
    from ludex.store.personal import ExportedMatch

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
    from ludex.store.database import Database

    with Database.open() as database:
        page = database.matches.list(limit, game)
    document = [_list_entry(match) for match in page]

    def render() -> Any:
        if not document:
            return "no matches yet"
        table = table_of()
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


COLUMNS: Final = (
    *("id", "game", "rules_version", "board", "seed", "player_1", "player_2"),
    *("plies", "score_1", "score_2", "reason", "created_utc", "updated_utc", "moves"),
)
"""Of the table that `export --csv` writes: one row per match, player 1 moves first; empty is unknown."""


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="where to write ID.json for each match, or the file of --csv")],
    ids: Ids = None,
    game: Game = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="write one CSV table, a row per match, instead")] = False,
    as_json: parameters.Json = False,
) -> None:
    """Write matches as files that `import`, `ludex replay` and the web app read.

    Their ids, times and people go into people.json beside them. --csv writes one table, which no command reads back.
    """
    if as_csv:
        _export_table(folder, ids, game, as_json)
        return
    from ludex.core.documents import write_text
    from ludex.core.folders import make_folder
    from ludex.core.record import match_file, replay
    from ludex.store.database import Database
    from ludex.store.personal import PEOPLE_FILE, ExportedMatch, People

    written, left_out = [], []
    with Database.open() as database:
        selected = _selected_ids(database, ids, game)
        make_folder(folder, "FOLDER")
        # Those of an earlier export into the same folder stay: their files do.
        earlier = People.read(folder)
        exported = {**earlier.matches}
        for match_id in selected:
            try:
                match = database.hostings.get(match_id)
                record = match.stored.record
                text = match_file(replay(make(record.game, record.preset), record), record.agents)
            except (DataError, UsageError) as error:
                # One match that is damaged, or of a game that is gone, must not keep the others from being saved.
                left_out.append({"id": match_id, "code": error.code, "message": error.message})
                note(f"left out {match_id}: {error.message}")
                continue
            write_text(folder / f"{match_id}.json", text)
            exported[match_id] = ExportedMatch.of(match)
            written.append(match_id)
        people = People(matches=exported)
        nicknames = earlier.nicknames | database.nicknames.of(people.ids)
    write_text(folder / PEOPLE_FILE, people.model_copy(update={"nicknames": nicknames}).document())
    document = {"folder": str(folder), "written": written, "left_out": left_out}
    emit(document, as_json, lambda: f"wrote {len(written)} matches to {folder}")
    if left_out:
        raise typer.Exit(exits.DATA)


def _export_table(file: Path, ids: list[str] | None, game: str | None, as_json: bool) -> None:
    """Write a row per match; what is damaged is left out and named."""
    import csv
    import io

    from ludex.core.documents import write_text
    from ludex.core.record import replay
    from ludex.store.database import Database

    text, left_out, rows = io.StringIO(), [], 0
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    with Database.open() as database:
        for match_id in _selected_ids(database, ids, game):
            try:
                stored = database.hostings.get(match_id).stored
                record = stored.record
                moves = [move.text for move in replay(make(record.game, record.preset), record).moves]
            except (DataError, UsageError) as error:
                left_out.append({"id": match_id, "code": error.code, "message": error.message})
                note(f"left out {match_id}: {error.message}")
                continue
            scores = record.outcome.scores if record.outcome else ()
            reason = record.outcome.reason if record.outcome else record.aborted or ""
            table.writerow(
                [
                    *(match_id, record.game, record.version, record.preset, record.seed),
                    *_pair(record.agents),
                    len(moves),
                    *_pair(scores),
                    *(reason, stored.created_utc, stored.updated_utc, " ".join(moves)),
                ]
            )
            rows += 1
    write_text(file, text.getvalue())
    emit({"file": str(file), "rows": rows, "left_out": left_out}, as_json, lambda: f"wrote {rows} matches to {file}")
    if left_out:
        raise typer.Exit(exits.DATA)


def _pair(values: Sequence[Any]) -> list[Any]:
    """One value per player, empty where there is none."""
    return [*values, "", ""][:2]


@app.command("import")
def import_(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER...", help="match files, or folders of *.json")],
    as_json: parameters.Json = False,
) -> None:
    """Check all match files by a replay, then store those that are not stored yet.

    Beside the people.json of an export a match keeps its id, its times and its people.
    """
    from ludex.store.database import Database
    from ludex.store.personal import People

    read: list[_Import] = []
    nicknames: dict[str, str] = {}
    for path in paths:
        people = People.read(path if path.is_dir() else path.parent)
        nicknames |= people.nicknames
        read += [_read(file, people.matches.get(file.stem)) for file in _files(path)]
    with Database.open() as database:
        records = {*database.matches.records()} if any(match.unnamed for match in read) else set()
        known = [match for match in read if match.unnamed and match.hosted.stored.record in records]
        done = database.hostings.restore(match.hosted for match in read if match not in known)
        database.nicknames.restore(nicknames)
    left_out = []
    for match_id in done.different:
        message = f"match {match_id!r} is stored with other moves; delete it to restore the one of the file"
        left_out.append({"id": match_id, "code": StaleMatch.code, "message": message})
        note(f"left out {match_id}: {message}")
    unchanged = len(known) + len(done.known)
    document = {"imported": done.restored, "known": unchanged, "left_out": left_out}
    emit(document, as_json, lambda: f"imported {len(done.restored)} matches; {unchanged} were kept already")
    if left_out:
        raise typer.Exit(exits.DATA)


@app.command()
def delete(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="which matches")] = None,
    game: Game = None,
    every: Annotated[bool, typer.Option("--all", help="every match, of --game if one is named")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    as_json: parameters.Json = False,
) -> None:
    """Delete the named matches, or --all, for all participants. This cannot be undone."""
    from ludex.store.database import Database

    if every == bool(ids) or (game is not None and not every):
        raise BadOption("name the matches to delete, or say --all, with --game for one game's")
    with Database.open() as database:
        selected = _selected_ids(database, ids, game)
        if selected and not yes:
            typer.confirm(f"delete {len(selected)} matches in {database.name} for good?", abort=True, err=True)
        database.matches.delete(*selected)
    emit({"deleted": selected}, as_json, lambda: f"deleted {len(selected)} matches")


def _selected_ids(database: "Database", ids: list[str] | None, game: str | None) -> list[str]:
    """The ids that are named, each once, else of all matches, or of all of one game."""
    if ids and game is not None:
        raise BadOption("--game chooses among all matches: it does not go with ids")
    return [*dict.fromkeys(ids)] if ids else [match.id for match in _every(database, game)]


def _every(database: "Database", game: str | None) -> "Iterator[ListedMatch | DamagedMatch]":
    """All matches, newest first."""
    before = None
    while page := database.matches.list(PAGE, game, before):
        yield from page
        before = page[-1].id


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    from ludex.store.personal import PEOPLE_FILE

    files = sorted(file for file in path.glob("*.json") if file.name != PEOPLE_FILE)
    if not files:
        raise BadOption(f"{path}: expected match files, *.json, found none")
    return files


@dataclass(frozen=True, slots=True)
class _Import:
    """A match to store."""

    hosted: "HostedMatch"
    unnamed: bool
    """Whether no people.json names it: its id is new, and it has no people."""


def _read(path: Path, exported: "ExportedMatch | None") -> _Import:
    """The match of a file that was played again, with its people where they were exported."""
    from ludex.core.record import MatchFile, Record
    from ludex.store.hosting import HostedMatch
    from ludex.store.matches import StoredMatch, new_id
    from ludex.store.timing import utc_now

    file = MatchFile.read(path)
    try:
        match = file.replay(make(file.record.game, file.record.preset))
        record = Record.of(match, file.record.agents)
        if exported is not None:
            return _Import(exported.with_record(path.stem, record), unnamed=False)
    except LudexError as error:
        raise BadRecord(f"{path}: {error.message}") from error
    now = utc_now()
    return _Import(HostedMatch(StoredMatch(new_id(), 1, now, now, record), None), unnamed=True)


def _list_entry(match: "ListedMatch | DamagedMatch") -> dict[str, Any]:
    from ludex.store.matches import DamagedMatch

    if isinstance(match, DamagedMatch):
        return {"id": match.id, "damaged": match.fault, "updated": match.updated_utc}
    return {
        "id": match.id,
        "game": match.game,
        "preset": match.preset,
        "agents": list(match.agents),
        "plies": match.plies,
        "outcome": None if match.outcome is None else list(match.outcome.scores),
        "updated": match.updated_utc,
    }
