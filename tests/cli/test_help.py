"""The first thing a stranger types."""

import resource
import subprocess
import sys

import pytest

from ludex import __version__
from ludex.cli import exits
from tests.cli.conftest import Ludex


def test_help_names_every_verb_and_exit_code(ludex: Ludex) -> None:
    result = ludex("--help")
    verbs = {"play", "games", "match", "eval", "train", "runs", "analyse", "replay", "rankings", "perft", "engine"}
    assert verbs | {"tournament", "matches", "bench", "warmup", "doctor"} <= set(result.stdout.split())
    flat = " ".join(result.stdout.split())
    assert all(f"{code} {meaning[:15]}" in flat for code, meaning in exits.MEANINGS.items())


@pytest.mark.slow
def test_help_answers_within_three_quarters_of_a_second_of_cpu() -> None:
    def spent() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "ludex", "--help"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(spent() for _ in range(3)) < 0.75


def test_no_arguments_is_help_and_version_is_printed(ludex: Ludex) -> None:
    nothing = ludex()
    assert (nothing.returncode, "Usage: ludex" in nothing.stdout + nothing.stderr) == (2, True)
    assert ludex("--version").stdout == f"ludex {__version__}\n"


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["match", "--help"], ["tournament", "--help"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = f"import sys; sys.argv = {['ludex', *words]}\nfrom ludex.cli.main import main\n"
    code += "try:\n    main()\nexcept SystemExit:\n    pass\n"
    code += "heavy = {'numpy', 'numba', 'pydantic', 'sqlalchemy', 'fastapi', 'torch'} & set(sys.modules)\n"
    code += "sys.exit(str(heavy) if heavy else 0)"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
