"""Notebooks without Jupyter: the code cells in order, in one namespace, and what each shows.

`python tests/examples/notebooks.py` writes the outputs of every notebook again.
"""

import ast
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "examples"


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def execute_cells(notebook: dict[str, Any], namespace: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The outputs of one code cell after the other, as a notebook keeps them."""
    for count, cell in enumerate(code_cells(notebook), 1):
        yield _outputs("".join(cell["source"]), count, namespace)


def _outputs(source: str, count: int, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), f"cell {count}", "exec"), namespace)
    if last is None:
        return []
    assert isinstance(last, ast.Expr)
    with redirect_stdout(StringIO()) as printed:
        value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), namespace)
    if value is None:
        text = printed.getvalue().splitlines(keepends=True)
        return [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    return [{"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data}]


def text_of(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    for path in sorted(FOLDER.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for count, (cell, outputs) in enumerate(zip(code_cells(notebook), execute_cells(notebook, {}), strict=True), 1):
            cell["execution_count"], cell["outputs"] = count, outputs
        path.write_text(text_of(notebook), encoding="utf-8")
        print(f"wrote {path.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
