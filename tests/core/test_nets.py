"""Every net that ships is what its card says, or is refused by name."""

import json
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from ludex.core import nets, registry
from ludex.core.errors import BadNet

SHIPPED = sorted(entry.name for entry in files(nets.PACKAGE).iterdir() if Path(entry.name).suffix in (".onnx", ".npz"))


def test_the_nets_of_three_games_ship() -> None:
    assert SHIPPED == ["minesweeper.onnx", "quoridor-9x9.npz", "skirmish-default.onnx", "skirmish-small.onnx"]


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
