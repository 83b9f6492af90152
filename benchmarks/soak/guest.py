"""A person who plays one match after the other, over real HTTP and a real WebSocket, and trusts nothing."""

import json
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from benchmarks.serving import Answer, Visitor
from ludex.arena.statistics import percentile

PATIENCE_SECONDS = 400.0
"""A match in which nothing happens for so long is lost: a worker may take five minutes to load its kernels, no more."""
LOOK_SECONDS = 1.0
MOVETIME_MS = 50
MOST_MOVES = 60
"""Then the guest resigns, so that long games leave time for others."""
ANALYSES = 20
"""One move in so many is preceded by a question."""
KINDS = ("server_error", "refused_move", "lost_match", "fault", "logged", "server_died")
"""5xx; a legal move that was not taken; a match that stands still, or is not as it was left; anything else unexpected;
an error in the server's log; the server's end."""
MOST_QUOTED = 10
"""So many errors are quoted."""
View = dict[str, Any]


class Trouble(Exception):
    """Something that must not happen."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Tally:
    """Shared by all visitors."""

    def __init__(self) -> None:
        self.finished: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.requests = 0
        self.errors: Counter[str] = Counter()
        self.quoted: list[str] = []
        self._times: defaultdict[str, list[float]] = defaultdict(list)
        self._lock = threading.Lock()

    def trouble(self, kind: str, message: str) -> None:
        """Count an error."""
        assert kind in KINDS, kind
        with self._lock:
            self.errors[kind] += 1
            if len(self.quoted) < MOST_QUOTED:
                self.quoted.append(f"{kind}: {message[:300]}")

    @property
    def ended(self) -> int:
        """Matches that were finished, and those in which something went wrong."""
        return self.finished.total() + self.errors.total()

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Keep how long something takes."""
        begin = time.perf_counter()
        yield
        with self._lock:
            self.requests += 1
            self._times[what].append(1000 * (time.perf_counter() - begin))

    def latencies(self) -> dict[str, Any]:
        """Milliseconds by what was asked for."""
        return {
            what: {"count": len(times), "p50_ms": percentile(times, 50), "p95_ms": percentile(times, 95)}
            for what, times in sorted(self._times.items())
        }


@dataclass(frozen=True, slots=True)
class Scenario:
    """A match to play."""

    game: str
    preset: str
    seats: tuple[str, ...]


def scenarios(games: list[Any], wanted: frozenset[str]) -> list[Scenario]:
    """Every machine of every game against a person, a person alone at the board, and machines among themselves."""
    combinations = []
    for card in games:
        if wanted and card["id"] not in wanted:
            continue
        players = card["players"]
        combinations.append(Scenario(card["id"], card["presets"][0], ("you",) * players))
        for agent in card["agents"]:
            preset = next(iter(card["presets"] if agent["presets"] is None else agent["presets"]), None)
            if preset is None:
                # It plays nothing without options that only who runs the server may set.
                continue
            combinations.append(Scenario(card["id"], preset, (agent["name"],) * players))
            if players > 1:
                combinations += [
                    Scenario(card["id"], preset, ("you", agent["name"])),
                    Scenario(card["id"], preset, (agent["name"], "you")),
                ]
    return combinations


