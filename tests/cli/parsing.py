"""Command lines as documents and units write them, checked by the parser of the command line itself."""

from functools import cache
from typing import Any

from ludex.cli.main import command


@cache
def _root() -> Any:
    return command()


def assert_parses(arguments: list[str]) -> None:
    """`ludex` accepts these arguments; nothing is run."""
    if arguments in (["--version"], ["--help"], ["-h"]):
        return
    with _root().make_context("ludex", [*arguments]) as context:
        _parse(context, _root(), [*context._protected_args, *context.args])


def _parse(context: Any, group: Any, arguments: list[str]) -> None:
    name, subcommand, rest = group.resolve_command(context, arguments)
    assert subcommand is not None, name
    if "--help" in rest:
        return
    with subcommand.make_context(name, rest, parent=context) as inner:
        if hasattr(subcommand, "resolve_command"):
            _parse(inner, subcommand, [*inner._protected_args, *inner.args])
