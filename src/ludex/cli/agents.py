"""`ludex agents`: trained agents kept as levels, and exchanged as files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.cli import completion, parameters
from ludex.cli.output import emit, note, table_of
from ludex.core.errors import BadNet, BadOption

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich", help="Keep trained agents as levels, and exchange them as files."
)

Reference = Annotated[str, typer.Argument(metavar="AGENT", help="run:NAME@STEP, run:NAME for its last, or kept:NAME")]


@app.command("list")
def list_(
    run: Annotated[str | None, typer.Option(help="those of a run instead", autocompletion=completion.runs)] = None,
    as_json: parameters.Json = False,
) -> None:
    """List the agents that are kept as levels, or those that a run keeps."""
    from ludex.core.kept_agents import kept_agents

    if run is not None:
        _list_run(run, as_json)
        return
    agents, broken = kept_agents()
    for error in broken:
        note(f"error [{error.code}]: {error.message}")
    document = [{"agent": row.reference, **row.model_dump(exclude={"version"})} for row in agents]

    def render() -> Any:
        rows = [(row.reference, row.title, row.game, row.board, f"{row.bytes:,}", row.origin) for row in agents]
        table = table_of("agent", "title", "game", "board", "bytes", "from", rows=rows)
        return table if agents else "no agents are kept; ludex agents keep run:NAME@STEP TITLE keeps one"

    emit(document, as_json, render)


@app.command("keep")
def keep_(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="run:NAME@STEP, or run:NAME for its last")],
    title: Annotated[str, typer.Argument(help="what people call it")],
    as_json: parameters.Json = False,
) -> None:
    """Keep an agent of a run as a level of the home page."""
    from ludex.core.options import RUN
    from ludex.learn.exchange import keep_from_run

    if not agent.startswith(RUN):
        raise BadOption(f"expected run:NAME@STEP or run:NAME, found {agent!r}")
    agent_kept = keep_from_run(agent.removeprefix(RUN), title)
    emit(agent_kept.model_dump(exclude={"version"}), as_json, lambda: f"kept as {agent_kept.reference}")


@app.command()
def export(
    agent: Reference,
    path: Annotated[Path | None, typer.Argument(help="where to write; a file here if not given")] = None,
    as_json: parameters.Json = False,
) -> None:
    """Write a trained agent as a file that others can import."""
    from ludex.core.documents import write_bytes
    from ludex.learn.exchange import export_agent

    name, data = export_agent(agent)
    written = Path(name) if path is None else path / name if path.is_dir() else path
    write_bytes(written, data)
    emit({"path": str(written), "bytes": len(data)}, as_json, lambda: f"wrote {len(data):,} bytes to {written}")


@app.command("import")
def import_(
    path: Annotated[Path, typer.Argument(help="an .onnx, .safetensors or rankings file")],
    title: Annotated[str, typer.Argument(help="what people call it")],
    game: Annotated[str, typer.Option(help="the game it plays", autocompletion=completion.games)],
    preset: Annotated[str | None, typer.Option(help="the board it has learned; else the default")] = None,
    as_json: parameters.Json = False,
) -> None:
    """Check a trained agent from elsewhere, play some moves with it, and keep it as a level."""
    from ludex.core.documents import read_bytes
    from ludex.core.kept_agents import LARGEST_FILE
    from ludex.learn.exchange import import_file

    agent_kept = import_file(game, preset, title, read_bytes(path, BadNet, LARGEST_FILE), path.name)
    emit(agent_kept.model_dump(exclude={"version"}), as_json, lambda: f"kept as {agent_kept.reference}")


@app.command("remove")
def remove_(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="kept:NAME")], as_json: parameters.Json = False
) -> None:
    """Forget an agent that was kept; the run that it came from is untouched."""
    from ludex.core.kept_agents import remove
    from ludex.core.options import KEPT

    agent_kept = remove(agent.removeprefix(KEPT))
    emit({"agent": agent_kept.reference}, as_json, lambda: f"removed {agent_kept.reference}")


def _list_run(name: str, as_json: bool) -> None:
    from ludex.core.folders import runs_folder
    from ludex.learn.run_agents import agents_of, reference_of
    from ludex.learn.runs import Run

    run = Run.open(runs_folder(), name)
    agent_kept = agents_of(run)
    agents = [] if agent_kept is None else agent_kept.agents
    document = [{"agent": reference_of(run, row), **row.model_dump()} for row in agents]

    def render() -> Any:
        rows = [(reference_of(run, row), str(row.step), str(row.row), f"{row.bytes:,}") for row in agents]
        table = table_of("agent", "step", "row", "bytes", rows=rows)
        return table if agents else "the run keeps no agents, or none yet"

    emit(document, as_json, render)
