"""Run pytest, and repeat the tests that failed, once and without workers.

Usage: python scripts/run_tests.py [PYTEST ARGUMENT ...]

Browsers, servers and other tests share the cores, so a test may miss a deadline. The summary of the second run names
the tests that now passed: they are flaky. A run that ended otherwise than by failed tests is final.
"""

import subprocess
import sys
import tempfile

import pytest

AGAIN = ("-n", "0", "-rpfE", "--last-failed", "--last-failed-no-failures", "none")
STOPS = ("-x", "--exitfirst", "--maxfail")
"""With these a run may end before every test was tried."""


def main(arguments: list[str]) -> int:
    """Run the tests, and the failed ones a second time."""
    # A folder of its own: what failed in another run, or fails in one at the same time, is not repeated.
    with tempfile.TemporaryDirectory() as folder:
        run = [sys.executable, "-m", "pytest", "-o", f"cache_dir={folder}", *arguments]
        code = subprocess.run(run, check=False).returncode
        if code != pytest.ExitCode.TESTS_FAILED or any(argument.startswith(STOPS) for argument in arguments):
            return code
        print("\nRepeating the failed tests without workers.", flush=True)
        return subprocess.run([*run, *AGAIN], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
