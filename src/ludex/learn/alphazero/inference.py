"""A network as the batched search calls it: NumPy arrays in and out, on the CPU or, by CUDA graphs, on a GPU."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludex.learn.alphazero.network import AlphaZeroNet, expected_score, fuse

Arrays = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Logits `[B, A]` and values `[B]`."""

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
        """Arrays of a search."""
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

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> Arrays:
        """Evaluate `observations: float32[B, C, H, W]`; masks do not matter to the network."""
        return self.submit(observations, masks).result()

    def submit(
        self, observations: NDArray[np.float32], masks: NDArray[np.uint8], into: Arrays | None = None
    ) -> "Pending":
        """Begin to evaluate; the result can be asked for later. A GPU writes it `into` arrays that it sees."""
        begin = time.perf_counter()
        self.positions += len(observations)
        self.batches += 1
        finish = self._on_gpu(observations, into) if self._device.type == "cuda" else self._on_cpu(observations)
        self.seconds += time.perf_counter() - begin
        return Pending(self, finish)

    def _on_cpu(self, observations: NDArray[np.float32]) -> Callable[[], Arrays]:
        with torch.inference_mode():
            prediction = self._net(torch.from_numpy(observations))
            arrays = prediction.policy.numpy(), expected_score(prediction.results).numpy()
        return lambda: arrays

    def _on_gpu(self, observations: NDArray[np.float32], into: Arrays | None) -> Callable[[], Arrays]:
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

    def __init__(self, evaluator: Evaluator, finish: Callable[[], Arrays]) -> None:
        self._evaluator, self._finish = evaluator, finish

    def result(self) -> Arrays:
        """Wait for the logits and values."""
        begin = time.perf_counter()
        arrays = self._finish()
        self._evaluator.seconds += time.perf_counter() - begin
        return arrays


class _Graph:
    """The network for batches of one size, recorded once: to launch its kernels one by one would take longer."""

    def __init__(self, net: AlphaZeroNet, batch: Tensor, device: torch.device, into: Arrays | None = None) -> None:
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

    def begin(self, count: int) -> Callable[[], Arrays]:
        """Evaluate the first positions that lie in `batch`."""
        self.busy = True
        with torch.cuda.stream(self._stream):
            self._graph.replay()

        def finish() -> Arrays:
            self._stream.synchronize()
            self.busy = False
            if self._into is not None:
                return self._into
            return self._policy[:count].numpy().copy(), self._value[:count].numpy().copy()

        return finish
