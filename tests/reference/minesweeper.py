"""Minesweeper as slow, plain Python: sets of (row, col), written from the rules and nothing else."""

from dataclasses import dataclass, field

Square = tuple[int, int]


@dataclass
class Field:
    """A field whose mines are known, as its owner sees it."""

    rows: int
    cols: int
    mines: set[Square] = field(default_factory=set)
    revealed: set[Square] = field(default_factory=set)
    flags: set[Square] = field(default_factory=set)

    @property
    def squares(self) -> set[Square]:
        return {(row, col) for row in range(self.rows) for col in range(self.cols)}

    def near(self, square: Square) -> set[Square]:
        row, col = square
        block = {(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)}
        return (block & self.squares) - {square}

    def number(self, square: Square) -> int:
        return len(self.near(square) & self.mines)

    @property
    def hidden(self) -> set[Square]:
        return self.squares - self.revealed

    @property
    def lost(self) -> bool:
        return bool(self.revealed & self.mines)

    @property
    def won(self) -> bool:
        return bool(self.mines) and self.hidden == self.mines

    @property
    def shown(self) -> dict[Square, int]:
        """The numbers that can be read."""
        return {square: self.number(square) for square in self.revealed - self.mines}

    @property
    def frontier(self) -> set[Square]:
        """Hidden squares beside a number."""
        return {square for square in self.hidden if self.near(square) & set(self.shown)}

    def toggle(self, square: Square) -> None:
        self.flags ^= {square}

    def reveal(self, square: Square) -> set[Square]:
        """Reveal; returns the safe squares that are newly revealed."""
        before = set(self.revealed)
        self.flags.discard(square)
        self.revealed.add(square)
        if square in self.mines:
            return set()
        spread = True
        while spread:
            zeros = {one for one in self.revealed - before - self.mines if self.number(one) == 0}
            opened = {other for zero in zeros for other in self.near(zero)} - self.revealed - self.flags
            self.revealed |= opened
            spread = bool(opened)
        return self.revealed - before

    def kept_free(self, start: str, first: Square) -> set[Square]:
        """The squares that the start rule keeps free of mines."""
        return {"none": set(), "safe": {first}, "zero": {first} | self.near(first)}[start]


def planes(board: Field, extra: list[str], mines: int) -> list[list[list[float]]]:
    """The observation as nested lists: revealed, flags, the numbers one-hot, then the channels that were asked for."""
    shown = board.shown
    layers = [board.revealed, board.flags]
    layers += [{square for square, number in shown.items() if number == value} for value in range(9)]
    whole: dict[str, float] = {
        "remaining": max(0, mines - len(board.flags)) / mines,
        "progress": len(shown) / (board.rows * board.cols - mines),
    }
    tables = [[[float((r, c) in layer) for c in range(board.cols)] for r in range(board.rows)] for layer in layers]
    for name in extra:
        frontier = board.frontier
        tables.append(
            [
                [float((r, c) in frontier) if name == "frontier" else whole[name] for c in range(board.cols)]
                for r in range(board.rows)
            ]
        )
    return tables


def mask(board: Field, *, flags: bool, frontier: bool) -> list[bool]:
    """What may be done: reveals row by row, then flags."""
    squares = sorted(board.squares)
    reveals = board.frontier or board.hidden if frontier else board.hidden
    allowed = [square in reveals for square in squares]
    return allowed + [square in board.hidden for square in squares] if flags else allowed
