"""The board in a terminal: the map with its units, and what a person needs to know beside it."""

from rich.console import Group, RenderableType
from rich.text import Text

from ludex.core.decision import Decision
from ludex.core.game import legal_actions
from ludex.games.skirmish.actions import ChargeDestination, Move
from ludex.games.skirmish.data.unit import Unit
from ludex.games.skirmish.engine import layout
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.picture import PLAYER_STYLES, Mark, map_text, unit_mark
from ludex.games.skirmish.position import Position, UnitState, View, unit_states
from ludex.games.skirmish.telling import choice_texts

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
        told = [_told(game, unit, state) for unit, state in units if unit.player == player and state.alive]
        points = words[layout.POINTS + player - 1]
        force = f"player {player}, {points} points: {', '.join(told) or 'destroyed'}"
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


def _told(game: Skirmish, unit: Unit, state: UnitState) -> str:
    where = "to deploy" if state.hex is None else f"at {game.scenario.grid.name(state.hex)}"
    return f"{unit.id} {unit_mark(unit)[0]} {where} {state.wounds}/{unit.type.wounds}"


def _within_reach(game: Skirmish, position: Position) -> dict[int, Mark]:
    """The hexes that the active unit may go to."""
    meanings = [game.table.decode(position, action) for action in legal_actions(game.legal(position))]
    return {
        game.scenario.grid.index(meaning.col, meaning.row): WITHIN_REACH
        for meaning in meanings
        if isinstance(meaning, Move | ChargeDestination)
    }
