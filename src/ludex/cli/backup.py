"""`ludex backup` and `ludex restore`: the whole database and the kept agents in one file, and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import parameters
from ludex.cli.output import emit, note
from ludex.core.errors import BadOption, FolderUnwritable, StoreInUse

if TYPE_CHECKING:
    from ludex.store.backup import BackupSummary


def backup(
    file: Annotated[Path, typer.Argument(help="where to write the backup; only you can read it")],
    force: Annotated[bool, typer.Option("--force", help="replace a file that exists")] = False,
    no_secret: Annotated[
        bool, typer.Option("--no-secret", help="leave out the secret of the data folder: no cookie stays valid")
    ] = False,
    as_json: parameters.Json = False,
) -> None:
    """Write the whole database and the kept agents into a file, while a server may run.

    Matches keep their ids and people. The file restores into SQLite and into PostgreSQL.
    """
    from ludex.core.kept_agents import kept_agents
    from ludex.store.backup import agent_rows
    from ludex.store.database import Database

    if file.exists() and not force:
        raise BadOption(f"{file} exists; --force replaces it")
    secret = None if no_secret else _kept_secret()
    # A missing database is a wrong folder, unless agents were kept there and no match.
    with Database.open(create=bool(kept_agents()[0])) as database:
        agents = agent_rows(lambda error: note(f"left out {error.message}"))
        summary = database.back_up(file, secret, agents)
        name = database.name
    emit(_document(file, summary), as_json, lambda: f"wrote {_counts(summary)} of {name} to {file}")


def restore(
    file: Annotated[Path, typer.Argument(help="a file of `ludex backup`")],
    force: Annotated[
        bool, typer.Option("--force", help="replace everything in the database, and the kept agents")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="read the whole backup and change nothing")] = False,
    as_json: parameters.Json = False,
) -> None:
    """Fill the database from a backup, with all ids and people, whole or not at all. Stop the server first.

    Kept agents come back under their names. A backup of an older Ludex is migrated.
    """
    from ludex.store.backup import backed_up_agents, check_backup, put_back_agents
    from ludex.store.database import Database

    summary = check_backup(file)
    if check:
        emit(_document(file, summary), as_json, lambda: f"{file} is whole: {_counts(summary)}")
        return
    write_secret = _secret_to_write(summary.header.secret, force)
    if not force:
        _require_no_agents()
    with Database.open() as database:
        database.restore(file, replace=force)
        name = database.name
    if write_secret is not None:
        _write_secret(write_secret)
    put_back_agents(backed_up_agents(file))
    emit(_document(file, summary), as_json, lambda: f"restored {_counts(summary)} to {name}")


def _document(file: Path, summary: "BackupSummary") -> dict[str, Any]:
    header = summary.header
    return {
        "file": str(file),
        "createdUtc": header.createdUtc,
        "schemaVersion": header.schemaVersion,
        "secret": header.secret is not None,
        "rows": summary.rows,
    }


def _counts(summary: "BackupSummary") -> str:
    from ludex.store.backup import KEPT_AGENTS

    matches, agents = summary.rows["matches"], summary.rows[KEPT_AGENTS]
    rows = f"{matches} {'match' if matches == 1 else 'matches'} and {sum(summary.rows.values()) - agents} rows in all"
    return f"{rows}, {agents} kept {'agent' if agents == 1 else 'agents'}" if agents else rows


def _secret_file() -> Path:
    from ludex.core.folders import data_folder
    from ludex.web.seats import SECRET_FILE

    return data_folder() / SECRET_FILE


def _kept_secret() -> str | None:
    """The secret of the data folder; None where there is none, or a variable replaces it."""
    import os

    from ludex.core.documents import read_text

    file = _secret_file()
    return read_text(file, FolderUnwritable) if file.exists() and not os.environ.get("LUDEX_SECRET") else None


def _secret_to_write(backed_up: str | None, force: bool) -> str | None:
    """The secret of a backup if the data folder needs it. Raises `StoreInUse` if it has another one."""
    import os

    if backed_up is None or os.environ.get("LUDEX_SECRET"):
        return None
    secret = _kept_secret()
    if secret is not None and secret != backed_up and not force:
        raise StoreInUse(
            f"{_secret_file()} is not the secret of the backup: its people would not be recognised; "
            "nothing was changed, --force replaces it"
        )
    return None if secret == backed_up else backed_up


def _require_no_agents() -> None:
    from ludex.core.kept_agents import kept_agents

    if agents := kept_agents()[0]:
        names = ", ".join(agent.reference for agent in agents)
        raise StoreInUse(f"the data folder keeps {names}; nothing was changed, --force replaces them by the backup's")


def _write_secret(secret: str) -> None:
    from ludex.core.documents import whole_file
    from ludex.core.folders import data_folder, make_folder

    make_folder(data_folder(), "LUDEX_DATA", private=True)
    with whole_file(_secret_file(), private=True) as file:
        file.write(secret.encode())
