"""A program that speaks GTP, the protocol of programs for Go, Othello and Hex, as an agent.

Moves are written as the game writes them, in either case, and the first player is Black.
"""

from collections.abc import Mapping
from typing import Any, Final

from ludex.arena.engine_agent import EngineAgent
from ludex.core.errors import AgentFault, BadOption
from ludex.core.game import Json
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.registry import board_options

COLOURS: Final = ("black", "white")
BOARD: Final = {"size": "boardsize", "komi": "komi"}
"""Options of boards, and the commands that set them."""


class GtpAgent(EngineAgent):
    """An engine behind GTP, whose options are commands: `boardsize=9` sends `boardsize 9`."""

    protocol = "gtp"
    complaint = "?"

    def _greet(self, options: Mapping[str, str]) -> None:
        known = self._ask("list_commands", "has no list of commands").split()
        board = board_options(self._game.info.id, self._game.info.preset)[0].model_dump()
        commands = {BOARD[key]: str(value) for key, value in board.items() if key in BOARD and BOARD[key] in known}
        for key, value in {**commands, **options}.items():
            if key not in known:
                raise self._unknown(key, known)
            try:
                self._ask(f"{key} {value}", "refused an option")
            except AgentFault as fault:
                raise BadOption(fault.message) from fault

    def _begin_game(self) -> None:
        self._ask("clear_board", "refused a new game")
        self._board: list[str] = []
        """The moves on the engine's board, its own included."""

    def _set_position(self, match: Match[Any, Any]) -> None:
        if [move.text for move in match.moves[: len(self._board)]] != self._board:
            # Another move was made than the engine's.
            self._begin_game()
        for move in match.moves[len(self._board) :]:
            self._ask(f"play {COLOURS[move.player]} {move.text}", "refused the position")
            self._board.append(move.text)

    def _ask_move(self, match: Match[Any, Any], limit: Limit, stats: dict[str, Json]) -> str:
        if limit.depth or limit.nodes or limit.simulations:
            raise BadOption(f"{self.name}: GTP has words for time only, not for depth, nodes or simulations")
        if limit.longest_ms is not None:
            if limit.time_ms is not None and limit.time_ms % 1000:
                raise BadOption(f"{self.name}: GTP counts whole seconds, found movetime {limit.time_ms}")
            seconds = max(1, int(limit.longest_ms / 1000))
            budget = f"{seconds} 0 0" if limit.time_ms is None else f"0 {seconds} 1"
            self._ask(f"time_settings {budget}", "refused the time")
        text = self._ask(f"genmove {COLOURS[match.to_move]}", "found no move", limit.longest_ms).lower()
        self._board.append(text)
        return text

    def _ask(self, command: str, refusal: str, longest_ms: float | None = None) -> str:
        """The answer to a command; raises `AgentFault` where the engine refuses it."""
        engine, deadline = self._engine, self._engine.deadline(longest_ms)
        engine.complaints.clear()
        engine.send(command)
        begin = engine.lines_until(lambda line: line.startswith(("=", "?")), deadline)[-1]
        rest = engine.lines_until(lambda line: not line, deadline)
        if engine.complaints:
            raise engine.fault(refusal)
        return " ".join([begin.removeprefix("="), *rest]).strip()
