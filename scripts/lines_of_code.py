"""Count lines of code: without blank lines, comments, docstrings and catalogues of sentences.

Usage: python scripts/lines_of_code.py FOLDER_OR_FILE ...

Python and JavaScript files of each folder are counted, without tests.
"""

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)


def lines_of_code(file: Path) -> int:
    """The lines of one file that hold code."""
    source = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return sum(1 for line in COMMENT.sub("", source).splitlines() if line.strip())
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in BLANK:
            code |= set(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings)


def files_of(path: Path) -> list[Path]:
    """A file itself, or the files of code below a folder, without tests."""
    if path.is_file():
        return [path]
    files = [file for file in sorted(path.rglob("*")) if file.suffix in {".py", ".js", ".mjs"}]
    return [file for file in files if "tests" not in file.relative_to(path).parts]


def main(arguments: list[str]) -> None:
    """Print the lines of every file and of each folder."""
    for argument in arguments:
        path = Path(argument)
        counts = {file: lines_of_code(file) for file in files_of(path)}
        for file, count in counts.items():
            if count:
                print(f"{count:6} {file}")
        print(f"{sum(counts.values()):6} {path}, in all")


if __name__ == "__main__":
    main(sys.argv[1:])
