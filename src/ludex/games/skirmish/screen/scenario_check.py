"""`ludex skirmish check`: a scenario's files validated, its map and its forces."""

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludex.core.verb import VerbResult
from ludex.games.skirmish.rules.dice import NO_SAVE
from ludex.games.skirmish.rules.scenario.scenario import Scenario, is_symmetric, load_scenario
from ludex.games.skirmish.screen.terminal import map_text, unit_mark


def check(
    path: Annotated[str, typer.Argument(metavar="PATH", help="a scenario's folder, or the name of one that ships")],
) -> VerbResult:
    """Validate a scenario's files, draw its map, and list its forces."""
    scenario = load_scenario(path)
    return VerbResult(_document(scenario), lambda: _render_scenario(scenario))


def _document(scenario: Scenario) -> dict[str, Any]:
    grid = scenario.grid
    return {
        "game": "skirmish",
        "scenario": scenario.name,
        "source": str(scenario.source),
        "title": scenario.config.title,
        "cols": grid.cols,
        "rows": grid.rows,
        "hexes": int(grid.exists.sum()),
        "walls": int(scenario.walls.sum()),
        "forbidden": int(scenario.forbidden.sum()),
        "objectives": [list(grid.col_row(h)) for h in scenario.objectives],
        "symmetric": is_symmetric(scenario),
        "deployment_type": scenario.config.deployment_type,
        "deployment_order_mode": scenario.config.deployment_order_mode,
        "deployment_confirmation": scenario.config.deployment_confirmation,
        "max_undeploys": scenario.config.max_undeploys,
        "deployment_max_unit_slots": scenario.game.deployment_max_unit_slots,
        "deployment_max_hex_slots": scenario.game.deployment_max_hex_slots,
        "players": [
            {
                "player": player,
                "value": value,
                "pool": len(pool),
                "units": [
                    {"id": unit.id, "type": unit.type_id, "name": unit.name, "value": unit.value} for unit in force
                ],
            }
            for player, (value, pool, force) in enumerate(
                zip(scenario.values, scenario.pools, scenario.forces, strict=True), 1
            )
        ],
        "warnings": list(scenario.warnings),
        "map": map_text(scenario, _unit_marks(scenario)).plain.split("\n"),
    }


def _render_scenario(scenario: Scenario) -> RenderableType:
    grid = scenario.grid
    same = "the same for both players" if is_symmetric(scenario) else "not the same for both players"
    slots = (scenario.game.deployment_max_unit_slots, scenario.game.deployment_max_hex_slots)
    return Group(
        Text.assemble((scenario.config.title, "bold"), (f"  {scenario.source}", "dim")),
        Text(scenario.config.description),
        map_text(scenario, _unit_marks(scenario)),
        *(_force_table(scenario, player) for player in (1, 2)),
        Text(f"board: {grid.cols} x {grid.rows}, {int(grid.exists.sum())} hexes, {same} under half a turn"),
        Text(
            f"deployment: {scenario.config.deployment_type}, {scenario.config.deployment_order_mode}, "
            f"confirmation {scenario.config.deployment_confirmation}, slots for {slots[0]} units and {slots[1]} hexes"
        ),
        *(Text.assemble(("warning: ", "bold yellow"), warning) for warning in scenario.warnings),
        Text("the files are valid", "green"),
    )


def _force_table(scenario: Scenario, player: int) -> Table:
    force, pool = scenario.forces[player - 1], scenario.pools[player - 1]
    title = f"player {player}: {len(force)} units worth {scenario.values[player - 1]}, {len(pool)} hexes to deploy on"
    table = Table("id", "", "unit", "move", "T", "save", "wounds", "weapons", "value", title=title, box=None)
    for unit in force:
        type_ = unit.type
        table.add_row(
            unit.id,
            unit_mark(unit)[0],
            unit.name,
            str(type_.move),
            str(type_.toughness),
            _save(type_.save, type_.invulnerable_save),
            str(type_.wounds),
            ", ".join(weapon.name for weapon in (*unit.ranged, unit.melee)),
            str(unit.value),
            style=unit_mark(unit)[1].removeprefix("bold "),
        )
    return table


def _save(save: int, invulnerable: int | None) -> str:
    usual = "-" if save == NO_SAVE else f"{save}+"
    return usual if invulnerable is None else f"{usual}/{invulnerable}+"


def _unit_marks(scenario: Scenario) -> dict[int, tuple[str, str]]:
    return {unit.hex: unit_mark(unit) for unit in scenario.units if unit.hex is not None}
