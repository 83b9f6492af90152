"""Every code block of the documentation is executed, parsed by the program it is written for, or marked with a reason.

- Python with prompts is a doctest; other Python runs, one namespace per page.
- A line of a terminal: `ludex` is parsed by the command line's own parser, `make` names a target, `python` a module or
  file; other programs are listed here, and files of the repository that they name must exist.
- TOML, YAML and JSON are parsed. `text` is no code.
- `<!-- not executed: reason -->` before a block leaves Python out.
"""

import ast
import doctest
import importlib.util
import json
import re
import shlex
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tests.cli.parsing import assert_parses

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
REASON = re.compile(r"<!-- (not executed: \S.*) -->\s*$")
ELSEWHERE = {"docs/cli.md", "docs/tutorial.md", "examples/connect_four/README.md"}
"""The first is generated from the code, the others are executed by tests/examples/test_connect_four.py."""
OTHER_PROGRAMS = {
    *("apt-get", "useradd", "install", "cp", "chmod", "ln", "systemctl", "nginx", "sudo", "caddy", "curl", "docker"),
    "source",
    *("pip", "pip-audit", "ray", "openssl", "git", "node", "sh"),
}
"""Programs of others: their lines are not run."""
PYTHON_OF_OTHERS = {"venv"}


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    kind: str
    code: str
    reason: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    paths = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/README.md")]
    paths += ROOT.glob("src/ludex/games/*/README.md")
    return sorted(page for page in paths if page.relative_to(ROOT).as_posix() not in ELSEWHERE)


def blocks() -> Iterator[Block]:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            before = text[: match.start()]
            reason = REASON.search(before)
            line = before.count("\n") + 1
            code = textwrap.dedent(match.group(3))
            yield Block(page, line, match.group(2), code, reason.group(1) if reason else None)


BLOCKS = [*blocks()]


def of_kind(*kinds: str) -> list[Block]:
    return [block for block in BLOCKS if block.kind in kinds]


def lines_of(block: Block) -> Iterator[list[str]]:
    """The commands of a terminal, in words: comments, redirections and variables before a command left out."""
    for line in block.code.replace("\\\n", " ").splitlines():
        for command in re.split(r"\s+&&\s+|\s+\|\s+", line):
            words = shlex.split(re.sub(r"\$\([^)]*\)", "X", command), comments=True)
            redirected = (number for number, word in enumerate(words) if re.match(r"\d?>|&$", word))
            words = words[: next(redirected, None)]
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words = words[1:]
            if words and words[0] != "export":
                yield words


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    kinds = {"", "sh", "python", "toml", "yaml", "json", "text"}
    assert {str(block): block.kind for block in BLOCKS if block.kind not in kinds} == {}
    assert len(of_kind("python")) > 10
    assert len(of_kind("", "sh")) > 25


@pytest.mark.parametrize("block", of_kind("", "sh"), ids=str)
def test_commands_are_written_as_they_are_accepted(block: Block) -> None:
    for words in lines_of(block):
        program, *arguments = words
        name = Path(program).name
        if name in ("docker", "torchrun") and "ludex" in arguments:
            # `compose exec ludex ludex backup ...`: the service, then the command in it.
            where = len(arguments) - arguments[::-1].index("ludex") - 1
            name, arguments = "ludex", arguments[where + 1 :]
        if name == "ludex":
            # The game of the tutorial is not installed here: its flags are parsed as those of a game that is.
            assert_parses(["tictactoe" if argument == "connect_four" else argument for argument in arguments])
        elif name == "make":
            assert re.search(rf"^{arguments[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), words
        elif name in ("python", "python3"):
            _assert_exists(arguments)
        else:
            assert name in OTHER_PROGRAMS, (
                f"{block}: {name} is not known; add it to OTHER_PROGRAMS if it is no code of ours"
            )
        for word in words:
            if re.match(r"(deploy|docs|scripts|examples|benchmarks)/", word) and word != "deploy/.env":
                assert (ROOT / word).exists(), f"{block}: {word}"


def _assert_exists(arguments: list[str]) -> None:
    """A module that can be found, or a file of the repository."""
    if arguments[0] != "-m":
        assert (ROOT / arguments[0]).is_file(), arguments
        return
    module, rest = arguments[1], arguments[2:]
    if module == "ludex":
        assert_parses(rest)
    elif module not in PYTHON_OF_OTHERS:
        assert importlib.util.find_spec(module) is not None, module


@pytest.mark.parametrize("block", of_kind("toml", "yaml", "json"), ids=str)
def test_documents_are_well_formed(block: Block) -> None:
    parsers: dict[str, Callable[[str], object]] = {"toml": tomllib.loads, "yaml": yaml.safe_load, "json": json.loads}
    assert parsers[block.kind](block.code)


PAGES_WITH_PYTHON = sorted(
    {block.page for block in of_kind("python") if block.page.name != "README.md" or "games" in block.page.parts}
)


@pytest.mark.parametrize("page", PAGES_WITH_PYTHON, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_runs(page: Path) -> None:
    namespace: dict[str, object] = {}
    for block in of_kind("python"):
        if block.page != page:
            continue
        if block.reason is not None:
            ast.parse(block.code)
        elif ">>>" in block.code:
            test = doctest.DocTestParser().get_doctest(block.code, namespace, str(block), str(page), block.line)
            runner = doctest.DocTestRunner()
            runner.run(test, clear_globs=False)
            assert runner.failures == 0, block
            namespace = test.globs
        else:
            exec(compile(block.code, str(block), "exec"), namespace)
