"""What people read instead of identifiers: the figures of a decision, the ends of matches, the leaderboard."""

import json
from pathlib import Path

import pytest

from ludex.core.messages import catalogue
from ludex.learn.runs import Run
from ludex.web.boards import agent_title
from ludex.web.security.connections import REFUSAL
from ludex.web.security.protocol import HEADERS_TOO_LARGE
from tests.web.matches.test_agreements import seated
from tests.web.playing import Visitor, path


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("tictactoe", ("ranking", "perfect", "minimax", "mcts:simulations=50")),
        ("quoridor", ("easy", "master:nodes=200")),
        ("minesweeper", ("expert", "rules")),
        ("skirmish", ("greedy",)),
    ],
)
def test_every_figure_of_a_decision_has_a_title_in_both_languages(
    ann: Visitor, game: str, agents: tuple[str, ...]
) -> None:
    seats = ("you",) if game == "minesweeper" else ("you", "you")
    match = ann.begin(game, *seats, practice=True)
    for agent in agents:
        analysis = ann.ask("POST", path(match, "analysis"), {"agent": agent}).json()
        words = {value for value in analysis["stats"].values() if isinstance(value, str)}
        named = {*analysis["stats"], *words, *(term for one in analysis["candidates"] for term in one["terms"])}
        assert named - {"because"} == {*analysis["titles"]}, agent
        assert all(texts.keys() == {"en", "fr"} for texts in analysis["titles"].values())


def test_a_line_of_the_list_says_how_a_match_ended_for_its_reader(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    ann.change(match, "resign")
    alone = ann.begin("tictactoe", "you", "perfect")
    for visitor, result in ((ann, "Vous avez perdu"), (bob, "Vous avez gagné")):
        lines = {line["id"]: line for line in visitor.ask("GET", "/api/matches", yours=True).json()["matches"]}
        assert lines[match["id"]]["result"]["fr"] == result
    assert lines.get(alone["id"]) is None
    others = {line["id"]: line for line in bob.ask("GET", "/api/matches").json()["matches"]}
    assert others[alone["id"]]["result"] == {"en": "In progress", "fr": "En cours"}


def test_the_values_of_board_options_have_titles(ann: Visitor) -> None:
    cards = {card["id"]: card for card in ann.ask("GET", "/api/games").json()["games"]}
    values = cards["minesweeper"]["options"]["properties"]["start"]["enum"]
    assert {*cards["minesweeper"]["option_values"]["start"]} == {*values}


def test_the_leaderboard_names_boards_agents_and_the_machine(ann: Visitor) -> None:
    games = {game["game"]: game for game in ann.ask("GET", "/api/leaderboard").json()["games"]}
    quoridor, minesweeper = games["quoridor"], games["minesweeper"]
    assert quoridor["machine"]["fr"].count("cœurs") == 1
    assert quoridor["agent_titles"]["random"]["fr"] == catalogue("ludex", "fr")["agent_random"]
    assert {*minesweeper["board_titles"]} == {board["preset"] for board in minesweeper["boards"]}
    assert all(note["fr"].startswith("Le réseau") for note in minesweeper["notes"].values())


def test_a_refused_connection_is_told_in_both_languages() -> None:
    for refusal, code in ((REFUSAL, "too_many_connections"), (HEADERS_TOO_LARGE, "headers_too_large")):
        problem = json.loads(refusal.partition(b"\r\n\r\n")[2])
        assert problem["text"] == {language: catalogue("ludex", language)[f"error_{code}"] for language in ("en", "fr")}


def test_an_agent_of_a_run_is_called_by_what_was_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_RUNS", str(tmp_path))
    runs = [Run.create(tmp_path, "tictactoe", config, "") for config in ("minute", "minute", "mine.yaml")]
    marks = [run.name.rpartition("-")[2] for run in runs]
    assert agent_title("tictactoe", f"run:{runs[0].name}@200")["en"] == f"A first ranking {marks[0]}, step 200"
    assert agent_title("tictactoe", f"run:{runs[1].name}")["fr"].endswith(f" {marks[1]}")
    assert agent_title("tictactoe", f"run:{runs[2].name}@7")["en"] == f"{runs[2].name}, step 7", "a file of one's own"
    assert agent_title("tictactoe", "run:gone@7")["en"] == "gone, step 7"
