"""The board of a grid game for people: as text, and as a scene of cells, stones, edges and hexagons.

`ludex.kit.screen:draw` and `ludex.kit.screen:scene` can be named by a spec as they are; a game with more to show calls
`scene` from a function of its own. Its sentences are entries of the game's catalogues (`ludex.core.messages`); a game
without catalogues has plain ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.game import Action, Mask, legal_actions
from ludex.core.messages import COMMON, Message
from ludex.core.scene import Board, Cell, Colour, Edge, Line, Move, Panel, Piece, Scene, Text
from ludex.kit.game import GridGame, Position
from ludex.kit.notation import DROP

SYMBOLS: Final = ("disc", "square", "diamond", "triangle", "star")
"""Of the kinds of pieces, in order."""
COLOURS: Final = ("p1", "p2")


def text_of(game: GridGame, name: str, plain: Text) -> Text:
    """A sentence of the game's catalogues, or the plain text where it has none."""
    # The tests of a package may run before it is installed.
    has_catalogues = game.id in registry.game_points() and registry.spec(game.id).screen.messages is not None
    return Message(f"{game.id}.{name}") if has_catalogues else plain


def draw(game: GridGame, view: Position, decision: Decision | None) -> str:
    """The board as text with its lines, the names of rows and columns, the players' letters, and the scene's panels."""
    grid, values = game.grid, [*game.pieces(view)]
    hook = registry.spec(game.id).screen.scene if game.id in registry.game_points() else None
    nothing = np.zeros(game.info.num_actions, np.bool_)
    drawn = registry.resolve(hook)(game, view, nothing) if hook else None
    strokes = _strokes(drawn.board) if drawn and grid.shape == "square" else {}
    cells = {grid.drawn(cell): cell for cell in range(len(grid.places))}
    lines = []
    for row in range(grid.rows):
        there = {col: cell for (other, col), cell in cells.items() if other == row}
        name = grid.names[next(iter(there.values()))][1:]
        indent = " " * row if grid.shape == "hex" else ""
        first = min(there) if grid.shape == "hex" else 0
        marks = {2 * col: _mark(game, values[cell]) for col, cell in there.items()}
        marks |= {place: mark for (other, place), mark in strokes.items() if other == row}
        lines.append(f"{name:>2} {indent}{''.join(marks.get(n, ' ') for n in range(2 * first, max(marks) + 1))}")
    letters = " ".join(sorted({name[0] for name in grid.names}))
    lines.append(f"   {' ' * grid.rows if grid.shape == 'hex' else ''}{letters}")
    if game.players == 2:
        lines.append(
            "   "
            + "   ".join(
                f"{' '.join(game.marks[seat][: game.kinds])} {_words(text)}" for seat, text in enumerate(_players(game))
            )
        )
    panels = (panel for panel in (drawn.panels if drawn else ()) if not panel.details)
    return "\n".join(
        [*lines, *(f"   {_words(panel.title)}: {'; '.join(map(_words, panel.lines))}" for panel in panels)]
    )


def _strokes(board: Board) -> dict[tuple[int, int], str]:
    """The lines of the board between its cells along rows and columns: by the row and place of a character."""
    strokes: dict[tuple[int, int], str] = {}
    for line in board.lines:
        for pair in pairwise(line.cells) if line.below else ():
            (row, col), (last_row, last_col) = sorted((board.cells[cell].row, board.cells[cell].col) for cell in pair)
            if row == last_row:
                strokes |= {(row, place): "-" for place in range(2 * col + 1, 2 * last_col)}
            elif col == last_col:
                strokes |= {(between, 2 * col): "|" for between in range(row + 1, last_row)}
    return strokes


def _players(game: GridGame) -> tuple[Text, ...]:
    return tuple(text_of(game, f"player_{seat + 1}", f"player {seat + 1}") for seat in range(game.players))


def _words(text: Text) -> str:
    return text.text() if isinstance(text, Message) else text


def _mark(game: GridGame, value: int) -> str:
    return "." if value == 0 else game.marks[value < 0][abs(value) - 1]


def scene(
    game: GridGame,
    view: Position,
    legal: Mask,
    *,
    pieces: Sequence[Sequence[Piece]] | None = None,
    lines: Iterable[Line] = (),
    panels: tuple[Panel, ...] = (),
    grounds: Mapping[int, Colour] | None = None,
    ground: Colour = "cell",
) -> Scene:
    """The board for a browser; `pieces` are those of each player by kind, `lines` are drawn on it.

    `grounds` are colours of cells, where they are not `ground`. A board of lines, on whose crossings the pieces stand,
    has `lines` with `Line(below=True)` and `ground="board"`, so that no tiles show between them.
    """
    players = _players(game)
    stones = pieces or [
        [Piece(symbol=SYMBOLS[kind], colour=COLOURS[seat], label=label) for kind in range(game.kinds)]
        for seat, label in enumerate(players)
    ]
    grid, values = game.grid, [*game.pieces(view)]
    cells = tuple(
        Cell(
            row=grid.drawn(cell)[0],
            col=grid.drawn(cell)[1],
            name=grid.names[cell],
            colour=(grounds or {}).get(cell, ground),
            pieces=() if values[cell] == 0 else (stones[values[cell] < 0][abs(values[cell]) - 1],),
        )
        for cell in range(len(grid.places))
    )
    edges = tuple(
        Edge(cell=cell, side=side, colour=None if value == 0 else COLOURS[value < 0], name=name)
        for (cell, side), value, name in zip(grid.edges, values[len(cells) :], grid.names[len(cells) :], strict=True)
    )
    lines = tuple(lines)
    drops = any(choice.kind == DROP for choice in game.notation.choices)
    label = Message(f"{COMMON}.board_label", {"rows": grid.rows, "cols": grid.cols})
    moves = [move for action in legal_actions(legal) for move in moves_of(game, action, values)]
    return Scene(
        board=Board(
            label=label,
            shape=grid.shape,
            look=game.look or ("rack" if drops else "wood" if any(line.below for line in lines) else "tiles"),
            cells=cells,
            edges=edges,
            lines=lines,
        ),
        moves=tuple(moves),
        placed=tuple(kinds[0] for kinds in stones) if all(len(m.cells) == 1 for m in moves if m.cells) else (),
        players=players,
        colours=game.colours,
        opposite=game.opposite,
        reasons={reason: text_of(game, f"reason_{reason.replace(' ', '_')}", reason) for reason in game.reasons},
        panels=panels,
    )


def moves_of(game: GridGame, action: Action, values: Sequence[int]) -> list[Move]:
    """How an action is played: by its cells, by its edge, or by a button; a stone that falls by its column."""
    choice, cells = game.notation.choices[action], len(game.grid.places)
    if not choice.sites:
        return [Move(text=choice.text, label=text_of(game, f"action_{choice.text}", choice.text))]
    if choice.kind == DROP:
        free = [site for site in choice.sites if values[site] == 0]
        return [Move(text=choice.text, cells=(site,), at=free[0]) for site in choice.sites]
    if choice.sites[0] >= cells:
        return [Move(text=choice.text, edge=choice.sites[0] - cells)]
    return [Move(text=choice.text, cells=choice.sites)]


def complete_lines(game: GridGame, view: Position, length: int) -> list[Line]:
    """The straight rows of so many equal pieces, which `scene` may draw."""
    values = [*game.pieces(view)]
    rows = ((line, {values[cell] for cell in line}) for line in game.grid.lines(length))
    return [Line(cells=line) for line, kinds in rows if len(kinds) == 1 and kinds != {0}]
