"""The network of every game, a residual tower with heads for the policy, the result, the plies left and ownership.

The batched search calls it by an `Evaluator`: NumPy arrays in and out, on the CPU or, by CUDA graphs, on a GPU.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from ludex.learn.config import Config
from ludex.search.batched import NetAnswer

POLICY_CHANNELS = 16
VALUE_CHANNELS = 4
VALUE_WIDTH = 64
RESULTS = 3
"""Won, drawn, lost, for the player to move."""


class NetSizes(Config):
    """What determines the shapes of all weights."""

    planes: int = Field(ge=1)
    rows: int = Field(ge=1)
    cols: int = Field(ge=1)
    actions: int = Field(ge=1)
    channels: int = Field(ge=1)
    blocks: int = Field(ge=0)
    pooled_every: int = Field(ge=0)
    moves_left: bool
    ownership: int = Field(default=0, ge=0, description="planes of what becomes of each cell; 0: no such head")

    def playing(self) -> "NetSizes":
        """Without the heads that only learning needs."""
        return self.model_copy(update={"moves_left": False, "ownership": 0})


class Prediction(NamedTuple):
    """The network's outputs for B positions."""

    policy: Tensor
    """[B, A]: logits of all actions, illegal ones included."""
    results: Tensor
    """[B, 3]: logits of won, drawn and lost for the player to move."""
    moves_left: Tensor | None
    """[B]: the logarithm of 1 + the plies left, if there is such a head."""
    ownership: Tensor | None
    """[B, K, rows, cols]: what becomes of each cell for the player to move, in -1..1, if there is such a head."""


class NormalisedConvolution(nn.Module):
    """A convolution and batch normalisation; once `fused`, the normalisation is part of the weights."""

    def __init__(self, inputs: int, outputs: int, size: int, *, fused: bool) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=fused)
        self.norm = nn.Identity() if fused else nn.BatchNorm2d(outputs)

    def forward(self, planes: Tensor) -> Tensor:
        output: Tensor = self.norm(self.conv(planes))
        return output

    def activate(self, planes: Tensor, beside: Tensor | None = None) -> Tensor:
        """The rectified result, to which other planes may be added first."""
        conv = self.conv
        if planes.is_cuda and conv.bias is not None:
            # One kernel of cuDNN in place of three.
            weights, around = conv.weight, conv.kernel_size[0] // 2
            if beside is None:
                return torch.cudnn_convolution_relu(planes, weights, conv.bias, (1, 1), (around, around), (1, 1), 1)
            return torch.cudnn_convolution_add_relu(
                planes, weights, beside, 1.0, conv.bias, (1, 1), (around, around), (1, 1), 1
            )
        output = self(planes)
        return functional.relu(output if beside is None else beside + output)

    def fused_weights(self) -> dict[str, Tensor]:
        """The weights of a fused one that computes the same as this one does in evaluation."""
        norm = self.norm
        assert isinstance(norm, nn.BatchNorm2d)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        return {
            "conv.weight": self.conv.weight * scale[:, None, None, None],
            "conv.bias": norm.bias - norm.running_mean * scale,
        }


class Block(nn.Module):
    """Two convolutions beside the identity; if `pooled`, every cell learns the means and maxima of the board."""

    def __init__(self, channels: int, size: int, *, pooled: bool, fused: bool) -> None:
        super().__init__()
        self.first = NormalisedConvolution(channels, channels, size, fused=fused)
        self.second = NormalisedConvolution(channels, channels, size, fused=fused)
        self.pooling = nn.Linear(2 * channels, channels) if pooled else None

    def forward(self, planes: Tensor) -> Tensor:
        inner = self.first.activate(planes)
        if self.pooling is not None:
            pooled = torch.cat((inner.mean((2, 3)), inner.amax((2, 3))), 1)
            inner = inner + self.pooling(pooled)[:, :, None, None]
        return self.second.activate(inner, planes)


