"""Hostile networks in ONNX: refused by what they hold, before a library loads them."""

from collections.abc import Callable

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from ludex.core.errors import BadNet
from ludex.search.network import shipped_net
from ludex.search.onnx_check import MOST_NODES, check_onnx

WEIGHTS = numpy_helper.from_array(np.ones((4, 4), np.float32), "weights")


def model(*nodes: onnx.NodeProto, held: tuple[onnx.TensorProto, ...] = (WEIGHTS,), domain: str = "") -> onnx.ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4])
    graph = helper.make_graph([*nodes], "g", [x], [y], initializer=[*held])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(domain, 18)])


def honest() -> onnx.ModelProto:
    return model(helper.make_node("MatMul", ["x", "weights"], ["y"]))


def external() -> onnx.ModelProto:
    tensor = onnx.TensorProto(name="weights", data_type=1, dims=[4, 4], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="../../../../etc/passwd")
    return model(helper.make_node("MatMul", ["x", "weights"], ["y"]), held=(tensor,))


def gigantic() -> onnx.ModelProto:
    tensor = onnx.TensorProto(name="weights", data_type=1, dims=[1 << 20, 1 << 20], raw_data=bytes(64))
    return model(helper.make_node("MatMul", ["x", "weights"], ["y"]), held=(tensor,))


def listed() -> onnx.ModelProto:
    tensor = onnx.TensorProto(name="weights", data_type=1, dims=[1 << 20], float_data=[1.0])
    return model(helper.make_node("MatMul", ["x", "weights"], ["y"]), held=(tensor,))


def expanded() -> onnx.ModelProto:
    size = numpy_helper.from_array(np.array([1 << 20, 1 << 20], np.int64), "size")
    return model(helper.make_node("Expand", ["x", "size"], ["y"]), held=(size,))


def ranged() -> onnx.ModelProto:
    nodes = [
        helper.make_node("Constant", [], [name], value=helper.make_tensor("", TensorProto.INT64, [], [number]))
        for name, number in (("start", 0), ("limit", 1 << 40), ("delta", 1))
    ]
    return model(*nodes, helper.make_node("Range", ["start", "limit", "delta"], ["y"]))


def looping() -> onnx.ModelProto:
    return model(helper.make_node("Loop", ["x", "x"], ["y"], body=honest().graph))


def nested() -> onnx.ModelProto:
    return model(helper.make_node("Relu", ["x"], ["y"], body=honest().graph))


def foreign() -> onnx.ModelProto:
    return model(helper.make_node("Relu", ["x"], ["y"], domain="com.microsoft"), domain="com.microsoft")


def functions() -> onnx.ModelProto:
    network = honest()
    network.functions.add(name="f", domain="")
    return network


def textual() -> onnx.ModelProto:
    tensor = onnx.TensorProto(name="weights", data_type=TensorProto.STRING, dims=[1], string_data=[b"x"])
    return model(helper.make_node("MatMul", ["x", "weights"], ["y"]), held=(tensor,))


def crowded() -> onnx.ModelProto:
    return model(*[helper.make_node("Relu", ["x"], ["y"])] * (MOST_NODES + 1))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (external, "names another file"),
        (gigantic, "announces 4,398,046,511,104 bytes, the file holds 64"),
        (listed, "does not hold as bytes"),
        (expanded, "'Expand' makes 1,099,511,627,776 numbers"),
        (ranged, "'Range' makes"),
        (looping, "operator 'Loop'"),
        (nested, "holds a graph"),
        (foreign, "not those of ONNX itself"),
        (functions, "functions"),
        (textual, "type 8"),
        (crowded, "operators, expected at most"),
    ],
)
def test_a_hostile_network_is_refused_by_what_it_holds(make: Callable[[], onnx.ModelProto], reason: str) -> None:
    with pytest.raises(BadNet, match=f"^file: .*{reason}"):
        check_onnx(make().SerializeToString(), "file")


def test_networks_of_ours_pass() -> None:
    check_onnx(honest().SerializeToString(), "file")
    for name in ("minesweeper.onnx", "skirmish-small.onnx", "zero-tictactoe-3x3x3.onnx"):
        check_onnx(shipped_net(name), name)


def test_a_network_that_is_cut_off_anywhere_is_refused() -> None:
    data = honest().SerializeToString()
    for length in range(len(data)):
        with pytest.raises(BadNet):
            check_onnx(data[:length], "file")
    for noise in (b"", b"\x00", b"\xff" * 64, b"\x08" * 64, b"\x3a\x7f"):
        with pytest.raises(BadNet):
            check_onnx(noise, "file")
