"""Games of other packages: with or without a renderer of their own, broken, and with agents that fail."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import PATIENCE
from tests.web.playing import GENEROUS, Visitor, path
from tests.web.routes.test_live import heard, of_type, say
from tests.web.running import RunningServer, served
from tests.web.thirdparty_games import PILE, installed


@pytest.fixture(scope="module")
def gloom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As long as this file is there, the machines of the game `gloomy` fail."""
    return tmp_path_factory.mktemp("gloom") / "gloom"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, gloom: Path) -> Iterator[RunningServer]:
    path = installed(tmp_path_factory.mktemp("site"))
    home = tmp_path_factory.mktemp("thirdparty")
    with served(home, *GENEROUS, "--workers", "1", PYTHONPATH=path, GLOOM=str(gloom)) as running:
        yield running


def test_a_game_without_hooks_plays(ann: Visitor) -> None:
    games = ann.ask("GET", "/api/games").json()
    assert {"pile", "gloomy"} <= {card["id"] for card in games["games"]}
    assert [(problem["code"], problem["message"].partition(":")[0]) for problem in games["broken"]] == [
        ("broken_game", "game 'torn' of package 'ludex-others' cannot be loaded"),
        ("broken_game", "game 'smudged'"),
    ]
    pile = next(card for card in games["games"] if card["id"] == "pile")
    assert [level["name"] for level in pile["levels"]] == ["newcomer", "beginner", "casual", "skilled", "strong"]
    assert (pile["default_level"], pile["levels"][2]["title"]["fr"]) == ("beginner", "Occasionnel")
    assert pile["levels"][2]["agent"] == "mcts:mistakes=0.2:simulations=40"
    match = ann.begin("pile", "you", "casual")
    assert match["seats"][1]["title"] == {"en": "Casual", "fr": "Occasionnel"}
    match = ann.begin("pile", "you", "remainder")
    assert ann.ask("GET", path(match, "stage")).json()["stage"] is None
    while match["live"]:
        assert match["scene"] is None
        assert match["picture"] == "o" * (7 - sum(int(move["text"][-1]) for move in match["moves"]))
        match = ann.on_turn(ann.move(match, ann.legal(match)[-1]))
    assert match["status"] == "You win: last one taken."
    ann.refused(422, "broken_game", "POST", "/api/matches", {"game": "torn", "seats": ["you", "you"]})


def test_a_game_without_rules_and_a_tutorial_says_so(ann: Visitor) -> None:
    cards = {card["id"]: card for card in ann.ask("GET", "/api/games").json()["games"]}
    assert (cards["pile"]["rules"], cards["pile"]["tutorial"]) == (False, 0)
    assert ann.ask("GET", "/api/games/pile/rules", preset="seven").json()["sections"] == []
    ann.refused(404, "unknown_tutorial", "GET", "/api/games/pile/tutorial")
    assert ann.begin("pile", "you", "remainder")["coach"] is None


def test_a_game_ships_its_own_files(ann: Visitor) -> None:
    games = {card["id"]: card for card in ann.ask("GET", "/api/games").json()["games"]}
    assert (games["drawn"]["renderer"], games["pile"]["renderer"]) == ("drawn", None)
    response = ann.client.get("/static/games/drawn/renderer.js")
    assert response.status_code == 200
    assert response.content == (PILE / "web" / "renderer.js").read_bytes()
    of_the_page = ann.client.get("/static/generic/renderer.js")
    differing = {"content-length", "etag", "last-modified", "date", "x-request-id"}
    assert set(response.headers) == set(of_the_page.headers)
    assert {name for name in response.headers if response.headers[name] != of_the_page.headers[name]} <= differing
    assert response.headers["cache-control"] == "no-cache"
    assert (response.headers["content-encoding"], response.headers["vary"]) == ("gzip", "Accept-Encoding")
    plain = ann.client.get(response.request.url, headers={"Accept-Encoding": "identity"})
    assert (plain.headers.get("content-encoding"), plain.text) == (None, response.text)
    known = {"If-None-Match": response.headers["etag"]}
    assert ann.client.get("/static/games/drawn/renderer.js", headers=known).status_code == 304
    assert ann.client.head("/static/games/drawn/renderer.css").status_code == 200


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("drawn/nothing.js", 404),
        ("drawn/", 404),
        ("drawn/%2e%2e/game.py", 404),
        ("drawn//etc/passwd", 404),
        ("drawn/%00", 404),
        ("pile/renderer.js", 404),
        ("nothing/renderer.js", 404),
        ("smudged/renderer.js", 422),
    ],
)
def test_nothing_else_is_served(ann: Visitor, address: str, status: int) -> None:
    assert ann.client.get(f"/static/games/{address}").status_code == status


def test_machines_are_made_by_workers_and_never_by_the_server(ann: Visitor, server: RunningServer, gloom: Path) -> None:
    for _ in range(3):
        match = ann.begin("gloomy", "you", "raises")
        fork = ann.ask("POST", path(match, "fork"), {"ply": 0, "seats": ["you", "cheats"]})
        assert fork.status_code == 201
        assert ann.ask("POST", path(match, "analysis"), {"agent": "dies"}).status_code == 200
        assert not ann.on_turn(ann.move(match, "take1"))["live"]
    made_in = {int(process) for process in gloom.with_suffix(".made").read_text().split()}
    assert made_in
    assert server.process.pid not in made_in


@pytest.mark.parametrize(
    ("agent", "code"), [("dies", "agent_fault"), ("cheats", "illegal_choice"), ("raises", "agent_fault")]
)
def test_an_agent_failure_is_reported_and_retried(
    ann: Visitor, server: RunningServer, gloom: Path, agent: str, code: str
) -> None:
    gloom.touch()
    match = ann.begin("gloomy", "you", agent)
    with ann.watch(match) as socket:
        match = ann.move(match, "take1")
        problem = heard(socket, of_type("fault"))["problem"]
        assert problem["code"] == code
        # It is reported again to later clients, and the match is still there.
        match = ann.view(match)
        assert (match["live"], match["plies"], match["searching"]) == (True, 1, False)
        with ann.watch(match) as later:
            assert heard(later, of_type("fault"))["problem"] == problem
        gloom.unlink()
        deadline = time.monotonic() + PATIENCE
        while match["live"]:
            assert time.monotonic() < deadline
            say(socket, "ping")
            time.sleep(0.2)
            match = ann.view(match)
    assert match["status"] == f"{agent} wins: last one taken."
    seed = str(match["seed"])
    assert not any(seed in text for text in ann.heard[:-1])
    assert seed not in server.log()


def test_a_fault_pauses_longer_each_time(ann: Visitor, gloom: Path) -> None:
    gloom.touch()
    try:
        match = ann.begin("gloomy", "you", "raises")
        with ann.watch(match) as socket:
            ann.move(match, "take1")
            times = []
            for _ in range(3):
                while True:
                    say(socket, "ping")
                    try:
                        heard(socket, of_type("fault"), seconds=0.3)
                    except TimeoutError:
                        continue
                    times.append(time.monotonic())
                    break
        assert times[1] - times[0] >= 0.9
        assert times[2] - times[1] >= 1.9
    finally:
        gloom.unlink()
