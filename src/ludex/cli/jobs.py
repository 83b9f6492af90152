"""`ludex jobs`: training runs and tournaments as supervised processes."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ludex.cli import completion, parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludex.lab.job import Job

app = typer.Typer(no_args_is_help=True, help="Start, watch, pause, resume and cancel jobs of the laboratory.")
start = typer.Typer(no_args_is_help=True, help="Put a job into the queue; `ludex serve` or `ludex jobs work` runs it.")
app.add_typer(start, name="start")

Game = Annotated[str, typer.Argument(metavar="GAME", help="the game", autocompletion=completion.games)]
JobId = Annotated[str, typer.Argument(metavar="JOB", help="the job's id", autocompletion=completion.jobs)]
Name = Annotated[
    str | None, typer.Option(help="the name of what is made, and the job's title", show_default="the job's id")
]
Preset = Annotated[str | None, typer.Option(help="the board", show_default="the game's first")]
Changed = Annotated[list[str] | None, typer.Option("--set", help="change a key: a.b=value; may be repeated")]


@start.command("train")
def start_train(
    game: Game,
    *,
    config: Annotated[
        str | None, typer.Option(help="a shipped configuration, or a path to a .yaml file", show_default="the game's")
    ] = None,
    set_: Changed = None,
    seeds: Annotated[int, typer.Option(min=1, help="runs, one per seed")] = 1,
    sweep: Annotated[
        list[str] | None, typer.Option(metavar="KEY=A,B,...", help="runs, one per value of a key; may be repeated")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, help="minutes of training, where the configuration has them; else pause after so many"),
    ] = None,
    log: Annotated[
        list[str] | None,
        typer.Option(metavar="tensorboard|wandb", help="write the metrics for another tool too; may be repeated"),
    ] = None,
    name: Name = None,
    executor: parameters.Executor = "local",
    address: parameters.Address = "auto",
    as_json: parameters.Json = False,
) -> None:
    """Train one run, or several by --seeds and --sweep; on a Ray cluster all at once."""
    from ludex.learn.config import parse_changes
    from ludex.learn.experiments import parse_sweep

    request = {
        "kind": "train",
        "game": game,
        "config": _absolute(config),
        "changes": parse_changes(set_ or []),
        "seeds": seeds,
        "sweep": parse_sweep(sweep or []),
        "minutes": minutes,
        "log": log or [],
        "name": name,
        "executor": executor,
        "address": address,
    }
    _start(request, as_json)


@start.command("tournament")
def start_tournament(
    game: Game,
    *,
    agents: Annotated[str, typer.Option(help="the players, A,B,C with options A:key=value")],
    preset: Preset = None,
    format_: Annotated[
        Literal["round-robin", "gauntlet", "swiss", "league"] | None,
        typer.Option("--format", help="how agents are paired", show_default="round-robin, for one player a league"),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="games per meeting, an even number; in a league per agent")] = 100,
    rounds: Annotated[int | None, typer.Option(min=1, help="of a Swiss tournament")] = None,
    seed: parameters.MatchSeed = None,
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    clock: parameters.Clock = None,
    opening_plies: parameters.OpeningPlies = 0,
    name: Name = None,
    executor: parameters.Executor = "local",
    workers: parameters.Workers = 1,
    address: parameters.Address = "auto",
    as_json: parameters.Json = False,
) -> None:
    """Let many agents play each other, and rate them."""
    from ludex.arena.entrants import split_entrants

    request = {
        "kind": "tournament",
        "game": game,
        "preset": preset,
        "agents": split_entrants(agents),
        "format": format_,
        "games": games,
        "rounds": rounds,
        "seed": seed,
        "movetime": movetime,
        "depth": depth,
        "nodes": nodes,
        "clock": clock,
        "opening_plies": opening_plies,
        "name": name,
        "executor": executor,
        "workers": workers,
        "address": address,
    }
    _start(request, as_json)


@start.command("evaluation")
def start_evaluation(
    game: Game,
    *,
    agent: Annotated[str | None, typer.Option(help="the agent to evaluate", show_default="the board's default")] = None,
    opponent: Annotated[list[str] | None, typer.Option(help="its opponent in a game for two; may be repeated")] = None,
    preset: Preset = None,
    games: Annotated[int, typer.Option(min=1, help="games; in a game for two per opponent, and even")] = 100,
    seed: parameters.Seed = 0,
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    opening_plies: parameters.OpeningPlies = 0,
    name: Name = None,
    executor: parameters.Executor = "local",
    workers: parameters.Workers = 1,
    address: parameters.Address = "auto",
    as_json: parameters.Json = False,
) -> None:
    """Measure one agent, against others in a game for two."""
    request = {
        "kind": "evaluation",
        "game": game,
        "preset": preset,
        "agent": agent,
        "opponents": opponent or [],
        "games": games,
        "seed": seed,
        "movetime": movetime,
        "depth": depth,
        "nodes": nodes,
        "opening_plies": opening_plies,
        "name": name,
        "executor": executor,
        "workers": workers,
        "address": address,
    }
    _start(request, as_json)


@start.command("puzzles")
def start_puzzles(
    game: Game,
    *,
    theme: Annotated[str, typer.Option(help="the theme of the puzzles")],
    count: Annotated[int, typer.Option(min=1, help="how many puzzles")] = 200,
    seed: parameters.Seed = 0,
    name: Name = None,
    executor: parameters.Executor = "local",
    workers: parameters.Workers = 1,
    address: parameters.Address = "auto",
    as_json: parameters.Json = False,
) -> None:
    """Make puzzles of a theme; the file is kept in the job's folder."""
    request = {
        "kind": "puzzles",
        "game": game,
        "theme": theme,
        "count": count,
        "seed": seed,
        "name": name,
        "executor": executor,
        "workers": workers,
        "address": address,
    }
    _start(request, as_json)


