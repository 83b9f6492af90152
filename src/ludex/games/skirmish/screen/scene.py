"""What a browser draws: the board of a scenario, and a position with its units, prospects and legal actions."""

from dataclasses import asdict
from typing import Any, Final

from pydantic_core import to_jsonable_python

from ludex.core.game import Json, Mask, legal_actions
from ludex.core.match import Match
from ludex.games.skirmish.agents.situation import Situation, field_of
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Charge, DeployUnit, Fight, HexAction, Shoot, UnitAction
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.engine.events import NAMES
from ludex.games.skirmish.rules.hexes import centre, corners, extent
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError, deadlock_of
from ludex.games.skirmish.rules.odds import charge_chance
from ludex.games.skirmish.rules.position import Position, UnitState, View, deployment_state, place_of, unit_states
from ludex.games.skirmish.rules.scenario import Unit, name_title
from ludex.games.skirmish.screen.descriptions import ROLLS, event_lines, report, texts_of
from ludex.games.skirmish.screen.orders import against_end_phase

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
        "title": scenario.config.title,
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
        "units": [_unit_type(number, unit) for number, unit in enumerate(game.units)],
        "turns": scenario.game.turns,
        "deployment_order_mode": scenario.config.deployment_order_mode,
        "deployment_confirmation": scenario.config.deployment_confirmation,
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


def _unit_type(number: int, unit: Unit) -> dict[str, Json]:
    return {
        "unit": number,
        "id": unit.id,
        "player": unit.player,
        "names": texts_of(name_title(unit.name)),
        **unit.type.model_dump(mode="json", exclude={"ranged_weapons", "melee_weapon"}),
        "weapons": [
            {**weapon.model_dump(mode="json"), "names": texts_of(name_title(weapon.name))}
            for weapon in (*unit.ranged, unit.melee)
        ],
    }


LOGGED: Final = 40
"""How many plies the log covers."""
PACE_MS: Final = {
    events.DEPLOYED: 500,
    events.MOVED: 800,
    events.ADVANCE_ROLL: 700,
    events.CHARGE_ROLL: 1400,
    events.ATTACKED: 2200,
    events.SCORED: 900,
}
"""How long a person needs to see an event of each kind; others are seen in passing."""


def _effects(game: Skirmish, position: Position) -> list[Json]:
    """Moves, charges and attacks of the last ply, hexes by number; all weapons at a target are one attack."""
    hexes = [state.hex for state in unit_states(position, len(game.units))]
    drawn: list[dict[str, Any]] = []
    for what, first, second, third in position.events.tolist():
        if what == events.MOVED:
            drawn.append({"kind": "move", "unit": first, "from": second, "at": third})
        elif what == events.CHARGE_ROLL:
            rolls = [["charge", die, True] for die in (second, third)]
            drawn.append({"kind": "charge", "unit": first, "at": hexes[first], "rolls": rolls, "failed": False})
        elif what == events.CHARGE_FAILED:
            charge = drawn[-1]
            charge.update(failed=True, rolls=[[name, die, False] for name, die, _ in charge["rolls"]])
        elif what == events.ATTACKED:
            attack = {"kind": "attack", "unit": first, "target": second, "from": hexes[first], "at": hexes[second]}
            if not drawn or (drawn[-1].get("unit"), drawn[-1].get("target")) != (first, second):
                drawn.append({**attack, "rolls": [], "lost": 0, "destroyed": False})
        elif what in ROLLS:
            drawn[-1]["rolls"].append([ROLLS[what], first, bool(third)])
        elif what == events.DAMAGED:
            drawn[-1]["lost"] += second
        elif what == events.DESTROYED:
            drawn[-1].update(destroyed=True, at=second)
    return list[Json](drawn)


_DOING = {layout.NOTHING: None, layout.ADVANCING: "advancing", layout.CHARGING: "charging"}


