"""`ludex jobs`: operations as supervised processes."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludex.cli import completion, parameters
from ludex.cli.gameverb import command_of
from ludex.cli.operations import take_values, with_flags
from ludex.cli.output import emit, facts_of, note, table_of
from ludex.core.errors import BadJob
from ludex.core.registry import resolve
from ludex.operations.description import OPERATIONS, describe, job_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludex.lab.job import Job

app = typer.Typer(no_args_is_help=True, help="Start, watch, pause, resume and cancel jobs of the laboratory.")

Game = Annotated[str, typer.Argument(metavar="GAME", help="the game", autocompletion=completion.games)]
JobId = Annotated[str, typer.Argument(metavar="JOB", help="the job's id", autocompletion=completion.jobs)]


class _Operations(TyperGroup):
    """`ludex jobs start OPERATION`: one command per operation that may be a job, made from its description."""

    def list_commands(self, ctx: Any) -> list[str]:
        return job_names()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in job_names():
            return None
        fields = describe(cmd_name).fields

        def run(*, as_json: parameters.Json = False, **values: Any) -> None:
            _start(cmd_name, {"game": values.pop("game"), **take_values(fields, values)}, as_json)

        return command_of(cmd_name, with_flags(run, run, fields, cmd_name, Game))


start = typer.Typer(
    cls=_Operations, no_args_is_help=True, help="Put a job into the queue; `ludex serve` or `ludex jobs work` runs it."
)
app.add_typer(start, name="start")


@app.command("list")
def list_(as_json: parameters.Json = False) -> None:
    """List the jobs, the oldest first."""
    from ludex.core.folders import jobs_folder
    from ludex.lab.jobs import list_jobs

    document = [_line(job) for job in list_jobs()]
    emit(document, as_json, lambda: _render(document, str(jobs_folder())))


@app.command()
def show(job: JobId, as_json: parameters.Json = False) -> None:
    """Show one job: its request, where it stands, its result and the end of its log."""
    from ludex.lab.jobs import open_job

    saved_job = open_job(job)
    request = saved_job.request.model_dump(mode="json")
    document = {**_line(saved_job), "request": request, "result": saved_job.result, "log": saved_job.log_tail()}
    emit(document, as_json, lambda: _render_job(document))


@app.command()
def pause(job: JobId, as_json: parameters.Json = False) -> None:
    """Have a job stop where it can be resumed."""
    _change(job, lambda job: job.request_pause(), as_json)


@app.command()
def resume(job: JobId, as_json: parameters.Json = False) -> None:
    """Put a job that paused, failed or was interrupted into the queue again."""
    from ludex.lab import jobs
    from ludex.lab.limits import JobLimits

    _change(job, lambda job: jobs.resume(job, JobLimits.from_environment()), as_json)


@app.command()
def cancel(job: JobId, as_json: parameters.Json = False) -> None:
    """End a job for good; what it made so far is kept."""
    _change(job, lambda job: job.cancel(), as_json)


@app.command()
def rename(
    job: JobId, title: Annotated[str, typer.Argument(help="the new title")], as_json: parameters.Json = False
) -> None:
    """Give a job another title."""
    from ludex.lab import jobs

    _change(job, lambda job: jobs.rename(job, title), as_json)


@app.command()
def delete(
    job: JobId,
    with_work: Annotated[bool, typer.Option("--work", help="delete its runs and its tournament too")] = False,
) -> None:
    """Delete a job that no process works on; its runs and its tournament stay unless --work."""
    from ludex.lab.jobs import delete_with_work, open_job

    saved_job = open_job(job)
    if with_work:
        delete_with_work(saved_job)
    else:
        saved_job.delete()
    note(f"deleted {job}")


@app.command()
def work(
    until_empty: Annotated[bool, typer.Option("--until-empty", help="end when no job runs or waits")] = False,
) -> None:
    """Run jobs without a server, until Ctrl-C; jobs that run then go on."""
    from ludex.lab.limits import JobLimits
    from ludex.lab.supervisor import Supervisor

    supervisor = Supervisor(JobLimits.from_environment())
    try:
        supervisor.run(until_empty=until_empty, refused=lambda: note("another process runs the jobs; waiting for it"))
    except KeyboardInterrupt:
        note("jobs that run go on; the next supervisor finds them")
    finally:
        supervisor.release()


def _start(operation: str, options: dict[str, Any], as_json: bool) -> None:
    from ludex.lab.jobs import create
    from ludex.lab.limits import JobLimits

    limits = JobLimits.from_environment()
    request = resolve(OPERATIONS[operation]).parse(options).checked(limits, remote=None)
    job = create(request, limits)
    emit(_line(job), as_json, lambda: job.id)


def _change(job_id: str, change: "Callable[[Job], None]", as_json: bool) -> None:
    from ludex.lab.jobs import open_job

    job = open_job(job_id)
    change(job)
    line = _line(job)
    emit(line, as_json, lambda: f"{job.id}: {line['state']}")


def _line(job: "Job") -> dict[str, Any]:
    try:
        return {"job": job.id, "damaged": None, **job.facts()}
    except BadJob as error:
        # One damaged job must not hide the others.
        keys = ("kind", "game", "title", "state", "reason", "total", "created_utc", "tournament")
        return {"job": job.id, "damaged": error.message, **dict.fromkeys(keys), "done": 0, "runs": []}


def _render(document: list[dict[str, Any]], base: str) -> Any:
    if not document:
        return f"no jobs in {base}"
    table = table_of("job", "title", "state", "done")
    table.columns[0].no_wrap = True
    for job in document:
        state = job["damaged"] or ": ".join(filter(None, (job["state"], job["reason"])))
        table.add_row(job["job"], job["title"] or "", state, _amount(job))
    return table


def _render_job(job: dict[str, Any]) -> Any:
    from rich.console import Group

    rows = {"state": job["state"], "reason": job["reason"], "done": _amount(job)}
    rows |= {"runs": ", ".join(job["runs"]), "tournament": job["tournament"]}
    rows |= {key: str(value) for key, value in job["request"].items() if value not in (None, {}, [])}
    table = facts_of({name: value for name, value in rows.items() if value})
    table.title = f"{job['job']} {job['title'] or ''}".strip()
    return Group(table, job["log"].rstrip())


def _amount(job: dict[str, Any]) -> str:
    return str(job["done"]) if job["total"] is None else f"{job['done']} of {job['total']}"
