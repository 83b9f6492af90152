"""What each command prints with --json: one document of the promised shape, and nothing else."""

import json
import shlex
import sys
import threading
from pathlib import Path

import pytest

from ludex.core import registry
from ludex.learn.experiments import command_of
from ludex.learn.runs import Run
from tests.cli.conftest import Ludex, document_of


def test_games(ludex: Ludex) -> None:
    listed = {game["id"]: game for game in document_of(ludex("games", "--json"))}
    assert list(listed) == ["tictactoe", "quoridor", "minesweeper", "skirmish"]
    game = listed["tictactoe"]
    assert list(game["presets"]) == ["3x3x3", "3x4x3", "4x4x4"]
    assert document_of(ludex("games", "tictactoe", "--json")) == game


def test_match(ludex: Ludex) -> None:
    document = document_of(
        ludex("match", "tictactoe", "--agents", "perfect,random", "--games", "40", "--seed", "3", "--json")
    )
    assert set(document) >= {"game", "preset", "agents", "games", "wins", "draws", "score", "ci95", "elo", "seed"}
    assert (document["agents"], document["games"], document["seed"]) == (["perfect", "random"], 40, 3)
    assert document["sprt"] is None
    for mean, p99, longest in zip(document["ms_per_move"], document["ms_p99"], document["ms_max"], strict=True):
        assert 0 < mean <= longest
        assert p99 <= longest


@pytest.mark.slow
def test_match_stops_when_its_sequential_test_is_decided(ludex: Ludex) -> None:
    arguments = ("match", "tictactoe", "--agents", "random,perfect", "--sprt", "-5,5")
    document = document_of(ludex(*arguments, "--json"))
    keys = ["elo0", "elo1", "alpha", "beta", "llr", "lower", "upper", "verdict"]
    assert list(document["sprt"]) == keys
    assert [document["sprt"][key] for key in keys[:4]] == [-5, 5, 0.05, 0.05]
    assert document["sprt"]["llr"] <= document["sprt"]["lower"] == -document["sprt"]["upper"]
    assert document["sprt"]["verdict"] == "H0"
    assert document["games"] < 100
    assert "H0 accepted: -5 Elo rather than 5" in ludex(*arguments).stdout
    short = document_of(ludex(*arguments, "--games", "4", "--json"))
    assert (short["sprt"]["verdict"], short["games"]) == ("undecided", 4)
    assert "undecided between -5 and 5 Elo" in ludex(*arguments, "--games", "4").stdout


@pytest.mark.slow
def test_tune(ludex: Ludex) -> None:
    arguments = ("tune", "quoridor", "--preset", "3x3", "--agent", "easy:depth=0", "--options", "wall_weight,noise")
    document = document_of(ludex(*arguments, "--iterations", "2", "--pairs", "1", "--proof", "4", "--json"))
    assert (document["start"], document["iterations"], document["games"], document["interrupted"]) == (
        "easy:depth=0",
        2,
        4,
        False,
    )
    assert set(document["options"]) == {"wall_weight", "noise"}
    assert document["options"]["noise"]["start"] == 40
    assert document["proof"]["agents"] == [document["tuned"], "easy:depth=0"]
    assert document["proof"]["games"] == 4


@pytest.mark.slow
def test_tournament(ludex: Ludex) -> None:
    agents = ("--agents", "perfect,random,ranking")
    document = document_of(ludex("tournament", "tictactoe", *agents, "--games", "6", "--seed", "9", "--json"))
    keys = ["game", "preset", "format", "agents", "games", "seed", "standings", "superiority", "meetings", "rounds"]
    assert list(document) == [*keys, "prior_pairs", "forfeits", "interrupted"]
    assert (document["format"], document["games"], document["forfeits"]) == ("round-robin", 18, [])
    keys = ["rank", "agent", "games", "wins", "draws", "losses", "score", "ci95", "elo", "elo_ci95"]
    keys += ["superiority", "forfeits", "time_forfeits", "ms_per_move", "ms_p99", "ms_max", "points"]
    assert all(list(row) == keys for row in document["standings"])
    assert document["standings"][-1]["agent"] == "random"
    output = ludex("tournament", "tictactoe", *agents, "--games", "6", "--seed", "9").stdout
    assert "round-robin, 18 games on tictactoe 3x3x3, seed 9" in output
    assert "one imaginary drawn pair" in " ".join(output.split())


