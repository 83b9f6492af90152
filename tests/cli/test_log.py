"""The log: silent by default, on standard error with -v, JSON with LUDEX_LOG=json."""

import json

from tests.cli.conftest import Ludex

ANALYSE = ("analyse", "tictactoe", "--moves", "a1 b2 b1", "--json")


def test_it_is_quiet_by_default(ludex: Ludex) -> None:
    assert ludex(*ANALYSE).stderr == ""


def test_verbose_shows_the_telemetry_and_leaves_standard_output_alone(ludex: Ludex) -> None:
    result = ludex("-v", *ANALYSE)
    assert json.loads(result.stdout)["text"] == "c1"
    assert "blockIn1" in result.stderr
    assert "transform" in result.stderr


def test_json_lines_on_request(ludex: Ludex) -> None:
    (line,) = ludex("-v", *ANALYSE, LUDEX_LOG="json").stderr.splitlines()
    event = json.loads(line)
    assert (event["event"], event["level"], event["move"], event["winIn1"]) == ("decision", "info", 8, False)
    assert event["timestamp"].endswith("Z")


def test_workers_log_as_loudly_as_their_parent(process: Ludex) -> None:
    match = ("match", "tictactoe", "--agents", "ranking,ranking", "--games", "4", "--workers", "2", "--json")
    loud, quiet = process("-v", *match, LUDEX_LOG="json"), process(*match)
    assert {json.loads(line)["event"] for line in loud.stderr.splitlines()} == {"decision"}
    assert len(loud.stderr.splitlines()) > 10
    assert quiet.stderr == ""
