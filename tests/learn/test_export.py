"""Networks filled into an exported graph: the same answers as torch, from the cache too, and no random number drawn."""

import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from torch import Tensor, nn

from ludex.core.errors import BadNet
from ludex.learn.export import GraphCache, Input, PlayingNet, export_graph
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
        logits = self.out(torch.relu(self.stem(x)).flatten(1))
        return logits[:, :9], logits[:, 9]


def playing(net: Net) -> PlayingNet:
    example = (torch.arange(36).view(2, 2, 3, 3) % 3).float()
    return PlayingNet(net, lambda net, x: net(x), inputs=[Input("x", example)], outputs=("y", "z"), identity="test")


def answers(data: bytes, path: Path, x: Tensor) -> list[np.ndarray]:
    path.write_bytes(data)
    session = NetworkSession(str(path), shipped=False, inputs={"x": (2, 3, 3)}, outputs={"y": (9,), "z": ()})
    return [*session.run(x.numpy())]


@pytest.mark.slow
def test_a_graph_is_exported_once_and_filled_with_the_weights_of_the_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDEX_CACHE", str(tmp_path / "cache"))
    torch.manual_seed(0)
    first, second, x = Net(), Net(), torch.rand(3, 2, 3, 3)
    before = torch.random.get_rng_state()
    with warnings.catch_warnings():
        # A training shows no warnings of the exporter.
        warnings.simplefilter("error")
        data = GraphCache().fill(playing(first))
    check_onnx(data, "net")
    (cached,) = (tmp_path / "cache" / "onnx").iterdir()
    exports: list[PlayingNet] = []

    def count(net: PlayingNet) -> bytes:
        exports.append(net)
        return export_graph(net)

    for net, file in ((first, data), (second, GraphCache(count).fill(playing(second)))):
        with torch.no_grad():
            expected = [output.numpy() for output in net(x)]
        for answer, wanted in zip(answers(file, tmp_path / "net.onnx", x), expected, strict=True):
            np.testing.assert_allclose(answer, wanted, atol=2e-3)
    assert exports == []
    assert torch.equal(before, torch.random.get_rng_state())
    # A graph in the cache that gives other values is not used.
    model = onnx.load(cached)
    for node in model.graph.node:
        if node.op_type == "Relu":
            node.op_type = "Abs"
    cached.write_bytes(model.SerializeToString())
    with pytest.raises(BadNet, match="gives other values than the network"):
        GraphCache(lambda net: bytes(model.SerializeToString())).fill(playing(first))
