"""The attacks are for servers on this machine alone."""

import pytest

from benchmarks.attack import ATTACKS, Target


@pytest.mark.parametrize(
    "url", ["http://192.0.2.7:8000", "https://127.0.0.1:8000", "http://play.example.org", "127.0.0.1:8000", ""]
)
def test_other_machines_are_not_attacked(url: str) -> None:
    with pytest.raises(ValueError, match=r"this machine alone|does not appear to be"):
        Target(url)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_this_machine_may_be(url: str) -> None:
    assert Target(url).port == 8000


def test_attacks_have_names() -> None:
    assert {"connections", "searches", "sockets"} <= set(ATTACKS)
