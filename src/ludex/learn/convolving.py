"""3x3 convolutions of boards and their gradients, some tiles at a time so that their forms stay in a core's cache."""

from typing import Final

import numpy as np

from ludex.core.jit import kernel
from ludex.core.products import add_transposed_products, set_products
from ludex.learn.winograd import (
    POINTS,
    SUM_POINT,
    Array,
    form_inputs,
    form_outputs,
    tiles_of,
    unform_inputs,
    unform_outputs,
)

TILES: Final = 64
"""Tiles at a time."""
NUMBERS: Final = POINTS * POINTS
"""Of a tile's form."""


@kernel
def convolve(boards: Array, kernel_form: Array, bias: Array, rectified: bool, out: Array) -> None:
    """Write `out: [B, H, W, D]` of `boards: [B, H, W, C]`; `kernel_form: [36, C, D]`."""
    tiles = tiles_of(boards.shape[1], boards.shape[2])
    at_once = max(1, TILES // tiles)
    inputs_room, outputs_room = _room(at_once * tiles, boards), _room(at_once * tiles, out)
    for first in range(0, len(boards), at_once):
        last = min(first + at_once, len(boards))
        inputs = _form_in(inputs_room, (last - first) * tiles, boards)
        outputs = _form_in(outputs_room, (last - first) * tiles, out)
        form_inputs(boards[first:last], inputs)
        set_products(inputs, kernel_form, outputs)
        unform_outputs(outputs, bias, rectified, out[first:last])


@kernel
def convolve_back(
    boards: Array,
    out: Array,
    gradient: Array,
    kernel_form: Array,
    boards_gradient: Array,
    form_gradient: Array,
    bias_gradient: Array,
    rectified: bool,
) -> None:
    """From the gradient of `out`, write that of the boards and add those of the kernel's form and the bias.

    Here `kernel_form: [36, D, C]`. Boards' gradients are left out where there is no room for any.
    """
    tiles = tiles_of(boards.shape[1], boards.shape[2])
    at_once = max(1, TILES // tiles)
    inputs_room, outputs_room = _room(at_once * tiles, boards), _room(at_once * tiles, out)
    for first in range(0, len(boards), at_once):
        last = min(first + at_once, len(boards))
        inputs = _form_in(inputs_room, (last - first) * tiles, boards)
        outputs = _form_in(outputs_room, (last - first) * tiles, out)
        form_inputs(boards[first:last], inputs)
        form_outputs(gradient[first:last], out[first:last], rectified, outputs)
        add_transposed_products(inputs, outputs, form_gradient)
        bias_gradient += outputs[SUM_POINT].sum(0)
        if len(boards_gradient) > 0:
            set_products(outputs, kernel_form, inputs)
            unform_inputs(inputs, boards_gradient[first:last])


@kernel
def _room(tiles: int, boards: Array) -> Array:
    return np.empty(NUMBERS * tiles * boards.shape[3], np.float32)


@kernel
def _form_in(room: Array, tiles: int, boards: Array) -> Array:
    """A part of the room, in a form's shape."""
    channels = boards.shape[3]
    return room[: NUMBERS * tiles * channels].reshape(NUMBERS, tiles, channels)
