"""The board for players that read."""

from dataclasses import dataclass
from typing import Final

from ludex.core.errors import MalformedAction
from ludex.core.game import Json, Player
from ludex.core.text import Grid, new_names, rename, rulebook_text, split_cell
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import action_name, action_of, square_name, wall_of
from ludex.games.quoridor.rules.position import Position, wall_actions

PLAYERS: Final = ("Blue", "Orange")


@dataclass(frozen=True)
class BoardText:
    """Pawns in a grid and walls in words; names and the turn of the board follow from the naming."""

    game: Quoridor
    grid: Grid
    names: dict[str, str]

    def rules(self) -> str:
        last = self.game.size - 1
        goals = [self.grid.row_name(row) for row in (0, last)]
        blue, orange = (self.player(player) for player in (0, 1))
        sections = rename(rulebook_text(self.game, ("step", "wall", "jump", "aside", "draw")), self.names)
        middle = self.grid.name(0, 0, inner=1)
        return (
            f"Each player has a pawn on a board of {last + 1} by {last + 1} squares. {blue} moves first. {blue}'s pawn "
            f"wins when it stands on any square of row {goals[0]}, {orange}'s on any of row {goals[1]}.\n{sections}\n"
            "Each pawn must always be able to reach its goal: a wall that closes the last path is refused.\n"
            "A step is written as the name of the square, that of its column, then that of its row. A wall is written "
            "with the square below and to the left of its middle, as the board is drawn, and h for horizontal or v for "
            f"vertical: {middle}h lies above {middle} and the square to its right, {middle}v stands to the right of "
            f"{middle} and the square above it"
        )

    def player(self, player: Player) -> str:
        return self.names[PLAYERS[player]]

    def board(self, view: Position) -> str:
        pawns = {pawn: self.player(player)[0] for player, pawn in enumerate(view.pawns)}
        drawn = self.grid.draw(lambda row, col: pawns.get(self._square(row, col), "."))
        lines = [f"{name}: pawn {name[0]} on {square}, {left} walls left" for name, square, left in self._players(view)]
        walls = ", ".join(self._walls(view)) or "none"
        return "\n".join([drawn, *lines, f"Walls on the board: {walls}", f"Moves made: {view.ply}"])

    def document(self, view: Position) -> Json:
        pawns: dict[str, Json] = {name: {"pawn": pawn, "walls_left": left} for name, pawn, left in self._players(view)}
        return {"players": pawns, "walls": list[Json](self._walls(view)), "moves_made": view.ply}

    def write(self, move: str) -> str:
        size, action = self.game.size, action_of(move, self.game.size)
        if action < self.game.squares:
            return self.grid.name(size - 1 - action // size, action % size)
        slot, vertical = wall_of(action, size)
        return self.grid.name(size - 2 - slot // size, slot % size, inner=1) + "hv"[vertical]

    def read(self, text: str) -> str:
        name, kind = split_cell(text)
        if kind not in ("", "h", "v"):
            raise MalformedAction(f"{text!r} is no move: expected a square, or a wall with h or v at its end")
        row, col = self.grid.cell(name, inner=1 if kind else 0)
        return square_name((self.game.size - (2 if kind else 1) - row) * self.game.size + col, self.game.size) + kind

    def _players(self, view: Position) -> list[tuple[str, str, int]]:
        squares = [self.write(action_name(pawn, self.game.size)) for pawn in view.pawns]
        return [(self.player(player), squares[player], view.left[player]) for player in (0, 1)]

    def _walls(self, view: Position) -> list[str]:
        size = self.game.size
        return sorted(self.write(action_name(action, size)) for action in wall_actions(view, size))

    def _square(self, row: int, col: int) -> int:
        return (self.game.size - 1 - row) * self.game.size + col


def text(game: Quoridor, naming: int | None) -> BoardText:
    """The texts of a board."""
    grid = Grid(game.size, game.size, naming, upwards=True)
    colours = ("Crimson", "Emerald", "Golden", "Ivory", "Jade", "Lilac", "Pearl", "Silver", "Teal", "Violet")
    return BoardText(game, grid, new_names(PLAYERS, naming, colours))
