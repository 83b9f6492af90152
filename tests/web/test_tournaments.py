"""Tournaments over real HTTP: while they are played, afterwards, damaged; and each of their games as a match."""

import asyncio
import dataclasses
import json
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.core import registry
from ludex.core.record import MatchFile
from ludex.core.spec import GameSpec
from ludex.web.leaderboard import FILE, Leaderboards
from tests.arena.test_tournament import engine
from tests.cli.conftest import run_here
from tests.waiting import PATIENCE
from tests.web.playing import GENEROUS, Visitor, prepare
from tests.web.running import RunningServer, server_fixture

FIELD = "perfect:ties=random,ranking,random"


server = server_fixture(*GENEROUS)


@pytest.fixture(scope="module")
def home(server: RunningServer) -> Path:
    # A game of a tournament is replayed by the compiled rules.
    prepare(server, "tictactoe")
    return server.home


def held(home: Path, name: str, *arguments: str) -> Any:
    """A tournament that is over; gives the document of the command line."""
    result = run_here(
        home, "tournament", *arguments, "--name", name, "--json", LUDEX_TOURNAMENTS=str(home / "tournaments")
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def ladder(home: Path) -> Any:
    return held(home, "ladder", "tictactoe", "--agents", FIELD, "--games", "12", "--opening-plies", "1", "--seed", "3")


def detail(visitor: Visitor, name: str) -> Any:
    answer = visitor.ask("GET", f"/api/tournaments/{name}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_finished_tournament_equals_the_output_of_the_command_line(ann: Visitor, ladder: Any) -> None:
    lines = {line["name"]: line for line in ann.ask("GET", "/api/tournaments").json()["tournaments"]}
    line = lines["ladder"]
    assert (line["game"], line["names"]["fr"], line["preset"], line["format"]) == (
        "tictactoe",
        "Morpion",
        "3x3x3",
        "round-robin",
    )
    assert (line["games"], line["planned"], line["finished"], line["fault"]) == (36, 36, True, None)
    page = detail(ann, "ladder")
    assert page["agents"] == FIELD.split(",")
    assert (page["games"], page["planned"], page["finished"], page["seed"]) == (36, 36, True, "3")
    assert page["superiority"] == ladder["superiority"]
    assert page["meetings"] == ladder["meetings"]
    assert page["prior_pairs"] == ladder["prior_pairs"]
    for row, expected in zip(page["standings"], ladder["standings"], strict=True):
        assert row == {key: value for key, value in expected.items() if key != "points"}
    elo = {row["agent"]: row["elo"] for row in page["standings"]}
    assert page["curve"][-1] == {"games": 36, "values": [elo[agent] for agent in page["agents"]]}


def test_games_are_listed_from_the_newest_and_by_agent(ann: Visitor, ladder: Any) -> None:
    def games(**query: Any) -> Any:
        return ann.ask("GET", "/api/tournaments/ladder/games", **query).json()

    first = games(limit=20)
    assert [line["number"] for line in first["games"]] == list(range(36, 16, -1))
    rest = games(limit=20, before=first["before"])
    assert [line["number"] for line in rest["games"]] == list(range(16, 0, -1))
    assert rest["before"] is None
    everything = first["games"] + rest["games"]
    for met in ladder["meetings"]:
        one, other = met["agents"]
        rows = games(agent=one, opponent=other, limit=100)["games"]
        assert [line["number"] for line in rows] == [
            line["number"] for line in everything if set(line["agents"]) == {one, other}
        ]
        assert len(rows) == met["games"]
        points = sum((1 + line["scores"][line["agents"].index(one)]) / 2 for line in rows)
        assert points / len(rows) == pytest.approx(met["score"])
    assert len(games(agent="random", limit=100)["games"]) == 24
    assert games(before=1)["games"] == []
    problem = ann.refused(422, "bad_request", "GET", "/api/tournaments/ladder/games", agent="prefect")
    assert "'prefect' does not take part; it is perfect:ties=random, ranking, random" in problem["message"]


@pytest.mark.usefixtures("ladder")
def test_every_game_is_a_match_that_replays(ann: Visitor) -> None:
    for line in ann.ask("GET", "/api/tournaments/ladder/games", limit=100).json()["games"]:
        view = ann.view({"id": line["match"]})
        game_of = {"tournament": "ladder", "page": "/tournaments/ladder", "number": line["number"], "fault": None}
        assert view["game_of"] == game_of
        assert [seat["name"] for seat in view["seats"]] == line["agents"]
        assert (view["plies"], view["live"]) == (line["plies"], False)
        assert view["outcome"] == {"scores": line["scores"], "reason": line["reason"]}
        assert {name for name, allowed in view["can"].items() if allowed} == {"fork", "download", "analyse"}
        assert view["seed"] == line["seed"]
    assert ann.view(view, ply=0)["scene"] != view["scene"]
    assert ann.ask("GET", f"/api/matches/{view['id']}/stage").status_code == 200
    # A file of it replays anywhere, and one can play on from any of its positions.
    file = MatchFile.parse(ann.ask("GET", f"/api/matches/{view['id']}/file").json(), "the file")
    assert len(file.replay(ludex.make("tictactoe")).moves) == view["plies"]
    fork = ann.ask("POST", f"/api/matches/{view['id']}/fork", {"ply": 2, "seats": ["you", "perfect"]}).json()
    assert (fork["plies"] >= 2, fork["game_of"]) == (True, None)
    analysis = ann.ask("POST", f"/api/matches/{view['id']}/analysis", {"ply": 1, "agent": "perfect"})
    assert analysis.status_code == 200, analysis.text
    assert analysis.json()["ply"] == 1
    with ann.watch(view) as socket:
        message = json.loads(socket.recv(timeout=PATIENCE))
        assert (message["type"], message["match"]["id"]) == ("state", view["id"])
        # The server looks for changes in the database again and again, and does not take it for deleted.
        looked = time.monotonic() + 0.4
        while time.monotonic() < looked:
            socket.send('{"type": "ping"}')
            message = json.loads(socket.recv(timeout=PATIENCE))
            assert message["type"] in ("pong", "state"), message
            time.sleep(0.1)


@pytest.mark.parametrize("match", ["ladder~0", "ladder~37", "ladder~01", "ladder~x", "nobody~1", "~1", "..~1"])
@pytest.mark.usefixtures("ladder")
def test_only_games_that_were_played_are_matches(ann: Visitor, match: str) -> None:
    ann.refused(404, "unknown_match", "GET", f"/api/matches/{match}")


@pytest.mark.usefixtures("ladder")
def test_a_tournament_s_game_cannot_be_changed(ann: Visitor) -> None:
    ann.refused(403, "not_your_seat", "DELETE", "/api/matches/ladder~1")
    ann.refused(403, "not_your_seat", "POST", "/api/matches/ladder~1/resign", {"version": 1})
    ann.refused(403, "not_your_seat", "POST", "/api/matches/ladder~1/moves", {"version": 1, "text": "a1"})


def test_forfeits_are_listed_with_their_reason(ann: Visitor, home: Path) -> None:
    crash = engine("crash")
    arguments = ("tictactoe", "--agents", f"perfect,{crash}", "--games", "2", "--movetime", "1000")
    held(home, "faults", *arguments)
    page = detail(ann, "faults")
    assert {row["agent"]: row["forfeits"] for row in page["standings"]} == {"perfect": 0, crash: 2}
    assert [line["number"] for line in page["forfeits"]] == [2, 1]
    for line in page["forfeits"]:
        assert (line["fault"]["agent"], line["fault"]["code"], line["reason"]) == (crash, "agent_fault", "forfeit")
        view = ann.view({"id": line["match"]})
        assert view["game_of"]["fault"] == line["fault"]["message"] != ""


def test_a_league_ranks_by_score(ann: Visitor, home: Path) -> None:
    ann.begin("minesweeper", "you")
    arguments = ("minesweeper", "--preset", "small", "--agents", "rules,random", "--games", "10")
    expected = held(home, "boards", *arguments)
    page = detail(ann, "boards")
    assert (page["players"], page["format"], page["meetings"], page["games"]) == (1, "league", [], 20)
    assert [row["agent"] for row in page["standings"]] == [row["agent"] for row in expected["standings"]]
    scores = {row["agent"]: row["score"] for row in page["standings"]}
    assert page["curve"][-1]["values"] == [scores["rules"], scores["random"]]
    line = ann.ask("GET", "/api/tournaments/boards/games", agent="rules").json()["games"][0]
    assert ann.view({"id": line["match"]})["plies"] == line["plies"]


def test_a_damaged_tournament_is_named_and_hides_no_other(ann: Visitor, home: Path, ladder: Any) -> None:
    torn, broken = (home / "tournaments" / name for name in ("torn", "broken"))
    held(home, "torn", "tictactoe", "--agents", "perfect,random", "--games", "2")
    journal = torn / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"pair":0', '"pair":1'))
    broken.mkdir()
    (broken / "tournament.json").write_text("{")
    (home / "tournaments" / "empty").mkdir()
    lines = {line["name"]: line for line in ann.ask("GET", "/api/tournaments").json()["tournaments"]}
    assert "tournament.json: not valid JSON" in lines["broken"]["fault"]
    assert "empty" not in lines
    assert lines["ladder"]["games"] == ladder["games"]
    assert "line 2 is damaged" in ann.refused(422, "bad_journal", "GET", "/api/tournaments/torn")["message"]
    ann.refused(422, "bad_journal", "GET", "/api/tournaments/torn/games")
    ann.refused(422, "bad_tournament", "GET", "/api/tournaments/broken")
    ann.refused(500, "damaged_match", "GET", "/api/matches/torn~1")
    assert str(home) not in "".join(ann.heard)


def test_another_tournament_under_the_same_name_is_not_mistaken(ann: Visitor, home: Path) -> None:
    arguments = ("tictactoe", "--agents", "perfect,random", "--games", "4")
    held(home, "again", *arguments, "--seed", "1")
    before = [ann.view({"id": f"again~{number}"})["moves"] for number in (1, 2, 3, 4)]
    for file in (home / "tournaments" / "again").iterdir():
        file.unlink()
    held(home, "again", *arguments, "--seed", "2")
    assert detail(ann, "again")["seed"] == "2"
    assert [ann.view({"id": f"again~{number}"})["moves"] for number in (1, 2, 3, 4)] != before


@pytest.mark.parametrize("name", ["nothing", "%2e%2e", "..%2Fdata", "tournament.json"])
def test_only_tournaments_are_tournaments(server: RunningServer, name: str) -> None:
    with server.client() as visitor:
        assert visitor.get(f"/api/tournaments/{name}/games").status_code == 404


def as_they_come(card: dict[str, Any], preset: str) -> set[str]:
    """The agents that play a board without options."""
    return {agent["name"] for agent in card["agents"] if agent["presets"] is None or preset in agent["presets"]}


UNMEASURED = {"mcts", "minimax", "zero", "flawless"}
"""The agents of every game, which no leaderboard ranks yet, and one that plays as `ranking`, which it ranks."""


def test_the_leaderboard_lists_shipped_agents_and_how_they_were_measured(ann: Visitor) -> None:
    page = ann.ask("GET", "/api/leaderboard").json()
    assert page["broken"] == []
    cards = {card["id"]: card for card in ann.ask("GET", "/api/games").json()["games"]}
    assert [game["game"] for game in page["games"]] == list(cards)
    for game in page["games"]:
        card = cards[game["game"]]
        assert game["boards"]
        for board in game["boards"]:
            assert board["preset"] in card["presets"]
            listed = {row["agent"].split(":")[0] for row in board["standings"]}
            assert listed == as_they_come(card, board["preset"]) - UNMEASURED
            assert all(
                command.startswith(f"ludex {verb} ") for command in board["commands"] for verb in [command.split()[1]]
            )
            assert board["measured"] >= "2026-11-15"
            key = "score" if card["players"] == 1 else "elo"
            values = [row[key] for row in board["standings"]]
            assert values == sorted(values, reverse=True)
            assert [row["rank"] for row in board["standings"]] == list(range(1, len(values) + 1))
            for row in board["standings"]:
                low, high = row["ci95" if card["players"] == 1 else "elo_ci95"]
                assert low <= row[key] <= high
                assert row["wins"] + row["draws"] + row["losses"] == row["games"]


GOOD = json.loads((files("ludex.games.tictactoe.data") / FILE).read_text())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "Invalid JSON"),
        (b"\xff\xfe", "utf-8"),
        (json.dumps({**GOOD, "diary": 1}), "unknown key 'diary'"),
        (json.dumps({**GOOD, "boards": [{}]}), "missing key 'boards.0.preset'"),
        (json.dumps({**GOOD, "machine": None}), "key 'machine'"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_and_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | bytes | None, complaint: str
) -> None:
    # A name of its own: Python remembers packages.
    package = tmp_path / f"strange_{tmp_path.name}"
    package.mkdir()
    (package / "__init__.py").touch()
    if text is not None:
        (package / FILE).write_bytes(text.encode() if isinstance(text, str) else text)
    monkeypatch.syspath_prepend(tmp_path)
    fault = fault_of(monkeypatch, package.name)
    assert complaint in fault
    assert str(tmp_path) not in fault


def test_a_missing_package_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault_of(monkeypatch, "nowhere_at_all") == "quoridor: leaderboard.json: No module named 'nowhere_at_all'"


def _with_leaderboard(game: str, package: str | None) -> GameSpec:
    spec = registry.spec(game)
    return dataclasses.replace(spec, tools=dataclasses.replace(spec.tools, leaderboard=package))


def fault_of(monkeypatch: pytest.MonkeyPatch, package: str) -> str:
    """What is said of a game whose results lie there; the other game is shown as ever, and one without has no place."""
    specs: list[GameSpec] = [
        registry.spec("tictactoe"),
        _with_leaderboard("quoridor", package),
        _with_leaderboard("skirmish", None),
    ]
    monkeypatch.setattr(registry, "available", lambda: (specs, []))
    boards = asyncio.run(Leaderboards().games())
    assert [game.game for game in boards.games] == ["tictactoe"]
    (fault,) = boards.broken
    return fault