def test_eval(ludex: Ludex) -> None:
    arguments = ("--agent", "ranking", "--opponent", "random", "--opponent", "perfect", "--games", "10", "--json")
    document = document_of(ludex("eval", "tictactoe", *arguments))
    assert set(document) >= {"game", "preset", "agent", "games", "seed", "win_rate", "ci95", "ms_per_move", "opponents"}
    assert [row["agent"] for row in document["opponents"]] == ["random", "perfect"]
    assert set(document["opponents"][0]) >= {"agent", "win_rate", "ci95"}
    assert document["games"] == 20
    assert document["loss_rate"] == 0


def test_perft(ludex: Ludex) -> None:
    document = document_of(ludex("perft", "tictactoe", "--depth", "4", "--moves", "b2", "--json"))
    assert list(document) == ["game", "preset", "depth", "nodes", "seconds"]
    assert document["nodes"] == 8 * 7 * 6 * 5


@pytest.mark.slow
def test_train_ends_with_its_summary_and_runs_lists_it(ludex: Ludex, own_folders: Path) -> None:
    arguments = ("--config", "negamax", "--games", "200", "--seed", "4", "--json")
    document = document_of(ludex("train", "tictactoe", *arguments))
    run = own_folders / "runs" / document["run"]
    assert json.loads((run / "summary.json").read_text()) == document
    assert (document["games"], document["seed"], document["config"]) == (200, 4, "negamax")
    assert set(document["losing_lines"]) == {"X", "O"}
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert [row["games"] for row in rows] == [100, 200]
    assert set(rows[0]) >= {"losing_lines_X", "losing_lines_O", "keys", "wins_X", "wins_O", "draws"}
    (listed,) = document_of(ludex("runs", "--json"))
    assert (listed["run"], listed["finished"], listed["summary"]) == (document["run"], True, document)
    assert document_of(ludex("runs", document["run"], "--json")) == [listed]
    assert document_of(ludex("train", "tictactoe", *arguments))["ranking_sha256"] == document["ranking_sha256"]


