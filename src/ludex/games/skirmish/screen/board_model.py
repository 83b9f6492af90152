"""What never changes on a browser's screen: the map, the forces and the rules of the deployment."""

from typing import Final

from ludex.core.game import Json
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.hexes.coordinates import centre, corners, extent
from ludex.games.skirmish.rules.scenario.forces import Unit, name_title
from ludex.games.skirmish.rules.scenario.schemas import Weapon

SIZE: Final = 20.0
"""A hex's side in the picture, see `hexes.layout`."""
DIGITS: Final = 2


def stage(game: Skirmish) -> dict[str, Json]:
    """The map with its pixels, the units with their weapons. Players are 1 and 2, hexes are called by their numbers."""
    scenario = game.scenario
    grid = scenario.grid
    hexes = [h for h in range(grid.size) if grid.exists[h]]
    width, height = extent(grid.cols, grid.rows, SIZE)
    return {
        "title": scenario.title,
        "hexes": [_hex(game, h) for h in hexes],
        "numbers": grid.size,
        "corners": _corners(),
        "size": SIZE,
        "width": round(width, DIGITS),
        "height": round(height, DIGITS),
        "walls": [h for h in hexes if scenario.walls[h]],
        "forbidden": [h for h in hexes if scenario.forbidden[h]],
        "objectives": [{"hex": h, "name": grid.name(h)} for h in scenario.objectives],
        "objective_radius": scenario.game.objective_radius,
        "zones": [[h for h in hexes if zone.holds(*grid.col_row(h))] for zone in scenario.zones],
        "units": [_unit(number, unit) for number, unit in enumerate(game.units)],
        "turns": scenario.game.turns,
        "deployment_order_mode": scenario.deployment_order_mode,
        "deployment_confirmation": scenario.deployment_confirmation,
    }


def _hex(game: Skirmish, h: int) -> dict[str, Json]:
    col, row = game.scenario.grid.col_row(h)
    x, y = centre(col, row, SIZE)
    return {
        "hex": h,
        "col": col,
        "row": row,
        "x": round(x, DIGITS),
        "y": round(y, DIGITS),
        "name": game.scenario.grid.name(h),
    }


def _corners() -> list[Json]:
    """The way from a hex's middle to each of its corners."""
    x, y = centre(0, 0, SIZE)
    return [[round(there_x - x, DIGITS), round(there_y - y, DIGITS)] for there_x, there_y in corners(0, 0, SIZE)]


def _unit(number: int, unit: Unit) -> dict[str, Json]:
    kind = unit.type
    return {
        "unit": number,
        "id": unit.id,
        "name": unit.name,
        "names": _names(unit.name),
        "symbol": kind.symbol,
        "player": unit.player,
        "move": kind.move,
        "toughness": kind.toughness,
        "save": kind.save,
        "invulnerable_save": kind.invulnerable_save,
        "wounds": kind.wounds,
        "value": unit.value,
        "weapons": [_weapon(weapon) for weapon in (*unit.ranged, unit.melee)],
    }


def _weapon(weapon: Weapon) -> dict[str, Json]:
    return {**weapon.model_dump(mode="json"), "names": _names(weapon.name)}


def _names(name: str) -> dict[str, Json]:
    return {str(language): text for language, text in name_title(name).texts().items()}
