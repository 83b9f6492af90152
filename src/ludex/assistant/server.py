"""What an assistant can do by the Model Context Protocol, with a visitor's authority, and the server that offers it.

Boards and agents are those that a visitor of the web app may name. A match shows what its player may see; its seed and
what it hides stay here. Searches, matches and texts are bounded.
"""

import functools
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from ludex import __version__
from ludex.arena.entrants import Entrant, kernels_of, make_entrant
from ludex.coach.puzzles.collection import puzzle as find_puzzle
from ludex.coach.puzzles.training import daily
from ludex.coach.review import require_over, review_of
from ludex.core.editing import begin_match, read_draft
from ludex.core.errors import BadOption, LudexError, MissingDependency, UnknownMatch, Unsupported
from ludex.core.explanation import advice, explain, first_reason
from ludex.core.game import AnyGame, Json, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.puzzle import Puzzle, judge
from ludex.core.record import PERSON, line_of, match_of
from ludex.core.registry import available, default_analyst, default_level, levels, make
from ludex.core.rendering import ending
from ludex.core.seeding import SEED_BITS
from ludex.core.services import Services
from ludex.core.spec import GameSpec
from ludex.core.text import game_text, rulebook_text
from ludex.kernels.warmup import load_kernels
from ludex.operations.permissions import VISITOR

MOST_MATCHES: Final = 32
"""The oldest is forgotten then."""
PUBLIC_SEED: Final = 0
"""By which an analysis draws what a position hides: no match has it."""
SEARCH_MS: Final = 2_000
LONGEST_TEXT: Final = 10_000
"""Characters of a line of moves or of a board."""
MOST_PLIES: Final = 400
"""Plies of a match that is reviewed."""


@dataclass(slots=True)
class Seat:
    """A match between the caller and a level."""

    match: Match[Any, Any]
    player: int
    opponent: Entrant | None
    level: str | None