def test_a_run_pauses_after_so_many_minutes_and_runs_says_so(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    class AtOnce(threading.Timer):
        def start(self) -> None:
            # They count from the command's start.
            assert 0 < self.interval < 30
            self.function()

    with monkeypatch.context() as patch:
        patch.setattr(threading, "Timer", AtOnce)
        paused = ludex(
            "train",
            "tictactoe",
            "--config",
            "negamax",
            "--games",
            "40",
            "--minutes",
            "0.5",
            "--json",
            "--set",
            "checkpoint_every=20",
        )
    document = document_of(paused)
    assert document["state"] == "paused"
    assert f"go on with: ludex train tictactoe --resume {document['run']}" in paused.stderr
    (listed,) = document_of(ludex("runs", "--json"))
    assert (listed["state"], listed["reason"], listed["rows"]) == ("paused", None, 1)
    assert " paused " in ludex("runs").stdout
    assert document_of(ludex("train", "tictactoe", "--resume", document["run"], "--json"))["games"] == 40
    assert document_of(ludex("runs", "--json"))[0]["state"] == "finished"


@pytest.mark.slow
def test_seeds_and_a_sweep_train_runs_that_their_commands_repeat(ludex: Ludex, own_folders: Path) -> None:
    arguments = ("--config", "negamax", "--games", "20", "--seeds", "2", "--sweep", "epsilon=0.2,0.4", "--name", "both")
    document = document_of(ludex("train", "tictactoe", *arguments, "--json"))
    assert (document["group"], len(document["runs"])) == ("both", 4)
    assert [run["changes"]["epsilon"] for run in document["runs"]] == [0.2, 0.2, 0.4, 0.4]
    assert len({run["summary"]["ranking_sha256"] for run in document["runs"]}) == 4
    last = Run.open(own_folders / "runs", document["runs"][-1]["run"])
    command = command_of(last)
    assert command is not None
    alone = document_of(ludex(*shlex.split(command)[1:], "--json"))
    assert alone["ranking_sha256"] == document["runs"][-1]["summary"]["ranking_sha256"]
    again = ludex("train", "tictactoe", *arguments, "--json")
    assert document_of(again) == document
    assert "run 4 of 4" in again.stderr
    compared = document_of(ludex("runs", "compare", "both", "--json", "--output", "both.csv"))
    assert (compared["keys"], [len(variant["runs"]) for variant in compared["variants"]]) == (["epsilon"], [2, 2])
    assert (own_folders / "both.csv").read_text().startswith("run,seed,epsilon,part,games,losing_lines\n")
    output = ludex("runs", "compare", "both").stdout
    assert "last losing_lines" in output
    assert ludex("runs", "compare", "both", "--output", "both.txt").returncode == 2
    assert document_of(ludex("runs", "note", "both", "more exploration", "--json")) == {
        "name": "both",
        "note": "more exploration",
    }
    assert ludex("runs", "note", "both").stdout == "more exploration\n"


@pytest.mark.slow
def test_bench(ludex: Ludex) -> None:
    document = document_of(ludex("bench", "tictactoe", "--seconds", "0.2", "--json"))
    assert list(document) == ["game", "machine", "seconds", "rows"]
    keys = {"name", "unit", "ours", "peer", "peer_name", "ratio", "ours_wall", "peer_wall"}
    assert all(set(row) == keys for row in document["rows"])
    assert {row["peer_name"] for row in document["rows"]} == {"open_spiel pyspiel", "PettingZoo raw_env"}


@pytest.mark.slow
def test_outside_a_checkout_any_game_is_measured_alone(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "benchmarks.peers.tictactoe", None)
    document = document_of(ludex("bench", "tictactoe", "--seconds", "0.01", "--json"))
    assert [row["name"].partition(",")[0] for row in document["rows"]] == ["batch", "plain contract"]
    assert all(row["ours"] > 0 and row["peer"] is None for row in document["rows"])


@pytest.mark.slow
def test_warmup(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "available", lambda: ([registry.spec("tictactoe")], []))
    assert "tictactoe solver" in document_of(ludex("warmup", "--json"))["kernels"]


@pytest.mark.parametrize(
    "verb", ["match", "tournament", "eval", "train", "analyse", "perft", "engine", "bench", "play"]
)
def test_each_verb_explains_itself_for_a_game(ludex: Ludex, verb: str) -> None:
    result = ludex(verb, "tictactoe", "--help")
    assert result.returncode == 0
    assert "Tic-tac-toe" in result.stdout
    if verb not in ("bench", "train"):
        assert "--rows" in result.stdout
        assert "3x3x3, 3x4x3, 4x4x4" in result.stdout


def test_a_board_comes_from_preset_and_options(ludex: Ludex) -> None:
    document = document_of(ludex("perft", "tictactoe", "--preset", "3x4x3", "--cols", "5", "--depth", "1", "--json"))
    assert (document["preset"], document["nodes"]) == ("3x4x3:cols=5", 15)


@pytest.mark.slow
def test_a_tournament_with_a_name_is_kept_and_goes_on(ludex: Ludex, own_folders: Path) -> None:
    arguments = ("tournament", "tictactoe", "--agents", "perfect,random", "--games", "6", "--name", "ladder")
    document = document_of(ludex(*arguments, "--seed", "3", "--json"))
    folder = own_folders / "tournaments" / "ladder"
    assert sorted(path.name for path in folder.iterdir()) == ["journal.jsonl", "journal.jsonl.lock", "tournament.json"]
    before = (folder / "journal.jsonl").read_text()
    assert document_of(ludex(*arguments, "--seed", "3", "--json")) == document
    assert (folder / "journal.jsonl").read_text() == before
    other = ludex(*arguments, "--seed", "4")
    assert (other.returncode, "seed is '3' there and '4' here" in other.stderr) == (4, True)
    longer = ludex(*arguments, "--seed", "3", "--games", "8")
    assert (longer.returncode, "games is 6 there and 8 here; choose another name" in longer.stderr) == (4, True)
    twice = ludex(*arguments, "--journal", str(own_folders / "journal"))
    assert (twice.returncode, "--name and --journal do not go together" in twice.stderr) == (2, True)
    assert "expected a name of letters" in ludex(*arguments[:-1], "../ladder").stderr
