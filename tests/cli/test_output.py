"""Tables and progress as they are printed into pipes and narrow terminals."""

import io
import sys

import pytest
from rich.console import Console

from ludex.cli import output
from ludex.cli.operations import make_context

NAMES = [f"py:./agents/search_with_a_long_name.py:Agent:depth={depth}" for depth in (3, 4)]


def test_a_piped_table_is_not_cut(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    names = [name * 3 for name in NAMES]
    output.emit(
        [], as_json=False, render=lambda: output.table_of("player", "won", rows=[(name, "1") for name in names])
    )
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["player", *names]


def test_names_in_a_narrow_terminal_go_on_in_the_next_line() -> None:
    screen = io.StringIO()
    Console(file=screen, width=30).print(output.table_of("player", rows=[(name,) for name in NAMES]))
    text = "".join(line.strip() for line in screen.getvalue().splitlines())
    assert text == "player" + "".join(NAMES)


def test_training_prints_progress_lines_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with make_context("train").progress("training tictactoe", 2000) as advance:
        advance(500)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["training tictactoe: 500 of 2,000, 25%, 0 s"] * 2
