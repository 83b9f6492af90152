"""The board in a terminal: the map with its units, and what a person needs to know beside it."""

from rich.console import Group, RenderableType
from rich.text import Text

from ludex.core.agent import Decision
from ludex.games.skirmish.engine import layout
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.picture import map_text, unit_mark
from ludex.games.skirmish.position import View, unit_states
from ludex.games.skirmish.telling import event_texts


def draw(game: Skirmish, view: View, decision: Decision | None) -> RenderableType:
    """The map, the forces, the phase, and what happened in the last ply."""
    position, scenario = view.position, game.scenario
    states = list(unit_states(position, len(game.units)))
    marks = {
        state.hex: unit_mark(unit) for unit, state in zip(game.units, states, strict=True) if state.hex is not None
    }
    words = position.words
    points = f"{words[layout.POINTS]} : {words[layout.POINTS + 1]}"
    active = "" if position.active is None else f", {game.units[position.active].id} acts"
    turn = "" if position.phase == "deployment" else f"turn {words[layout.TURN]}, "
    lines = [Text(f"{turn}{position.phase}, player {position.to_move + 1} to choose{active}, points {points}", "bold")]
    for player in (1, 2):
        told = [
            f"{unit.id} {unit.type.symbol}{'' if state.deployed else ' (to deploy)'} {state.wounds}/{unit.type.wounds}"
            for unit, state in zip(game.units, states, strict=True)
            if unit.player == player and state.alive
        ]
        lines.append(Text(f"player {player}: {', '.join(told) or 'destroyed'}", "cyan" if player == 1 else "yellow"))
    lines += [Text(text, "dim") for text in event_texts(game, position)]
    return Group(map_text(scenario, marks, zones=position.phase == "deployment"), *lines)
