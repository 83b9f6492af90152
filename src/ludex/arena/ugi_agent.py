"""A third-party engine that speaks UGI as an agent."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ludex.arena.engine_agent import EngineAgent
from ludex.arena.ugi_go import BOARD, words_of
from ludex.core.errors import BadOption
from ludex.core.game import Json
from ludex.core.limit import Limit
from ludex.core.match import Match

POLL_SECONDS = 0.02
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
_NUMBERS = ("depth", "score", "nodes", "nps", "time")


class UgiAgent(EngineAgent):
    """An engine behind UGI, whose options are set by `setoption`."""

    protocol = "ugi"
    complaint = "info string error"

    def _greet(self, options: Mapping[str, str]) -> None:
        self._engine.send("ugi")
        announced = [line for line in self._lines_to("ugiok") if line.startswith("option name ")]
        names = [line.removeprefix("option name ").partition(" type ")[0] for line in announced]
        if BOARD in names:
            options = {BOARD: self._game.info.preset, **options}
        for key, value in options.items():
            if key not in names:
                raise self._unknown(key, names)
            self._engine.send(f"setoption name {key} value {value}")
        if options and self._complains():
            raise BadOption(self._engine.fault("refused an option").message)

    def _begin_game(self) -> None:
        self._engine.send("uginewgame")

    def _set_position(self, match: Match[Any, Any]) -> None:
        moves = [move.text for move in match.moves]
        self._engine.send(" ".join(["position startpos", *(["moves"] if moves else []), *moves]))
        # An engine that complains would answer for another position.
        if self._complains():
            raise self._engine.fault("refused the position")

    def _ask_move(self, match: Match[Any, Any], limit: Limit, stats: dict[str, Json]) -> str:
        budget = words_of(limit, match.to_move)
        if not budget:
            raise BadOption(f"{self.name} needs a limit: --movetime, --depth, --nodes or --clock")
        self._engine.send(f"go {' '.join(budget)}")
        deadline = self._engine.deadline(limit.longest_ms)
        stopping = False
        while True:
            if limit.stopped and not stopping:
                stopping = True
                self._engine.send("stop")
            words = (self._engine.next_line(deadline, POLL_SECONDS) or "").split()
            if words[:1] == ["bestmove"] and len(words) > 1:
                return words[1]
            if words[:1] == ["info"]:
                stats.update(_numbers(words))

    def _complains(self) -> bool:
        """Whether the engine complains of what it was last sent."""
        self._engine.complaints.clear()
        self._engine.send("isready")
        self._lines_to("readyok")
        return bool(self._engine.complaints)

    def _lines_to(self, word: str) -> list[str]:
        return self._engine.lines_until(lambda line: line == word)


def _numbers(words: list[str]) -> dict[str, Json]:
    numbers: dict[str, Json] = {}
    for key, value in pairwise(words):
        if key in _NUMBERS and _NUMBER.fullmatch(value):
            numbers[key] = float(value) if "." in value else int(value)
    return numbers
