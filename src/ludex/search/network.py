"""Networks that play: files that ship, checked against their cards, and a session with any network in ONNX."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.documents import read_bytes
from ludex.core.errors import BadNet

PACKAGE = "ludex.nets"

Sizes: TypeAlias = Mapping[str, Sequence[int] | None]
"""The inputs or outputs of a network in order: the sizes after the batch, or None where a network takes any."""


class NetworkSession:
    """A network in ONNX, ready to evaluate batches on the CPU."""

    def __init__(
        self,
        source: str,
        *,
        shipped: bool,
        inputs: Sizes,
        outputs: Sizes | Callable[[Mapping[str, str]], Sizes],
        threads: int = 1,
        package: str = PACKAGE,
    ) -> None:
        """`source` is the path of an .onnx file or, if `shipped`, the name of one that ships in a package.

        The outputs may follow from the file's metadata.
        Raises `BadNet` if it cannot be read, is no network, or has other inputs or outputs than these.
        """
        import onnxruntime

        data = shipped_net(source, package) if shipped else read_bytes(Path(source), BadNet)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has errors of many classes, with no base of their own
            raise BadNet(f"{source}: not a network in ONNX: {error}") from error
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)
        outputs = outputs(self.metadata) if callable(outputs) else outputs
        self._inputs, self._outputs = list(inputs), list(outputs)
        expected = _sizes_text(inputs), _sizes_text(outputs)
        actual = _sizes_of(self._session.get_inputs(), inputs), _sizes_of(self._session.get_outputs(), outputs)
        if actual != expected:
            raise BadNet(
                f"{source}: expected inputs {expected[0]} and outputs {expected[1]}, found {actual[0]} and {actual[1]}"
            )

    def run(self, *arrays: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """The outputs for one array per input, in their order; every array has a row per position."""
        outputs: list[NDArray[np.float32]] = self._session.run(
            self._outputs, dict(zip(self._inputs, arrays, strict=True))
        )
        return outputs


def shipped_net(name: str, package: str = PACKAGE) -> bytes:
    """The bytes of a shipped file such as `quoridor-9x9.npz`. Raises `BadNet` if they are not what the card says."""
    require_shipped(name, package)
    data, card = files(package).joinpath(name).read_bytes(), _card(name, package)
    actual, expected = hashlib.sha256(data).hexdigest(), json.loads(card.read_text(encoding="utf-8"))["sha256"]
    if actual != expected:
        raise BadNet(f"{name} is damaged: its SHA-256 is {actual}, the card says {expected}")
    return data


def require_shipped(name: str, package: str = PACKAGE) -> None:
    """Raise `BadNet` if there is no such file, or no card beside it. Neither is read."""
    if not _card(name, package).is_file() or not files(package).joinpath(name).is_file():
        raise BadNet(f"no net {name} is shipped: is the installation complete?")


def _card(name: str, package: str) -> Traversable:
    return files(package).joinpath(f"{name.rpartition('.')[0]}.json")


def _sizes_text(sizes: Sizes) -> str:
    """`planes[53, 25, 21]` where sizes matter, `numbers` where they do not."""
    return ", ".join(name if size is None else f"{name}[{', '.join(map(str, size))}]" for name, size in sizes.items())


def _sizes_of(nodes: Sequence[Any], expected: Sizes) -> str:
    """What a file has, in the words of `_sizes_text`."""
    return _sizes_text({node.name: None if expected.get(node.name, ()) is None else node.shape[1:] for node in nodes})
