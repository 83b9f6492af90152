"""Networks filled into an exported graph: the same answers as torch, from the cache too, and no random number drawn."""

import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from torch import Tensor, nn

from ludex.core.errors import BadNet
from ludex.learn import export as module
from ludex.learn.export import playable
from ludex.search.network import NetworkSession
from ludex.search.onnx_check import check_onnx


class Net(nn.Module):
    """A stem with a bias of zeros, which optimisers of graphs drop, and a wide layer stored in half precision."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(2, 4, 3, padding=1)
        self.out = nn.Linear(36, 32)
        nn.init.zeros_(self.stem.bias)  # type: ignore[arg-type]

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        found = self.out(torch.relu(self.stem(x)).flatten(1))
        return found[:, :9], found[:, 9]


def exported(net: Net) -> bytes:
    example = (torch.arange(36).view(2, 2, 3, 3) % 3).float()
    shapes = ({0: torch.export.Dim("batch", min=1)},)
    return playable(net, (example,), identity="test", inputs=("x",), outputs=("y", "z"), shapes=shapes)


def answers(data: bytes, path: Path, x: Tensor) -> list[np.ndarray]:
    path.write_bytes(data)
    session = NetworkSession(str(path), shipped=False, inputs={"x": (2, 3, 3)}, outputs={"y": (9,), "z": ()})
    return [*session.run(x.numpy())]


@pytest.mark.slow
def test_a_graph_is_exported_once_and_filled_with_the_weights_of_the_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDEX_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "_LOADED", {})
    torch.manual_seed(0)
    first, second, x = Net(), Net(), torch.rand(3, 2, 3, 3)
    before = torch.random.get_rng_state()
    with warnings.catch_warnings():
        # A training shows no warnings of the exporter.
        warnings.simplefilter("error")
        data = exported(first)
    check_onnx(data, "net")
    (cached,) = (tmp_path / "cache" / "onnx").iterdir()
    module._LOADED.clear()
    exports: list[object] = []
    monkeypatch.setattr(module, "_exported", lambda *given: exports.append(given))
    for net, found in ((first, data), (second, exported(second))):
        with torch.no_grad():
            expected = [one.numpy() for one in net(x)]
        for one, two in zip(answers(found, tmp_path / "net.onnx", x), expected, strict=True):
            np.testing.assert_allclose(one, two, atol=2e-3)
    assert exports == []
    assert torch.equal(before, torch.random.get_rng_state())
    # A graph in the cache that gives other values is not used.
    model = onnx.load(cached)
    for node in model.graph.node:
        if node.op_type == "Relu":
            node.op_type = "Abs"
    cached.write_bytes(model.SerializeToString())
    module._LOADED.clear()
    monkeypatch.setattr(module, "_exported", lambda *given: model.SerializeToString())
    with pytest.raises(BadNet, match="gives other values than the network"):
        exported(first)
