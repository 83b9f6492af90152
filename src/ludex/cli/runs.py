"""`ludex runs`: list and compare the training runs, and write notes about them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludex.cli import completion, parameters
from ludex.cli.output import emit, note, table_of
from ludex.core.errors import BadOption, BadRun

if TYPE_CHECKING:
    from ludex.learn.comparison import Comparison

_DEFAULT = "list"


class _ListsByDefault(TyperGroup):
    """`ludex runs [RUN]...` is `ludex runs list [RUN]...`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        asks = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if asks or ctx.resilient_parsing else [_DEFAULT, *args])


app = typer.Typer(
    cls=_ListsByDefault,
    rich_markup_mode="rich",
    help="List the training runs, compare some of them, and write notes. `ludex runs` alone lists them.",
)

Names = Annotated[
    list[str],
    typer.Argument(metavar="RUN...", help="runs, or experiments by their name", autocompletion=completion.runs),
]


@app.command("list")
def list_(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", help="runs to compare", autocompletion=completion.runs),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """List the training runs, or compare some of them by their last metrics."""
    from ludex.core.folders import runs_folder
    from ludex.learn.runs import Run, list_runs

    base = runs_folder()
    runs = [Run.open(base, name) for name in names] if names else list_runs(base)
    document = [_describe(run) for run in runs]
    emit(document, as_json, lambda: _render(document, str(base)) if not names else _last_metrics(document))


@app.command()
def compare(
    names: Names,
    metric: Annotated[
        str | None, typer.Option(help="what is compared", show_default="the metric that matters for the game")
    ] = None,
    axis: Annotated[
        str | None, typer.Option(help="what it is compared against", show_default="the finest count of the runs")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="write the curves into a file: .csv with every point, .svg or .png"),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Compare runs of one game: what their configurations differ in, and a metric as mean and range over seeds."""
    from ludex.core.folders import runs_folder
    from ludex.learn.comparison import compare as compared
    from ludex.learn.comparison import open_runs

    runs = open_runs(runs_folder(), names)
    comparison = compared(runs, metric, axis)
    if output is not None:
        _export(runs, comparison, output)
        note(f"written: {output}")
    emit(comparison.model_dump(mode="json"), as_json, lambda: _comparison_table(comparison))


@app.command("note")
def note_(
    name: Annotated[str, typer.Argument(metavar="RUN", help="a run or an experiment", autocompletion=completion.runs)],
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="the new note; '' removes it")] = None,
    as_json: parameters.Json = False,
) -> None:
    """Print the note of a run or an experiment, or write it."""
    from ludex.core.folders import runs_folder
    from ludex.learn.experiments import read_note, write_note

    base = runs_folder()
    if text is not None:
        write_note(base, name, text)
    saved = read_note(base, name)
    emit({"name": name, "note": saved}, as_json, lambda: saved)


def _export(runs: Any, comparison: "Comparison", output: Path) -> None:
    from ludex.core.documents import write_bytes
    from ludex.learn.comparison import draw_picture, export_csv

    match output.suffix:
        case ".csv":
            write_bytes(output, export_csv(runs, comparison.metric, comparison.axis).encode())
        case ".svg":
            write_bytes(output, draw_picture(comparison, "svg"))
        case ".png":
            write_bytes(output, draw_picture(comparison, "png"))
        case _:
            raise BadOption(f"expected a file that ends in .csv, .svg or .png, found {str(output)!r}")


def _comparison_table(comparison: "Comparison") -> Any:
    from rich.console import Group

    table = table_of(*comparison.keys, "seeds", "part", f"last {comparison.metric}")
    for band in comparison.bands:
        variant = comparison.variants[band.variant]
        values = [str(variant.values.get(key, "")) for key in comparison.keys]
        mean, low, high = band.mean[-1], band.low[-1], band.high[-1]
        last = f"{mean:.6g}" if low == high else f"{mean:.6g} ({low:.6g} to {high:.6g})"
        table.add_row(*values, str(len(variant.runs)), band.part, last)
    commands = table_of("run", "state", "command")
    commands.columns[0].no_wrap = True
    commands.columns[2].overflow = "fold"
    for run in (run for variant in comparison.variants for run in variant.runs):
        commands.add_row(run.name, run.state, run.command or "")
    return Group(table, "", commands)


def _describe(run: Any) -> dict[str, Any]:
    try:
        return _in_order(run)
    except BadRun as error:
        # One damaged run must not hide the others.
        keys = ("game", "config", "group", "finished", "state", "reason", "rows", "last", "summary")
        nothing = dict.fromkeys(keys)
        return {"run": run.name, "damaged": error.message, **nothing, "finished": False, "rows": 0, "last": {}}


def _in_order(run: Any) -> dict[str, Any]:
    metrics, status = run.metrics(), run.status
    return {
        "run": run.name,
        "damaged": None,
        "game": run.game,
        "config": run.config_name,
        "group": run.group,
        "finished": run.summary() is not None,
        "state": status.state,
        "reason": status.reason,
        "rows": len(metrics),
        "last": metrics[-1] if metrics else {},
        "summary": run.summary(),
    }


def _render(document: list[dict[str, Any]], base: str) -> Any:
    if not document:
        return f"no runs in {base}"
    grouped = any(run["group"] for run in document)
    names = ("run", "game", "config", *(["experiment"] if grouped else []), "state", "rows")
    table = table_of(*names)
    # Other commands take the name: it must be whole, however narrow the terminal is.
    table.columns[0].min_width = max(len(run["run"]) for run in document)
    for run in document:
        state = run["damaged"] or ": ".join(filter(None, (run["state"], run["reason"])))
        group = [run["group"]] if grouped else []
        table.add_row(run["run"], run["game"], run["config"], *group, state, str(run["rows"]))
    return table


def _last_metrics(document: list[dict[str, Any]]) -> Any:
    keys = dict.fromkeys(key for run in document for key in run["last"])
    rows = [(key, *(str(run["last"].get(key, "")) for run in document)) for key in keys]
    return table_of("metric", *(run["run"] for run in document), rows=rows)
