"""The figures of Skirmish's network are of the files that ship, and hold what is promised of them."""

import json
from hashlib import sha256
from importlib.resources import files

import pytest

from benchmarks.documents import read
from ludex.search import network as nets

DOCUMENT = read("skirmish-shipped")
COUNTED = [
    (evaluation["preset"], evaluation["agent"], row)
    for evaluation in DOCUMENT["evaluations"]
    for row in evaluation["opponents"]
]


def card(preset: str) -> dict[str, object]:
    document: dict[str, object] = json.loads(files(nets.PACKAGE).joinpath(f"skirmish-{preset}.json").read_text("utf-8"))
    return document


@pytest.mark.parametrize("preset", ["default", "small"])
def test_what_was_measured_is_what_ships(preset: str) -> None:
    name = f"skirmish-{preset}.onnx"
    digest = sha256(nets.shipped_net(name)).hexdigest()
    assert digest == DOCUMENT["files"][name], "run `python -m benchmarks.again skirmish-shipped`"


@pytest.mark.parametrize("preset", ["default", "small"])
def test_a_card_tells_what_was_counted(preset: str) -> None:
    counted = {row["agent"]: row for board, _, row in COUNTED if board == preset}
    rows = card(preset)["strength"]["rows"]  # type: ignore[index]
    assert [row["opponent"] for row in rows] == ["objective", "aggressive", "defensive"]
    for row in rows:
        count = counted[row["opponent"]]
        assert row["won"] == count["games"] - count["draws"] - count["losses"]
        assert [row[key] for key in ("games", "drawn", "win_rate")] == [
            count[key] for key in ("games", "draws", "win_rate")
        ]
        assert row["ci95"] == [round(end, 4) for end in count["ci95"]]


def test_it_wins_more_than_60_of_100_against_every_scripted_player() -> None:
    low = {row["agent"]: row["ci95"][0] for board, agent, row in COUNTED if (board, agent) == ("default", "hard")}
    assert all(row["games"] == 1000 for _, _, row in COUNTED)
    assert min(low[name] for name in ("objective", "aggressive", "defensive")) > 0.6


@pytest.mark.parametrize("preset", ["default", "small"])
def test_every_level_is_stronger_than_the_next(preset: str) -> None:
    low = {(agent, row["agent"]): row["ci95"][0] for board, agent, row in COUNTED if board == preset}
    assert low["hard", "normal"] > 0.5
    assert low["normal", "easy"] > 0.5
