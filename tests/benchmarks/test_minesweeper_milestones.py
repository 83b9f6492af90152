"""The plan of the milestones: its configurations load, its parts follow each other, its time adds up."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from benchmarks.minesweeper_milestones.judging import board_of
from benchmarks.minesweeper_milestones.parts import MINES, PARTS, Part, Settings, config_of
from ludex.games.minesweeper.spec import SPEC

SETTINGS = Settings(Path("work"), Path("out"), torch.device("cpu"), 60.0, 2, 100, False)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
@pytest.mark.parametrize("miniature", [False, True])
def test_every_part_has_a_configuration_that_loads(part: Part, miniature: bool) -> None:
    settings = replace(SETTINGS, miniature=miniature)
    started = {} if part.after is None else {"start_from": "net.pt"}
    config = config_of(part, settings, {**part.changes, **started})
    assert config.model.kind == "cnn", "the original document's own network"
    assert config.imitation.teacher == "forced_moves"
    for preset in part.boards:
        cfg = board_of(preset, config, reveal_only=True)
        options = SPEC.presets[SPEC.aliases[preset]]
        assert (cfg.H, cfg.W, cfg.mine_count) == (options["rows"], options["cols"], options["mines"])
        assert (cfg.density_band, cfg.max_steps, cfg.shown) == (None, 4 * cfg.cells, config.env.shown)


def test_the_parts_fit_together() -> None:
    names = [part.name for part in PARTS]
    assert sum(part.share for part in PARTS) <= 1.0
    assert {part.milestone for part in PARTS} == {"M1", "M2", "M3"}
    assert all(part.after in names[: names.index(part.name)] for part in PARTS if part.after is not None)
    assert set(MINES) <= set(names)
    assert all("density_band" in board for part in PARTS for board in part.changes.get("boards", []))


def test_the_command_of_a_part_is_its_run() -> None:
    part = PARTS[1]
    assert part.command({"env.reveal_only": True}) == (
        "ludex train minesweeper --config small_8x8_10 --stage ppo --set 'env.reveal_only=true'"
    )
