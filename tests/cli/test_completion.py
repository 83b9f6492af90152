"""The first things a stranger types: help, and shell completion over the protocol of each shell."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ludex import __version__
from ludex.cli import exits
from ludex.core.registry import available, names, spec
from tests.cli.conftest import Ludex

COMMAND = Path(sys.executable).with_name("ludex")


Completed = Callable[[str], list[str]]


@pytest.fixture
def completed(ludex: Ludex) -> Completed:
    """The completions for bash at the end of a line; nothing else may be printed."""

    def run(line: str) -> list[str]:
        position = str(len(line.split(" ")) - 1)
        result = ludex(COMP_WORDS=line, COMP_CWORD=position, _LUDEX_COMPLETE="complete_bash")
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout.split()

    return run


def test_verbs_games_and_flags(completed: Completed) -> None:
    assert completed("ludex pl") == ["play"]
    assert completed("ludex play tic") == ["tictactoe"]
    assert completed("ludex games ") == names()
    assert "--rows" in completed("ludex match tictactoe --r")
    assert "--host" in completed("ludex serve --ho")


def test_the_verbs_of_one_game(completed: Completed) -> None:
    assert completed("ludex quo") == ["quoridor"]
    assert completed("ludex tic") == ["tictactoe"]
    assert completed("ludex tictactoe ") == ["export", "measure"]
    assert completed("ludex quoridor so") == ["solve"]
    assert "--walls" in completed("ludex quoridor solve --wa")
    assert "beginner" in completed("ludex minesweeper board --preset ")


@pytest.mark.parametrize("verb", ["play", "analyse", "engine", "eval"])
def test_one_agent(completed: Completed, verb: str) -> None:
    assert completed(f"ludex {verb} quoridor --agent h") == ["hard", "hell"]


def test_agents_after_a_comma_and_opponents(completed: Completed) -> None:
    assert completed("ludex match quoridor --agents ") == [
        *spec("quoridor").levels,
        *spec("quoridor").agents,
    ]
    assert completed("ludex match quoridor --agents hell,h") == ["hell,hard", "hell,hell"]
    assert completed("ludex tournament quoridor --agents hell,hard,ea") == ["hell,hard,easy"]
    assert completed("ludex eval quoridor --opponent random --opponent no") == ["novice", "normal"]
    assert completed("ludex match quoridor --agents hell:noi") == []


def test_boards_configurations_and_runs(completed: Completed, own_folders: Path, ludex: Ludex) -> None:
    assert completed("ludex play minesweeper --preset e") == ["expert_16x30_99", "expert", "expert_no_guess"]
    assert completed("ludex rankings export --preset 3x3") == ["3x3x3"]
    assert completed("ludex rankings export --game ") == ["tictactoe"]
    assert "negamax" in completed("ludex train tictactoe --config ")
    assert completed("ludex runs list ") == []
    assert ludex("train", "tictactoe", "--games", "1").returncode == 0
    [run] = completed("ludex train tictactoe --resume ")
    assert (own_folders / "runs" / run / "run.json").is_file()


def test_a_misspelt_game_breaks_no_prompt(completed: Completed) -> None:
    assert completed("ludex play chess --agent ") == [one.id for one in available()[0]]


@pytest.mark.parametrize(
    ("shell", "variables", "expected"),
    [
        ("zsh", {}, '"hell":"looks four plies'),
        ("fish", {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "hell\tlooks four plies"),
    ],
)
def test_zsh_and_fish_see_summaries_as_well(ludex: Ludex, shell: str, variables: dict[str, str], expected: str) -> None:
    line = {"_TYPER_COMPLETE_ARGS": "ludex play quoridor --agent hel", "_LUDEX_COMPLETE": f"complete_{shell}"}
    assert expected in ludex(**line, **variables).stdout


@pytest.mark.slow
def test_a_real_bash_completes_after_the_script_was_installed(tmp_path: Path) -> None:
    def bash(script: str) -> str:
        environment = {**os.environ, "HOME": str(tmp_path), "PATH": f"{COMMAND.parent}:{os.environ['PATH']}"}
        result = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
        return result.stdout

    # Without a name it is the shell that asks; the second command keeps bash from becoming ludex.
    installed = bash("ludex --install-completion; true")
    assert installed.startswith("bash completion installed in")
    pressed = "COMP_WORDS=(ludex play quoridor --agent he); COMP_CWORD=4; _ludex_completion ludex"
    assert bash(f'source ~/.bashrc; {pressed}; echo "${{COMPREPLY[@]}}"') == "hell\n"


def test_options_of_a_job_follow_its_game(completed: Completed) -> None:
    assert completed("ludex jobs start tournament quoridor --agents hell,h") == ["hell,hard", "hell,hell"]
    assert completed("ludex jobs start tournament minesweeper --preset beg") == ["beginner_9x9_10"]
    assert "minute" in completed("ludex jobs start train tictactoe --config ")


def test_help_names_every_verb_and_exit_code(ludex: Ludex) -> None:
    result = ludex("--help")
    verbs = {"play", "games", "match", "eval", "train", "runs", "analyse", "replay", "rankings", "perft", "engine"}
    assert verbs | {"tournament", "matches", "bench", "warmup", "doctor"} <= set(result.stdout.split())
    flat = " ".join(result.stdout.split())
    assert all(f"{code} {meaning[:15]}" in flat for code, meaning in exits.MEANINGS.items())


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
