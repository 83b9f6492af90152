"""A trained network as players ask it, through onnxruntime: no torch is needed to play."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.documents import read_bytes
from ludex.core.errors import BadNet
from ludex.core.nets import shipped_net

SHIPPED: Final = "minesweeper.onnx"
INPUTS: Final = ("numbers", "mines")
OUTPUTS: Final = ("reveals", "value", "mine")
MOST_CELLS: Final = 16_384
"""Cells asked about at once: more gains nothing and needs memory."""
FLIPS: Final[tuple[tuple[int, ...], ...]] = ((), (1,), (2,), (1, 2))


class Answer(NamedTuple):
    """What the network says of N boards."""

    reveals: NDArray[np.float32]
    """[N, H, W]: the logits of revealing each cell; those of revealed cells mean nothing."""
    value: NDArray[np.float32]
    """[N]: the probability to win."""
    mine: NDArray[np.float32]
    """[N, H, W]: the probability that each cell is a mine; those of revealed cells mean nothing."""


class PlayingNet:
    """A session with a network of any board size."""

    def __init__(self, net: str = "", symmetry: bool = False, threads: int = 1) -> None:
        """`net` is the path of an .onnx file, or empty for the one that ships. Raises `BadNet` if it is none."""
        import onnxruntime

        source = net or SHIPPED
        data = read_bytes(Path(net), BadNet) if net else shipped_net(SHIPPED)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has errors of many classes, with no base of their own
            raise BadNet(f"{source}: not a network in ONNX: {error}") from error
        found = [one.name for one in self._session.get_inputs()], [one.name for one in self._session.get_outputs()]
        if found != (list(INPUTS), list(OUTPUTS)):
            raise BadNet(f"{source}: expected inputs {INPUTS} and outputs {OUTPUTS}, found {found[0]} and {found[1]}")
        self._symmetry = symmetry

    def ask(self, numbers: NDArray[np.int8], mines: int) -> Answer:
        """Of `numbers: int8[N, H, W]`, -1 where hidden, on boards of so many mines."""
        size = max(1, MOST_CELLS // numbers[0].size)
        parts = [self._averaged(numbers[first : first + size], mines) for first in range(0, len(numbers), size)]
        return Answer(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _averaged(self, numbers: NDArray[np.int8], mines: int) -> Answer:
        if not self._symmetry:
            return self._told(numbers, mines)
        square = numbers.shape[1] == numbers.shape[2]
        images = [(flip, turn) for turn in ((False, True) if square else (False,)) for flip in FLIPS]
        told = [self._turned(numbers, mines, flip, turn) for flip, turn in images]
        return Answer(*(np.stack(column).mean(0) for column in zip(*told, strict=True)))

    def _turned(self, numbers: NDArray[np.int8], mines: int, flip: tuple[int, ...], turn: bool) -> Answer:
        """What is said of a symmetric image, turned back."""
        image = np.flip(numbers.transpose(0, 2, 1) if turn else numbers, flip)
        reveals, value, mine = self._told(image, mines)
        planes = (np.flip(plane, flip) for plane in (reveals, mine))
        reveals, mine = (plane.transpose(0, 2, 1) if turn else plane for plane in planes)
        return Answer(reveals, value, mine)

    def _told(self, numbers: NDArray[np.int8], mines: int) -> Answer:
        given = (np.ascontiguousarray(numbers, np.float32), np.full(len(numbers), mines, np.float32))
        return Answer(*self._session.run(list(OUTPUTS), dict(zip(INPUTS, given, strict=True))))
