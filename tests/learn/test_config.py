"""Strict configurations: what loads, and which key an error names."""

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core.errors import BadConfig
from ludex.learn.config import (
    LARGEST,
    Config,
    config_names,
    dump_config,
    load_config,
    parse_changes,
    parse_config,
    parse_keys,
    parse_value,
)

PACKAGE = "toy_configs_of_the_tests"


class Net(Config):
    width: int
    rate: float


class Toy(Config):
    games: int
    name: str
    deep: bool = False
    net: Net


TEXT = "games: 3\nname: small\nnet:\n  width: 8\n  rate: 0.5\n"
SMALL = Toy(games=3, name="small", net=Net(width=8, rate=0.5))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package that ships two configurations."""
    folder = tmp_path / PACKAGE
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "small.yaml").write_text(TEXT)
    (folder / "large.yaml").write_text(TEXT.replace("8", "64"))
    (folder / "notes.txt").write_text("not a configuration")
    monkeypatch.syspath_prepend(tmp_path)
    yield PACKAGE
    sys.modules.pop(PACKAGE, None)


def load(package: str, name: str, **changes: Any) -> Toy:
    return load_config(Toy, package, name, changes)


def refused(text: str, **changes: Any) -> str:
    with pytest.raises(BadConfig) as error:
        parse_config(Toy, text, "toy.yaml", changes)
    return error.value.message


def test_a_package_lists_its_configurations_by_name(package: str) -> None:
    assert config_names(package) == ["large", "small"]


def test_a_shipped_configuration_loads_by_name(package: str) -> None:
    assert load(package, "small") == SMALL
    assert load(package, "large").net.width == 64


@pytest.mark.parametrize("suffix", ["yaml", "yml"])
def test_a_file_loads_by_its_path(package: str, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"mine.{suffix}"
    path.write_text(TEXT)
    assert load(package, str(path)) == SMALL


def test_an_unknown_name_lists_the_known_ones(package: str) -> None:
    with pytest.raises(BadConfig, match="unknown config 'medium'; known: large, small"):
        load(package, "medium")


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_named(package: str, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadConfig, match=r"(cannot read .*mine\.yaml|mine\.yaml: not a text file)"):
        load(package, str(path))


def test_changes_by_dotted_key_are_applied(package: str) -> None:
    changed = load(package, "small", **{"net.rate": 0.25, "games": 7, "deep": True})
    assert changed == Toy(games=7, name="small", deep=True, net=Net(width=8, rate=0.25))


def test_a_change_of_a_whole_branch_is_applied(package: str) -> None:
    assert load(package, "small", net={"width": 1, "rate": 1.0}).net == Net(width=1, rate=1.0)


def test_changes_themselves_are_not_touched(package: str) -> None:
    branch = {"width": 1, "rate": 1.0}
    assert load(package, "small", net=branch, **{"net.width": 2}).net.width == 2
    assert branch == {"width": 1, "rate": 1.0}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gmaes": 1}, "toy.yaml: unknown key 'gmaes'; known keys: deep, games, name, net"),
        ({"net.depth": 1}, "toy.yaml: unknown key 'net.depth'; known keys: rate, width"),
        ({"games": "3"}, "toy.yaml: key 'games': "),
        ({"games": 3.5}, "toy.yaml: key 'games': "),
        ({"games": True}, "toy.yaml: key 'games': "),
        ({"games": None}, "toy.yaml: key 'games': "),
        ({"name": 3}, "toy.yaml: key 'name': "),
        ({"deep": 1}, "toy.yaml: key 'deep': "),
        ({"net.rate": "fast"}, "toy.yaml: key 'net.rate': "),
        ({"net": 3}, "toy.yaml: key 'net': "),
        ({"nets.rate": 1}, "toy.yaml: cannot set 'nets.rate': 'nets' holds no keys"),
        ({"games.rate": 1}, "toy.yaml: cannot set 'games.rate': 'games' holds no keys"),
        ({"net.width.more": 1}, "toy.yaml: cannot set 'net.width.more': 'width' holds no keys"),
    ],
)
def test_a_bad_key_is_named(changes: dict[str, Any], said: str) -> None:
    assert said in refused(TEXT, **changes)


@pytest.mark.parametrize(("line", "key"), [("games: 3\n", "games"), ("  width: 8\n", "net.width")])
def test_a_missing_key_is_named(line: str, key: str) -> None:
    assert refused(TEXT.replace(line, "")) == f"toy.yaml: missing key '{key}'"


def test_every_fault_is_reported_at_once() -> None:
    message = refused(TEXT.replace("games: 3\n", ""), name=3, more=1)
    assert all(part in message for part in ("missing key 'games'", "key 'name'", "unknown key 'more'"))


def test_a_key_that_is_no_text_is_refused() -> None:
    assert "toy.yaml: " in refused(TEXT + "3: 4\n")


@pytest.mark.parametrize(("text", "said"), [("", "NoneType"), ("- 1\n", "list"), ("just words", "str")])
def test_a_text_without_keys_is_refused(text: str, said: str) -> None:
    assert refused(text) == f"toy.yaml: expected keys and values, found {said}"


@pytest.mark.parametrize("text", ["a: [1", "a: b: c", "\tgames: 3", "a: !!python/object/apply:os.getcwd []"])
def test_a_text_that_is_not_plain_yaml_is_refused(text: str) -> None:
    assert refused(text).startswith("toy.yaml: not valid YAML: ")


def test_changes_are_read_as_yaml() -> None:
    changes = parse_changes(["net.rate=0.25", "games=10", "name=a=b", "deep=true", "net={width: 1}"])
    assert changes == {"net.rate": 0.25, "games": 10, "name": "a=b", "deep": True, "net": {"width": 1}}


@pytest.mark.parametrize("text", ["1e-3", "1E-3", "1.0e-3", "0.001"])
def test_a_small_number_may_be_written_with_an_exponent(text: str) -> None:
    assert parse_changes([f"net.rate={text}"]) == {"net.rate": 0.001}
    assert parse_config(Toy, TEXT.replace("0.5", text), "toy.yaml").net.rate == 0.001


@pytest.mark.parametrize("text", ["games", "=3", ""])
def test_a_change_without_key_or_value_is_refused(text: str) -> None:
    with pytest.raises(BadConfig, match=f"expected key=value, found '{text}'"):
        parse_changes([text])


def test_a_change_whose_value_is_not_yaml_is_named() -> None:
    with pytest.raises(BadConfig, match="net: the value is not valid YAML"):
        parse_changes(["net=[1"])


def extended(folder: Path, files: dict[str, str]) -> str:
    """Write files and give the path of the first."""
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return str(folder / f"{next(iter(files))}.yaml")


def test_a_file_lies_over_the_one_it_extends_key_by_key(package: str, tmp_path: Path) -> None:
    path = extended(tmp_path, {"mine": "extends: small\nname: mine\nnet:\n  rate: 0.25\n"})
    assert load(package, path) == Toy(games=3, name="mine", net=Net(width=8, rate=0.25))
    assert load(package, path, **{"net.width": 1}).net == Net(width=1, rate=0.25)


def test_a_shipped_file_extends_a_shipped_one(package: str, tmp_path: Path) -> None:
    extended(tmp_path / package, {"deep": "extends: wide\ndeep: true\n", "wide": "extends: small\nnet: {width: 64}\n"})
    assert load(package, "deep") == Toy(games=3, name="small", deep=True, net=Net(width=64, rate=0.5))


def test_a_file_beside_comes_before_a_shipped_one(package: str, tmp_path: Path) -> None:
    path = extended(tmp_path, {"mine": "extends: small\ndeep: true\n", "small": TEXT.replace("small", "beside")})
    assert load(package, path).name == "beside"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a": "extends: b\n"}, "unknown config 'b'; known: large, small"),
        ({"a": "extends: a\n"}, "a.yaml extend each other in a circle"),
        ({"a": "extends: b\n", "b": "extends: c\n", "c": "extends: a\n"}, "extend each other in a circle"),
        ({"a": "extends: [b]\n"}, "key 'extends': expected the name of a config, found ['b']"),
        ({"a": "extends: b\n", "b": "- 1\n"}, "b.yaml: expected keys and values, found list"),
        ({"a": "extends: b\n", "b": "a: [\n"}, "b.yaml: not valid YAML"),
        ({"a": "extends: small\nnet: 3\n"}, "a.yaml: key 'net': "),
        ({"a": "extends: small\nnet: {depth: 3}\n"}, "a.yaml: unknown key 'net.depth'"),
    ],
)
def test_what_is_wrong_with_an_extension_is_named(
    package: str, tmp_path: Path, files: dict[str, str], said: str
) -> None:
    with pytest.raises(BadConfig) as error:
        load(package, extended(tmp_path, files))
    assert said in error.value.message
    assert "a.yaml" in error.value.message


words = st.text(st.sampled_from("aé:#'\"\n\t\x85 -{}[]~0noe+."), max_size=8)
nets = st.builds(
    Net, width=st.integers(1 - LARGEST, LARGEST - 1), rate=st.floats(allow_nan=False, allow_infinity=False)
)
toys = st.builds(Toy, games=st.integers(1 - LARGEST, LARGEST - 1), name=words, deep=st.booleans(), net=nets)


@pytest.mark.slow
@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(toys)
def test_a_configuration_written_down_reads_as_itself(toy: Toy) -> None:
    assert parse_config(Toy, dump_config(toy), "copy.yaml") == toy


def test_an_alias_stands_for_one_value() -> None:
    assert parse_value("key", "[&a 3, *a]") == [3, 3]
    bomb = "\n".join(f"{above}: &{above} [{', '.join(9 * [f'*{below}'])}]" for below, above in pairwise("abcdefghi"))
    with pytest.raises(BadConfig, match="each of one value, not of a list"):
        parse_config(Toy, f"a: &a [lol]\n{bomb}\n", "bomb")
    with pytest.raises(BadConfig, match="at most 64 aliases"):
        parse_keys(f"a: &a lol\nb: [{', '.join(65 * ['*a'])}]\n", "many")
    with pytest.raises(BadConfig, match="each of one value"):
        parse_keys("a: &a [*a]\n", "circle")


def test_a_number_that_nothing_can_hold_is_refused() -> None:
    expected = "toy: key 'net.width': expected a number between -2**64 and 2**64, found"
    for value, size in ((1 << 64, f"{1 << 64}"), (-(1 << 64), f"-{1 << 64}"), (-(10**400), "~-2**1329")):
        with pytest.raises(BadConfig, match=re.escape(f"{expected} {size}")):
            parse_config(Toy, TEXT, "toy", {"net": {"width": value}})