class Session:
    """The tools, one call at a time; the docstrings of public methods are what an assistant reads."""

    def __init__(self, services: Services | None = None) -> None:
        self._services = services or Services()
        self._seats: OrderedDict[str, Seat] = OrderedDict()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Give back what opponents hold."""
        for seat in self._seats.values():
            if seat.opponent is not None:
                seat.opponent.close()

    @property
    def tools(self) -> tuple[Callable[..., Json], ...]:
        """What an assistant may call, in the order in which it is listed."""
        return (
            *(self.list_games, self.rules, self.new_match, self.state, self.play, self.hint, self.analyse),
            *(self.explain_move, self.review, self.puzzle_of_the_day, self.answer_puzzle, self.read_board),
        )

    def list_games(self) -> Json:
        """List the games with their boards and levels, weakest level first."""
        return [_game_line(game) for game in available()[0]]

    def rules(self, game: str, board: str | None = None) -> Json:
        """The rules of a game in words, and how its moves are written. Without a board: those of the first one."""
        game_board = self._board(game, board)
        return {
            "game": game,
            "board": game_board.info.preset,
            "rules": rulebook_text(game_board) or game_text(game_board).rules(),
        }

    def new_match(self, game: str, board: str | None = None, level: str | None = None, player: int = 0) -> Json:
        """Begin a match against a level; player 0 moves first. Gives the match's id, the position and legal moves."""
        with self._lock:
            game_board = self._board(game, board)
            if not 0 <= player < game_board.info.players:
                raise BadOption(f"player: expected 0..{game_board.info.players - 1}, found {player}")
            opponent = None
            if game_board.info.players == 2:
                level = default_level(game_board) if level is None else level
                if level is None or level not in levels(game_board):
                    raise BadOption(f"level: expected one of {', '.join(levels(game_board))}, found {level!r}")
                VISITOR.check_agent(game_board, level)
                load_kernels(game, through=kernels_of(game, level))
                opponent = make_entrant(game_board, level, self._services)
            elif level is not None:
                raise BadOption(f"level: {game} is a game for one")
            if len(self._seats) >= MOST_MATCHES:
                _, oldest = self._seats.popitem(last=False)
                if oldest.opponent is not None:
                    oldest.opponent.close()
            name = secrets.token_hex(8)
            self._seats[name] = Seat(Match(game_board, secrets.randbits(SEED_BITS)), player, opponent, level)
            self._reply(self._seats[name])
            return self._state(name)

    def state(self, match: str) -> Json:
        """The position of a match as its player may see it, with the legal moves, or the result."""
        with self._lock:
            return self._state(match)

    def play(self, match: str, move: str) -> Json:
        """Play a legal move in a match. The level answers at once; gives the position after its answer."""
        with self._lock:
            seat = self._seat(match)
            seat.match.play_text(_check_length(move, "move"), player=seat.player)
            self._reply(seat)
            return self._state(match)

    def hint(self, match: str) -> Json:
        """A good move in a match where it is your turn, with the reason."""
        with self._lock:
            return _advice(self._seat(match).match, self._services)

    def analyse(self, line: str) -> Json:
        """The best moves after a line of moves, such as 'quoridor 9x9: e2 e8'."""
        with self._lock:
            match = self._open_line(line)
            if match.over:
                raise Unsupported("the game is over after these moves")
            return _advice(match, self._services)

    def review(self, match_or_line: str) -> Json:
        """The review of a finished match, or of a line: chances after every ply, accuracies, mistakes with reasons."""
        with self._lock:
            match, document = self._review(match_or_line)
            return {**document, "line": line_of(match)}

    def explain_move(self, match_or_line: str, ply: int) -> Json:
        """What a move of a finished match, or of a line, gave away, what was better, and why. Ply 0 is the first."""
        with self._lock:
            match, document = self._review(match_or_line)
            move = next((move for move in document["moves"] if move["ply"] == ply), None)
            if move is None:
                raise BadOption(f"ply: expected 0..{match.ply - 1} of a move that is judged, found {ply}")
            return dict[str, Json](move)

    def puzzle_of_the_day(self, game: str | None = None) -> Json:
        """Today's puzzle, of a game or of any: its position and task, without the answer."""
        puzzle = daily(datetime.now(UTC).date(), game)
        position = puzzle.position.build(puzzle.game)
        view = position.game.view(position.state, position.seen_by)
        return {
            **{"id": puzzle.id, "game": puzzle.game, "board": puzzle.position.board, "theme": puzzle.theme},
            "task": puzzle.task.text(),
            "position": game_text(position.game).board(view),
            "legal_moves": list[Json](position.legal_texts()),
        }

    def answer_puzzle(self, game: str, puzzle: str, move: str) -> Json:
        """Whether a move solves a puzzle, and why or why not; in one of several moves, all found so far, by spaces."""
        known: Puzzle = find_puzzle(game, puzzle)
        *earlier, last = _check_length(move, "move").split(" ")
        answer = judge(known, last, made=earlier)
        reasons = known.proof.explanation if answer.solved else () if answer.reason is None else (answer.reason,)
        document: dict[str, Json] = {"solved": answer.solved, "move": answer.move}
        if answer.reply is not None:
            view = answer.position.game.view(answer.position.state, answer.position.seen_by)
            document |= {"reply": answer.reply, "position": game_text(answer.position.game).board(view)}
        return document | {"why": [message.text() for message in reasons]}

    def read_board(self, game: str, text: str, board: str | None = None) -> Json:
        """Advice on a position as text, such as rows of Minesweeper after `mines N`: 0-8, # hidden, F flag."""
        with self._lock:
            draft = read_draft(self._board(game, board), _check_length(text, "text"), self._board)
            VISITOR.check_board(game, draft.game.info.preset)
            return {
                "board": draft.game.info.preset,
                "position": draft.text,
                **_advice(begin_match(draft, PUBLIC_SEED), self._services, overlay=True),
            }

    def _board(self, game: str, board: str | None) -> AnyGame:
        VISITOR.check_board(game, board)
        return make(game, board)

    def _seat(self, match: str) -> Seat:
        if match not in self._seats:
            raise UnknownMatch(f"there is no match {match!r} here: new_match begins one")
        self._seats.move_to_end(match)
        return self._seats[match]

    def _reply(self, seat: Seat) -> None:
        while not seat.match.over and seat.match.to_move != seat.player:
            assert seat.opponent is not None
            seat.match.carry_out(decide(seat.match, seat.opponent, Limit(time_ms=SEARCH_MS)))

    def _state(self, name: str) -> Json:
        seat = self._seat(name)
        match, text = seat.match, game_text(seat.match.game)
        live = not match.over
        info = match.game.info
        # In a game with secrets a move of the other player may be one.
        moves = match.moves if info.information == "perfect" or info.players == 1 or not live else []
        names = [PERSON if player == seat.player else str(seat.level) for player in range(info.players)]
        return {
            **{"match": name, "game": info.id, "board": info.preset, "level": seat.level},
            **{"you": text.player(seat.player), "your_turn": live},
            "position": text.board(match.game.view(match.state, seat.player)),
            "moves": [move.text for move in moves],
            "legal_moves": [match.game.action_text(match.state, a) for a in legal_actions(match.legal())]
            if live
            else [],
            "result": None if live else ending(info.id, match.outcome, match.aborted, match.ply, names),
        }

    def _open_line(self, line: str) -> Match[Any, Any]:
        game, _, rest = _check_length(line, "line").strip().partition(" ")
        VISITOR.check_board(game, rest.partition(" ")[0].removesuffix(":") or None)
        return match_of(line)

    def _review(self, match_or_line: str) -> tuple[Match[Any, Any], dict[str, Any]]:
        """Of a match of ours that is over, or of any line: its moves, and its seed, are the caller's."""
        if ":" in match_or_line:
            match = self._open_line(match_or_line)
        else:
            match = self._seat(match_or_line).match
            require_over(match)
        if not 0 < match.ply <= MOST_PLIES:
            raise BadOption(f"expected 1 to {MOST_PLIES} moves, found {match.ply}")
        return match, review_of(match, services=lambda: self._services).document()