class AlphaZeroNet(nn.Module):
    """Predicts moves, results, plies left and what becomes of cells from observations of the player to move."""

    def __init__(self, sizes: NetSizes, *, fused: bool = False) -> None:
        super().__init__()
        self.sizes = sizes
        cells, size = sizes.rows * sizes.cols, 3 if sizes.rows * sizes.cols > 1 else 1
        every = sizes.pooled_every
        self.stem = NormalisedConvolution(sizes.planes, sizes.channels, size, fused=fused)
        self.blocks = nn.ModuleList(
            Block(sizes.channels, size, pooled=every > 0 and number % every == every - 1, fused=fused)
            for number in range(sizes.blocks)
        )
        self.policy_planes = NormalisedConvolution(sizes.channels, POLICY_CHANNELS, 1, fused=fused)
        self.policy = nn.Linear(POLICY_CHANNELS * cells, sizes.actions)
        self.value_planes = NormalisedConvolution(sizes.channels, VALUE_CHANNELS, 1, fused=fused)
        self.value_hidden = nn.Linear(VALUE_CHANNELS * cells, VALUE_WIDTH)
        self.results = nn.Linear(VALUE_WIDTH, RESULTS)
        self.moves_left = nn.Linear(VALUE_WIDTH, 1) if sizes.moves_left else None
        self.ownership = nn.Conv2d(sizes.channels, sizes.ownership, 1) if sizes.ownership else None
        for head in (self.policy, self.results):
            # The first network then prefers nothing, and its search looks at everything.
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, observations: Tensor) -> Prediction:
        """Predict for `observations: float[B, planes, rows, cols]`."""
        planes = self.stem.activate(observations)
        for block in self.blocks:
            planes = block(planes)
        policy = self.policy(self.policy_planes.activate(planes).flatten(1))
        hidden = functional.relu(self.value_hidden(self.value_planes.activate(planes).flatten(1)))
        left = None if self.moves_left is None else self.moves_left(hidden).squeeze(1)
        owned = None if self.ownership is None else torch.tanh(self.ownership(planes))
        return Prediction(policy, self.results(hidden), left, owned)


def expected_score(results: Tensor) -> Tensor:
    """`[B]`: the score in -1..1 that logits `[B, 3]` of won, drawn and lost expect."""
    shares = results.float().softmax(1)
    return shares[:, 0] - shares[:, 2]


def result_shares(scores: Tensor) -> Tensor:
    """`[B, 3]`: scores `[B]` in -1..1 as shares of won, drawn and lost.

    >>> result_shares(torch.tensor([1.0, 0.0, -0.25])).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.75, 0.25]]
    """
    won, decided = scores.clamp(min=0), scores.abs()
    return torch.stack((won, 1 - decided, decided - won), 1)


def value_shares(values: Tensor, draws: Tensor) -> Tensor:
    """`[B, 3]`: expected scores `[B]` as shares of won, drawn and lost, with `draws: [B]` drawn as far as that fits.

    >>> value_shares(torch.tensor([0.0, 0.0, 0.75]), torch.tensor([0.0, 0.5, 0.5])).tolist()
    [[0.5, 0.0, 0.5], [0.25, 0.5, 0.25], [0.75, 0.25, 0.0]]
    """
    draw_share = torch.minimum(draws, 1 - values.abs())
    return torch.stack((1 - draw_share + values, 2 * draw_share, 1 - draw_share - values), 1) / 2


@torch.no_grad()
def fuse(net: AlphaZeroNet, into: AlphaZeroNet) -> None:
    """Give a fused network what another one computes in evaluation."""
    weights = dict(net.state_dict())
    for name, module in net.named_modules():
        if isinstance(module, NormalisedConvolution):
            weights |= {f"{name}.{key}": value for key, value in module.fused_weights().items()}
    own = into.state_dict()
    for name, target in own.items():
        target.copy_(weights[name])


SMALLEST = 8
"""The smallest batch that a graph is made for."""
WARMUP = 3


