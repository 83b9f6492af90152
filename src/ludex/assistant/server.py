"""The tools as a server of the Model Context Protocol, over standard input and output or over HTTP."""

import functools
from collections.abc import Callable
from typing import Any, Final

from ludex import __version__
from ludex.assistant.session import Session
from ludex.core.errors import LudexError, MissingDependency
from ludex.core.services import Services

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
    session = Session(services)

    def tool(function: Callable[..., Any]) -> None:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except LudexError as error:
                raise ToolError(f"{error.code}: {error.message}") from error

        server.tool(structured_output=False)(call)

    for function in _tools(session):
        tool(function)
    return server


def _tools(session: Session) -> list[Callable[..., Any]]:
    """The tools; their docstrings are what an assistant reads."""

    def list_games() -> Any:
        """List the games with their boards and levels, weakest level first."""
        return session.list_games()

    def rules(game: str, board: str | None = None) -> Any:
        """The rules of a game in words, and how its moves are written. Without a board: those of the first one."""
        return session.rules(game, board)

    def new_match(game: str, board: str | None = None, level: str | None = None, player: int = 0) -> Any:
        """Begin a match against a level; player 0 moves first. Gives the match's id, the position and legal moves."""
        return session.new_match(game, board, level, player)

    def state(match: str) -> Any:
        """The position of a match as its player may see it, with the legal moves, or the result."""
        return session.state(match)

    def play(match: str, move: str) -> Any:
        """Play a legal move in a match. The level answers at once; gives the position after its answer."""
        return session.play(match, move)

    def hint(match: str) -> Any:
        """A good move in a match where it is your turn, with the reason."""
        return session.hint(match)

    def analyse(line: str) -> Any:
        """The best moves after a line of moves, such as 'quoridor 9x9: e2 e8'."""
        return session.analyse(line)

    def explain_move(match_or_line: str, ply: int) -> Any:
        """What a move of a finished match, or of a line, gave away, what was better, and why. Ply 0 is the first."""
        return session.explain_move(match_or_line, ply)

    def review(match_or_line: str) -> Any:
        """The review of a finished match, or of a line: chances after every ply, accuracies, mistakes with reasons."""
        return session.review(match_or_line)

    def puzzle_of_the_day(game: str | None = None) -> Any:
        """Today's puzzle, of a game or of any: its position and task, without the answer."""
        return session.puzzle_of_the_day(game)

    def answer_puzzle(game: str, puzzle: str, move: str) -> Any:
        """Whether a move solves a puzzle, and why or why not."""
        return session.answer_puzzle(game, puzzle, move)

    def read_board(game: str, text: str, amount: int) -> Any:
        """Mine probabilities of a pasted board: rows of 0-8 or . revealed, # hidden, F flag; amount: all mines."""
        return session.read_board(game, text, amount)

    return [
        *(list_games, rules, new_match, state, play, hint),
        *(analyse, explain_move, review, puzzle_of_the_day, answer_puzzle, read_board),
    ]
