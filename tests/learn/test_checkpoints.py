"""Files of networks that this Ludex did not write, or does not make any more."""

import pickle
from pathlib import Path

import pytest
import torch
from torch import nn

from ludex.core.errors import BadNet, BadRun
from ludex.learn.checkpoints import give_weights, load_sized, load_tensors, save_sized, save_tensors
from ludex.learn.config import Config

CPU = torch.device("cpu")


class Sizes(Config):
    width: int


def build(sizes: Sizes) -> nn.Linear:
    return nn.Linear(3, sizes.width)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save_sized(tmp_path / "net.pt", build(Sizes(width=2)), "sizes", Sizes(width=2))
    return tmp_path / "net.pt"


def test_a_network_comes_back_as_it_went(file: Path) -> None:
    net = load_sized(file, CPU, "sizes", Sizes, build, Sizes(width=2))
    assert torch.equal(net.weight, load_tensors(file, CPU)["net"]["weight"])


def test_a_network_for_another_observation_is_named(file: Path) -> None:
    with pytest.raises(BadNet, match=r"net\.pt: weights of another network.*size mismatch for weight.*train again"):
        load_sized(file, CPU, "sizes", Sizes, lambda sizes: nn.Linear(4, sizes.width))


def test_a_network_with_other_layers_is_named(file: Path) -> None:
    with pytest.raises(BadNet, match=r"net\.pt: weights of another network.*Missing key\(s\).*0\.weight"):
        load_sized(file, CPU, "sizes", Sizes, lambda sizes: nn.Sequential(nn.Linear(3, sizes.width)))


def test_sizes_that_are_not_expected_or_not_known_are_named(file: Path) -> None:
    with pytest.raises(BadNet, match=r"width=2.*expected.*width=5"):
        load_sized(file, CPU, "sizes", Sizes, build, Sizes(width=5))
    save_tensors(file, {"sizes": {"width": 2, "heads": 4}, "net": build(Sizes(width=2)).state_dict()})
    with pytest.raises(BadNet, match=r"net\.pt: the sizes of another network: unknown key 'heads'; known keys: width"):
        load_sized(file, CPU, "sizes", Sizes, build)


def test_a_file_of_something_else_is_named(file: Path) -> None:
    save_tensors(file, {"optimizer": {}})
    with pytest.raises(BadNet, match=r"net\.pt: expected 'sizes' and 'net', found optimizer"):
        load_sized(file, CPU, "sizes", Sizes, build)


@pytest.mark.parametrize(
    "data", [b"", b"no tensors", b"\x80\x02garbage", pickle.dumps(print, 2), b"PK\x03\x04" + bytes(50)]
)
def test_a_file_without_tensors_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "net.pt"
    path.write_bytes(data)
    with pytest.raises(BadRun, match=r"net\.pt: not a whole file of tensors") as error:
        load_tensors(path, CPU)
    assert "weights_only" not in str(error.value), "no advice to load code from a file"


def test_a_checkpoint_names_its_run() -> None:
    with pytest.raises(BadRun, match="run 'old': weights of another network"):
        give_weights(nn.Linear(4, 2), nn.Linear(3, 2).state_dict(), "run 'old'", BadRun)