class Evaluator:
    """A network's answers to batches of positions, with the weights of the last `refresh`."""

    def __init__(self, net: AlphaZeroNet, device: torch.device, precision: str, batch: int) -> None:
        """`batch` is how many positions come at once at most."""
        self._device, self._batch = device, batch
        dtype = torch.bfloat16 if precision == "bf16" else torch.float32
        self._net = AlphaZeroNet(net.sizes.playing(), fused=True).to(device, dtype).eval()
        if device.type == "cuda":
            # Tensor cores want the channels last.
            self._net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._net.requires_grad_(False)
        self._graphs: dict[int, list[_Graph]] = {}
        self._pinned: list[NDArray[Any]] = []
        """NetAnswer of a search."""
        self._direct: dict[tuple[int, int], _Graph] = {}
        """Graphs that read and write parts of pinned arrays where they lie, by address and length."""
        self.refresh(net)
        self.positions = 0
        """How many were evaluated."""
        self.batches = 0
        self.seconds = 0.0
        """How long callers waited."""

    def refresh(self, net: AlphaZeroNet) -> None:
        """Use a network's present weights from now on."""
        fuse(net, self._net)
        if self._device.type == "cuda":
            # Graphs run on streams of their own.
            torch.cuda.synchronize(self._device)

    def empty(self, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        """An array for a search: those that the network reads and writes lie in memory that the GPU sees by itself."""
        empty = np.empty(shape, dtype)
        if self._device.type == "cuda" and dtype is np.float32:
            empty = torch.from_numpy(empty).pin_memory().numpy()
            self._pinned.append(empty)
        return empty

    def _sees(self, array: NDArray[np.float32]) -> bool:
        """Whether an array is part of one that the GPU sees."""
        return any(np.shares_memory(array, pinned) for pinned in self._pinned)

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        """Evaluate `observations: float32[B, C, H, W]`; masks do not matter to the network."""
        return self.submit(observations, masks).result()

    def submit(
        self, observations: NDArray[np.float32], masks: NDArray[np.uint8], into: NetAnswer | None = None
    ) -> "Pending":
        """Begin to evaluate; the result can be asked for later. A GPU writes it `into` arrays that it sees."""
        begin = time.perf_counter()
        self.positions += len(observations)
        self.batches += 1
        finish = self._on_gpu(observations, into) if self._device.type == "cuda" else self._on_cpu(observations)
        self.seconds += time.perf_counter() - begin
        return Pending(self, finish)

    def _on_cpu(self, observations: NDArray[np.float32]) -> Callable[[], NetAnswer]:
        with torch.inference_mode():
            prediction = self._net(torch.from_numpy(observations))
            arrays = prediction.policy.numpy(), expected_score(prediction.results).numpy()
        return lambda: arrays

    def _on_gpu(self, observations: NDArray[np.float32], into: NetAnswer | None) -> Callable[[], NetAnswer]:
        count, place = len(observations), (observations.ctypes.data, len(observations))
        if into is not None and (place in self._direct or self._sees(observations)):
            if place not in self._direct:
                self._direct[place] = _Graph(self._net, torch.from_numpy(observations), self._device, into)
            return self._direct[place].begin(count)
        # The largest batch, half of it, a quarter: few graphs, and at most half of a batch is padding.
        size = self._batch
        while (size + 1) // 2 >= max(count, SMALLEST):
            size = (size + 1) // 2
        graphs = self._graphs.setdefault(size, [])
        graph = next((graph for graph in graphs if not graph.busy), None)
        if graph is None:
            graph = _Graph(self._net, torch.zeros(size, *observations.shape[1:], pin_memory=True), self._device)
            graphs.append(graph)
        graph.batch[:count] = observations
        return graph.begin(count)


class Pending:
    """An evaluation under way."""

    def __init__(self, evaluator: Evaluator, finish: Callable[[], NetAnswer]) -> None:
        self._evaluator, self._finish = evaluator, finish

    def result(self) -> NetAnswer:
        """Wait for the logits and values."""
        begin = time.perf_counter()
        arrays = self._finish()
        self._evaluator.seconds += time.perf_counter() - begin
        return arrays


class _Graph:
    """The network for batches of one size, recorded once: to launch its kernels one by one would take longer."""

    def __init__(self, net: AlphaZeroNet, batch: Tensor, device: torch.device, into: NetAnswer | None = None) -> None:
        """`batch: float32[B, C, H, W]` and `into`, both in pinned memory, are where batches and answers will lie."""
        sizes, dtype, size = net.sizes, next(net.parameters()).dtype, len(batch)
        self.busy = False
        self.batch: NDArray[np.float32] = batch.numpy()
        self._into = into
        if into is None:
            self._policy = torch.zeros(size, sizes.actions, pin_memory=True)
            self._value = torch.zeros(size, pin_memory=True)
        else:
            self._policy, self._value = map(torch.from_numpy, into)
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._graph = torch.cuda.CUDAGraph()

        def evaluate() -> None:
            planes = batch.to(device, non_blocking=True).to(dtype, memory_format=torch.channels_last)
            prediction = net(planes)
            self._policy.copy_(prediction.policy.float(), non_blocking=True)
            self._value.copy_(expected_score(prediction.results), non_blocking=True)

        torch.cuda.synchronize(device)
        with torch.no_grad(), torch.cuda.stream(self._stream):
            for _ in range(WARMUP):
                evaluate()
            self._stream.synchronize()
            with torch.cuda.graph(self._graph, stream=self._stream):
                evaluate()
        torch.cuda.synchronize(device)

    def begin(self, count: int) -> Callable[[], NetAnswer]:
        """Evaluate the first positions that lie in `batch`."""
        self.busy = True
        with torch.cuda.stream(self._stream):
            self._graph.replay()

        def finish() -> NetAnswer:
            self._stream.synchronize()
            self.busy = False
            if self._into is not None:
                return self._into
            return self._policy[:count].numpy().copy(), self._value[:count].numpy().copy()

        return finish
