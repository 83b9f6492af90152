"""Write docs/promises.md, which names the tests of every promise, from tests/promises.toml."""

import re
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promises.md"
INTRODUCTION = """# Promises and their tests

What the other pages promise, in their words, and the tests that fail when a promise is broken. `pytest -k NAME`
runs one. This page is generated from `tests/promises.toml` by `python scripts/promises_reference.py`.
"""


def page() -> str:
    """The whole page. Raises `ValueError` for a promise that its page does not make, or a test that does not exist."""
    promises = tomllib.loads((ROOT / "tests" / "promises.toml").read_text(encoding="utf-8"))
    files = _files_by_test()
    blocks = [INTRODUCTION]
    for source, rows in promises.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        words = " ".join(text.split())
        path = Path(source)
        link = path.name if path.parent.name == "docs" else f"../{source}"
        blocks.append(f"## {text.partition(chr(10))[0].removeprefix('# ')}\n\n[{source}]({link})\n")
        blocks.append("| promise | held by |\n|---|---|")
        for promise, tests in rows.items():
            if promise not in words:
                raise ValueError(f"{source} does not say: {promise}")
            for test in tests:
                _check_exists(test, files)
            blocks.append(f"| {promise} | {', '.join(f'`{test}`' for test in tests)} |")
        blocks[-1] += "\n"
    return "\n".join(blocks).rstrip() + "\n"


def _files_by_test() -> dict[str, list[str]]:
    """The files in which each test function is defined."""
    files: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for name in re.findall(r"^(?:async )?def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            files[name].append(path.relative_to(ROOT).as_posix())
    return files


def _check_exists(test: str, files: dict[str, list[str]]) -> None:
    """Raise `ValueError` unless one file has the test: `test_name`, `tests/file.py::test_name` or a whole file."""
    path, _, name = test.rpartition("::") if test.startswith("test_") or "::" in test else (test, "", "")
    if path and not (ROOT / path).is_file():
        raise ValueError(f"tests/promises.toml: there is no file {path}")
    places = [file for file in files.get(name, []) if path in ("", file)]
    if name and len(places) != 1:
        raise ValueError(f"tests/promises.toml: {test} is in {len(places)} files, not in one: {places}")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
