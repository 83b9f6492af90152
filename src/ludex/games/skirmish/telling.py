"""Events in words: every roll, every wound, every point."""

from collections.abc import Callable

from ludex.games.skirmish.engine import events, layout
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.position import Position

_RESULTS = {
    layout.ANNIHILATION: "annihilation",
    layout.BY_POINTS: "points",
    layout.BY_VALUE: "surviving value",
    layout.DRAWN: "neither points nor value",
}


def event_texts(game: Skirmish, position: Position) -> list[str]:
    """What happened in the last ply, one line each; the rolls of an attack stand behind it."""
    lines: list[str] = []
    for what, *numbers in position.events.tolist():
        text = _TEXTS[what](game, *numbers)
        if what in (events.HIT_ROLL, events.WOUND_ROLL, events.SAVE_ROLL) and lines:
            lines[-1] += text
        else:
            lines.append(text)
    return lines


def _hex(game: Skirmish, where: int) -> str:
    return game.scenario.grid.name(where)


def _id(game: Skirmish, unit: int) -> str:
    return f"{game.units[unit].id} ({game.units[unit].name})"


def _roll(name: str) -> Callable[[Skirmish, int, int, int], str]:
    return lambda game, die, needed, good: f" · {name} {die} of {needed}+{'' if good else ' fails'}"


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
    events.ATTACKED: lambda game, unit, target, weapon: f"{_id(game, unit)} attacks {_id(game, target)}",
    events.HIT_ROLL: _roll("hit"),
    events.WOUND_ROLL: _roll("wound"),
    events.SAVE_ROLL: _roll("save"),
    events.DAMAGED: lambda game, unit, lost, left: f"{_id(game, unit)} loses {lost}, {left} left",
    events.DESTROYED: lambda game, unit, where, _: f"{_id(game, unit)} is destroyed on {_hex(game, where)}",
    events.FLED: lambda game, unit, *_: f"{_id(game, unit)} flees",
    events.ENDED: lambda game, result, *_: f"the game ends by {_RESULTS[result & ~layout.WON_BY_SECOND]}",
}
