"""What is printed beside the result: tables and progress in pipes and narrow terminals, the log, and compilations."""

import io
import json
import sys

import pytest
from rich.console import Console

from ludex.cli import main, output
from ludex.cli.operations import make_context
from ludex.cli.terminal import candidates_table
from ludex.core.decision import Candidate, Decision
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.kernels import compilations
from tests.cli.conftest import Ludex

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


ANALYSE = ("analyse", "tictactoe", "--moves", "a1 b2 b1", "--json")


def test_it_is_quiet_by_default(ludex: Ludex) -> None:
    assert ludex(*ANALYSE).stderr == ""


def test_verbose_shows_the_telemetry_and_leaves_standard_output_alone(ludex: Ludex) -> None:
    result = ludex("-v", *ANALYSE)
    assert json.loads(result.stdout)["text"] == "c1"
    assert "blockIn1" in result.stderr
    assert "transform" in result.stderr


def test_json_lines_on_request(ludex: Ludex) -> None:
    (line,) = ludex("-v", *ANALYSE, LUDEX_LOG="json").stderr.splitlines()
    event = json.loads(line)
    assert (event["event"], event["level"], event["move"], event["winIn1"]) == ("decision", "info", 8, False)
    assert event["timestamp"].endswith("Z")


def test_workers_log_as_loudly_as_their_parent(process: Ludex) -> None:
    match = ("match", "tictactoe", "--agents", "ranking,ranking", "--games", "4", "--workers", "2", "--json")
    loud, quiet = process("-v", *match, LUDEX_LOG="json"), process(*match)
    assert {json.loads(line)["event"] for line in loud.stderr.splitlines()} == {"decision"}
    assert len(loud.stderr.splitlines()) > 10
    assert quiet.stderr == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_it_is_printed_once_and_only_at_a_terminal(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compilations, "listeners", [])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    main.note_compilation.cache_clear()
    main.command()(["games"], prog_name="ludex", standalone_mode=False)
    for kernel in ("first", "second"):
        compilations.announce(kernel)
    errors = capsys.readouterr().err
    assert errors.count("compiling for this computer") == errors.count("\n") == int(terminal)


def test_figures_of_candidates_are_short_and_never_minus_zero() -> None:
    decision = Decision(action=0, candidates=(Candidate(0, -0.0001, terms={"at_most": -0.0499584}), Candidate(1, -15)))
    page = Console(width=100, record=True)
    board = make("tictactoe")
    page.print(candidates_table(board, board.initial(Rng(0)), decision))
    text = page.export_text()
    assert [row.split() for row in text.splitlines()[1:3]] == [["a3", "+0", "-0.05"], ["b3", "-15"]]
