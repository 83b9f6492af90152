"""What is written to the log of values that strangers choose."""

import json
import logging
from collections.abc import Iterator

import pytest

from ludex.core.log import LONGEST_VALUE, configure, logger


@pytest.fixture(params=["text", "json"])
def style(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A style of the log; what other tests have set up is set up again."""
    root = logging.getLogger("ludex")
    before = root.handlers, root.propagate, root.level
    monkeypatch.setenv("LUDEX_LOG", request.param)
    yield request.param
    root.handlers, root.propagate = before[:2]
    root.setLevel(before[2])


def test_values_are_short_and_steer_no_terminal(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure(1)
    logger("test").info("request", path="/\x1b[2J\n\u202e" + "x" * 60_000, ms=1.5)
    written = capsys.readouterr().err
    assert len(written) < 2 * LONGEST_VALUE
    assert written.count("\n") == 1
    assert written.rstrip("\n").isprintable()
    assert "60,007 characters" in written
    if style == "json":
        assert json.loads(written)["path"].startswith("/\\x1b[2J\\n\\u202ex")


def test_a_traceback_keeps_its_lines_and_steers_no_terminal(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure(0)
    try:
        raise ValueError("\x1b[2J")
    except ValueError:
        logger("test").exception("failed")
    written = capsys.readouterr().err
    assert "\x1b" not in written
    assert "Traceback" in written
    assert "test_log.py" in written