class Guest(threading.Thread):
    """One of several."""

    def __init__(self, address: str, seed: int, plans: list[Scenario], tally: Tally, ended: threading.Event) -> None:
        super().__init__(daemon=True)
        self.left: dict[str, int] = {}
        """Finished matches and their plies, which must still be there at the end."""
        self._visitor = Visitor(address)
        self._choice = random.Random(seed)
        self._plans = self._choice.sample(plans, len(plans))
        self._tally = tally
        self._ended = ended

    def run(self) -> None:
        for plan in cycle(self._plans):
            if self._ended.is_set():
                return
            try:
                self._play(plan)
            except Trouble as trouble:
                self._tally.trouble(trouble.kind, f"{plan}: {trouble}")
            except (OSError, WebSocketException) as error:
                self._tally.trouble("fault", f"{plan}: {type(error).__name__}: {error}")
                self._visitor.close()
                if self._ended.wait(1.0):
                    return

    def check(self) -> int:
        """Look at everything that was left; gives how many matches there were."""
        for match, plies in self.left.items():
            answer = self._visitor.ask("GET", f"/api/matches/{match}")
            if answer.status != 200 or (seen := answer.document())["live"] or seen["plies"] != plies:
                self._tally.trouble("lost_match", f"{match} of {plies} plies: {answer.status} {answer.text[:200]}")
        return len(self.left)

    def _play(self, plan: Scenario) -> None:
        begin = {"game": plan.game, "preset": plan.preset, "seats": plan.seats, "movetime_ms": MOVETIME_MS}
        match = self._asked("begin", "POST", "/api/matches", begin)
        with self._watched(match) as socket:
            for moves, state in enumerate(self._turns(socket, match)):
                if self._ended.is_set():
                    return
                path = f"/api/matches/{match['id']}"
                if moves == MOST_MOVES:
                    self._asked("resign", "POST", f"{path}/resign", {"version": state["version"]})
                    continue
                if self._choice.randrange(ANALYSES) == 0:
                    self._asked("analysis", "POST", f"{path}/analysis", {"movetime_ms": MOVETIME_MS})
                self._move(path, state, plan.game)
        if not self._ended.is_set():
            self._left_behind(match, plan.game)

    def _move(self, path: str, state: View, game: str) -> None:
        legal = self._asked("legal", "GET", f"{path}/legal")
        move = self._choice.choice(legal["moves"])
        with self._tally.timed("move"):
            wanted = {"version": state["version"], "action": move["action"]}
            answer = self._visitor.ask("POST", f"{path}/moves", wanted)
        if 400 <= answer.status < 500:
            raise Trouble("refused_move", f"{move['text']}: {answer.status} {answer.text}")
        self._accepted("move", answer)
        self._tally.moves[game] += 1

    def _turns(self, socket: ClientConnection, match: View) -> Iterator[View]:
        """The match as it is whenever it is this guest's turn, until it is over."""
        version = 0
        while True:
            with self._tally.timed("news"):
                state = self._heard(socket, version)
            if state is None or not state["live"]:
                return
            version = state["version"]
            if state["can"]["move"]:
                yield state

    def _heard(self, socket: ClientConnection, version: int) -> View | None:
        """The next state that is newer; None when it is time to go home."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if self._ended.is_set():
                return None
            try:
                message = json.loads(socket.recv(timeout=LOOK_SECONDS))
            except TimeoutError:
                continue
            if message["type"] == "fault":
                raise Trouble("fault", json.dumps(message["problem"]))
            if message["type"] == "state" and message["match"]["version"] > version:
                state: View = message["match"]
                return state
        raise Trouble("lost_match", f"nothing happened for {PATIENCE_SECONDS:.0f} seconds")

    def _watched(self, match: View) -> ClientConnection:
        address = f"{self._visitor.address.replace('http', 'ws', 1)}/api/matches/{match['id']}/live"
        cookie = {"Cookie": self._visitor.cookie}
        return connect(address, additional_headers=cookie, max_size=None, open_timeout=PATIENCE_SECONDS)

    def _left_behind(self, match: View, game: str) -> None:
        over = self._asked("view", "GET", f"/api/matches/{match['id']}")
        if over["live"] or len(over["moves"]) != over["plies"]:
            raise Trouble("lost_match", f"{match['id']} was over and is not: {over['status']}")
        self.left[match["id"]] = over["plies"]
        self._tally.finished[game] += 1

    def _asked(self, what: str, method: str, path: str, body: object = None) -> Any:
        with self._tally.timed(what):
            answer = self._visitor.ask(method, path, body)
        return self._accepted(what, answer)

    def _accepted(self, what: str, answer: Answer) -> Any:
        if answer.status >= 500:
            raise Trouble("server_error", f"{what}: {answer.status} {answer.text}")
        if answer.status >= 300:
            raise Trouble("fault", f"{what}: {answer.status} {answer.text}")
        return answer.document()