def _advice(match: Match[Any, Any], services: Services, *, overlay: bool = False) -> dict[str, Json]:
    game = match.game
    agent = default_analyst(game)
    load_kernels(game.info.id, through=kernels_of(game.info.id, agent))
    entrant = make_entrant(game, agent, services)
    try:
        decision = decide(match, entrant, Limit(time_ms=SEARCH_MS))
    finally:
        entrant.close()
    decision = advice(game, match.state, decision)
    document = explain(game, match.state, decision, addressed=True)
    candidates: Any = document["candidates"]
    return {
        "move": document["text"],
        "why": first_reason(game, match.state, decision, addressed=True),
        "value": document["value"],
        "candidates": [{key: each[key] for key in ("text", "score", "line_text")} for each in candidates[:10]],
        **({"overlay": document["overlay"]} if overlay else {}),
    }


def _game_line(game: GameSpec) -> dict[str, Json]:
    first = make(game.id, game.offered_presets[0])
    return {
        **{"game": game.id, "title": game.title, "summary": game.summary, "players": first.info.players},
        "boards": list[Json](game.offered_presets),
        "levels": list[Json](levels(first)),
    }


def _check_length(text: str, name: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise BadOption(f"{name}: expected at most {LONGEST_TEXT} characters, found {len(text)}")
    return text


INSTRUCTIONS: Final = (
    "Ludex plays grid games. Begin with list_games, then new_match; play moves in the game's notation, which rules "
    "explains. A line of moves is written GAME BOARD: MOVE MOVE, such as 'tictactoe 3x3x3: b2 a1'."
)


def make_server(services: Services | None = None) -> Any:
    """The server with its tools. Raises `MissingDependency` without the SDK."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError as error:
        raise MissingDependency("ludex mcp needs the package mcp: pip install 'ludex[mcp]'") from error
    server = MCPServer("ludex", title="Ludex", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")

    def tool(function: Callable[..., Any]) -> None:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except LudexError as error:
                raise ToolError(f"{error.code}: {error.message}") from error

        server.tool(structured_output=False)(call)

    for function in Session(services).tools:
        tool(function)
    return server
