"""`ludex doctor`: checks of the installation."""

from collections.abc import Callable
from typing import Any

import typer

from ludex.cli import exits, parameters
from ludex.cli.output import emit, table_of
from ludex.core import registry
from ludex.core.errors import LudexError


def doctor(as_json: parameters.Json = False) -> None:
    """Check folders, database, kernels and games, and say what to do about each that fails."""
    checks: dict[str, Callable[[], str]] = {
        "versions": _versions,
        "training": _training,
        "data folder": _data,
        "database": _database,
        "runs folder": _runs,
        "jobs folder": _jobs,
        "kernels": _kernels,
        "games": _games,
    }
    document = [_examine(name, check) for name, check in checks.items()]
    emit(document, as_json, lambda: _render(document))
    if not all(row["ok"] for row in document):
        raise typer.Exit(exits.FAILURE)


def _examine(name: str, check: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"check": name, "ok": True, "detail": check()}
    except LudexError as error:
        return {"check": name, "ok": False, "detail": f"[{error.code}] {error.message}"}


def _versions() -> str:
    import platform
    from importlib.metadata import version

    from ludex import __version__

    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pydantic", "sqlalchemy"))
    return f"Ludex {__version__}, Python {platform.python_version()}, {packages}"


def _training() -> str:
    from ludex.core.packages import missing_packages

    missing = missing_packages(("torch", "onnx", "onnxscript", "stable_baselines3", "sb3_contrib"))
    return f"not installed: {', '.join(missing)}; pip install 'ludex[train]' to train" if missing else "installed"


def _data() -> str:
    from ludex.core.folders import data_folder, make_folder

    return str(make_folder(data_folder(), "LUDEX_DATA"))


def _database() -> str:
    from ludex.store.database import Database

    with Database.open() as database:
        return f"{database.name} opens"


def _runs() -> str:
    from ludex.core.folders import make_folder, runs_folder
    from ludex.learn.runs import Run, list_runs

    runs: list[Run] = list_runs(make_folder(runs_folder(), "LUDEX_RUNS"))
    for run in runs:
        _ = run.created_utc
    return f"{len(runs)} runs in {runs_folder().absolute()}"


def _jobs() -> str:
    from ludex.core.folders import jobs_folder, make_folder
    from ludex.lab.jobs import list_jobs

    return f"{len(list_jobs(make_folder(jobs_folder(), 'LUDEX_JOBS')))} jobs in {jobs_folder().absolute()}"


def _kernels() -> str:
    from ludex.kernels.cache import kernel_folder

    compiled = len(list(kernel_folder().glob("*.nbc")))
    return f"{compiled} compiled in {kernel_folder()}" if compiled else "none compiled yet: run `ludex warmup`"


def _games() -> str:
    from ludex.core.conformance import check_spec

    specs, broken = registry.available()
    for error in broken:
        raise error
    for spec in specs:
        check_spec(spec)
    return ", ".join(spec.id for spec in specs)


def _render(document: list[dict[str, Any]]) -> Any:
    from rich.text import Text

    verdicts = {True: Text("ok", "green"), False: Text("fails", "red")}
    rows = [(verdicts[row["ok"]], row["check"], Text(row["detail"])) for row in document]
    return table_of(rows=rows, show_header=False, padding=(0, 2, 0, 0))
