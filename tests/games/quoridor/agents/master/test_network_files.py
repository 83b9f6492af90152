"""Nets of the engine: which one a board gets, and a named error for every file that is none."""

import io
import random
import shutil
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core.agent import AnyAgent
from ludex.core.errors import BadNet, BadOption
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.games.quoridor.agents.master.agent import SHIPPED
from ludex.games.quoridor.agents.master.network import UNITS, load_weights
from ludex.search import network as nets
from ludex.search.network import shipped_net

CARD = f"{SHIPPED.removesuffix('.npz')}.json"


def chosen(net: str, preset: str = "9x9", **options: Any) -> AnyAgent:
    return make_agent(make("quoridor", preset, **options), "master", hash=1, net=net)


def score(agent: AnyAgent, preset: str = "9x9", **options: Any) -> object:
    """An engine's score of the first position."""
    return decide(Match(make("quoridor", preset, **options), 0), agent, Limit(depth=2)).stats["score"]


def arrays() -> dict[str, Any]:
    with np.load(io.BytesIO(shipped_net(SHIPPED))) as file:
        return {name: file[name] for name in file.files}


def packed(**changes: Any) -> bytes:
    """The shipped net with some arrays changed, or left out where None."""
    file = io.BytesIO()
    np.savez(file, **{name: array for name, array in {**arrays(), **changes}.items() if array is not None})
    return file.getvalue()


# Which net


def test_the_board_that_is_known_gets_the_shipped_net() -> None:
    assert score(chosen("auto")) == score(chosen("shipped")) != score(chosen("none"))


@pytest.mark.parametrize(("preset", "options"), [("5x5", {}), ("11x11", {}), ("9x9", {"walls": 11})])
def test_any_other_board_gets_none(preset: str, options: dict[str, int]) -> None:
    assert score(chosen("auto", preset, **options), preset, **options) == score(
        chosen("none", preset, **options), preset, **options
    )


def test_fewer_walls_are_known_as_well() -> None:
    assert score(chosen("auto", walls=7), walls=7) == score(chosen("shipped", walls=7), walls=7)


def test_a_file_that_holds_the_shipped_net_plays_like_it(tmp_path: Path) -> None:
    path = tmp_path / "copy.npz"
    path.write_bytes(packed())
    assert score(chosen(str(path))) == score(chosen("shipped"))


@pytest.mark.parametrize("net", ["shipped", "file"])
@pytest.mark.parametrize(("preset", "options"), [("5x5", {}), ("11x11", {}), ("9x9", {"walls": 11})])
def test_a_net_on_a_board_it_does_not_know_is_refused(
    tmp_path: Path, net: str, preset: str, options: dict[str, int]
) -> None:
    path = tmp_path / "copy.npz"
    path.write_bytes(packed())
    with pytest.raises(BadOption, match=r"nets know the 9x9 board with up to 10 walls, not .*: net=none"):
        chosen(str(path) if net == "file" else net, preset, **options)


# The shipped one


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped nets, in the place of those of the package."""
    folder = tmp_path / "nets"
    folder.mkdir()
    for name in (SHIPPED, CARD):
        with files(nets.PACKAGE).joinpath(name).open("rb") as source, (folder / name).open("wb") as copy:
            shutil.copyfileobj(source, copy)
    monkeypatch.setattr(nets, "files", lambda package: folder)
    return folder


@pytest.mark.parametrize("missing", [SHIPPED, CARD])
def test_a_missing_shipped_net_is_named(installation: Path, missing: str) -> None:
    (installation / missing).unlink()
    with pytest.raises(BadNet, match=f"no net {SHIPPED} is shipped"):
        chosen("shipped")
    assert score(chosen("none")) is not None


# A file of one's own


def refused(path: Path, data: bytes | None) -> str:
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadNet) as error:
        chosen(str(path))
    assert str(path) in error.value.message
    return error.value.message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.npz", None).startswith("cannot read ")
    (tmp_path / "folder").mkdir()
    assert refused(tmp_path / "folder", None).startswith("cannot read ")


@pytest.mark.parametrize("name", UNITS)
def test_a_missing_array_is_named(tmp_path: Path, name: str) -> None:
    assert name in refused(tmp_path / "mine.npz", packed(**{name: None}))


@pytest.mark.parametrize("name", UNITS)
def test_an_array_of_another_shape_or_type_is_named(tmp_path: Path, name: str) -> None:
    array = arrays()[name]
    wider = np.zeros((*array.shape, 2), array.dtype)
    message = refused(tmp_path / "mine.npz", packed(**{name: wider}))
    assert f"{name} is {array.dtype}{list(wider.shape)}, expected {array.dtype}{list(array.shape)}" in message
    message = refused(tmp_path / "mine.npz", packed(**{name: array.astype(np.float32)}))
    assert f"{name} is float32{list(array.shape)}, expected {array.dtype}{list(array.shape)}" in message


def test_a_pickled_array_is_never_read(tmp_path: Path) -> None:
    refused(tmp_path / "mine.npz", packed(bias=np.array([{}] * 64)))


@pytest.mark.slow
def test_whatever_the_damage_the_error_is_named() -> None:
    whole, rng, named = shipped_net(SHIPPED), random.Random(101), 0
    for number in range(250):
        data = bytearray(whole)
        # Half of the damage is done to the archive's own lists, which are at its end.
        at = rng.randrange(len(data)) if number % 2 else len(data) - rng.randrange(1, 600)
        if number % 5 == 0:
            del data[at:]
        elif number % 5 == 1:
            data[at : at + 8] = rng.randbytes(8)
        else:
            data[at] ^= 1 << rng.randrange(8)
        with suppress(BadNet):
            load_weights(bytes(data), "mine.npz")
            continue
        named += 1
    assert named > 150


def test_an_archive_that_calls_itself_encrypted_is_named(tmp_path: Path) -> None:
    data = bytearray(packed())
    entry = data.find(b"PK\1\2")
    while entry >= 0:
        data[entry + 8] |= 1
        entry = data.find(b"PK\1\2", entry + 1)
    refused(tmp_path / "mine.npz", bytes(data))
