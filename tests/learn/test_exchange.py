"""Agents from files: what their content says, what is tried in a process of its own, and what a run's files must be."""

import json
from pathlib import Path

import pytest
from onnx import TensorProto, helper

from benchmarks.attack.networks import LAST_FIELD, growing_network
from ludex.core.documents import write_tensors
from ludex.core.errors import BadNet, BadOption, BadRun
from ludex.core.kept_agents import LARGEST_FILE, kept_agents
from ludex.learn.exchange import export_agent, format_of, import_file, keep_from_run
from ludex.learn.run_agents import keep_agent
from ludex.learn.runs import Run
from ludex.search.onnx_check import check_onnx

RANKING = json.dumps({"version": 1, "createdUtc": "2026-01-31T12:00:00Z", "qValues": []}).encode()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LUDEX_RUNS", str(tmp_path / "runs"))
    return tmp_path


def bomb() -> bytes:
    """A network of tic-tac-toe's sizes that fills the memory once it is asked."""
    shape = [None, 2, 3, 3]
    given = helper.make_tensor_value_info("observations", TensorProto.FLOAT, shape)
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [None, 9])
    value = helper.make_tensor_value_info("value", TensorProto.FLOAT, [None])
    nodes, last = [], "observations"
    for depth in range(34):
        nodes.append(helper.make_node("Concat", [last, last], [f"x{depth}"], axis=2))
        last = f"x{depth}"
    axes = helper.make_tensor("axes", TensorProto.INT64, [3], [1, 2, 3])
    nodes.append(helper.make_node("ReduceSum", [last, "axes"], ["value"], keepdims=0))
    nodes.append(helper.make_node("Reshape", ["observations", "flat"], ["wide"]))
    flat = helper.make_tensor("flat", TensorProto.INT64, [2], [-1, 9])
    nodes.append(helper.make_node("Identity", ["wide"], ["logits"]))
    graph = helper.make_graph(nodes, "bomb", [given], [logits, value], initializer=[axes, flat])
    opset = [helper.make_opsetid("", 18)]
    return bytes(helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString())


def test_a_format_is_told_by_the_content() -> None:
    assert format_of(RANKING, "f") == "json"
    assert format_of(write_tensors({}), "f") == "safetensors"
    assert format_of(bomb(), "f") == "onnx"
    for data, reason in ((b"", "empty"), (bytes(LARGEST_FILE + 1), "at most"), (b"\x80\x05", "pickle"), (b"PK", "zip")):
        with pytest.raises(BadNet, match=reason):
            format_of(data, "f")


@pytest.mark.slow
def test_a_network_that_fills_the_memory_ends_its_own_process_only() -> None:
    check_onnx(bomb(), "bomb.onnx")
    with pytest.raises(BadNet, match=r"bomb\.onnx: playing 6 moves on 3x3x3 ended the process"):
        import_file("tictactoe", None, "Bomb", bomb(), "bomb.onnx")
    assert kept_agents() == ([], [])


@pytest.mark.slow
def test_a_network_is_tried_on_the_largest_board_that_it_may_play() -> None:
    with pytest.raises(BadNet, match=r"playing 6 moves on expert_16x30_99:cols=64:rows=64 ended the process"):
        import_file("minesweeper", "small_8x8_10", "Grows", growing_network(), "grows.onnx")
    with pytest.raises(BadNet, match="not a whole network in ONNX"):
        import_file("minesweeper", "small_8x8_10", "Cut", growing_network(1)[:-LAST_FIELD], "cut.onnx")
    assert kept_agents() == ([], [])


def test_an_agent_of_a_run_is_kept_and_exported_as_it_is(home: Path) -> None:
    run = Run.create(home / "runs", "tictactoe", "mine", "")
    keep_agent(run, 0, 0, RANKING)
    kept = keep_from_run(run.name, "Mine")
    assert kept.origin == f"run:{run.name}@0"
    assert export_agent("kept:mine") == ("tictactoe-3x3x3-mine.json", RANKING)
    assert export_agent(f"run:{run.name}@0") == ("tictactoe-3x3x3-step0.json", RANKING)
    with pytest.raises(BadOption, match="expected run:NAME@STEP"):
        export_agent("perfect")
    (run.folder / "checkpoints" / "agents" / "0.json").write_bytes(RANKING + b" ")
    with pytest.raises(BadRun, match="has changed since the run wrote it"):
        keep_from_run(run.name, "Again")
