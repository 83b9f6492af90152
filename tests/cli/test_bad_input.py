"""Bad input of every kind: a clear message, an exit code that says which kind, and nothing lost."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ludex

Data = Callable[[], dict[str, bytes]]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("play tictactoo", "unknown game: 'tictactoo' (did you mean 'tictactoe'?); known: minesweeper"),
        ("games chess", "unknown game: 'chess'"),
        ("perft tictactoe --preset 9x9 --depth 1", "unknown preset of tictactoe: '9x9'; known: 3x3x3, 3x4x3, 4x4x4"),
        ("perft tictactoe --rows many --depth 1", "key 'rows': Input should be a valid integer"),
        ("perft tictactoe --k 5 --depth 1", "5 marks in a row do not fit a 3×3 board"),
        (
            "match tictactoe --agents hell,random",
            "agent of tictactoe: 'hell'; known: ranking, perfect, tactical, flawless, mcts, minimax, random, zero",
        ),
        ("match tictactoe --agents perfect:tie=first,random", "agent 'perfect' of tictactoe: unknown key 'tie'"),
        ("match tictactoe --agents perfect", "--agents needs two players, A,B, found 1"),
        ("match tictactoe --agents random,random --games 3", "games must be even and at least 2"),
        ("match tictactoe --agents ranking,random --preset 4x4x4", "supports 3x3x3 only, not 4x4x4"),
        ("match tictactoe --agents perfect,random --rows 5 --cols 5", "a board of 25 cells is too large to solve"),
        ("match tictactoe --agents random,random --sprt 5", "--sprt needs two numbers, ELO0,ELO1, found '5'"),
        ("match tictactoe --agents random,random --sprt 10,0", "needs elo0 < elo1 within -1000..1000, found 10 and 0"),
        ("match tictactoe --agents random,random --clock soon", "--clock needs SECONDS or SECONDS+INCREMENT"),
        ("match tictactoe --agents random,random --clock 0+1", "--clock needs time to begin with, found '0+1'"),
        ("match minesweeper --agents rules,random", "minesweeper has one player: use eval or tournament, not match"),
        ("match tictactoe --agents random,perfect --address here:1", "--address is for --executor ray, found 'here:1'"),
        ("match tictactoe --agents random,perfect --executor ray --workers 2", "takes no --workers, found 2"),
        ("match tictactoe --agents random,perfect --executor cloud", "--executor"),
        ("tournament tictactoe --agents random", "agents: expected at least 2, found ['random']"),
        ("tournament tictactoe --agents random,random", "each agent of a tournament has a name of its own"),
        ("tournament tictactoe --agents random,hell", "unknown agent of tictactoe: 'hell'"),
        ("tournament tictactoe --agents random,perfect --games 3", "games must be even and at least 2"),
        (
            "tournament tictactoe --agents random,perfect --format league",
            "gauntlet, swiss, found 'league'",
        ),
        ("tournament tictactoe --agents random,perfect --rounds 2", "only a Swiss tournament has --rounds"),
        ("tournament tictactoe --agents random,perfect --format swiss --rounds 2", "1 to 1 Swiss rounds, found 2"),
        ("tournament minesweeper --agents rules,random --format swiss", "a league, not a swiss"),
        ("tournament minesweeper --agents rules,random --games 0", "--games"),
        ("match tictactoe --agents random,random --save --journal j", "--save and --journal do not go together"),
        ("eval tictactoe", "needs --opponent, one or more of: ranking, perfect, tactical, flawless, mcts"),
        ("train tictactoe --config best", "unknown config 'best'; known: minute, negamax, v1_01"),
        ("train tictactoe --set rule.beta=1", "unknown key 'rule.additive.beta'"),
        ("train tictactoe --set speed=9", "unknown key 'speed'; known keys: checkpoint_every, epsilon, games"),
        ("train tictactoe --games none", "key 'games': Input should be a valid integer, found 'none'"),
        ("train tictactoe --resume x --seeds 2", "--resume goes on with the run's own configuration"),
        ("train tictactoe --sweep epsilon=0.1,2", "key 'epsilon': Input should be less than or equal to 1"),
        ("train tictactoe --log paper", "unknown logger 'paper'; known: tensorboard, wandb"),
        ("train tictactoe --name ../x", "expected a name of letters"),
        ("train tictactoe --resume x --games 5", "--resume goes on with the run's own configuration"),
        (
            "analyse tictactoe --agent perfect:ties=never",
            "key 'ties': Input should be 'first' or 'random', found 'never'",
        ),
        ("rankings export --game chess", "unknown game: 'chess'"),
        ("play tictactoe --seat third", "--seat"),
        ("perft tictactoe", "--depth"),
        ("perft tictactoe --depth -1", "--depth"),
        ("match tictactoe --agents random,random --seed -1", "--seed"),
        ("dance", "dance"),
        ("perft tictactoe --depth 1 --speed 3", "--speed"),
    ],
)
def test_wrong_usage(ludex: Ludex, arguments: str, complaint: str) -> None:
    result = ludex(*arguments.split())
    assert result.returncode == 2
    assert complaint in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        ("b2 b2", "error [illegal_action]: move 2, 'b2': b2 is already marked X"),
        ("b2 i9", "error [malformed_action]: move 2, 'i9': 'i9' names no cell"),
        ("a1 a2 b1 b2 c1 c2", "error [game_over]: move 6, 'c2': the match is over after 5 plies (line)"),
    ],
)
@pytest.mark.parametrize("verb", ["analyse", "perft"])
def test_refused_moves(ludex: Ludex, verb: str, moves: str, complaint: str) -> None:
    depth = ["--depth", "1"] if verb == "perft" else []
    result = ludex(verb, "tictactoe", "--moves", moves, "--json", *depth)
    assert (result.returncode, result.stdout) == (3, "")
    assert complaint in result.stderr


def test_ugi_refuses_over_a_real_pipe_and_goes_on(process: Ludex) -> None:
    lines = "position startpos moves b2 b2\nposition startpos moves j1\ndance\nposition startpos moves b2\ngo\nquit\n"
    result = process("engine", "tictactoe", "--agent", "perfect", said=lines)
    answers = result.stdout.splitlines()
    assert result.returncode == 0
    assert [line.split(":")[0] for line in answers[:3]] == [
        "info string error illegal_action",
        "info string error malformed_action",
        "info string error bad_line",
    ]
    assert answers[-1].startswith("bestmove ")


def test_unknown_matches_and_runs(ludex: Ludex) -> None:
    unknown = ludex("replay", "nosuchid")
    assert (unknown.returncode, "nosuchid" in unknown.stderr) == (5, True)
    missing = ludex("replay", "missing.json")
    assert (missing.returncode, "cannot read missing.json" in missing.stderr) == (4, True)
    run = ludex("runs", "nothing")
    assert (run.returncode, "no run 'nothing'" in run.stderr) == (4, True)
    assert ludex("train", "tictactoe", "--resume", "../nothing").returncode == 4


GOOD = {
    "version": 1,
    "createdUtc": "2026-01-01T00:00:00",
    "qValues": [{"state": "EEEEEEEEE", "moveIndex": 4, "q": 0.5}],
}


def changed(**change: object) -> str:
    return json.dumps({**GOOD, "qValues": [{**GOOD["qValues"][0], **change}]})  # type: ignore[index]


def test_a_bad_rankings_file_changes_nothing(ludex: Ludex, own_folders: Path, data_bytes: Data) -> None:
    path = own_folders / "rankings.json"
    path.write_text(json.dumps(GOOD))
    assert ludex("rankings", "import", str(path)).returncode == 0
    before = data_bytes()
    path.write_text(changed(state="XEEEEEEEE"))
    result = ludex("rankings", "import", str(path))
    assert result.returncode == 4
    assert "qValues[0]: XEEEEEEEE is not canonical, expected EEEEEEEEX" in result.stderr
    assert data_bytes() == before != {}


@pytest.mark.slow
def test_rankings_go_out_and_in_bit_by_bit_and_are_reset_only_on_request(
    ludex: Ludex, own_folders: Path, data_bytes: Data
) -> None:
    path = own_folders / "rankings.json"
    path.write_text(changed(q=0.1 + 0.2))
    ludex("rankings", "import", str(path))
    assert "--shipped writes ours" in ludex("rankings", "export", "--preset", "4x4x4").stderr
    assert len(json.loads(ludex("rankings", "export", "--shipped").stdout)["qValues"]) == 1612
    assert ludex("rankings", "export", "--shipped", "--preset", "4x4x4").returncode == 2
    exported = json.loads(ludex("rankings", "export").stdout)
    assert exported["qValues"][0]["q"].hex() == (0.1 + 0.2).hex()
    assert set(exported) == {"version", "createdUtc", "qValues"}
    assert exported["createdUtc"] == json.loads(path.read_text())["createdUtc"]
    chosen = ludex("analyse", "tictactoe", "--agent", "ranking:ranking=database", "--json")
    assert json.loads(chosen.stdout)["text"] == "b2"
    before = data_bytes()
    assert ludex("rankings", "reset", said="n\n").returncode == 1
    assert data_bytes() == before
    assert ludex("rankings", "reset", "--yes").returncode == 0
    assert json.loads(ludex("rankings", "list", "--json").stdout) == []


def test_an_unwritable_data_folder(ludex: Ludex, own_folders: Path) -> None:
    (own_folders / "file").write_text("in the way")
    result = ludex("play", "tictactoe", LUDEX_DATA=str(own_folders / "file" / "data"))
    assert result.returncode == 5
    assert "set LUDEX_DATA to a writable folder" in result.stderr


def test_an_unwritable_runs_or_cache_folder(ludex: Ludex, process: Ludex, own_folders: Path) -> None:
    (own_folders / "file").write_text("in the way")
    blocked = str(own_folders / "file" / "below")
    runs = ludex("train", "tictactoe", "--games", "1", LUDEX_RUNS=blocked)
    assert (runs.returncode, "set LUDEX_RUNS to a writable folder" in runs.stderr) == (5, True)
    cache = process("warmup", LUDEX_CACHE=blocked)
    assert (cache.returncode, "set LUDEX_CACHE to a writable folder" in cache.stderr) == (5, True)


@pytest.mark.slow
def test_a_locked_database_is_waited_for_and_then_named(ludex: Ludex, own_folders: Path, data_bytes: Data) -> None:
    ludex("play", "tictactoe", said="b2\nq\n")
    before = data_bytes()
    holder = sqlite3.connect(own_folders / "data" / "ludex.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    result = ludex("play", "tictactoe", said="b2\nq\n")
    holder.rollback()
    holder.close()
    assert result.returncode == 5
    assert "error [store_locked]" in result.stderr
    assert data_bytes() == before


@pytest.mark.slow
def test_a_full_disk_is_named_and_loses_nothing(own_folders: Path, ludex: Ludex, data_bytes: Data) -> None:
    ludex("play", "tictactoe", said="b2\nq\n")
    before = data_bytes()
    size = (own_folders / "data" / "ludex.db").stat().st_size

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    result = subprocess.run(
        [sys.executable, "-m", "ludex", "match", "tictactoe", "--agents", "random,random", "--games", "400", "--save"],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=own_folders,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=small_disk,
    )
    assert result.returncode == 5
    assert "error [store_full]" in result.stderr
    after = data_bytes()
    assert before.items() <= after.items()


def test_a_bad_log_setting_is_named(ludex: Ludex) -> None:
    result = ludex("games", LUDEX_LOG="loud")
    assert (result.returncode, "LUDEX_LOG must be 'text' or 'json'" in result.stderr) == (2, True)
