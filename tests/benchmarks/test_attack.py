"""The attacks are for servers on this machine alone."""

import sys

import pytest

from benchmarks.attack.__main__ import main
from benchmarks.attack.target import Target
from tests.web.conftest import home, server
from tests.web.running import RunningServer

__all__ = ["home", "server"]


@pytest.mark.parametrize(
    "url", ["http://192.0.2.7:8000", "https://127.0.0.1:8000", "http://play.example.org", "127.0.0.1:8000", ""]
)
def test_other_machines_are_not_attacked(url: str) -> None:
    with pytest.raises(ValueError, match=r"this machine alone|does not appear to be"):
        Target.of(url)


@pytest.mark.slow
def test_a_running_server_is_attacked_and_holds(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("absurd options", "administrator", "deletion", "generator")
    monkeypatch.setattr(sys, "argv", ["attack", server.url, "--only", *names])
    assert main() == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()] == [*names]
