"""What every test starts from: a data folder of its own, and hypothesis without a stopwatch."""

import gc
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.postgres import Cluster, cluster

pytest.register_assert_rewrite("tests.browser.browsing", "tests.web.playing")

# Workers share the cores: threads of torch that wait for each other would only take time from the next test.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The classics, which `make play` installs, have tests of their own.
os.environ["LUDEX_IGNORE"] = "ludex-classics"
# A kernel that compiles in the middle of an example is slow once, not wrong.
settings.register_profile("ludex", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ludex")

# Nothing that collecting the tests loads is garbage; searching it takes two seconds of each worker.
gc.disable()

SLOW_FOLDERS = (
    "tests/browser/",
    "tests/kernels/test_warmup.py",
    "tests/examples/",
    "tests/packaging/",
    "tests/scripts/",
)
"""Where every test needs a browser, a notebook kernel, a built wheel or another process."""
LONGEST = (
    *("tests/packaging/", "tests/arena/test_cluster.py", "tests/lab/test_supervisor.py"),
    *("tests/examples/", "tests/browser/", "tests/web/"),
)
"""The folders and files that take a worker longest, in the order in which they are begun."""
SLOW_FIXTURES = {"chrome", "pair", "postgres", "process", "proxied", "server", "whole"}
"""Fixtures that start another process or train a network."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are slow by what they need; others are marked where they are written.

    The longest files come first, so that no worker is left with one of them while the others have nothing to do: those
    of some folders, then those with the most slow tests.
    """
    for item in items:
        if item.nodeid.startswith(SLOW_FOLDERS) or SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    slow = Counter(
        item.path for item in items if item.get_closest_marker("slow") and not item.get_closest_marker("full")
    )

    def order(item: pytest.Item) -> tuple[int, int]:
        folders = [number for number, folder in enumerate(LONGEST) if item.nodeid.startswith(folder)]
        return (folders[0], 0) if folders else (len(LONGEST), -slow[item.path])

    items.sort(key=order)


def pytest_collection_finish() -> None:
    """From now on the garbage collector searches only what tests make."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees or changes a person's matches and runs."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("LUDEX_DATA", str(home / "data"))
    monkeypatch.setenv("LUDEX_RUNS", str(home / "runs"))
    monkeypatch.setenv("LUDEX_TOURNAMENTS", str(home / "tournaments"))
    monkeypatch.setenv("LUDEX_JOBS", str(home / "jobs"))
    # Else stable-baselines3 makes a folder in the temporary one for every learner.
    monkeypatch.setenv("SB3_LOGDIR", str(home / "sb3"))
    monkeypatch.delenv("LUDEX_DB", raising=False)
    monkeypatch.delenv("LUDEX_LOG", raising=False)
    return home


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server of our own."""
    with cluster() as running:
        yield running
