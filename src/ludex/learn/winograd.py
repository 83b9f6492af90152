"""Boards and their Winograd form F(4x4, 3x3), in which a 3x3 convolution needs a quarter of the multiplications.

A tile of 4x4 outputs depends on 6x6 inputs. In Winograd form these are 36 numbers, and the convolution is a product of
each with one of 36 numbers of the kernel: over all channels and tiles, 36 products of matrices (Lavin and Gray,
"Fast Algorithms for Convolutional Neural Networks", 2015). Boards are `float32[B, H, W, C]`, forms
`float32[36, T, C]` of a board's tiles row by row; what of a tile lies beyond the board is 0.

The two functions for inputs are each other's transpose, and so are those for outputs: gradients go back by them.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.jit import kernel
from ludex.core.vectors import matrix_map

Array: TypeAlias = NDArray[np.float32]

TILE: Final = 4
"""Outputs of a tile, each way."""
POINTS: Final = 6
"""Inputs of a tile, and numbers of its form, each way."""
SUM_POINT: Final = POINTS + 1
"""The number of an output's form that is the sum of the tile."""

KERNEL_FORM: Final = (
    (1 / 4, 0.0, 0.0),
    (-1 / 6, -1 / 6, -1 / 6),
    (-1 / 6, 1 / 6, -1 / 6),
    (1 / 24, 1 / 12, 1 / 6),
    (1 / 24, -1 / 12, 1 / 6),
    (0.0, 0.0, 1.0),
)
"""A kernel's form is this times the kernel times this transposed."""
_INPUT = (
    (4, 0, -5, 0, 1, 0),
    (0, -4, -4, 1, 1, 0),
    (0, 4, -4, -1, 1, 0),
    (0, -2, -1, 2, 1, 0),
    (0, 2, -1, -2, 1, 0),
    (0, 4, 0, -5, 0, 1),
)
_OUTPUT = ((1, 1, 1, 1, 1, 0), (0, 1, -1, 2, -2, 0), (0, 1, 1, 4, 4, 0), (0, 1, -1, 8, -8, 1))

_to_input_form = matrix_map(_INPUT)
_from_input_form = matrix_map(tuple(zip(*_INPUT, strict=True)))
_add_from_input_form = matrix_map(tuple(zip(*_INPUT, strict=True)), adds=True)
_to_output_form = matrix_map(tuple(zip(*_OUTPUT, strict=True)))
_from_output_form = matrix_map(_OUTPUT)


@kernel
def tiles_of(rows: int, cols: int) -> int:
    """How many tiles a board has.

    >>> tiles_of(8, 8), tiles_of(9, 8)
    (4, 6)
    """
    return -(-rows // TILE) * -(-cols // TILE)


@kernel
def form_inputs(boards: Array, form: Array) -> None:
    """Write the form of inputs."""
    count, rows, cols, channels = boards.shape
    down, across = -(-rows // TILE), -(-cols // TILE)
    line, flat, step = (across * TILE + 2) * channels, form.reshape(-1), form.shape[1] * channels
    padded = np.zeros((down * TILE + 2) * line, np.float32)
    half = np.empty(POINTS * line, np.float32)
    to = 0
    for board in range(count):
        for row in range(rows):
            begin = (row + 1) * line + channels
            padded[begin : begin + cols * channels] = boards[board, row].reshape(-1)
        for i in range(down):
            _to_input_form(padded, i * TILE * line, line, half, 0, line, line)
            for j in range(across):
                for point in range(POINTS):
                    at = point * line + j * TILE * channels
                    _to_input_form(half, at, channels, flat, to + point * POINTS * step, step, channels)
                to += channels


@kernel
def unform_inputs(form: Array, boards: Array) -> None:
    """Write boards of which every cell is the sum of what its tiles' forms say of it: `form_inputs` transposed."""
    count, rows, cols, channels = boards.shape
    down, across = -(-rows // TILE), -(-cols // TILE)
    line, flat, step = (across * TILE + 2) * channels, form.reshape(-1), form.shape[1] * channels
    padded = np.empty((down * TILE + 2) * line, np.float32)
    half = np.empty(POINTS * line, np.float32)
    at = 0
    for board in range(count):
        padded[:] = 0
        for i in range(down):
            half[:] = 0
            for j in range(across):
                for point in range(POINTS):
                    to = point * line + j * TILE * channels
                    _add_from_input_form(flat, at + point * POINTS * step, step, half, to, channels, channels)
                at += channels
            _add_from_input_form(half, 0, line, padded, i * TILE * line, line, line)
        for row in range(rows):
            begin = (row + 1) * line + channels
            boards[board, row].reshape(-1)[:] = padded[begin : begin + cols * channels]


@kernel
def unform_outputs(form: Array, bias: Array, rectified: bool, boards: Array) -> None:
    """Write the outputs of forms, with a bias for each channel, and 0 for what is less if they are rectified."""
    count, rows, cols, channels = boards.shape
    down, across = -(-rows // TILE), -(-cols // TILE)
    line, flat, step = across * TILE * channels, form.reshape(-1), form.shape[1] * channels
    tile_line = POINTS * channels
    half, whole = np.empty(TILE * tile_line, np.float32), np.empty(TILE * line, np.float32)
    at = 0
    for board in range(count):
        for i in range(down):
            for j in range(across):
                for point in range(POINTS):
                    _from_output_form(
                        flat, at + point * step, POINTS * step, half, point * channels, tile_line, channels
                    )
                for row in range(TILE):
                    to = row * line + j * TILE * channels
                    _from_output_form(half, row * tile_line, channels, whole, to, channels, channels)
                at += channels
            for row in range(min(TILE, rows - i * TILE)):
                _finish(whole[row * line :], bias, rectified, boards[board, i * TILE + row])


@kernel
def _finish(line: Array, bias: Array, rectified: bool, cells: Array) -> None:
    cols, channels = cells.shape
    least = np.float32(0 if rectified else -np.inf)
    for col in range(cols):
        for channel in range(channels):
            cells[col, channel] = max(line[col * channels + channel] + bias[channel], least)


@kernel
def form_outputs(gradient: Array, outputs: Array, rectified: bool, form: Array) -> None:
    """Write the forms whose `unform_outputs` transposed `gradient` is; none comes from outputs that were cut to 0."""
    count, rows, cols, channels = gradient.shape
    down, across = -(-rows // TILE), -(-cols // TILE)
    line, flat, step = across * TILE * channels, form.reshape(-1), form.shape[1] * channels
    padded = np.zeros(down * TILE * line, np.float32)
    half = np.empty(POINTS * line, np.float32)
    to = 0
    for board in range(count):
        for row in range(rows):
            _begin(gradient[board, row].reshape(-1), outputs[board, row].reshape(-1), rectified, padded[row * line :])
        for i in range(down):
            _to_output_form(padded, i * TILE * line, line, half, 0, line, line)
            for j in range(across):
                for point in range(POINTS):
                    at = point * line + j * TILE * channels
                    _to_output_form(half, at, channels, flat, to + point * POINTS * step, step, channels)
                to += channels


@kernel
def _begin(gradient: Array, outputs: Array, rectified: bool, line: Array) -> None:
    least = np.float32(0 if rectified else -np.inf)
    for at in range(len(gradient)):
        given, output = gradient[at], outputs[at]
        line[at] = given if output > least else np.float32(0)
