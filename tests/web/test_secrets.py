"""Nothing a server sends during a live match reveals its seed, its dice to come or its mines."""

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

from websockets.sync.client import ClientConnection

import ludex
from ludex.core.record import MatchFile
from ludex.core.seeding import CHANCE, generator
from ludex.games.minesweeper.rules.layout import MINE
from tests.web.playing import GENEROUS, View, Visitor, path
from tests.web.running import RunningServer, server_fixture

# This module reads its log as well.
server = server_fixture(*GENEROUS)


ENOUGH = 100
"""The number of answers in which a secret would have been found."""
LONG = 30
"""The number of turns after which a visitor resigns, and the match reveals its secrets."""


class Ear:
    """Hears everything that one socket says."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.heard: list[str] = []

    def listen(self) -> None:
        """Take what has come so far, and one pong to be sure that it has."""
        self._socket.send('{"type": "ping"}')
        while True:
            text = str(self._socket.recv(timeout=100))
            self.heard.append(text)
            if json.loads(text)["type"] == "pong":
                return


def played(ann: Visitor, bob: Visitor, match: View, choice: random.Random) -> tuple[list[str], View]:
    """Play on and look at everything there is; gives all that was said while the match was live, and the end."""
    said: list[str] = []
    with ann.watch(match) as own, bob.watch(match) as other:
        ears = [Ear(own), Ear(other)]
        for ply in itertools.count():
            match = ann.on_turn(match)
            if not match["live"]:
                break
            for visitor in (ann, bob) if ply % 6 == 0 else ():
                _pry(visitor, match, choice, ann.legal(match))
            if ply % 8 == 1:
                ann.ask("POST", path(match, "analysis"), {"agent": "random"})
                bob.ask("POST", path(match, "analysis"), {"agent": "random"})
            text = _careful(ann, match, choice)
            for ear in ears:
                ear.listen()
            # The last move may end the match, which may reveal secrets; the answers before it may not.
            said = [*ann.heard, *bob.heard, *ears[0].heard, *ears[1].heard]
            enough = ply >= LONG and len(said) > ENOUGH
            match = ann.change(match, "resign") if enough else ann.move(match, text)
    return said, match


def _pry(visitor: Visitor, match: View, choice: random.Random, legal: list[str]) -> None:
    """Ask for everything there is to ask for, and for what must be refused."""
    visitor.view(match, choice.randrange(match["plies"] + 1))
    for what in ("stage", "legal", "file"):
        visitor.ask("GET", path(match, what))
    visitor.ask("GET", "/api/matches", limit=5)
    visitor.ask("POST", path(match, "try"), {"text": choice.choice(["zz", *legal])})
    visitor.ask("POST", path(match, "fork"), {"ply": 0, "seats": [seat["name"] for seat in match["seats"]]})
    visitor.ask("POST", path(match, "undo"), {"version": match["version"]})
    visitor.ask("POST", path(match, "moves"), {"version": match["version"], "text": "zz"})


def _careful(ann: Visitor, match: View, choice: random.Random) -> str:
    """A move that keeps the game going: in Minesweeper what the solver knows, else anything."""
    if match["game"] != "minesweeper":
        return choice.choice(ann.legal(match))
    return str(ann.ask("POST", path(match, "analysis"), {"agent": "exact"}).json()["text"])


def numbers_in(said: list[str]) -> set[int]:
    """Every whole number of every document, wherever it stands."""
    mines: set[int] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                walk(key)
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)
        elif isinstance(node, int) and not isinstance(node, bool):
            mines.add(node)
        elif isinstance(node, str):
            mines.update(int(word) for word in node.replace("-", " ").split() if word.isdecimal() and len(word) < 30)

    for text in said:
        walk(json.loads(text))
    return mines


def words_of(seed: int, plies: int) -> set[int]:
    """The first words that the dice of every ply draw from."""
    words: set[int] = set()
    for ply in range(plies + 1):
        rng = generator(seed, ply, CHANCE)
        words.update(rng.bits() for _ in range(4))
    return words


def check_silence(said: list[str], log: str, over: View) -> None:
    seed = int(over["seed"])
    assert len(said) > ENOUGH
    for text in said:
        assert str(seed) not in text
        assert f"{seed:x}" not in text
    assert str(seed) not in log
    numbers = numbers_in(said)
    assert not numbers & {seed, *words_of(seed, over["plies"])}


def test_nothing_reveals_where_the_mines_are(ann: Visitor, bob: Visitor, server: RunningServer) -> None:
    # Even the solver has to guess, and a game that ends at once has said too little.
    for _ in range(20):
        # What was said of a match before this one is about other mines.
        ann.heard.clear()
        bob.heard.clear()
        match = ann.begin("minesweeper", "you", preset="med_16x16_40")
        said, over = played(ann, bob, match, random.Random(1))
        if len(said) > ENOUGH:
            break
    check_silence(said, server.log(), over)
    file = MatchFile.parse(ann.ask("GET", path(over, "file")).json(), "the file")
    replayed = file.replay(ludex.make("minesweeper", "med_16x16_40"))
    secret = replayed.game.dump(replayed.state)
    mines = {cell for cell, content in enumerate(replayed.state.cells) if content & MINE}
    assert len(mines) == 40
    for text in said:
        for scene in _scenes(json.loads(text)):
            assert scene["mines"] is None
            assert scene["bbbv"] is None
            assert scene["exploded"] is None
            shown = {cell for cell, number in enumerate(scene["numbers"]) if number >= 0}
            assert not shown & mines
        for cells in _lists(json.loads(text)):
            assert set(cells) != mines, "the mines, as a list of cells"
            assert not (len(cells) == len(replayed.state.cells) and {i for i, c in enumerate(cells) if c == 1} == mines)
    assert json.dumps(secret) not in "".join(said)


def test_nothing_reveals_the_dice_to_come(ann: Visitor, bob: Visitor, server: RunningServer) -> None:
    match = ann.begin("skirmish", "you", "random", preset="small")
    said, over = played(ann, bob, match, random.Random(2))
    check_silence(said, server.log(), over)


def test_the_search_for_secrets_finds_them_after_the_end(ann: Visitor, bob: Visitor) -> None:
    """A test that cannot fail proves nothing: at the end the same search must find seed and mines."""
    match = ann.begin("minesweeper", "you", preset="small_8x8_10", practice=True, seed=1234567890123)
    match = ann.move(match, "a1")
    while match["live"]:
        match = ann.move(match, ann.legal(match)[0])
    assert 1234567890123 in numbers_in([json.dumps(match)])
    assert match["scene"]["mines"]


def _scenes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        scene = node.get("scene")
        if isinstance(scene, dict):
            yield scene
        for value in node.values():
            yield from _scenes(value)


def _lists(node: Any) -> Iterator[list[Any]]:
    if isinstance(node, dict):
        for value in node.values():
            yield from _lists(value)
    elif isinstance(node, list):
        if node and all(isinstance(value, int | bool) for value in node):
            yield node
        for value in node:
            yield from _lists(value)
