"""Every example in a docstring gives what it shows.

pytest's `--doctest-modules` imports and searches every module of the package and the tests in each of its processes.
"""

import ast
import doctest
import importlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def modules_with_examples() -> dict[str, Path]:
    """The files of the package and of the tests' support that show an example, by name, such as `ludex.core.game`."""
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): path
        for folder, pattern in ((ROOT / "src", "**/*.py"), (ROOT, "tests/**/support.py"))
        for path in sorted(folder.glob(pattern))
        if ">>> " in path.read_text(encoding="utf-8")
    }


def examples(source: str, values: Mapping[str, object]) -> Iterator[doctest.DocTest]:
    """The docstrings of a module that hold examples, which may use the module's values."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            name = getattr(node, "name", "module")
            test = doctest.DocTestParser().get_doctest(text, dict(values), name, None, None)
            if test.examples:
                yield test


def report(tests: list[doctest.DocTest]) -> str:
    """What the failed examples printed and should have printed."""
    runner, written = doctest.DocTestRunner(verbose=False), io.StringIO()
    for test in tests:
        runner.run(test, out=written.write)
    return written.getvalue()


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_give_what_they_show(name: str) -> None:
    tests = [*examples(modules_with_examples()[name].read_text(encoding="utf-8"), vars(importlib.import_module(name)))]
    assert tests, "its example is in no docstring"
    assert report(tests) == ""
