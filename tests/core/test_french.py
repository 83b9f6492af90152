"""What French texts share, wherever they are written."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludex

SOURCES = Path(ludex.__file__).parent
CATALOGUES = sorted(
    file
    for file in SOURCES.rglob("*.json")
    if file.stem == "fr" or file.suffixes[:1] == [".fr"] or file.parent.name == "fr"
)
WRONG = re.compile(r"\w'\w|\S [:;!?»%]|« ")
"""A straight apostrophe, or a space at which a line would break before a sign or inside quotation marks."""


def texts(value: Any) -> Iterator[str]:
    """Every text of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def french_of(value: Any) -> Iterator[str]:
    """The texts of a document in two languages that are French."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        yield from texts(part) if key == "fr" else french_of(part)


def written_in(source: str) -> Iterator[str]:
    """The French texts of a module: values of `fr` in a call or in a dict."""
    for node in ast.walk(ast.parse(source)):
        pairs: list[tuple[Any, ast.expr]] = []
        if isinstance(node, ast.Call):
            pairs = [(keyword.arg, keyword.value) for keyword in node.keywords]
        elif isinstance(node, ast.Dict):
            pairs = [
                (key.value, value)
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
            ]
        for name, value in pairs:
            if name == "fr":
                yield from (
                    part.value
                    for part in ast.walk(value)
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                )


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda file: str(file.relative_to(SOURCES)))
def test_catalogues_have_apostrophes_and_spaces_that_do_not_break(catalogue: Path) -> None:
    assert [text for text in texts(json.loads(catalogue.read_text(encoding="utf-8"))) if WRONG.search(text)] == []


def test_texts_of_operations_and_modules_have_them_too() -> None:
    described = json.loads((SOURCES / "operations" / "description.json").read_text(encoding="utf-8"))
    sources = [file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py")]
    modules = [text for source in sources if re.search(r"\bfr\b", source) for text in written_in(source)]
    assert modules, "some modules hold French texts"
    assert [text for text in (*french_of(described), *modules) if WRONG.search(text)] == []