@app.command("list")
def list_(as_json: parameters.Json = False) -> None:
    """List the jobs, the oldest first."""
    from ludex.cli.output import emit
    from ludex.core.folders import jobs_folder
    from ludex.lab.jobs import list_jobs

    document = [_line(job) for job in list_jobs()]
    emit(document, as_json, lambda: _render(document, str(jobs_folder())))


@app.command()
def show(job: JobId, as_json: parameters.Json = False) -> None:
    """Show one job: its request, where it stands, its result and the end of its log."""
    from ludex.cli.output import emit
    from ludex.lab.jobs import open_job

    found = open_job(job)
    request = found.request.model_dump(mode="json")
    document = {**_line(found), "request": request, "result": found.result, "log": found.log_tail()}
    emit(document, as_json, lambda: _render_job(document))


@app.command()
def pause(job: JobId, as_json: parameters.Json = False) -> None:
    """Have a job stop where it can be resumed."""
    _change(job, lambda found: found.request_pause(), as_json)


@app.command()
def resume(job: JobId, as_json: parameters.Json = False) -> None:
    """Put a job that paused, failed or was interrupted into the queue again."""
    from ludex.lab import jobs
    from ludex.lab.limits import JobLimits

    _change(job, lambda found: jobs.resume(found, JobLimits.from_environment()), as_json)


@app.command()
def cancel(job: JobId, as_json: parameters.Json = False) -> None:
    """End a job for good; what it made so far is kept."""
    _change(job, lambda found: found.cancel(), as_json)


@app.command()
def rename(
    job: JobId, title: Annotated[str, typer.Argument(help="the new title")], as_json: parameters.Json = False
) -> None:
    """Give a job another title."""
    from ludex.lab import jobs

    _change(job, lambda found: jobs.rename(found, title), as_json)


@app.command()
def delete(
    job: JobId,
    with_work: Annotated[bool, typer.Option("--work", help="delete its runs and its tournament too")] = False,
) -> None:
    """Delete a job that no process works on; its runs and its tournament stay unless --work."""
    from ludex.cli.output import note
    from ludex.lab.jobs import open_job
    from ludex.lab.retention import delete_with_work

    found = open_job(job)
    if with_work:
        delete_with_work(found)
    else:
        found.delete()
    note(f"deleted {job}")


