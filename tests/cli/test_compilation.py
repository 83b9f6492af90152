"""The message at a terminal while the first command of a version compiles kernels."""

import sys

import pytest

from ludex.cli import main
from ludex.kernels import compilations


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
    said = capsys.readouterr().err
    assert said.count("compiling for this computer") == said.count("\n") == int(terminal)
