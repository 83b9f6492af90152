"""Scenes: what they refuse, and how they are written."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from ludex.core.messages import Message
from ludex.core.scene import Board, Cell, Colour, Edge, Layer, Line, Move, Piece, Scene

CELLS = (Cell(row=0, col=0, name="a"), Cell(row=0, col=1, name="b", pieces=(Piece(label="stone"),)))
BOARD = Board(label="two cells", cells=CELLS)


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({"cells": ()}, "expected at least one"),
        ({"cells": (CELLS[0], CELLS[0])}, "no two of one row and column"),
        ({"edges": (Edge(cell=2, side="n"),)}, "edges[0].cell: expected cells 0..1, found 2"),
        ({"edges": (Edge(cell=0, side="ne"),)}, "a square cell has e, n, s, w, found 'ne'"),
        ({"shape": "hex", "edges": (Edge(cell=0, side="n"),)}, "a hex cell has e, ne, nw, se, sw, w, found 'n'"),
        ({"lines": (Line(cells=(0,)),)}, "lines[0].cells: expected two or more"),
        ({"lines": (Line(cells=(0, 5)),)}, "lines[0].cells: expected cells 0..1, found 5"),
        ({"colour": "red"}, "Extra inputs are not permitted"),
    ],
)
def test_a_board_names_its_mistake(parts: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as error:
        Board(**{"label": "two cells", "cells": CELLS, **parts})
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({"moves": (Move(text="x", cells=(7,)),)}, "moves[0] ('x'): expected cells 0..1, found 7"),
        ({"moves": (Move(text="x", cells=(0,), at=-1),)}, "moves[0] ('x'): expected cells 0..1, found -1"),
        ({"moves": (Move(text="x", edge=0),)}, "moves[0].edge: expected 0..-1, found 0"),
        ({"layers": (Layer(name="heat", values=(0.5,)),)}, "layer 'heat': expected 2 values, found 1"),
    ],
)
def test_a_scene_names_its_mistake(parts: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as error:
        Scene(board=BOARD, **parts)
    assert problem in str(error.value)


def test_a_move_is_played_on_cells_or_on_an_edge() -> None:
    with pytest.raises(ValidationError, match="expected cells or an edge, found both"):
        Move(text="x", cells=(0,), edge=0)


def test_a_document_has_its_texts_in_every_language_and_no_defaults() -> None:
    edge = Edge(cell=0, side="e", colour=None)
    scene = Scene(board=Board(label=Message("ludex.text", {"text": "hi"}), cells=CELLS, edges=(edge,)), players=("X",))
    document = scene.document(last=(1,))
    assert json.loads(json.dumps(document)) == {
        "format": "ludex-scene-1",
        "last": [1],
        "board": {
            "label": {"en": "hi", "fr": "hi"},
            "cells": [
                {"row": 0, "col": 0, "name": "a"},
                {"row": 0, "col": 1, "name": "b", "pieces": [{"label": "stone"}]},
            ],
            "edges": [{"cell": 0, "side": "e", "colour": None}],
        },
        "players": ["X"],
    }


def test_the_cells_of_a_move_are_those_it_changes() -> None:
    scene = Scene(board=BOARD, moves=(Move(text="ab", cells=(0, 1)), Move(text="drop", cells=(0,), at=1)))
    assert [scene.cells_of(text) for text in ("ab", "drop", "gone")] == [(0, 1), (1,), ()]


def test_the_effects_of_a_move_are_the_other_cells_whose_pieces_it_changed() -> None:
    """As in Othello: a disc is placed at the end of a row, and the row turns."""

    def row(*colours: Colour | None) -> Scene:
        cells = tuple(
            Cell(row=0, col=col, name=str(col), pieces=(Piece(label="disc", colour=colour),) if colour else ())
            for col, colour in enumerate(colours)
        )
        moves = (Move(text="place", cells=(3,)),)
        return Scene(board=Board(label="row", cells=cells), moves=moves, colours=("black", "white"))

    before, after = row("p1", "p2", "p2", None), row("p1", "p1", "p1", "p1")
    assert before.effects_of("place", after) == (1, 2)
    document = after.document(before.cells_of("place"), before.effects_of("place", after))
    assert (document["last"], document["effects"], document["colours"]) == ([3], [1, 2], ["black", "white"])
