"""The board in a terminal."""

from string import ascii_lowercase

from rich.text import Text

from ludex.core.decision import Decision
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import action_name
from ludex.games.quoridor.rules.position import Position

PAWNS = (("W", "bold cyan"), ("B", "bold yellow"))
WALL = "bold red"


def draw(game: Quoridor, view: Position, decision: Decision | None) -> Text:
    """Pawns, walls and stocks; squares that a decision considers are marked, its choice with a star."""
    text = Text()
    considered = {candidate.action for candidate in decision.candidates} if decision else set()
    best = decision.action if decision else None
    for row in reversed(range(game.size)):
        text.append(f"{row + 1:>2} ", "dim")
        for col in range(game.size):
            square = row * game.size + col
            text.append_text(_square(view, square, considered, best))
            if col < game.size - 1:
                text.append("┃" if _is_closed(game, view, 1, row, col) else " ", WALL)
        text.append("\n")
        if row:
            text.append_text(_line_below(game, view, row))
    text.append("    " + "   ".join(ascii_lowercase[: game.size]), "dim")
    text.append("\n")
    for player, (mark, style) in enumerate(PAWNS):
        text.append(f" {mark} ", style)
        text.append(f"{view.left[player]} walls  ")
    if best is not None and best >= game.squares:
        text.append(f" wall {action_name(best, game.size)}", "green")
    return text


def _square(view: Position, square: int, considered: set[int], best: int | None) -> Text:
    for pawn, (mark, style) in zip(view.pawns, PAWNS, strict=True):
        if pawn == square:
            return Text(f" {mark} ", style)
    if square == best:
        return Text(" * ", "bold green")
    return Text(" o ", "green") if square in considered else Text(" · ", "dim")


def _line_below(game: Quoridor, view: Position, row: int) -> Text:
    line = Text("   ")
    for col in range(game.size):
        line.append("━━━" if _is_closed(game, view, 0, row - 1, col) else "   ", WALL)
        if col < game.size - 1:
            middle = view.walls[0] >> (row - 1) * game.size + col & 1
            upright = view.walls[1] >> (row - 1) * game.size + col & 1
            line.append("━" if middle else "┃" if upright else " ", WALL)
    line.append("\n")
    return line


def _is_closed(game: Quoridor, view: Position, kind: int, row: int, col: int) -> bool:
    """Whether a wall lies above (kind 0) or right of (kind 1) a square."""
    slot = row * game.size + col
    before = slot - (1 if kind == 0 else game.size)
    own = row < game.size - 1 and col < game.size - 1 and bool(view.walls[kind] >> slot & 1)
    return own or (before >= 0 and bool(view.walls[kind] >> before & 1))
