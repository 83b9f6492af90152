"""A trained network as players ask it, through onnxruntime: no torch is needed to play."""

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.documents import read_bytes
from ludex.core.errors import BadNet
from ludex.core.game import Observation
from ludex.core.nets import shipped_net
from ludex.games.skirmish.engine.observing import PLANES, vector_length
from ludex.games.skirmish.game import Skirmish

INPUTS: Final = ("planes", "vector")
OUTPUTS: Final = ("logits", "value")
SHIPPED: Final = {(25, 21, 10, 100): "skirmish-default.onnx", (11, 10, 3, 20): "skirmish-small.onnx"}
"""By columns, rows, unit slots and hex slots: all that a network's form depends on."""


class PlayingNet:
    """A session with a network for one game's board."""

    def __init__(self, game: Skirmish, net: str = "", threads: int = 1) -> None:
        """`net` is the path of an .onnx file, or empty for the one that ships. Raises `BadNet` if it does not fit."""
        import onnxruntime

        grid, table = game.scenario.grid, game.table
        source = net or shipped_for(game)
        data = read_bytes(Path(net), BadNet) if net else shipped_net(source)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has errors of many classes, with no base of their own
            raise BadNet(f"{source}: not a network in ONNX: {error}") from error
        found = [(one.name, one.shape[1:]) for one in (*self._session.get_inputs(), *self._session.get_outputs())]
        sizes: tuple[list[int], ...] = (
            [PLANES, grid.cols, grid.rows],
            [vector_length(table.unit_slots)],
            [game.info.num_actions],
            [],
        )
        expected = list(zip((*INPUTS, *OUTPUTS), sizes, strict=True))
        if found != expected:
            raise BadNet(f"{source}: expected {expected}, found {found}")

    def ask(self, obs: Observation) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits `[N, actions]` and values `[N]`, -1 to 1, for observations of N lanes, each from the mover's end."""
        logits, value = self._session.run(list(OUTPUTS), {name: obs[name] for name in INPUTS})
        return logits, value


def shipped_for(game: Skirmish) -> str:
    """The network that ships for a game's board. Raises `BadNet` if there is none."""
    grid, table = game.scenario.grid, game.table
    found = SHIPPED.get((grid.cols, grid.rows, table.unit_slots, table.hex_slots))
    if found is None:
        raise BadNet(
            f"no network ships for a board of {grid.cols} x {grid.rows} with {table.unit_slots} unit slots and "
            f"{table.hex_slots} hex slots: train one, and name its file with net="
        )
    return found
