"""The memory the solver writes to: one preallocated record that kernels receive as a single pointer."""

from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.geometry import DEGREE, MOST_CELLS


def field(record: object, name: str) -> NDArray[Any]:
    """A field of a record, as an array that shares its memory."""
    return cast("NDArray[Any]", cast(Any, record)[name])


MOST_ENTRIES: Final = 1 << 20
"""Merged partial solutions of one position, all layers together."""
MOST_STEPS: Final = 1 << 22
"""Ways from one layer's entries to the next one's."""
TABLE: Final = 1 << 20
MOST_SUMS: Final = 1 << 22
"""Components times mines left."""


class Workspace(Protocol):
    """The record's fields. W counts witnesses (numbers with unknown neighbours), B boxes, C components."""

    known: NDArray[np.int8]
    found: NDArray[np.int16]
    reasons: NDArray[np.int16]
    numbered: NDArray[np.int16]
    sets: NDArray[np.uint64]
    needs: NDArray[np.int8]
    """These six belong to the rules, see `deduce`."""

    witness_of: NDArray[np.int16]
    """[cells]: a number's witness, or -1."""
    need: NDArray[np.int16]
    """[W]: mines among the unknown neighbours."""
    witness_boxes: NDArray[np.int16]
    """[W, 8]"""
    witness_width: NDArray[np.int16]
    """[W]: how many boxes it has."""
    capacity: NDArray[np.int16]
    """[W]: cells of its boxes that no layer covers yet."""
    slot: NDArray[np.int16]
    """[W]: the slot of its remaining need in a key, or -1."""

    box_of: NDArray[np.int16]
    """[cells]: an unknown cell's box, or -1."""
    box_cells: NDArray[np.int16]
    """[B, 8]"""
    box_size: NDArray[np.int16]
    """[B]"""
    box_witnesses: NDArray[np.int16]
    """[B, 8]"""
    box_width: NDArray[np.int16]
    """[B]: how many witnesses it has."""
    ordered: NDArray[np.uint8]
    """[B]: 1 once its place in the order is fixed."""
    order: NDArray[np.int16]
    """[B]: the boxes in the order of their layers, component by component."""
    component_end: NDArray[np.int32]
    """[C]: where each component's boxes end in the order."""
    component_layer: NDArray[np.int32]
    """[C]: the first layer of each; the last layer is the one before the next component's first."""

    key_low: NDArray[np.uint64]
    key_high: NDArray[np.uint64]
    """[entries]: what each open witness still needs, four bits per slot."""
    used: NDArray[np.int16]
    """[entries]: mines placed so far."""
    forward: NDArray[np.float64]
    """[entries]: ways to come here."""
    backward: NDArray[np.float64]
    """[entries]: weight of all ways to go on."""
    alive: NDArray[np.uint8]
    """[entries]: 1 if some path leads to a whole solution."""
    first_step: NDArray[np.int32]
    """[entries + 1]"""
    least: NDArray[np.int8]
    """[entries]: the mines that the first step places in the box; each next step places one more."""
    step_to: NDArray[np.int32]
    """[steps]"""
    layer: NDArray[np.int32]
    """[layers + 1]: where each layer's entries begin."""
    table: NDArray[np.int32]
    """[TABLE]: the entries of the current layer, by hash."""
    shrunk: NDArray[np.int64]
    """[1]: how often ways were divided by `counting.BIG` to avoid overflow."""

    before: NDArray[np.float64]
    before_next: NDArray[np.float64]
    before_can: NDArray[np.uint8]
    before_can_next: NDArray[np.uint8]
    """[mines]: ways of the components so far, by mines."""
    after: NDArray[np.float64]
    after_can: NDArray[np.uint8]
    """[(C + 1) * mines]: weight of the components from each on and of the rest, by mines used before."""

    figures: NDArray[np.int64]
    """[1]: how many components `assess` found."""
    mine_weight: NDArray[np.float64]
    safe_weight: NDArray[np.float64]
    """[B]"""
    can_be_mine: NDArray[np.uint8]
    can_be_safe: NDArray[np.uint8]
    """[B]"""


_CELLS, _BOXES = (MOST_CELLS,), (MOST_CELLS,)

LAYOUT = np.dtype(
    [
        ("known", np.int8, _CELLS),
        ("found", np.int16, _CELLS),
        ("reasons", np.int16, (MOST_CELLS, 2)),
        ("numbered", np.int16, _CELLS),
        ("sets", np.uint64, _CELLS),
        ("needs", np.int8, _CELLS),
        ("witness_of", np.int16, _CELLS),
        ("need", np.int16, _CELLS),
        ("witness_boxes", np.int16, (MOST_CELLS, DEGREE)),
        ("witness_width", np.int16, _CELLS),
        ("capacity", np.int16, _CELLS),
        ("slot", np.int16, _CELLS),
        ("box_of", np.int16, _CELLS),
        ("box_cells", np.int16, (MOST_CELLS, DEGREE)),
        ("box_size", np.int16, _BOXES),
        ("box_witnesses", np.int16, (MOST_CELLS, DEGREE)),
        ("box_width", np.int16, _BOXES),
        ("ordered", np.uint8, _BOXES),
        ("order", np.int16, _BOXES),
        ("component_end", np.int32, (MOST_CELLS + 1,)),
        ("component_layer", np.int32, (MOST_CELLS + 1,)),
        ("key_low", np.uint64, (MOST_ENTRIES,)),
        ("key_high", np.uint64, (MOST_ENTRIES,)),
        ("used", np.int16, (MOST_ENTRIES,)),
        ("forward", np.float64, (MOST_ENTRIES,)),
        ("backward", np.float64, (MOST_ENTRIES,)),
        ("alive", np.uint8, (MOST_ENTRIES,)),
        ("first_step", np.int32, (MOST_ENTRIES + 1,)),
        ("least", np.int8, (MOST_ENTRIES,)),
        ("step_to", np.int32, (MOST_STEPS,)),
        ("layer", np.int32, (2 * MOST_CELLS + 2,)),
        ("table", np.int32, (TABLE,)),
        ("shrunk", np.int64, (1,)),
        ("before", np.float64, (MOST_CELLS + 1,)),
        ("before_next", np.float64, (MOST_CELLS + 1,)),
        ("before_can", np.uint8, (MOST_CELLS + 1,)),
        ("before_can_next", np.uint8, (MOST_CELLS + 1,)),
        ("after", np.float64, (MOST_SUMS,)),
        ("after_can", np.uint8, (MOST_SUMS,)),
        ("figures", np.int64, (1,)),
        ("mine_weight", np.float64, _BOXES),
        ("safe_weight", np.float64, _BOXES),
        ("can_be_mine", np.uint8, _BOXES),
        ("can_be_safe", np.uint8, _BOXES),
    ],
    align=True,
)


def workspace() -> Workspace:
    """A new record for kernels."""
    return cast(Workspace, np.zeros(1, LAYOUT)[0])
