"""The board in a terminal: the map with its units, what a person needs to know beside it, and the files' check."""

from collections.abc import Mapping
from itertools import groupby
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludex.core.decision import Decision
from ludex.core.game import legal_actions
from ludex.core.verb import VerbResult
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import HexAction
from ludex.games.skirmish.rules.dice import NO_SAVE
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import Position, UnitState, View, unit_states
from ludex.games.skirmish.rules.scenario import Scenario, Unit, is_symmetric, load_scenario
from ludex.games.skirmish.screen.descriptions import choice_texts

Mark: TypeAlias = tuple[str, str]
"""One or two letters and rich's style for them."""

PLAYER_STYLES = ("cyan", "yellow")
WALL: Mark = ("##", "bright_black")
FORBIDDEN: Mark = ("xx", "red")
OBJECTIVE: Mark = ("**", "bold green")
ZONES: tuple[Mark, Mark] = (("1", f"dim {PLAYER_STYLES[0]}"), ("2", f"dim {PLAYER_STYLES[1]}"))
EMPTY: Mark = ("", "")
LINE = "bright_black"
FLOOR: Mark = ("__", LINE)
LABEL = 3
WIDTH = 3
"""Letters from one column to the next."""
MARK_WIDTH = 2
"""Letters of a mark."""

_Canvas: TypeAlias = list[list[tuple[str, str]]]
"""Lines of letters, each with its style."""


def map_text(scenario: Scenario, marks: Mapping[int, Mark] | None = None, *, zones: bool = True) -> Text:
    """The map with coordinates and a legend; `marks` are what stands on hexes, by their numbers."""
    marks = marks or {}
    grid = scenario.grid
    canvas = [[(" ", "")] * (WIDTH * grid.cols + 1) for _ in range(2 * grid.rows + 1)]
    for h in _hexes(scenario):
        col, row = grid.col_row(h)
        wall = bool(scenario.walls[h])
        upper = marks.get(h) or (WALL if wall else _ground(scenario, col, row, h, zones))
        lower = WALL if wall else OBJECTIVE if h in scenario.objectives else FLOOR
        _put_hex(canvas, col, row, upper, lower)
    text = Text(no_wrap=True, overflow="crop")
    text.append(" " * (LABEL + 1) + " ".join(f"{col:>2}" for col in range(grid.cols)), "dim")
    for place, line in enumerate(canvas):
        label = str(place // 2) if place % 2 else ""
        text.append(f"\n{label:>{LABEL - 1}} ", "dim")
        text.append_text(_line(line))
    text.append_text(_legend(scenario, zones))
    return text


def unit_mark(unit: Unit) -> Mark:
    """A unit on a map: player 1's in capitals, player 2's in small letters."""
    symbol = unit.type.symbol
    return (symbol if unit.player == 1 else symbol.lower()), f"bold {PLAYER_STYLES[unit.player - 1]}"


def _hexes(scenario: Scenario) -> list[int]:
    return [h for h in range(scenario.grid.size) if scenario.grid.exists[h]]


def _ground(scenario: Scenario, col: int, row: int, h: int, zones: bool) -> Mark:
    if not zones:
        return EMPTY
    if scenario.forbidden[h]:
        return FORBIDDEN
    return next((mark for zone, mark in zip(scenario.zones, ZONES, strict=True) if zone.holds(col, row)), EMPTY)


def _put_hex(canvas: _Canvas, col: int, row: int, upper: Mark, lower: Mark) -> None:
    left, top = WIDTH * col, 2 * row + col % 2
    if row == 0:
        # Every other hex stands under the lower half of another.
        canvas[top][left + 1 : left + WIDTH] = [("_", LINE)] * MARK_WIDTH
    for line, (before, (letters, style), after) in enumerate((("/", upper, "\\"), ("\\", lower, "/")), top + 1):
        if len(letters) > MARK_WIDTH:
            raise ValueError(f"expected a mark of at most {MARK_WIDTH} letters, found {letters!r}")
        inner = [(letter, style) for letter in f"{letters:<{MARK_WIDTH}}"]
        canvas[line][left : left + WIDTH + 1] = [(before, LINE), *inner, (after, LINE)]


def _line(line: list[tuple[str, str]]) -> Text:
    text = Text()
    for style, letters in groupby(line, key=lambda letter: letter[1]):
        text.append("".join(letter for letter, _ in letters), style)
    text.rstrip()
    return text


def _legend(scenario: Scenario, zones: bool) -> Text:
    entries = [
        (bool(scenario.walls.any()), WALL, "wall"),
        (bool(scenario.objectives), OBJECTIVE, "objective"),
        (zones, ZONES[0], "zone of player 1"),
        (zones, ZONES[1], "zone of player 2"),
        (zones and bool(scenario.forbidden.any()), FORBIDDEN, "forbidden"),
    ]
    text = Text("\n" + " " * LABEL)
    for applies, (letters, style), meaning in entries:
        if applies:
            text.append(f" {letters}", style)
            text.append(f" {meaning} ", "dim")
    return text


WITHIN_REACH: Mark = ("..", "green")


def draw(game: Skirmish, view: View, decision: Decision | None) -> RenderableType:
    """The map, where the game stands, both forces, and what may be played."""
    position, words = view.position, view.position.words
    units = list(zip(game.units, unit_states(position, len(game.units)), strict=True))
    marks = _within_reach(game, position)
    for unit, state in units:
        if state.hex is not None:
            letters, style = unit_mark(unit)
            marks[state.hex] = (letters, f"reverse {style}" if state.unit == position.active else style)
    lines = [Text(_standing(game, position), "bold")]
    for player in (1, 2):
        texts = [_unit_text(game, unit, state) for unit, state in units if unit.player == player and state.alive]
        points = words[layout.POINTS + player - 1]
        force = f"player {player}, {points} points: {', '.join(texts) or 'destroyed'}"
        lines.append(Text(force, PLAYER_STYLES[player - 1]))
    choices = choice_texts(game, position)
    if choices:
        lines.append(Text(f"player {position.to_move + 1} may play: {' · '.join(choices)}", "green"))
    return Group(map_text(game.scenario, marks, zones=position.phase == "deployment"), *lines)


def _standing(game: Skirmish, position: Position) -> str:
    words = position.words
    if position.phase == "deployment":
        return f"deployment, player {position.to_move + 1} to choose"
    if position.phase == "over":
        return f"over after turn {words[layout.TURN]}"
    turn = f"turn {words[layout.TURN]} of {game.scenario.game.turns}, player {words[layout.PLAYER] + 1}'s"
    acts = "" if position.active is None else f" with {game.units[position.active].id}"
    return f"{turn} {position.phase} phase, player {position.to_move + 1} to choose{acts}"


def _unit_text(game: Skirmish, unit: Unit, state: UnitState) -> str:
    where = "to deploy" if state.hex is None else f"at {game.scenario.grid.name(state.hex)}"
    return f"{unit.id} {unit_mark(unit)[0]} {where} {state.wounds}/{unit.type.wounds}"


def _within_reach(game: Skirmish, position: Position) -> dict[int, Mark]:
    """The hexes that the active unit may go to."""
    meanings = [game.table.decode(position, action) for action in legal_actions(game.legal(position))]
    return {
        game.scenario.grid.index(meaning.col, meaning.row): WITHIN_REACH
        for meaning in meanings
        if isinstance(meaning, HexAction)
    }


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
