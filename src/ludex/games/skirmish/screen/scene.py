"""What a browser draws: the board of a scenario, and a position with its units, prospects and legal actions."""

from dataclasses import asdict
from itertools import groupby
from typing import Any, Final

from ludex.core.game import Json, Mask, legal_actions
from ludex.core.match import Match
from ludex.games.skirmish.agents.prospects import Prospects
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import (
    Activate,
    Advance,
    Charge,
    ChargeDestination,
    ConfirmDeployment,
    DeployUnit,
    Fight,
    Move,
    PassDeployment,
    Shoot,
    UndeployUnit,
    Wait,
)
from ludex.games.skirmish.rules.deployment_state import PLAYERS, deployment_state, place_of
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.events import NAMES
from ludex.games.skirmish.rules.engine.scoring import units_near
from ludex.games.skirmish.rules.errors import DeploymentDeadlockError
from ludex.games.skirmish.rules.hexes.coordinates import centre, corners, extent
from ludex.games.skirmish.rules.illegal_actions import deadlock_of
from ludex.games.skirmish.rules.position import Position, UnitState, View, unit_states
from ludex.games.skirmish.rules.scenario.forces import Unit, name_title
from ludex.games.skirmish.rules.scenario.schemas import Weapon
from ludex.games.skirmish.screen.descriptions import event_lines
from ludex.games.skirmish.screen.reports import report

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
        "units": [_unit_type(number, unit) for number, unit in enumerate(game.units)],
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


def _unit_type(number: int, unit: Unit) -> dict[str, Json]:
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


LOGGED: Final = 40
"""How many plies the log covers."""
_DOING = {layout.NOTHING: None, layout.ADVANCING: "advancing", layout.CHARGING: "charging"}


def scene(game: Skirmish, view: View, legal: Mask) -> dict[str, Json]:
    """The position, with players 1 and 2; units are called by their numbers, legal actions by hexes and ids."""
    position = view.position
    words = position.words
    prospects = Prospects(game, position)
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
        "deployment": _deployment(game, position),
        "held": [_holder(game, position, objective) for objective in range(len(game.scenario.objectives))],
        "events": [line.document() for line in event_lines(game, position)],
        "event_names": [NAMES[what] for what in position.events[:, 0].tolist()],
        "sight": list[Json](prospects.seen()),
        "legal": _legal(game, position, legal, prospects),
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
        "report": None if done is None else {str(language): text for language, text in done.texts().items()},
        "phases": _phases(match),
        "deadlock": _deadlock(game, match.state) if stuck else None,
    }


def _deadlock(game: Skirmish, position: Position) -> dict[str, Json]:
    """What keeps the deployment from being finished; JSON's keys are texts."""
    facts = deadlock_of(game.scenario, position)
    return {
        "player": facts.player,
        "units_left": {str(player): list[Json](ids) for player, ids in facts.units_left.items()},
        "pool_sizes": {str(player): size for player, size in facts.pool_sizes.items()},
        "free_hexes": {str(player): free for player, free in facts.free_hexes.items()},
        "occupied_hexes": facts.occupied_hexes,
    }


def _phases(match: Match[Position, View]) -> list[Json]:
    def time(at: int) -> tuple[str, int, int]:
        words = match.positions[at].words
        # A deployment has no turns, and its player changes with each placement.
        deploying = words[layout.PHASE] == layout.DEPLOYMENT
        return match.positions[at].phase, int(words[layout.TURN]), 0 if deploying else int(words[layout.PLAYER]) + 1

    groups = groupby(range(len(match.positions)), time)
    return [
        {"ply": next(plies), "phase": phase, "turn": turn, "player": player or None}
        for (phase, turn, player), plies in groups
    ]


def _deployment(game: Skirmish, position: Position) -> dict[str, Json]:
    """Every field of the deployment's state but the pools, which never change; JSON's keys are texts."""
    state = deployment_state(game.scenario, position)
    return {
        "current_deployer": state.current_deployer,
        "deployable_units_by_player": {
            str(player): list[Json](ids) for player, ids in state.deployable_units_by_player.items()
        },
        "units": [asdict(unit) for unit in state.units],
        "deployed_units": list[Json](state.deployed_units),
        "deployment_complete": bool(state.deployment_complete),
        "active_unit_id": state.active_unit_id,
        "deployment_order_mode": state.deployment_order_mode,
        "confirmed_players": list[Json](state.confirmed_players),
        "undeploys_left": {str(player): left for player, left in state.undeploys_left.items()},
    }


def _holder(game: Skirmish, position: Position, objective: int) -> int | None:
    """The player with more units at an objective."""
    words = position.words.copy()
    first, second = (units_near(game.constants, words, objective, player - 1) for player in PLAYERS)
    return None if first == second else 1 if first > second else 2


def _legal(game: Skirmish, position: Position, legal: Mask, prospects: Prospects) -> dict[str, Json]:
    index = game.scenario.grid.index
    actions_by_kind: dict[str, Any] = {kind: [] for kind in _KINDS}
    actions_by_kind["deploy"] = {}
    for action in legal_actions(legal):
        match game.table.decode(position, action):
            case DeployUnit(unit, col, row):
                actions_by_kind["deploy"].setdefault(unit, []).append(index(col, row))
            case UndeployUnit(unit):
                actions_by_kind["undeploy"].append(unit)
            case Activate(unit):
                actions_by_kind["activate"].append(unit)
            case Move(col, row):
                actions_by_kind["move"].append(index(col, row))
            case ChargeDestination(col, row):
                actions_by_kind["land"].append(index(col, row))
            case Shoot(target):
                strike = prospects.shot(target)
                actions_by_kind["shoot"].append({"id": target, "wounds": strike.wounds, "kill": strike.kill})
            case Fight(target):
                strike = prospects.blow(target)
                actions_by_kind["fight"].append({"id": target, "wounds": strike.wounds, "kill": strike.kill})
            case Charge(target):
                actions_by_kind["charge"].append({"id": target, "chance": prospects.arrival(target)})
            case (PassDeployment() | ConfirmDeployment() | Advance() | Wait()) as word:
                actions_by_kind["words"].append(game.table.text(word))
            case meaning:
                raise AssertionError(f"action {action} is legal and means {meaning}")
    return actions_by_kind


_KINDS: Final = ("undeploy", "activate", "move", "shoot", "charge", "land", "fight", "words")
