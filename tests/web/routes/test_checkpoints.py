"""Checkpoints as opponents and levels over real HTTP: who may do what, and what an import refuses."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludex.learn.run_agents import keep_agent
from ludex.learn.runs import Run
from ludex.search.network import shipped_net
from tests.web.playing import prepare
from tests.web.running import RunningServer, served

RANKING = json.dumps({"version": 1, "createdUtc": "2026-01-31T12:00:00Z", "qValues": []}).encode()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


@pytest.fixture(scope="module")
def run(home: Path) -> str:
    made = Run.create(home / "runs", "tictactoe", "mine", "")
    for index in range(3):
        keep_agent(made, index, 100 * index, RANKING)
        made.log({"games": 100 * index})
    return made.name


@pytest.fixture(scope="module")
def server(home: Path, run: str) -> Iterator[RunningServer]:
    with served(home, "--workers", "1") as running:
        prepare(running, "tictactoe", "quoridor")
        yield running


def wish(data: bytes, **changes: Any) -> dict[str, Any]:
    content = base64.b64encode(data).decode()
    return {
        "game": "tictactoe",
        "preset": "3x3x3",
        "title": "Brought",
        "file_name": "a.json",
        "content": content,
    } | changes


def levels(client: httpx.Client, game: str = "tictactoe") -> list[str]:
    card = next(one for one in client.get("/api/games").json()["games"] if one["id"] == game)
    return [level["name"] for level in card["levels"] if level["kept"]]


def test_a_visitor_sees_and_plays_what_a_run_keeps(visitor: httpx.Client, run: str) -> None:
    checkpoints = visitor.get(f"/api/runs/{run}/checkpoints").json()
    assert [(checkpoint["step"], checkpoint["row"]) for checkpoint in checkpoints["checkpoints"]] == [
        (0, 0),
        (100, 1),
        (200, 2),
    ]
    assert (checkpoints["game"], checkpoints["preset"], checkpoints["players"]) == ("tictactoe", "3x3x3", 2)
    file = visitor.get(f"/api/runs/{run}/checkpoints/100/file")
    assert file.content == RANKING
    assert 'filename="tictactoe-3x3x3-step100.json"' in file.headers["content-disposition"]
    match = visitor.post("/api/matches", json={"game": "tictactoe", "seats": ["you", f"run:{run}"]})
    assert match.status_code == 201
    # The step is fixed, though training may go on.
    assert match.json()["seats"][1]["name"] == f"run:{run}@200"


def test_a_training_that_ships_is_read_like_any_other(visitor: httpx.Client) -> None:
    document = visitor.get("/api/runs").json()["runs"]
    assert [line["name"] for line in document if line["example"]][:1] == ["example-tictactoe"]
    place = "/api/runs/example-tictactoe"
    measured = visitor.get(f"{place}/learned").json()
    assert (measured["verdict"], measured["complete"]) == ("better", True)
    steps = [strength["step"] for strength in measured["strength"]]
    assert [agent["step"] for agent in visitor.get(f"{place}/checkpoints").json()["checkpoints"]] == steps
    assert len(steps) == 5
    moves = [
        visitor.get(f"{place}/learned/positions/0/{step}", timeout=60).json()["analysis"]["text"]
        for step in (steps[0], steps[-1])
    ]
    assert len({*moves}) == 2, "the first and the last step choose differently"
    longest = max(game["plies"] for game in measured["games"])
    frames = visitor.get(f"{place}/learned/film/{longest}").json()["frames"]
    assert [frame["ply"] for frame in frames] == [game["plies"] for game in measured["games"]]
    agent = f"run:example-tictactoe@{steps[0]}"
    match = visitor.post("/api/matches", json={"game": "tictactoe", "seats": ["you", agent]})
    assert match.status_code == 201
    assert match.json()["seats"][1]["title"]["en"] == "A first ranking, step 0"


def test_a_level_is_kept_played_and_removed(administrator: httpx.Client, visitor: httpx.Client, run: str) -> None:
    kept = administrator.post("/api/agents", json={"run": run, "step": 100, "title": "First try"})
    assert kept.status_code == 201
    assert kept.json()["agent"] == "kept:first-try"
    assert levels(visitor) == ["kept:first-try"]
    assert [agent["title"] for agent in visitor.get("/api/agents").json()["agents"]] == ["First try"]
    assert "kept:first-try" in visitor.get("/api/games/tictactoe/board", params={"preset": "3x3x3"}).json()["levels"]
    begun = visitor.post("/api/matches", json={"game": "tictactoe", "seats": ["kept:first-try", "you"]}).json()
    assert visitor.get("/api/agents/first-try/file").content == RANKING
    assert visitor.delete("/api/agents/first-try").status_code == 403
    assert administrator.delete("/api/agents/first-try").status_code == 204
    assert levels(visitor) == []
    # A match against it can still be seen.
    assert visitor.get(f"/api/matches/{begun['id']}").status_code == 200
    assert administrator.delete("/api/agents/first-try").status_code == 404


def test_visitors_keep_import_and_remove_nothing(visitor: httpx.Client, run: str) -> None:
    for answer in (
        visitor.post("/api/agents", json={"run": run, "step": 100, "title": "Mine"}),
        visitor.post("/api/agents/import", json=wish(RANKING)),
        visitor.delete("/api/agents/mine"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "administrator_only")
    option = f"run:{run}@100:file=/etc/passwd"
    answer = visitor.post("/api/matches", json={"game": "tictactoe", "seats": ["you", option]})
    assert answer.json()["code"] == "bad_option"
    assert levels(visitor) == []


def test_a_friends_file_is_tried_and_kept(administrator: httpx.Client, visitor: httpx.Client) -> None:
    for data, name in ((RANKING, "a.json"), (shipped_net("zero-tictactoe-3x3x3.onnx"), "b.onnx")):
        answer = administrator.post("/api/agents/import", json=wish(data, file_name=name), timeout=300)
        assert (answer.status_code, answer.json().get("origin")) == (201, name), answer.text
        assert answer.json()["agent"] in levels(visitor)
        assert administrator.delete(f"/api/agents/{answer.json()['name']}").status_code == 204


@pytest.mark.parametrize(
    ("changes", "code", "reason"),
    [
        ({"content": "%%%"}, "bad_request", "Base64"),
        ({"game": "chess"}, "unknown_game", "chess"),
        ({"preset": "9x"}, "unknown_preset", "9x"),
        ({"game": "quoridor", "preset": "9x9"}, "bad_net", "plays no agents in json"),
        ({"title": "two\nlines"}, "bad_option", "printable"),
        (wish(b"\x80\x04pickled"), "bad_net", "a pickle"),
        (wish(b"PK\x03\x04"), "bad_net", "zip archive"),
        (wish(b"\x08\x0a\x3a"), "bad_net", "not a whole network"),
        (wish(RANKING[:-2]), "bad_net", "truncated"),
        (wish(b"MZ"), "bad_net", "neither ONNX"),
    ],
)
def test_an_import_is_refused_by_what_is_wrong(
    administrator: httpx.Client, changes: dict[str, Any], code: str, reason: str
) -> None:
    answer = administrator.post("/api/agents/import", json=wish(RANKING) | changes, timeout=300)
    assert answer.json()["code"] == code, answer.text
    assert reason in answer.json()["message"]
    assert levels(administrator) == []


def test_a_file_that_is_too_large_is_not_read(administrator: httpx.Client) -> None:
    answer = administrator.post("/api/agents/import", json=wish(bytes(4_000_000)))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/runs/nobody/checkpoints", "unknown_run"),
        ("/api/runs/nobody/learned", "unknown_run"),
        ("/api/runs/{}/learned/film/0", "unknown_run"),
        ("/api/runs/example-tictactoe/learned/positions/0/7", "unknown_agent"),
        ("/api/runs/example-tictactoe/learned/positions/99/0", "unknown_run"),
        ("/api/runs/{}/checkpoints/7/file", "unknown_agent"),
        ("/api/runs/{}/checkpoints/x/file", "bad_request"),
        ("/api/agents/nobody/file", "unknown_agent"),
        ("/api/agents/..%2Fx/file", None),
    ],
)
def test_other_names_are_refused(visitor: httpx.Client, home: Path, run: str, path: str, code: str | None) -> None:
    answer = visitor.get(path.format(run))
    assert answer.status_code >= 400
    assert code is None or answer.json()["code"] == code
    assert str(home) not in answer.text
