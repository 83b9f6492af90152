"""Write docs/contract.md, what a game and an agent owe, from the sources of the contract."""

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

from ludex.core import errors

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "contract.md"
INTRODUCTION = """# The contract

What a game and an agent owe to everything else. [Write a game](tutorial.md) uses all of it step by step; `ludex check
NAME` checks every sentence. This page is generated from the code by `python scripts/contract_reference.py`.
"""
MODULES = ("game", "agent", "decision", "limit", "spec", "scene", "editing", "compiled", "errors")
"""The modules of `ludex.core`, in the order of reading."""
ASSIGNED = (ast.Assign, ast.AnnAssign)
PROPERTIES = ("property", "cached_property")


def page() -> str:
    """The whole page."""
    blocks = [INTRODUCTION]
    for name in MODULES:
        blocks += [f"## `ludex.core.{name}`", *described(f"ludex.core.{name}")]
    return joined(blocks)


def described(module: str, name: str | None = None) -> Iterator[str]:
    """A module's docstring and its public names, or one of them alone, with their types and meanings."""
    folder = ROOT.joinpath("src", *module.split("."))
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    if name is None:
        yield docstring(tree)
    else:
        begin = next(number for number, node in enumerate(tree.body) if name in names_of(node))
        described = isinstance(tree.body[begin], ASSIGNED) and isinstance(tree.body[begin + 1], ast.Expr)
        tree.body = tree.body[begin : begin + 1 + described]
    yield from _definitions(tree)


def names_of(node: ast.stmt) -> list[str]:
    """What a statement of a module defines."""
    if isinstance(node, ASSIGNED):
        return [ast.unparse(target) for target in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    return [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []


def joined(blocks: list[str]) -> str:
    """A page of blocks."""
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip()) + "\n"


def _definitions(tree: ast.Module) -> Iterator[str]:
    """The public names of a module in the order of the file, with what is written about each."""
    constants = [f"- `{name}`: {text}" for name, text in _fields(tree.body) if text]
    if constants:
        yield "\n".join(constants)
    listed = [error for node in tree.body if isinstance(node, ast.ClassDef) and (error := _error(node))]
    if listed:
        yield "\n".join(listed)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not _error(node):
            yield f"### class `{node.name}{_bases(node)}`"
            yield docstring(node)
            yield "\n".join(_members(node))
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield f"### `{_signature(node)}`"
            yield docstring(node)


def _error(node: ast.ClassDef) -> str:
    """An exception with a code, as one item of a list; empty for the root and for other classes."""
    kind = getattr(errors, node.name, None)
    if not isinstance(kind, type) or not issubclass(kind, errors.LudexError) or kind is errors.LudexError:
        return ""
    return f"- `{node.name}{_bases(node)}`, code `{kind.code}`: {_one_line(ast.get_docstring(node))}"


def _members(node: ast.ClassDef) -> Iterator[str]:
    for name, text in _fields(node.body):
        yield f"- `{name}`" + (f": {text}" if text else "")
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and child.name == "__init__":
            text = _one_line(ast.get_docstring(child))
            call = _signature(child).removesuffix(" -> None").replace("__init__", node.name)
            yield f"- `{call}`" + (f": {text}" if text else "")
        elif isinstance(child, ast.FunctionDef) and not child.name.startswith("_"):
            is_property = any(ast.unparse(name) in PROPERTIES for name in child.decorator_list)
            name = f"{child.name}: {_annotation(child.returns)}" if is_property else _signature(child)
            text = _one_line(ast.get_docstring(child))
            yield f"- `{name}`" + (f": {text}" if text else "")


def _fields(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Fields and constants as they are declared, each with the docstring below it."""
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                is_alias = "TypeAlias" in ast.unparse(node.annotation) or "Final" in ast.unparse(node.annotation)
                declared = _with_value(name, node.value) if is_alias else f"{name}: {_annotation(node.annotation)}"
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith("_"):
                declared = _with_value(name, value)
            case _:
                continue
        match following:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield declared, _one_line(text)
            case _ if isinstance(node, ast.AnnAssign):
                yield declared, ""


def _with_value(name: str, value: ast.expr | None) -> str:
    """A constant with the values that it holds or allows."""
    listed = isinstance(value, ast.Tuple) or (isinstance(value, ast.Subscript) and _annotation(value)[:8] == "Literal[")
    return f"{name} = {_annotation(value)}" if listed else name


def _bases(node: ast.ClassDef) -> str:
    return f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""


def _signature(node: ast.FunctionDef) -> str:
    """A function as it is called: without `self`."""
    parameters = node.args
    if parameters.args and parameters.args[0].arg == "self":
        parameters.args = parameters.args[1:]
    return f"{node.name}({ast.unparse(parameters)}) -> {_annotation(node.returns)}"


def _annotation(node: ast.expr | None) -> str:
    return ast.unparse(node).replace("'", '"') if node else "None"


def docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    """A docstring as Markdown: its examples and drawings are text blocks."""
    lines: list[str] = []
    for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
        is_code = paragraph.startswith(("    ", ">>>"))
        if is_code and lines[-2:] == ["```", ""]:
            # The same block goes on.
            lines[-2:] = ["", textwrap.dedent(paragraph), "```", ""]
            continue
        lines += ["```text", textwrap.dedent(paragraph), "```"] if is_code else [paragraph]
        lines.append("")
    return "\n".join(lines)


def _one_line(text: str | None) -> str:
    """A docstring without its examples."""
    return " ".join((text or "").split(">>>")[0].split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