@app.command()
def work(
    until_empty: Annotated[bool, typer.Option("--until-empty", help="end when no job runs or waits")] = False,
) -> None:
    """Run jobs without a server, until Ctrl-C; jobs that run then go on."""
    from ludex.cli.output import note
    from ludex.lab.limits import JobLimits
    from ludex.lab.supervisor import Supervisor

    supervisor = Supervisor(JobLimits.from_environment())
    try:
        supervisor.run(until_empty=until_empty, refused=lambda: note("another process runs the jobs; waiting for it"))
    except KeyboardInterrupt:
        note("jobs that run go on; the next supervisor finds them")
    finally:
        supervisor.release()


def _start(request: dict[str, Any], as_json: bool) -> None:
    from pydantic import ValidationError

    from ludex.cli.output import emit
    from ludex.core.errors import BadOption
    from ludex.lab.jobs import create
    from ludex.lab.limits import JobLimits
    from ludex.lab.requests import REQUESTS
    from ludex.lab.work import checked

    limits = JobLimits.from_environment()
    try:
        wanted = REQUESTS.validate_python(request)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadOption(f"{first['loc'][-1]}: {first['msg']}, found {first['input']!r}") from error
    job = create(checked(wanted, limits, remote=False), limits)
    emit(_line(job), as_json, lambda: job.id)


def _change(job_id: str, change: "Callable[[Job], None]", as_json: bool) -> None:
    from ludex.cli.output import emit
    from ludex.lab.jobs import open_job

    job = open_job(job_id)
    change(job)
    line = _line(job)
    emit(line, as_json, lambda: f"{job.id}: {line['state']}")


def _absolute(config: str | None) -> str | None:
    """A path that the job's process finds wherever it starts; a name is left alone."""
    from pathlib import Path

    is_path = config is not None and config.endswith((".yaml", ".yml"))
    return str(Path(config).absolute()) if config is not None and is_path else config


def _line(job: "Job") -> dict[str, Any]:
    from ludex.core.errors import BadJob

    try:
        request, status, progress = job.request, job.status, job.progress
        return {
            "job": job.id,
            "damaged": None,
            "kind": request.kind,
            "game": request.game,
            "title": job.title,
            "state": status.state,
            "reason": status.reason,
            "done": progress.done,
            "total": progress.total,
            "created_utc": job.created_utc,
            "runs": job.runs,
            "tournament": job.tournament,
        }
    except BadJob as error:
        # One damaged job must not hide the others.
        keys = ("kind", "game", "title", "state", "reason", "total", "created_utc", "tournament")
        return {"job": job.id, "damaged": error.message, **dict.fromkeys(keys), "done": 0, "runs": []}


def _render(document: list[dict[str, Any]], base: str) -> Any:
    from rich.table import Table

    if not document:
        return f"no jobs in {base}"
    table = Table(box=None, header_style="bold")
    table.add_column("job", no_wrap=True)
    for column in ("title", "state", "done"):
        table.add_column(column)
    for job in document:
        state = job["damaged"] or ": ".join(filter(None, (job["state"], job["reason"])))
        table.add_row(job["job"], job["title"] or "", state, _amount(job))
    return table


def _render_job(job: dict[str, Any]) -> Any:
    from rich.console import Group
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    rows = {"state": job["state"], "reason": job["reason"], "done": _amount(job)}
    rows |= {"runs": ", ".join(job["runs"]), "tournament": job["tournament"]}
    rows |= {key: str(value) for key, value in job["request"].items() if value not in (None, {}, [])}
    for name, value in rows.items():
        if value:
            table.add_row(name, value)
    table.title = f"{job['job']} {job['title'] or ''}".strip()
    return Group(table, job["log"].rstrip())


def _amount(job: dict[str, Any]) -> str:
    return str(job["done"]) if job["total"] is None else f"{job['done']} of {job['total']}"
