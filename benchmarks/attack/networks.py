"""Attacks by agents: networks that grow with the board, files that were cut off, classes that allocate without end."""

import base64
import tempfile
from dataclasses import replace
from http.client import CREATED, INTERNAL_SERVER_ERROR, OK
from pathlib import Path
from typing import Final

from onnx import TensorProto, helper

from benchmarks.attack.authority import BEARER
from benchmarks.attack.registry import Finding, attack
from benchmarks.attack.target import Target
from benchmarks.attack.visitor import ready
from benchmarks.serving import serving

COPIES: Final = 4_096
"""Numbers per pair of cells: 67 MB on 8x8, 3.8 GB on 16x30."""
SMALL: Final = "small_8x8_10"
PATIENCE: Final = 300.0
LAST_FIELD: Final = 6
"""Bytes of the field behind the graph."""
WORKER_MB: Final = 1_024
HUNGRY: Final = """
class Hungry:
    name = "hungry"

    def __init__(self, game, **options):
        pass

    def decide(self, view, legal, *, rng, limit):
        blocks = []
        while len(blocks) < 16_384:
            blocks.append(b"x" * (1 << 20))
        raise RuntimeError("16 GiB are no limit")
"""


def growing_network(copies: int = COPIES) -> bytes:
    """A network of Minesweeper's inputs and outputs with an `Expand` that is sized by its input."""
    board = ["batch", "rows", "cols"]
    numbers = helper.make_tensor_value_info("numbers", TensorProto.FLOAT, board)
    mines = helper.make_tensor_value_info("mines", TensorProto.FLOAT, ["batch"])
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch"] if name == "value" else board)
        for name in ("reveals", "value", "mine")
    ]
    constants = [
        helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0]),
        helper.make_tensor("zero", TensorProto.FLOAT, [1], [0.0]),
        helper.make_tensor("copies", TensorProto.INT64, [1], [copies]),
        helper.make_tensor("sides", TensorProto.INT64, [2], [1, 2]),
    ]
    nodes = [
        helper.make_node("Identity", ["numbers"], ["cells"]),
        helper.make_node("Shape", ["numbers"], ["shape"]),
        helper.make_node("Gather", ["shape", "sides"], ["board"]),
        helper.make_node("Concat", ["board", "board", "copies"], ["size"], axis=0),
        helper.make_node("Expand", ["one", "size"], ["large"]),
        helper.make_node("ReduceMax", ["large"], ["most"], keepdims=0),
        helper.make_node("Mul", ["most", "zero"], ["nothing"]),
        helper.make_node("Add", ["cells", "nothing"], ["reveals"]),
        helper.make_node("ReduceMean", ["cells", "sides"], ["value"], keepdims=0),
        helper.make_node("Sigmoid", ["cells"], ["mine"]),
    ]
    graph = helper.make_graph(nodes, "growing", [numbers, mines], outputs, initializer=constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    return bytes(model.SerializeToString())


@attack(
    "growing network",
    "an `Expand` sized by its input passed the trial on 8x8 and took 3.8 GiB on 16x30; a truncated file was accepted",
    own=True,
)
def growing(target: Target) -> Finding:
    """The administrator imports a network that grows with the board, and one that was cut off."""
    ready(target, "minesweeper")
    whole = growing_network()
    patient = Target(target.host, target.port, target.serving, target.attacker, target.visitor, PATIENCE)
    answers = []
    # The second harmless but for its end: the field that says which operators it is written for is missing.
    for data in (whole, growing_network(1)[:-LAST_FIELD]):
        body = {"game": "minesweeper", "preset": SMALL, "title": "grows", "file_name": "net.onnx"}
        body["content"] = base64.b64encode(data).decode()
        answers.append(patient.ask(target.visitor, "POST", "/api/agents/import", body, **BEARER))
    reasons = ", ".join(f"{answer.status}: {answer.document.get('message', '')[:90]}" for answer in answers)
    return Finding(all(answer.status != CREATED for answer in answers), f"refused with {reasons}")


@attack("hungry agent", "not tried then: workers had no limit of memory, and an agent got what it asked for", own=True)
def hungry(target: Target) -> Finding:
    """The administrator has a class that the owner listed analyse: it allocates without end."""
    with tempfile.TemporaryDirectory() as folder:
        agents = Path(folder) / "agents.py"
        agents.write_text(HUNGRY)
        with serving("--agents-from", str(agents), "--worker-memory-mb", str(WORKER_MB)) as server:
            own = Target.of(server.address, server)
            ready(own, "tictactoe")
            match, _ = own.begin(own.visitor, "tictactoe", "you", "random")
            path, patient = f"/api/matches/{match['id']}/analysis", replace(own, patience=PATIENCE)
            answer = patient.ask(own.visitor, "POST", path, {"agent": f"py:{agents}:Hungry"}, **BEARER)
            after = patient.ask(own.visitor, "POST", path, {"agent": "perfect"}, **BEARER).status
    refused = answer.status == INTERNAL_SERVER_ERROR and "LUDEX_WORKER_MEMORY_MB" in answer.document["message"]
    text = f"{answer.status}: {answer.document.get('message', '')[:110]}; the next analysis is answered with {after}"
    return Finding(refused and after == OK, text)
