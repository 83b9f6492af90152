"""`ludex games`: the games with their boards, levels and agents."""

from typing import Annotated, Any

import typer

from ludex.cli import completion, parameters
from ludex.cli.output import emit, note, table_of
from ludex.core import registry


def games(
    game: Annotated[str | None, typer.Argument(help="show one game in full", autocompletion=completion.games)] = None,
    as_json: parameters.Json = False,
) -> None:
    """List the games, their boards, levels and agents."""
    from rich.console import Group

    specs, broken = ([registry.spec(game)], []) if game else registry.available()
    for error in broken:
        note(f"left out: {error.message}")
    document = [_describe(spec) for spec in specs]

    def render() -> Group:
        columns, kinds = ("game", "title", "boards", "levels", "agents"), ("presets", "levels", "agents")
        rows = [(entry["id"], entry["title"], *(", ".join(entry[kind]) for kind in kinds)) for entry in document]
        table = table_of(*columns, rows=rows, padding=(0, 2, 0, 0))
        return Group(table, *(_in_full(entry) for entry in document if game))

    emit(document[0] if game else document, as_json, render)


def _describe(spec: Any) -> dict[str, Any]:
    from ludex.cli.ownverbs import game_verbs
    from ludex.core.options import CommonOptions, join_reference
    from ludex.learn.trainings import training_names

    return {
        "id": spec.id,
        "title": spec.title,
        "summary": spec.summary,
        "presets": {name: dict(values) for name, values in spec.presets.items()},
        "options": _fields(spec.options),
        "agents": {
            name: {
                "summary": agent.summary,
                "options": {**_fields(CommonOptions), **_fields(agent.options), **agent.defaults},
            }
            for name, agent in spec.agents.items()
        },
        "levels": {
            name: {
                "title": level.title.texts(),
                "description": level.description.texts(),
                "agent": join_reference(level.agent, level.options),
                "rating": level.rating,
            }
            for name, level in spec.levels.items()
        },
        "configs": training_names(spec),
        "verbs": list(game_verbs(spec)),
    }


def _fields(model: Any) -> dict[str, Any]:
    from pydantic_core import PydanticUndefined, to_jsonable_python

    defaults = {name: field.get_default(call_default_factory=True) for name, field in model.model_fields.items()}
    known = {name: None if value is PydanticUndefined else value for name, value in defaults.items()}
    return dict(to_jsonable_python(known, fallback=str))


def _in_full(entry: dict[str, Any]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(1, 2, 0, 0), show_header=False)
    table.add_row("about", entry["summary"])
    table.add_row("options", ", ".join(f"{key}={value}" for key, value in entry["options"].items()))
    for name, level in entry["levels"].items():
        rating = "" if level["rating"] is None else f", {level['rating']:+.0f} Elo"
        about = f"{level['title']['en']}: {level['description']['en']}"
        table.add_row(f"level {name}", Text.assemble(about, (f"\n{level['agent']}{rating}", "dim")))
    for name, agent in entry["agents"].items():
        options = ", ".join(f"{key}={value}" for key, value in agent["options"].items())
        table.add_row(f"agent {name}", Text.assemble(agent["summary"], (f"\n{options}" if options else "", "dim")))
    if entry["verbs"]:
        table.add_row("own verbs", "\n".join(f"ludex {entry['id']} {verb}" for verb in entry["verbs"]))
    if entry["configs"]:
        table.add_row("training", ", ".join(entry["configs"]))
    return table
