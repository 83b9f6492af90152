"""The pictures of a training run: every slot that was chosen is drawn where it is, beside the correlations."""

from typing import Any

import pytest

from ludex.core.errors import BadOption
from ludex.games.skirmish.learning.evaluation import ground_of
from ludex.games.skirmish.screen.run_figures import figures
from ludex.learn.figures import BarsFigure, MapFigure, TableFigure
from ludex.learn.runs import Row
from tests.games.skirmish.support import shipped


def evaluation(preset: str, **changes: Any) -> Row:
    game = shipped(preset)
    return {
        "stage": "ppo",
        "update": 3,
        "preset": preset,
        "opponent": "greedy",
        "hex_slots": list(range(game.table.hex_slots)),
        "unit_slots": [10 + slot for slot in range(game.table.unit_slots)],
        "placement_front_survival": 0.25,
        "placement_cover_damage_dealt": None,
        **changes,
    }


@pytest.mark.parametrize("preset", ["default", "small"])
def test_every_slot_is_drawn_where_it_is(preset: str) -> None:
    game = shipped(preset)
    rows: list[Row] = [{"loss": 1.0}, evaluation(preset)]
    heat, bars, table = figures(rows, None).figures
    assert isinstance(heat, MapFigure)
    assert isinstance(bars, BarsFigure)
    assert isinstance(table, TableFigure)
    pool = game.scenario.pools[0]
    drawn = {cell.label.partition(":")[0]: cell for cell in heat.cells}
    coloured = {name for name, cell in drawn.items() if cell.value is not None}
    assert coloured == {game.scenario.grid.name(where) for where in pool}
    # Both players' slots are the same hexes, each from its own end.
    assert ground_of(game).hexes[:, : len(pool)].tolist() == 2 * [list(pool)]
    last = drawn[game.scenario.grid.name(pool[-1])]
    assert last.value == pytest.approx((len(pool) - 1) / (game.table.hex_slots - 1))
    walls = {game.scenario.grid.name(where) for where in game.scenario.walls.nonzero()[0].tolist()}
    assert {name for name, cell in drawn.items() if cell.kind == "wall"} == walls & drawn.keys()
    assert [bar.value for bar in bars.bars] == [10.0 + slot for slot in range(len(game.scenario.forces[0]))]
    assert (table.rows[0].values[0], table.rows[2].values[2]) == (0.25, None)
    assert all(text.en and text.fr for text in (heat.title, bars.title, table.title, *table.columns))
    assert all(bar.label.en != bar.label.fr for bar in bars.bars), "units have French names"


def test_the_last_evaluation_is_shown_unless_another_is_chosen() -> None:
    rows: list[Row] = [evaluation("small"), {"loss": 1.0}, evaluation("small", opponent="objective")]
    result = figures(rows, None)
    assert ([entry.row for entry in result.rows], result.row) == ([0, 2], 2)
    assert result.rows[1].label == "ppo 3 · small · objective"
    assert figures(rows, 0).row == 0
    with pytest.raises(BadOption, match="row: expected one of 0, 2, found 1"):
        figures(rows, 1)


def test_a_run_without_evaluations_has_no_figures() -> None:
    assert figures([{"loss": 1.0}], None).rows == []
