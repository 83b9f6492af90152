"""Write docs/cli.md, the reference of the command line, from the commands themselves."""

import inspect
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from ludex.cli.exits import MEANINGS
from ludex.cli.main import command
from ludex.core import registry

# The page is about the games of Ludex, whichever others are installed here.
os.environ[registry.IGNORE] = "ludex-classics"
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
| `LUDEX_IGNORE` | installed packages that are left out with their games and agents, separated by commas |
| `LUDEX_LOG` | `json` for JSON lines; `-v` and `-vv` turn the log on |
| `LUDEX_SECRET` | signs the web app's cookies; needed to serve other machines ([all settings](serving.md)) |
"""


Row = tuple[str, str]
"""An argument or a flag as it is typed, and its help."""
MANY = 5
"""Flags of at least so many commands are described once."""


@dataclass
class Section:
    """One command: its own arguments and flags, and those that single games add."""

    level: int
    path: str
    help: str
    rows: list[Row] = field(default_factory=list)
    by_game: dict[str, list[Row]] = field(default_factory=dict)


def page() -> str:
    """The whole page."""
    root = command()
    context = root.make_context("ludex", [], resilient_parsing=True)
    games = [spec.id for spec in registry.available()[0]]
    sections: list[Section] = []
    for name in [name for name in root.list_commands(context) if name not in games]:
        sections += _sections(root.get_command(context, name), f"ludex {name}", games, 2)
    common = [
        row for row, count in Counter(row for section in sections for row in section.rows).items() if count >= MANY
    ]
    common = [row for row in common if row[0].startswith("`--")]
    boards = next(section.by_game for section in sections if section.path == "ludex play")
    blocks = [INTRODUCTION, _table("exit code", ((str(code), meaning) for code, meaning in MEANINGS.items()))]
    blocks += ["## Flags of many commands\n", _table("flag", common)]
    blocks += ["## Flags of the board\n", "Every command that plays a game takes those of its board.\n"]
    blocks += [_table(f"with `{game}`", rows) for game, rows in boards.items()]
    for section in sections:
        blocks += _described(section, common, boards)
    blocks.append("## Commands of one game\n")
    for name in games:
        if (group := root.get_command(context, name)) is not None:
            first, *verbs = _sections(group, f"ludex {name}", games, 3)
            blocks += _described(first, common, {})
            for verb in verbs:
                verb.help = verb.help.removesuffix(first.help).rstrip()
                blocks += _described(verb, common, {name: boards[name]})
    return "\n".join(block for block in blocks if block).rstrip() + "\n"


def _sections(click_command: Any, path: str, games: list[str], level: int) -> Iterator[Section]:
    """A command's section; of a group, the sections of its commands too."""
    context = click_command.make_context(path, [], resilient_parsing=True)
    section = Section(level, path, _plain(click_command.help or ""))
    yield section
    if not hasattr(click_command, "list_commands"):
        section.rows = _rows(click_command.get_params(context))
        return
    children = {name: click_command.get_command(context, name) for name in click_command.list_commands(context)}
    if not set(children) <= set(games):
        for name, child in children.items():
            yield from _sections(child, f"{path} {name}", games, level + 1)
        return
    by_game = {name: _rows(child.params) for name, child in children.items()}
    section.path = f"{path} {' | '.join(children)}" if set(children) != set(games) else path
    section.rows = [row for row in next(iter(by_game.values())) if all(row in rows for rows in by_game.values())]
    section.by_game = {name: [row for row in rows if row not in section.rows] for name, rows in by_game.items()}


def _described(section: Section, common: list[Row], boards: dict[str, list[Row]]) -> Iterator[str]:
    """A section without what the tables above it describe."""
    board_rows = {row for rows in boards.values() for row in rows}
    yield f"{'#' * section.level} {section.path}\n"
    yield section.help + "\n"
    own = [row for row in section.rows if row not in common and row not in board_rows]
    yield _table("argument or flag", own)
    for game, rows in section.by_game.items():
        yield _table(f"only with `{game}`", (row for row in rows if row not in board_rows))
    also = [name.split()[0].strip("`,") for name, _ in section.rows if (name, _) in common]
    links = [f"[common flags](#flags-of-many-commands) {', '.join(f'`{name}`' for name in also)}"] if also else []
    if any(row in board_rows for rows in [section.rows, *section.by_game.values()] for row in rows):
        links.append("the [flags of the board](#flags-of-the-board)")
    if links:
        yield f"Also {' and '.join(links)}.\n"


def _rows(params: Iterable[Any]) -> list[Row]:
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
