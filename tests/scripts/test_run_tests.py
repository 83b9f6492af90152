"""A second run follows exit code 1 only, repeats exactly the failed tests and names the flaky ones."""

from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.run_tests import main

REPEATED = "Repeating"

PASSES = "def test_passes(): pass\n"
FAILS = "def test_fails(): assert False\n"
FLAKY = """
from pathlib import Path

def test_flaky():
    mark = Path("ran")
    ran = mark.exists()
    mark.touch()
    assert ran
"""
INTERRUPTED = "def test_interrupted(): raise KeyboardInterrupt\n"


class Done(NamedTuple):
    """How the tests ended, and what was written."""

    code: int
    stdout: str


class Suite:
    """A small folder of tests."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capfd = capfd
        (folder / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def run(self, *arguments: str) -> Done:
        code = main([*arguments])
        return Done(code, self._capfd.readouterr().out)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Suite:
    monkeypatch.chdir(tmp_path)
    # Other plugins of the environment take seconds to import.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p xdist")
    return Suite(tmp_path, capfd)


def test_a_run_without_failures_is_not_repeated(suite: Suite) -> None:
    suite.write(test_a=PASSES)
    done = suite.run()
    assert (done.code, REPEATED in done.stdout) == (0, False)


def test_a_flaky_test_is_repeated_and_named(suite: Suite) -> None:
    suite.write(test_a=PASSES, test_b=FLAKY.replace("def test", "import pytest\n@pytest.mark.slow\ndef test"))
    done = suite.run("-n", "2", "-m", "slow or not slow")
    assert done.code == 0
    assert "Repeating 1 failed tests" in done.stdout
    assert done.stdout.endswith("FLAKY test_b.py::test_flaky\n")
    assert "1 passed" in done.stdout.partition(REPEATED)[2]


def test_a_real_failure_fails_twice(suite: Suite) -> None:
    suite.write(test_a=PASSES, test_b=FAILS, test_c=FLAKY)
    done = suite.run()
    assert done.code == 1
    assert done.stdout.endswith("FAILED TWICE test_b.py::test_fails\nFLAKY test_c.py::test_flaky\n")


@pytest.mark.parametrize(
    ("files", "arguments", "code"),
    [
        pytest.param({"test_a": FLAKY, "test_b": INTERRUPTED}, [], 2, id="interrupted"),
        pytest.param({"test_a": FLAKY, "test_b": "import absent\n"}, ["-n", "1"], 1, id="collection error of workers"),
        pytest.param({"test_a": FLAKY, "test_b": PASSES}, ["-x"], 1, id="stopped at the first failure"),
    ],
)
def test_a_run_that_did_not_reach_every_test_is_final(
    suite: Suite, files: dict[str, str], arguments: list[str], code: int
) -> None:
    suite.write(**files)
    done = suite.run(*arguments)
    assert (done.code, REPEATED in done.stdout) == (code, False), done.stdout
