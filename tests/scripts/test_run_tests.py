"""A second run follows failed tests only, repeats exactly these and names the flaky ones."""

from pathlib import Path

import pytest

from scripts.run_tests import main

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
BROKEN = "import absent\n"


@pytest.mark.parametrize(
    ("files", "arguments", "code", "second"),
    [
        ([PASSES], [], 0, None),
        ([PASSES, FLAKY], ["-n", "2", "--dist", "loadfile"], 0, ["PASSED test_1.py::test_flaky"]),
        ([PASSES, FAILS, FLAKY], [], 1, ["PASSED test_2.py::test_flaky", "FAILED test_1.py::test_fails"]),
        ([FLAKY, INTERRUPTED], [], 2, None),
        ([FLAKY, BROKEN], ["-n", "1"], 2, ["ERROR test_1.py"]),
        ([FLAKY, PASSES], ["-x"], 1, None),
    ],
    ids=["passed", "flaky", "failed", "interrupted", "not collected", "stopped"],
)
def test_failed_tests_are_repeated_once_and_flaky_ones_named(
    files: list[str],
    arguments: list[str],
    code: int,
    second: list[str] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for number, text in enumerate(files):
        (tmp_path / f"test_{number}.py").write_text(text)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.chdir(tmp_path)
    # Other plugins of the environment take seconds to import.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p xdist")
    assert main(arguments) == code
    _, repeated, summary = capfd.readouterr().out.partition("Repeating the failed tests")
    assert bool(repeated) == (second is not None)
    for line in second or []:
        assert f"\n{line}" in summary
    assert "test_passes" not in summary
