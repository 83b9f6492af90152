"""A tiny network in ONNX: logits and value are linear in the observation."""

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper


def save_flat_net(
    path: Path, shape: tuple[int, int, int], logits: NDArray[np.float32], value: NDArray[np.float32]
) -> Path:
    """Write a network of weights `logits: [C * H * W + 1, A]` and `value: [C * H * W + 1]`, whose last row is added."""
    nodes = [
        helper.make_node("Flatten", ["observations"], ["flat"]),
        helper.make_node("Gemm", ["flat", "logit_weights", "logit_bias"], ["logits"]),
        helper.make_node("Gemm", ["flat", "value_weights", "value_bias"], ["column"]),
        helper.make_node("Squeeze", ["column", "axis"], ["flat_value"]),
        helper.make_node("Tanh", ["flat_value"], ["value"]),
    ]
    held = {
        "logit_weights": logits[:-1],
        "logit_bias": logits[-1],
        "value_weights": value[:-1, None],
        "value_bias": value[-1:],
        "axis": np.array([1]),
    }
    graph = helper.make_graph(
        nodes,
        "flat",
        [helper.make_tensor_value_info("observations", TensorProto.FLOAT, ["batch", *shape])],
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", logits.shape[1]]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
        ],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in held.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
    return path
