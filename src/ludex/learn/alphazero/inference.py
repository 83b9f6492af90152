"""A network as the batched search calls it: NumPy arrays in and out, on the CPU or, by CUDA graphs, on a GPU."""

import time
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

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
        self._net = AlphaZeroNet(net.sizes, fused=True).to(device, dtype).eval()
        if device.type == "cuda":
            # Tensor cores want the channels last.
            self._net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._net.requires_grad_(False)
        self._graphs: dict[int, list[_Graph]] = {}
        self.refresh(net)
        self.positions = 0
        """How many were evaluated."""
        self.batches = 0
        self.seconds = 0.0
        """How long callers waited."""

    def refresh(self, net: AlphaZeroNet) -> None:
        """Use a network's present weights from now on."""
        fuse(net, self._net)

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> Arrays:
        """Evaluate `observations: float32[B, C, H, W]`; masks do not matter to the network."""
        return self.submit(observations, masks).result()

    def submit(self, observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> "Pending":
        """Begin to evaluate; the result can be asked for later."""
        begin = time.perf_counter()
        self.positions += len(observations)
        self.batches += 1
        finish = self._on_gpu(observations) if self._device.type == "cuda" else self._on_cpu(observations)
        self.seconds += time.perf_counter() - begin
        return Pending(self, finish)

    def _on_cpu(self, observations: NDArray[np.float32]) -> Callable[[], Arrays]:
        with torch.inference_mode():
            found = self._net(torch.from_numpy(observations))
            arrays = found.policy.numpy(), expected_score(found.results).numpy()
        return lambda: arrays

    def _on_gpu(self, observations: NDArray[np.float32]) -> Callable[[], Arrays]:
        # The largest batch, half of it, a quarter: few graphs, and at most half of a batch is padding.
        size = self._batch
        while (size + 1) // 2 >= max(len(observations), SMALLEST):
            size = (size + 1) // 2
        graphs = self._graphs.setdefault(size, [])
        graph = next((one for one in graphs if not one.busy), None)
        if graph is None:
            graph = _Graph(self._net, size, self._device)
            graphs.append(graph)
        return graph.begin(observations)


class Pending:
    """An evaluation under way."""

    def __init__(self, evaluator: Evaluator, finish: Callable[[], Arrays]) -> None:
        self._evaluator, self._finish = evaluator, finish

    def result(self) -> Arrays:
        """Wait for the logits and values."""
        begin = time.perf_counter()
        found = self._finish()
        self._evaluator.seconds += time.perf_counter() - begin
        return found


class _Graph:
    """The network for batches of one size, recorded once: to launch its kernels one by one would take longer."""

    def __init__(self, net: AlphaZeroNet, size: int, device: torch.device) -> None:
        sizes, dtype = net.sizes, next(net.parameters()).dtype
        shape = (size, sizes.planes, sizes.rows, sizes.cols)
        self.busy = False
        self._given = torch.zeros(shape, pin_memory=True)
        self._input = torch.zeros(shape, device=device)
        self._policy = torch.zeros(size, sizes.actions, pin_memory=True)
        self._value = torch.zeros(size, pin_memory=True)
        self._done = torch.cuda.Event()  # type: ignore[no-untyped-call]
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._graph = torch.cuda.CUDAGraph()

        def evaluate() -> tuple[torch.Tensor, torch.Tensor]:
            found = net(self._input.to(dtype, memory_format=torch.channels_last))
            return found.policy.float(), expected_score(found.results)

        torch.cuda.synchronize(device)
        with torch.no_grad(), torch.cuda.stream(self._stream):
            for _ in range(WARMUP):
                evaluate()
            self._stream.synchronize()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._found = evaluate()
        torch.cuda.synchronize(device)

    def begin(self, observations: NDArray[np.float32]) -> Callable[[], Arrays]:
        count = len(observations)
        self.busy = True
        self._given[:count].copy_(torch.from_numpy(observations))
        # After whatever changed the weights on the stream that trains.
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            self._input.copy_(self._given, non_blocking=True)
            self._graph.replay()
            self._policy.copy_(self._found[0], non_blocking=True)
            self._value.copy_(self._found[1], non_blocking=True)
            self._done.record(self._stream)

        def finish() -> Arrays:
            self._done.synchronize()
            self.busy = False
            return self._policy[:count].numpy().copy(), self._value[:count].numpy().copy()

        return finish
