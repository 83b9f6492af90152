"""Run pytest, repeat the tests that failed once, and name those that then passed.

Usage: python scripts/run_tests.py [PYTEST ARGUMENT ...]

Browsers, servers and other tests share the cores, so a test may miss a deadline. Only a run that went through every
test (exit code 1 and a report of each) is followed by a second one: exactly its failed tests, without workers.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

REPORT = "RUN_TESTS_REPORT"
"""The environment variable that names the file for a run's report."""
NOTHING = {"failed": [], "complete": False}
"""The report of a run that wrote none."""


class Reporter:
    """Writes which tests of a run failed, and whether it went through all of them."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.ran: set[str] = set()
        self.failed: dict[str, None] = {}
        self.uncollected = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.uncollected |= report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ran.add(report.nodeid)
        if report.failed:
            self.failed[report.nodeid] = None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        complete = len(self.ran) == session.testscollected and not self.uncollected
        report = {"failed": [*self.failed], "complete": complete}
        self.file.write_text(json.dumps(report))


def pytest_configure(config: pytest.Config) -> None:
    """Register the reporter, but not in the workers of xdist: their reports reach the main process."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(Path(os.environ[REPORT])))


@dataclass(frozen=True)
class Run:
    """The exit code of one run of pytest, the node ids of its failed tests, and whether it went through all tests."""

    code: int
    failed: list[str]
    complete: bool


def run(*arguments: str) -> Run:
    """Run pytest in its own process."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", Path(__file__).stem, *arguments],
            check=False,
            env={**os.environ, REPORT: str(report), "PYTHONPATH": _search_path()},
        )
        outcome: dict[str, Any] = json.loads(report.read_text()) if report.exists() else NOTHING
    return Run(done.returncode, **outcome)


def main(arguments: list[str]) -> int:
    """Run the tests, and the failed ones a second time."""
    first = run(*arguments)
    if first.code != pytest.ExitCode.TESTS_FAILED or not first.complete or not first.failed:
        return first.code
    print(f"\nRepeating {len(first.failed)} failed tests without workers.", flush=True)
    # The node ids select the tests: markers chosen for the first run must not deselect them.
    second = run("-m", "", "-n", "0", *first.failed)
    if second.code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return second.code
    for test in first.failed:
        print(f"{'FAILED TWICE' if test in second.failed else 'FLAKY'} {test}")
    return second.code


def _search_path() -> str:
    """PYTHONPATH with this folder, where pytest and its workers find the plugin."""
    return os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
