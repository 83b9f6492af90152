"""A board that every browser can draw, as data: what a game's `screen.scene` returns if it ships no renderer.

    def scene(game: MyGame, view: MyView, legal: Mask) -> Scene:
        cells = tuple(
            Cell(row=row, col=col, name=name(row, col), pieces=(Piece(symbol="disc", colour="p1", label="blue"),))
            for row in range(3)
            for col in range(3)
        )
        moves = tuple(Move(text=game.action_text(view, action), cells=(action,)) for action in legal_actions(legal))
        return Scene(board=Board(label="Board of 3 rows and 3 columns", cells=cells), moves=moves)

Cells are named by their index in `Board.cells`. A move is played by choosing its cells in order, by mouse, touch or
keyboard. `ludex.core.conformance.check_scene` checks that every legal move can be played so.
"""

from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import Field, PlainSerializer, model_validator

from ludex.core.messages import Message, Texts
from ludex.core.options import StrictModel

FORMAT: Final = "ludex-scene-1"


def _texts(text: str | Message) -> str | Texts:
    return text if isinstance(text, str) else text.texts()


# Not by the types of the union: a broken message would be warned of as well as raised.
Text: TypeAlias = Annotated[str | Message, PlainSerializer(_texts)]
"""A text for people: the same in every language, or a message of the game's catalogues."""

Colour: TypeAlias = Literal[
    "board",
    "cell",
    "surface",
    "line",
    "muted",
    "ink",
    "p1",
    "p1-soft",
    "p2",
    "p2-soft",
    "good",
    "bad",
    "warn",
    "accent",
]
"""Colours of the page, each with a light and a dark form; `p1` and `p2` are those of the players."""

SeatColour: TypeAlias = Literal["blue", "orange", "black", "white", "red", "yellow", "green"]
"""What a player's colour may be, in `Scene.colours` and `GridGame.colours`."""

Symbol: TypeAlias = Literal["disc", "ring", "cross", "square", "diamond", "triangle", "star", "none"]
"""What a piece may look like."""
Look: TypeAlias = Literal["tiles", "checkers", "felt", "wood", "rack"]
"""What a board is made of: single tiles, squares of two shades, cloth with thin lines, wood for lines and points, or a
standing frame with holes into which pieces fall."""
Side: TypeAlias = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"]
"""A side of a cell: n, e, s and w of a square, the others and e and w of a hexagon."""

SIDES: Final[dict[str, frozenset[str]]] = {
    "square": frozenset({"n", "e", "s", "w"}),
    "hex": frozenset({"ne", "e", "se", "sw", "w", "nw"}),
}


class Piece(StrictModel):
    """Something that lies on a cell."""

    symbol: Symbol = "disc"
    colour: Colour = "p1"
    text: str = ""
    """One or two letters on it; with the symbol "none" they are all that is drawn."""
    label: Text
    """What screen readers call it."""


class Cell(StrictModel):
    """One field of the board."""

    row: int
    """From the top."""
    col: int
    """From the left; on a hexagonal board odd rows lie half a cell further to the right."""
    name: str
    """What people call it, such as "a3": it is written in its corner and read by screen readers."""
    colour: Colour = "cell"
    text: str = ""
    """Written in its middle, below the pieces."""
    label: Text = ""
    """What screen readers say of it beside its name and pieces."""
    hover: Text = ""
    """Shown under a resting pointer."""
    pieces: tuple[Piece, ...] = ()


class Edge(StrictModel):
    """One side of a cell, such as a wall."""

    cell: int
    side: Side
    """A square has n, e, s and w; a hexagon ne, e, se, sw, w and nw."""
    colour: Colour | None = "ink"
    """None: it is not drawn, but can be chosen."""
    name: str = ""
    hover: Text = ""


class Line(StrictModel):
    """A stroke through the middles of cells, such as a winning line or an arrow's way."""

    cells: tuple[int, ...]
    colour: Colour = "ink"
    below: bool = False
    """Whether it is thin and part of the board, below the pieces, such as the lines of a board for Go."""


