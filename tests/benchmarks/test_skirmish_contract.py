"""The study of `contract`: one command that trains, stops when its time is up, goes on and says what was gained."""

from pathlib import Path

import pytest

from benchmarks import skirmish_contract
from benchmarks.documents import write
from benchmarks.tables.skirmish import skirmish_contract as table


def test_a_miniature_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        skirmish_contract.main(["--miniature"])
    assert "a miniature is no result: name another folder by --into" in capsys.readouterr().err


def test_the_table_says_what_placing_and_fighting_gained(tmp_path: Path) -> None:
    rows = [
        {**dict(zip(skirmish_contract.KEYS, keys, strict=True)), "games": 4, "win_rate": 0.5, "ci95": [0.1, 0.9]}
        for keys in skirmish_contract.plan()
    ]
    for row in rows:
        row["scores"] = [-1, -1, 0, 0] if row["stage"] == "before" else [1, 1, 0, 0]
    judged = skirmish_contract.with_gains(rows)
    assert not any("scores" in row for row in judged)
    write(tmp_path, "skirmish-contract", {"preset": "mirror", "updates": 32, "rows": judged})
    header, *lines = table(tmp_path)
    assert header[-1] == "gained, points"
    assert [line[1:3] for line in lines][3:] == [
        ("the network", "`objective`"),
        ("`objective`", "the network"),
        ("`objective`", "`objective`"),
    ]
    assert [line[-1] for line in lines] == ["+50.0 (-48.0 to +148.0)"] * 5 + [""]
