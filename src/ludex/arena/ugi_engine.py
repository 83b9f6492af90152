"""Our agents behind UGI, the game-neutral UCI: text lines in, text lines out.

A bad line is answered with `info string error ...` and changes nothing. A search runs in a thread of its own, so that
`stop` and `isready` are heard meanwhile.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from ludex import __version__
from ludex.arena.engine_agent import require_open_game
from ludex.arena.entrants import kernels_of
from ludex.arena.ugi_go import BOARD, BadLine, limit_of
from ludex.core.agent import AnyAgent, Closes
from ludex.core.decision import Decision, line_texts
from ludex.core.errors import BadOption, LudexError
from ludex.core.game import AnyGame, Outcome
from ludex.core.limit import Limit
from ludex.core.log import logger
from ludex.core.match import Match, decide
from ludex.core.options import CommonOptions, join_reference, split_reference
from ludex.core.record import play_line
from ludex.core.registry import agent_spec, make, make_agent, spec
from ludex.core.seeding import MAX_SEED
from ludex.core.services import Services
from ludex.kernels.warmup import load_kernels

_AGENT = "agent"
log = logger("ugi")


class UgiEngine:
    """One conversation: a game, an agent, a position."""

    def __init__(
        self, game: AnyGame, agent: str, services: Services, say: Callable[[str], None], seed: int = 0
    ) -> None:
        require_open_game(game)
        self._game = game
        self._spec = spec(game.info.id)
        self._services = services
        self._say_line = say
        self._speaking = threading.Lock()
        self._name, self._options = split_reference(agent)
        self._agent: AnyAgent = make_agent(game, agent, services)
        self._last_reported: Decision | None = None
        """The decision that was reported last."""
        self._seed = seed
        """Of the current game; each new one has the next."""
        self._match = Match(game, seed)
        self._search_thread: threading.Thread | None = None
        self._busy = False
        self._limit = Limit()

    def handle(self, line: str) -> bool:
        """Answer one line; False after `quit`."""
        words = line.split()
        if not words:
            return True
        command, *arguments = words
        if command == "quit":
            self.close()
            return False
        try:
            self._handle(command, arguments)
        except LudexError as error:
            self._say(f"info string error {error.code}: {error.message}")
        return True

    def close(self) -> None:
        """Stop the search and wait for its last lines."""
        self._limit.stop[0] = 1
        if self._search_thread is not None:
            self._search_thread.join()
        if isinstance(self._agent, Closes):
            self._agent.close()

    def _handle(self, command: str, arguments: list[str]) -> None:
        commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "setoption": self._setoption,
            "uginewgame": self._newgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._limit.stop.__setitem__(0, 1),
            "query": self._query,
        }
        if command not in commands:
            raise BadLine(f"unknown command {command!r}; known: {', '.join(commands)}, quit")
        if command in ("setoption", "uginewgame", "position", "go") and self._busy:
            raise BadLine(f"{command} while searching: send stop first")
        commands[command](arguments)

    def _ugi(self, _: list[str]) -> None:
        self._say(f"id name Ludex {__version__} {self._game.info.id} {self._game.info.preset}")
        self._say("id author The Ludex authors")
        names = dict.fromkeys([*self._spec.agents, *self._spec.levels])
        choices = " ".join(f"var {name}" for name in names)
        self._say(f"option name {_AGENT} type combo default {self._name} {choices}")
        self._say(f"option name {BOARD} type string default {self._game.info.preset}")
        agent = agent_spec(self._spec, self._name)
        for key, field in {**CommonOptions.model_fields, **agent.options.model_fields}.items():
            preset = None if field.is_required() else field.get_default(call_default_factory=True)
            value = self._options.get(key, agent.defaults.get(key, preset))
            self._say(f"option name {key} type string default {'' if value is None else value}".rstrip())
        self._say("ugiok")

    def _isready(self, _: list[str]) -> None:
        # Reading compiled kernels takes a second that must not count as search time.
        load_kernels(self._game.info.id, through=kernels_of(self._game.info.id, self._name))
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        if len(words) < 4 or words[0] != "name" or words[2] != "value":
            raise BadLine("expected: setoption name NAME value VALUE")
        key, value = words[1], " ".join(words[3:])
        if key == BOARD:
            self._change_board(value)
            return
        name, options = (value, {}) if key == _AGENT else (self._name, {**self._options, key: value})
        if any(character in value for character in ":="):
            raise BadOption(f"an option's value has no ':' or '=', found {value!r}")
        self._replace_agent(name, options)
        self._name, self._options = name, options

    def _change_board(self, preset: str) -> None:
        """Begin a game on another board; everything stays if the agent does not play it."""
        if preset == self._game.info.preset:
            return
        before, self._game = self._game, make(self._spec.id, preset)
        try:
            self._replace_agent(self._name, self._options)
        except LudexError:
            self._game = before
            raise
        self._match = Match(self._game, self._seed)

    def _replace_agent(self, name: str, options: dict[str, str]) -> None:
        """Play with a new agent; the old one stays if there is none."""
        agent = make_agent(self._game, join_reference(name, options), self._services)
        if isinstance(self._agent, Closes):
            self._agent.close()
        self._agent = agent

    def _newgame(self, _: list[str]) -> None:
        # An agent with a process of its own keeps it: starting one takes a second.
        if not isinstance(self._agent, Closes):
            self._replace_agent(self._name, self._options)
        self._seed = (self._seed + 1) & MAX_SEED
        self._match = Match(self._game, self._seed)

    def _position(self, words: list[str]) -> None:
        if not words or words[0] != "startpos" or (len(words) > 1 and words[1] != "moves"):
            raise BadLine("expected: position startpos [moves MOVE ...]")
        match = Match(self._game, self._seed)
        play_line(match, " ".join(words[2:]))
        self._match = match

    def _go(self, words: list[str]) -> None:
        # Asking whose turn it is refuses a finished game before a thread is started for it.
        limit = limit_of(words, self._match.to_move)
        begin = time.perf_counter()
        self._limit = replace(limit, report=lambda decision: self._inform(decision, begin))
        self._busy = True
        self._search_thread = threading.Thread(target=self._search, args=(self._limit, begin), daemon=True)
        self._search_thread.start()

    def _search(self, limit: Limit, begin: float) -> None:
        try:
            decision = decide(self._match, self._agent, limit)
            if decision is not self._last_reported:
                self._inform(decision, begin)
            last = f"bestmove {self._game.action_text(self._match.state, decision.action)}"
        except LudexError as error:
            last = f"info string error {error.code}: {error.message}"
        except Exception as error:
            # An agent's bug must not leave the other side waiting for a move.
            log.exception("agent failed")
            last = f"info string error agent_fault: {type(error).__name__}: {error}"
        # Free before the last line: its reader may answer before this thread has ended.
        self._busy = False
        self._say(last)

    def _inform(self, decision: Decision, begin: float) -> None:
        """One line, or one per line of `multipv`."""
        stats = decision.stats
        several = stats.get("multipv", 1) != 1
        time_ms = round(1000 * (time.perf_counter() - begin))
        for place, candidate in enumerate(decision.candidates if several else decision.candidates[:1] or [None], 1):
            fields = {"depth": stats.get("depth"), "multipv": place if several else None}
            fields |= {"score": None if candidate is None else candidate.score, "nodes": stats.get("nodes")}
            fields |= {"nps": stats.get("nps"), "time": time_ms}
            words = ["info"]
            for key, value in fields.items():
                if value is not None:
                    words += [key, f"{value:g}" if isinstance(value, float) else str(value)]
            if candidate is not None and candidate.line:
                words += ["pv", *line_texts(self._game, self._match.state, candidate.line)]
            self._say(" ".join(words))
        self._last_reported = decision

    def _query(self, words: list[str]) -> None:
        outcome = self._match.outcome
        match words:
            case ["gameover"]:
                answer = str(self._match.over).lower()
            case ["p1turn"]:
                answer = str(not self._match.over and self._match.to_move == 0).lower()
            case ["result"]:
                answer = _result(outcome)
            case _:
                raise BadLine(f"expected: query gameover | result | p1turn, found {' '.join(words)!r}")
        self._say(f"response {answer}")

    def _say(self, line: str) -> None:
        with self._speaking:
            self._say_line(line)


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "none"
    first, second = outcome.scores
    return "draw" if first == second else "p1win" if first > second else "p2win"
