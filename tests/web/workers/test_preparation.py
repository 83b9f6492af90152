"""Games are compiled while the server answers: what it says meanwhile, and what keeps a game from being ready."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import until
from tests.web.playing import GENEROUS, Visitor
from tests.web.running import RunningServer, served
from tests.web.thirdparty_games import gates, installed

pytestmark = pytest.mark.slow

READY = {"state": "ready", "done": 2, "total": 2, "reason": None}


class Site:
    """Servers that know the gated game, and the pipes that its kernels wait for."""

    def __init__(self, folder: Path, closing: ExitStack) -> None:
        self._folder = folder
        self._closing = closing
        self.gates = gates(folder / "gates")
        self._environment = {"PYTHONPATH": installed(folder / "site", gated=True), "GATES": str(self.gates)}

    def serve(self, name: str = "server", **environment: str) -> tuple[RunningServer, Visitor]:
        started = served(self._folder / name, *GENEROUS, "--workers", "1", **{**self._environment, **environment})
        server = self._closing.enter_context(started)
        return server, self._closing.enter_context(Visitor(server))

    def open(self, gate: str, reason: str = "") -> None:
        """Let a kernel that waits go on, or fail."""
        (self.gates / gate).write_text(reason)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as closing:
        yield Site(tmp_path, closing)


def gated(visitor: Visitor) -> dict[str, Any]:
    """How far the gated game is."""
    document = visitor.ask("GET", "/api/games/preparation").json()["games"]
    return next({key: game[key] for key in READY} for game in document if game["game"] == "gated")


def reason_for_the_administrator(server: RunningServer) -> str:
    """Why the gated game failed."""
    with server.administrator() as administrator:
        document = administrator.get("/api/games/preparation").json()["games"]
    return next(str(game["reason"]) for game in document if game["game"] == "gated")


def prepared(visitor: Visitor, **expected: object) -> dict[str, Any]:
    """How far the gated game is, once it is so far."""
    until(lambda: expected.items() <= gated(visitor).items(), f"{expected}")
    return gated(visitor)


def test_a_match_waits_for_its_kernels_and_others_do_not(site: Site) -> None:
    server, ann = site.serve()
    assert prepared(ann, state="compiling", total=2)["done"] == 0
    tictactoe = ann.begin("tictactoe", "you", "tactical")
    assert ann.on_turn(ann.move(tictactoe, "b2"))["plies"] == 2
    begun = {"game": "gated", "seats": ["you", "remainder"]}
    answer = ann.ask("POST", "/api/matches", begun)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.json()["code"] == "preparing"
    assert answer.json()["message"] == "gated is being prepared, 0 of 2 kernels; try again"
    patient = ann.client.post("/api/matches", json=begun, headers={"Prefer": "respond-async"})
    assert (patient.status_code, patient.headers["Preference-Applied"]) == (202, "respond-async")
    assert patient.json()["code"] == "preparing"
    site.open("rules")
    assert prepared(ann, done=1)["state"] == "compiling"
    site.open("search")
    assert prepared(ann, state="ready") == READY
    cards = {card["id"]: card["preparation"] for card in ann.ask("GET", "/api/games").json()["games"]}
    assert {card["state"] for card in cards.values()} == {"ready"}
    match = ann.begin("gated", "you", "remainder")
    assert ann.on_turn(ann.move(match, ann.legal(match)[0]))["plies"] == 2
    assert "\ngated: ready after " in server.logged("gated: ready after")


def test_an_agent_with_kernels_of_its_own_makes_only_its_own_matches_wait(site: Site) -> None:
    for name in ("rules", "search"):
        (site.gates / name).with_suffix(".compiled").touch()
    server, ann = site.serve()
    prepared(ann, state="ready")
    begun = {"game": "gated", "seats": ["you", "planner"]}
    problem = ann.refused(503, "preparing", "POST", "/api/matches", begun)
    expected = {"game": "gated", "kernels": "agents", "state": "compiling"}
    assert expected.items() <= problem["preparation"].items()
    match = ann.begin("gated", "you", "remainder")
    assert ann.on_turn(ann.move(match, ann.legal(match)[0]))["plies"] == 2
    document = ann.ask("GET", "/api/games/preparation").json()["agents"]
    assert [game["state"] for game in document if game["game"] == "gated"] == ["compiling"]
    site.open("planner")
    match = ann.begin("gated", "you", "planner")
    assert ann.on_turn(ann.move(match, ann.legal(match)[0]))["plies"] == 2
    assert "\ngated, all agents: ready after " in server.logged("gated, all agents: ready after")


def test_a_failure_has_a_reason_and_the_next_match_tries_again(site: Site) -> None:
    server, ann = site.serve()
    prepared(ann, state="compiling", total=2)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    nice = str(min(19, os.nice(0) + 15))
    print(
        [
            (pid, Path(f"/proc/{pid}/stat").read_text().split()[18], Path(f"/proc/{pid}/cmdline").read_text()[-120:])
            for pid in children
        ],
        nice,
    )
    (compiler,) = [int(pid) for pid in children if Path(f"/proc/{pid}/stat").read_text().split()[18] == nice]
    os.kill(compiler, signal.SIGKILL)
    prepared(ann, state="failed")
    assert reason_for_the_administrator(server).endswith("the process was ended by SIGKILL")
    wanted = {"game": "gated", "seats": ["you", "remainder"]}
    ann.refused(503, "preparing", "POST", "/api/matches", wanted)
    site.open("rules", "no space left")
    assert prepared(ann, state="failed")["reason"] == "its kernels cannot be compiled; the server's log says why"
    reason = "the kernels of gated cannot be compiled: OSError: no space left"
    assert reason_for_the_administrator(server) == reason
    assert ann.begin("tictactoe", "you", "tactical")["can"]["move"]
    problem = ann.refused(503, "preparing", "POST", "/api/matches", wanted)
    assert problem["preparation"]["reason"] is None
    site.open("rules")
    site.open("search")
    prepared(ann, state="ready")
    assert ann.begin("gated", "you", "remainder")["can"]["move"]


def test_two_servers_compile_once_and_a_killed_one_leaves_the_rest_to_the_other(site: Site) -> None:
    first, ann = site.serve("first")
    prepared(ann, state="compiling", total=2)
    site.open("rules")
    prepared(ann, done=1)
    _, bob = site.serve("second")
    # It waits for the lock, which is released only because the first server's compiler ends with it.
    assert prepared(bob, state="compiling", total=2)["done"] == 0
    first.kill()
    prepared(bob, done=1)
    site.open("search")
    assert prepared(bob, state="ready") == READY


def test_a_server_that_ends_does_not_wait_for_kernels(site: Site) -> None:
    server, ann = site.serve()
    prepared(ann, state="compiling", total=2)
    assert server.end() == 0
    assert "Traceback" not in server.log()


def test_a_cache_that_cannot_be_written_is_named(site: Site, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    server, ann = site.serve(LUDEX_CACHE=str(blocked))
    assert "set LUDEX_CACHE to a writable folder" in server.logged("tictactoe: ")
    prepared(ann, state="failed")
    with server.administrator() as administrator:
        games = administrator.get("/api/games/preparation").json()["games"]
    states = {game["game"]: game["state"] for game in games}
    compiled = ("tictactoe", "quoridor", "minesweeper", "skirmish", "gated")
    assert states == {**dict.fromkeys(compiled, "failed"), "pile": "ready"}
    assert all("set LUDEX_CACHE to a writable folder" in game["reason"] for game in games if game["state"] == "failed")
    assert ann.begin("pile", "you", "open")["can"]["move"]


LISTING = """
from numba.core import event
from ludex.core import registry

class Listener(event.Listener):
    def on_start(self, event): print(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event): pass

event.register("numba:compile", Listener())
for spec in registry.available()[0]:
    registry.default_analyst(registry.make(spec.id))
"""


def test_a_list_of_games_compiles_nothing(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LISTING],
        env={**os.environ, "LUDEX_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == ""
