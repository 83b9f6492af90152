"""What happened, and what can be done, in words: every roll, every wound, every point."""

from collections.abc import Callable
from itertools import groupby

from ludex.core.game import legal_actions
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import DeployUnit, Meaning, Move
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position

_GOES_ON = (events.WOUND_ROLL, events.SAVE_ROLL, events.DAMAGED, events.DESTROYED)
"""What follows a hit stands behind it."""


def event_texts(game: Skirmish, position: Position) -> list[str]:
    """What happened in the last ply, one line each; every attack of a weapon has a line with its rolls."""
    lines: list[str] = []
    for what, *numbers in position.events.tolist():
        text = _TEXTS[what](game, *numbers)
        if what in _GOES_ON:
            lines[-1] += f" · {text}"
        else:
            lines.append(text)
    return lines


def choice_texts(game: Skirmish, position: Position) -> list[str]:
    """The legal actions, one text per kind of action: `activate/01 02`, `move/HEX (23)`, `wait`."""
    meanings = [game.table.decode(position, action) for action in legal_actions(game.legal(position))]
    known = [meaning for meaning in meanings if meaning is not None]
    return [_choices(game, list(alike)) for _, alike in groupby(known, key=type)]


def _choices(game: Skirmish, alike: list[Meaning]) -> str:
    """All legal actions of one kind."""
    texts = [game.table.text(meaning) for meaning in alike]
    if isinstance(alike[0], DeployUnit):
        units = dict.fromkeys(meaning.unitId for meaning in alike if isinstance(meaning, DeployUnit))
        return f"deploy/UNIT/HEX, {' '.join(units)} on {len(alike) // len(units)} free hexes of the zone"
    if isinstance(alike[0], Move):
        return f"move/HEX ({len(alike)})"
    word, *rest = texts[0].split("/")
    return f"{word}/{' '.join(text.split('/')[1] for text in texts)}" if rest else word


def _hex(game: Skirmish, where: int) -> str:
    return game.scenario.grid.name(where)


def _id(game: Skirmish, unit: int) -> str:
    return f"{game.units[unit].id} ({game.units[unit].name})"


def _roll(name: str, failed: str, succeeded: str = "") -> Callable[[Skirmish, int, int, int], str]:
    return lambda game, die, needed, good: f"{name} {die} ({needed}+){succeeded if good else failed}"


_TEXTS: dict[int, Callable[[Skirmish, int, int, int], str]] = {
    events.DEPLOYED: lambda game, unit, where, _: f"{_id(game, unit)} is placed on {_hex(game, where)}",
    events.UNDEPLOYED: lambda game, unit, where, _: f"{_id(game, unit)} is taken back from {_hex(game, where)}",
    events.PASSED: lambda game, player, *_: f"player {player + 1} can place nothing and passes",
    events.CONFIRMED: lambda game, player, *_: f"player {player + 1} confirms the deployment",
    events.PHASE_BEGAN: lambda game, phase, player, turn: (
        f"turn {turn}, player {player + 1}: {layout.PHASES[phase]} phase"
    ),
    events.SCORED: lambda game, player, points, total: f"player {player + 1} scores {points}, {total} in all",
    events.MOVED: lambda game, unit, here, there: f"{_id(game, unit)} moves {_hex(game, here)} to {_hex(game, there)}",
    events.ADVANCE_ROLL: lambda game, unit, die, _: f"{_id(game, unit)} advances: {die} more steps",
    events.CHARGE_ROLL: lambda game, unit, first, second: (
        f"{_id(game, unit)} rolls {first} and {second} to charge: {first + second}"
    ),
    events.CHARGE_FAILED: lambda game, unit, target, _: f"{_id(game, unit)} does not reach {_id(game, target)}",
    events.ATTACKED: lambda game, unit, target, weapon: (
        f"{_id(game, unit)} attacks {_id(game, target)}: {game.weapons[weapon].name}"
    ),
    events.HIT_ROLL: _roll("  hit", " fails"),
    events.WOUND_ROLL: _roll("wound", " fails"),
    events.SAVE_ROLL: _roll("save", " fails", " holds"),
    events.DAMAGED: lambda game, unit, lost, left: f"{game.units[unit].id} loses {lost}, {left} left",
    events.DESTROYED: lambda game, unit, where, _: f"{game.units[unit].id} is destroyed on {_hex(game, where)}",
    events.FLED: lambda game, unit, *_: f"{_id(game, unit)} flees",
    events.DEPLOYMENT_START: lambda game, first, second, _: (
        f"the deployment starts with pools of {first} and {second} hexes"
    ),
    events.ENDED: lambda game, result, *_: f"the game ends by {layout.reason_of(result)}",
}
