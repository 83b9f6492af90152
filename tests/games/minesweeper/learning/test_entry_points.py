"""`train_il` and `train_rl`, the original document's entry points."""

import runpy
import sys

import pytest

from ludex.games.minesweeper.learning import train_il, train_rl


@pytest.mark.parametrize(
    ("module", "given", "passed"),
    [
        (train_il, [], ["--stage", "il", "--config", "small_8x8_10"]),
        (train_rl, ["--seed", "3"], ["--stage", "ppo", "--config", "small_8x8_10", "--seed", "3"]),
        (train_rl, ["--config=med_16x16_40"], ["--stage", "ppo", "--config=med_16x16_40"]),
        (train_rl, ["--resume", "RUN"], ["--resume", "RUN"]),
    ],
)
def test_they_are_the_train_command(
    module: object, given: list[str], passed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(sys, "argv", ["train", *given])
    monkeypatch.setattr(runpy, "run_module", lambda name, run_name: ran.append((name, list(sys.argv))))
    module.main()  # type: ignore[attr-defined]
    assert ran == [("ludex", ["ludex", "train", "minesweeper", *passed])]


@pytest.mark.slow
def test_a_bad_option_is_named_as_by_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["train_rl", "--set", "env.mines=3"])
    with pytest.raises(SystemExit) as left:
        train_rl.main()
    assert left.value.code == 2
    assert "unknown key 'env.mines'" in capsys.readouterr().err
