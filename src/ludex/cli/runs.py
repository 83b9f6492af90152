"""`ludex runs`: the training runs."""

from typing import Annotated, Any

import typer

from ludex.cli import completion, parameters


def runs(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", help="runs to compare", autocompletion=completion.runs),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """List the training runs, or compare some of them by their last metrics."""
    from ludex.cli.output import emit
    from ludex.core.folders import runs_folder
    from ludex.learn.runs import Run, list_runs

    base = runs_folder()
    found = [Run.open(base, name) for name in names] if names else list_runs(base)
    document = [_described(run) for run in found]
    emit(document, as_json, lambda: _render(document, str(base)) if not names else _compared(document))


def _described(run: Any) -> dict[str, Any]:
    from ludex.core.errors import BadRun

    try:
        return _in_order(run)
    except BadRun as error:
        # One damaged run must not hide the others.
        nothing: dict[str, Any] = {
            "game": None,
            "config": None,
            "finished": False,
            "state": None,
            "reason": None,
            "rows": 0,
            "last": {},
            "summary": None,
        }
        return {"run": run.name, "damaged": error.message, **nothing}


def _in_order(run: Any) -> dict[str, Any]:
    metrics, status = run.metrics(), run.status
    return {
        "run": run.name,
        "damaged": None,
        "game": run.game,
        "config": run.config_name,
        "finished": run.summary() is not None,
        "state": status.state,
        "reason": status.reason,
        "rows": len(metrics),
        "last": metrics[-1] if metrics else {},
        "summary": run.summary(),
    }


def _render(document: list[dict[str, Any]], base: str) -> Any:
    from rich.table import Table

    if not document:
        return f"no runs in {base}"
    table = Table("run", "game", "config", "state", "rows", box=None, header_style="bold")
    for run in document:
        state = run["damaged"] or ": ".join(filter(None, (run["state"], run["reason"])))
        table.add_row(run["run"], run["game"], run["config"], state, str(run["rows"]))
    return table


def _compared(document: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table("metric", *(run["run"] for run in document), box=None, header_style="bold")
    for key in dict.fromkeys(key for run in document for key in run["last"]):
        table.add_row(key, *(str(run["last"].get(key, "")) for run in document))
    return table
