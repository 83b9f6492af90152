"""A network that ships is what its card says, one in ONNX fits its game, or both are refused by name."""

import json
import re
import shutil
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from ludex.core import registry
from ludex.core.errors import BadNet
from ludex.search import network as nets
from ludex.search.network import NetworkSession, Sizes

SHIPPED = sorted(entry.name for entry in files(nets.PACKAGE).iterdir() if Path(entry.name).suffix in (".onnx", ".npz"))


def test_the_nets_of_four_games_ship() -> None:
    own = ["minesweeper.onnx", "quoridor-9x9.npz", "skirmish-default.onnx", "skirmish-small.onnx"]
    zero = [f"zero-{board}.onnx" for board in ("quoridor-5x5", "quoridor-9x9", "tictactoe-3x3x3", "tictactoe-4x4x4")]
    assert [*own, *zero] == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_card_names_who_plays_with_it_and_where(name: str) -> None:
    card = json.loads(files(nets.PACKAGE).joinpath(f"{Path(name).stem}.json").read_text(encoding="utf-8"))
    agent = registry.agent_spec(registry.spec(card["game"]), card["plays_as"])
    assert all(agent.plays(preset) for preset in card["presets"])


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("at", [0, 5000, -1])
def test_one_changed_bit_is_found(name: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "nets"
    shutil.copytree(str(files(nets.PACKAGE)), folder)
    monkeypatch.setattr(nets, "files", lambda package: folder)
    whole = nets.shipped_net(name)
    data = bytearray(whole)
    data[at] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(BadNet, match=rf"{name} is damaged: its SHA-256 is [0-9a-f]{{64}}, the card says"):
        nets.shipped_net(name)


def test_a_network_runs_by_the_order_of_its_inputs() -> None:
    session = NetworkSession(
        "minesweeper.onnx",
        shipped=True,
        inputs={"numbers": None, "mines": ()},
        outputs={"reveals": None, "value": (), "mine": None},
    )
    reveals, value, mine = session.run(np.full((2, 5, 6), -1.0, np.float32), np.full(2, 4.0, np.float32))
    assert (reveals.shape, value.shape, mine.shape) == ((2, 5, 6), (2,), (2, 5, 6))
    assert mine.mean() == pytest.approx(4 / 30, abs=0.05)


@pytest.mark.parametrize(
    ("inputs", "expected", "found"),
    [
        ({"planes": None, "mines": None}, "planes, mines", "numbers[rows, cols], mines"),
        ({"numbers": None, "mines": (3,)}, "numbers, mines[3]", "numbers, mines[]"),
        ({"numbers": None}, "numbers", "numbers, mines[]"),
    ],
)
def test_a_network_with_other_inputs_is_named(inputs: Sizes, expected: str, found: str) -> None:
    outputs = dict.fromkeys(("reveals", "value", "mine"))
    said = f"minesweeper.onnx: expected inputs {expected} and outputs reveals, value, mine, found {found} and"
    with pytest.raises(BadNet, match=re.escape(said)):
        NetworkSession("minesweeper.onnx", shipped=True, inputs=inputs, outputs=outputs)


def test_a_missing_file_and_one_that_is_no_network_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadNet, match=r"cannot read .*missing\.onnx"):
        NetworkSession(str(tmp_path / "missing.onnx"), shipped=False, inputs={}, outputs={})
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    with pytest.raises(BadNet, match=r"bad\.onnx: not a network in ONNX"):
        NetworkSession(str(tmp_path / "bad.onnx"), shipped=False, inputs={}, outputs={})
    with pytest.raises(BadNet, match=r"no net absent\.onnx is shipped"):
        NetworkSession("absent.onnx", shipped=True, inputs={}, outputs={})