class Board(StrictModel):
    """What is drawn."""

    label: Text
    """What screen readers call it."""
    shape: Literal["square", "hex"] = "square"
    look: Look = "tiles"
    cells: tuple[Cell, ...]
    edges: tuple[Edge, ...] = ()
    lines: tuple[Line, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        places = {(cell.row, cell.col) for cell in self.cells}
        if not self.cells or len(places) < len(self.cells):
            raise ValueError("cells: expected at least one, and no two of one row and column")
        for index, edge in enumerate(self.edges):
            _require_cells((edge.cell,), len(self.cells), f"edges[{index}].cell")
            if edge.side not in SIDES[self.shape]:
                sides = ", ".join(sorted(SIDES[self.shape]))
                raise ValueError(f"edges[{index}].side: a {self.shape} cell has {sides}, found {edge.side!r}")
        for index, line in enumerate(self.lines):
            _require_cells(line.cells, len(self.cells), f"lines[{index}].cells")
            if len(line.cells) < 2:
                raise ValueError(f"lines[{index}].cells: expected two or more")
        return self


class Move(StrictModel):
    """How a legal move is played: by choosing cells in order, or an edge; without both by a button below the board."""

    text: str
    """As `Game.action_text` writes it. Several moves may share one: choosing any of them plays it."""
    cells: tuple[int, ...] = ()
    edge: int | None = None
    """The index of an edge of the board."""
    at: int | None = None
    """The cell that it changes, where that is not the last of `cells`."""
    label: Text = ""
    """What a button says; the text of the move if empty."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.cells and self.edge is not None:
            raise ValueError(f"move {self.text!r}: expected cells or an edge, found both")
        return self


class Layer(StrictModel):
    """Numbers on the cells, shown as heat."""

    name: str
    """The layer of `Decision.overlay` that it shows, if it has no `values` of its own."""
    format: Literal["signed", "percent", "outcome"] = "signed"
    """+0.25; 25 %; or "win", "draw" and "loss" by the sign."""
    values: tuple[float | None, ...] | None = None
    """In -1..1, one or None per cell: a heat that needs no agent."""


class Panel(StrictModel):
    """Something beside the board: a hand, a score, another picture of the position."""

    title: Text
    lines: tuple[Text, ...] = ()
    code: str = ""
    """A line in a typeface of fixed width."""
    board: Board | None = None
    details: bool = False
    """Whether it is closed until someone opens it: what an agent computes with, not what people play by."""


class Scene(StrictModel):
    """A position as a browser draws and plays it."""

    board: Board
    moves: tuple[Move, ...] = ()
    placed: tuple[Piece, ...] = ()
    """The piece that a move of each player puts on the board, shown before it is played; empty: moves put none."""
    layers: tuple[Layer, ...] = ()
    """How layers of analyses are written; layers that are not named here are shown as signed numbers."""
    panels: tuple[Panel, ...] = ()
    players: tuple[Text, ...] = ()
    """The players' names, such as X and O; "player 1" and "player 2" if empty."""
    colours: tuple[SeatColour, SeatColour] = ("blue", "orange")
    """What `p1` and `p2` are on this board and beside it, such as black and white."""
    opposite: bool = False
    """Whether the players sit at opposite sides: the second one sees the board turned."""
    reasons: dict[str, Text] = Field(default_factory=dict)
    """`Outcome.reason` and codes of aborts in words; what is missing is shown as it is."""
    pace_ms: int | None = None
    """How long a player sees the position when another player's move has led to it, before the next; None: no time."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        count = len(self.board.cells)
        for index, move in enumerate(self.moves):
            where = (*move.cells, *(() if move.at is None else (move.at,)))
            _require_cells(where, count, f"moves[{index}] ({move.text!r})")
            if move.edge is not None and not 0 <= move.edge < len(self.board.edges):
                raise ValueError(f"moves[{index}].edge: expected 0..{len(self.board.edges) - 1}, found {move.edge}")
        for layer in self.layers:
            if layer.values is not None and len(layer.values) != count:
                raise ValueError(f"layer {layer.name!r}: expected {count} values, found {len(layer.values)}")
        return self

    def cells_of(self, text: str) -> tuple[int, ...]:
        """The cells that a move of this text changes; none if the scene has no such move.

        >>> cells = (Cell(row=0, col=0, name="a"), Cell(row=0, col=1, name="b"))
        >>> Scene(board=Board(label="two", cells=cells), moves=(Move(text="ab", cells=(0, 1)),)).cells_of("ab")
        (0, 1)
        """
        selected = next((move for move in self.moves if move.text == text), None)
        if selected is None:
            return ()
        return selected.cells if selected.at is None else (selected.at,)

    def effects_of(self, text: str, after: "Scene") -> tuple[int, ...]:
        """The cells beside those of a move whose pieces it changed, such as turned discs and captured stones.

        >>> one, two = Cell(row=0, col=0, name="a"), Cell(row=0, col=1, name="b", pieces=(Piece(label="stone"),))
        >>> before = Scene(board=Board(label="two", cells=(one, two)), moves=(Move(text="a", cells=(0,)),))
        >>> before.effects_of("a", Scene(board=Board(label="two", cells=(one, two.model_copy(update={"pieces": ()})))))
        (1,)
        """
        cells, moved = self.board.cells, self.cells_of(text)
        if len(cells) != len(after.board.cells):
            return ()
        pairs = enumerate(zip(cells, after.board.cells, strict=True))
        return tuple(cell for cell, (old, new) in pairs if old.pieces != new.pieces and cell not in moved)

    def document(self, last: tuple[int, ...] = (), effects: tuple[int, ...] = ()) -> dict[str, Any]:
        """As JSON for the browser, with the cells of the last move and those that it changed besides."""
        marks = {"last": [*last], **({"effects": [*effects]} if effects else {})}
        return {"format": FORMAT, **marks, **self.model_dump(mode="json", exclude_defaults=True)}


def _require_cells(cells: tuple[int, ...], count: int, where: str) -> None:
    wrong = [cell for cell in cells if not 0 <= cell < count]
    if wrong:
        raise ValueError(f"{where}: expected cells 0..{count - 1}, found {wrong[0]}")