def scene(game: Skirmish, view: View, legal: Mask) -> dict[str, Json]:
    """The position, with players 1 and 2; units are called by their numbers, legal actions by hexes and ids."""
    position = view.position
    words = position.words
    situation, reason = Situation(field_of(game), position), against_end_phase(game, position, legal)
    return {
        "phase": position.phase,
        "turn": int(words[layout.TURN]),
        "player": int(words[layout.PLAYER]) + 1,
        "points": words[layout.POINTS : layout.POINTS + 2].tolist(),
        "active": position.active,
        "doing": _DOING[int(words[layout.DOING])],
        "rolled": int(words[layout.ROLLED]),
        "target": None if words[layout.TARGET] == layout.NONE else int(words[layout.TARGET]),
        "units": [_unit(game, state) for state in unit_states(position, len(game.units))],
        # The pools never change: the board's model has them.
        "deployment": to_jsonable_python(
            deployment_state(game.scenario, position), exclude={"deployment_pools_by_player"}
        ),
        "held": list[Json](situation.holders()),
        "events": [line.document() for line in event_lines(game, position)],
        "event_names": [NAMES[what] for what in position.events[:, 0].tolist()],
        "effects": _effects(game, position),
        "pace_ms": max((PACE_MS.get(what, 0) for what in position.events[:, 0].tolist()), default=0),
        "sight": list[Json](situation.in_sight),
        "end_phase": None if reason is None else texts_of(reason),
        "legal": _legal(situation, position, legal),
    }


def _unit(game: Skirmish, state: UnitState) -> dict[str, Json]:
    col, row = place_of(game.scenario, state.hex)
    return {**asdict(state), "col": col, "row": row, "alive": state.alive}


def history(match: Match[Position, View], ply: int) -> dict[str, Json]:
    """What happened in the plies up to this one, the newest first, the other player's turn in short, and the phases."""
    game = match.game
    assert isinstance(game, Skirmish)
    log: list[Json] = [
        {"ply": at, "events": [line.document() for line in lines]}
        for at in range(ply, max(0, ply - LOGGED) - 1, -1)
        if (lines := event_lines(game, match.positions[at]))
    ]
    stuck = match.aborted == DeploymentDeadlockError.code and ply == match.ply
    done = report(match, ply) if game.outcome(match.positions[ply]) is None else None
    return {
        "log": log,
        "report": None if done is None else done.document(),
        "phases": _phases(match),
        "deadlock": to_jsonable_python(deadlock_of(game.scenario, match.state)) if stuck else None,
    }


def _phases(match: Match[Position, View]) -> list[Json]:
    """Where the phases began in which a player decides, and the command phase, in which none does."""
    phases: list[Json] = []
    for ply, position in enumerate(match.positions):
        if ply == 0 and position.phase == "deployment":
            phases.append(_phase(ply, layout.DEPLOYMENT, None, 0))
        for what, phase, player, turn in position.events.tolist():
            if what == events.PHASE_BEGAN and (phase == layout.COMMAND or layout.PHASES[phase] == position.phase):
                phases.append(_phase(ply, phase, player + 1, turn))
            elif what == events.ENDED:
                words = position.words
                phases.append(_phase(ply, layout.OVER, int(words[layout.PLAYER]) + 1, int(words[layout.TURN])))
    return phases


def _phase(ply: int, phase: int, player: int | None, turn: int) -> dict[str, Json]:
    """A deployment has no turns, and its player changes with each placement."""
    return {"ply": ply, "phase": layout.PHASES[phase], "turn": turn, "player": player}


def _legal(situation: Situation, position: Position, legal: Mask) -> dict[str, Json]:
    """The legal actions by the words they begin with, and under `words` those that are one word."""
    game = situation.field.game
    index = game.scenario.grid.index
    by_word: dict[str, Any] = {word: [] for word in _WORDS}
    by_word["deploy"] = {}
    for action in legal_actions(legal):
        meaning = game.table.decode(position, action)
        assert meaning is not None, f"action {action} is legal and means nothing"
        word = meaning.word
        match meaning:
            case DeployUnit(unit, col, row):
                by_word[word].setdefault(unit, []).append(index(col, row))
            case UnitAction(unit):
                by_word[word].append(unit)
            case HexAction(col, row):
                by_word[word].append(index(col, row))
            case Shoot(target) | Fight(target):
                strike = situation.strike(meaning)
                by_word[word].append({"id": target, "wounds": strike.wounds, "kill": strike.kill})
            case Charge(target):
                by_word[word].append(
                    {"id": target, "chance": charge_chance(situation.charge_steps(situation.number(target)))}
                )
            case _:
                by_word["words"].append(meaning.text)
    return by_word


_WORDS: Final = ("undeploy", "activate", "move", "shoot", "charge", "land", "fight", "words")
