"""Write docs/cli.md, the reference of the command line, from the commands themselves."""

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from ludex.cli.exits import MEANINGS
from ludex.cli.main import command
from ludex.core import registry

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
INTRODUCTION = """# The command line

This page is generated from the commands by `python scripts/cli_reference.py`; `ludex COMMAND --help` shows the same.

Data goes to standard output, with `--json` as one JSON document; progress and remarks go to standard error. A command
that takes a game has one subcommand per game, whose own options become flags. Agents take options in their name,
`--agents perfect:ties=random,ranking:ranking=empty`, and budgets beside them, `A:movetime=300`.

| variable | meaning |
|---|---|
| `LUDEX_DATA` | the folder of `ludex.db`, your matches and rankings (default: the platform's data folder) |
| `LUDEX_DB` | the database itself, as any SQLAlchemy URL |
| `LUDEX_RUNS` | the folder of training runs (default: `./runs`) |
| `LUDEX_TOURNAMENTS` | the folder of tournaments with a name (default: `./tournaments`) |
| `LUDEX_JOBS` | the folder of jobs, see [the laboratory](lab.md) (default: `./jobs`) |
| `LUDEX_CACHE` | the folder of compiled kernels (default: the platform's cache folder) |
| `LUDEX_LOG` | `json` for JSON lines; `-v` and `-vv` turn the log on |
| `LUDEX_SECRET` | signs the web app's cookies; needed to serve other machines ([all settings](serving.md)) |
"""


def page() -> str:
    """The whole page."""
    root = command()
    context = root.make_context("ludex", [], resilient_parsing=True)
    games = [spec.id for spec in registry.available()[0]]
    blocks = [INTRODUCTION, _exit_codes()]
    for name in root.list_commands(context):
        if name not in games:
            blocks += _described(root.get_command(context, name), f"ludex {name}", games, 2)
    blocks.append("## Commands of one game\n")
    for name in games:
        found = root.get_command(context, name)
        if found is not None:
            blocks += _described(found, f"ludex {name}", games, 3)
    return "\n".join(block for block in blocks if block).rstrip() + "\n"


def _exit_codes() -> str:
    return _table("exit code", ((str(code), meaning) for code, meaning in MEANINGS.items()))


def _described(found: Any, path: str, games: list[str], level: int) -> Iterator[str]:
    """A command's section; of a group, the sections of its commands too."""
    yield f"{'#' * level} {path}\n"
    yield _plain(found.help or "") + "\n"
    context = found.make_context(path, [], resilient_parsing=True)
    if not hasattr(found, "list_commands"):
        yield _table("argument or flag", _rows(found.get_params(context)))
        return
    children = {name: found.get_command(context, name) for name in found.list_commands(context)}
    if not set(children) <= set(games):
        for name, child in children.items():
            yield from _described(child, f"{path} {name}", games, level + 1)
        return
    # One subcommand per game: the shared flags once, then what each game adds.
    rows = {name: _rows(child.params) for name, child in children.items()}
    shared = [row for row in next(iter(rows.values())) if all(row in others for others in rows.values())]
    yield f"`{path} {' | '.join(children)}`\n"
    yield _table("argument or flag", shared)
    for name in children:
        yield _table(f"only with `{name}`", (row for row in rows[name] if row not in shared))


def _rows(params: Iterable[Any]) -> list[tuple[str, str]]:
    """Each parameter as it is typed, and its help."""
    rows = []
    for param in params:
        if param.name == "help" or param.hidden:
            continue
        if param.param_type_name == "argument":
            typed = param.metavar or str(param.name).upper()
        else:
            valued = not (param.is_flag or param.count)
            typed = ", ".join([*param.opts, *param.secondary_opts]) + (f" {_value(param)}" if valued else "")
        rows.append((f"`{typed}`", _plain(param.help or "") + _default(param)))
    return rows


def _value(param: Any) -> str:
    if param.metavar:
        return str(param.metavar)
    kind = param.type_descriptor.annotation
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    return {int: "INTEGER", float: "NUMBER", Path: "PATH"}.get(kind, "TEXT")


def _default(param: Any) -> str:
    value = param.default
    plain = isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
    return f" (default: `{value}`)" if plain and not getattr(param, "count", False) else ""


def _plain(text: str) -> str:
    """Help without the terminal's markup, one line per paragraph."""
    words = re.sub(r"\[/?(?:bold|dim|italic|cyan)?\]", "", inspect.cleandoc(text))
    return re.sub(r"(?<!\n)\n(?!\n)", " ", words).replace("|", "\\|").strip()


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {name} | {text} |" for name, text in rows]
    return "\n".join([f"| {title} | meaning |", "|---|---|", *lines, ""]) if lines else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
