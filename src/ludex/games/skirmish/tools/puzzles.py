"""Puzzles of Skirmish by exact odds: the best target for a volley, and the safest hex at an objective.

Scripted agents play the games they come from and their own tables judge the positions; a proof computes the odds again,
from the weapons that the rules let a unit fire.
"""

from collections.abc import Iterator
from typing import Any, Final, cast

from ludex.core.agent import AnyAgent
from ludex.core.game import Action, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.puzzle import Candidate, Proof, reasons_of
from ludex.core.registry import make_agent
from ludex.core.seeding import Rng
from ludex.games.skirmish.agents.situation import Situation, field_of
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Meaning, Move, Shoot
from ludex.games.skirmish.rules.engine.phases import can_fire
from ludex.games.skirmish.rules.odds import Strike, strike
from ludex.games.skirmish.rules.position import Position, unit_states
from ludex.games.skirmish.rules.scenario import name_title
from ludex.games.skirmish.rules.scenario_files import Weapon

PLAYERS: Final = ("aggressive", "defensive", "greedy", "objective")
CHANCE_MOVES: Final = 12
"""Of 100 moves of a game so many are at random, so that no two games are alike."""
LEAST_TARGETS: Final = 3
LEAST_HEXES: Final = 4
"""Hexes at an objective to choose from."""
MOST_SAFEST: Final = 2
CLEAR: Final = 0.15
"""The margin of the best target, as a share of what it is worth."""
CLEAR_RISK: Final = 0.05
"""The margin of the safest hex, as a share of the unit's value."""
_SAME: Final = 1e-9


def make_target(game: Skirmish, rng: Rng) -> Candidate | None:
    """A volley of a random game with one clearly best target, seldom the one that is likeliest to die."""
    field = field_of(game)
    for position in _positions(game, rng, "shoot"):
        situation = Situation(field, position)
        worth = {
            action: situation.fire(situation.active, situation.number(meaning.targetId))
            for action, meaning in _legal_meanings(game, position)
            if isinstance(meaning, Shoot)
        }
        best = _best_target(worth)
        if best is None or (worth[best].kill == max(blow.kill for blow in worth.values()) and rng.below(3)):
            continue
        return Candidate(position, frozenset({best}))
    return None


def prove_target(game: Skirmish, position: Position) -> Proof | None:
    """Compute what every weapon that may be fired is expected to do to each target."""
    if position.phase != "shoot" or position.active is None:
        return None
    targets = {action: meaning for action, meaning in _legal_meanings(game, position) if isinstance(meaning, Shoot)}
    worth = {action: _volley(game, position, meaning.targetId) for action, meaning in targets.items()}
    best = _best_target(worth)
    if best is None:
        return None
    order = sorted(worth, key=lambda action: -worth[action].value)
    margin = 1.0 - worth[order[1]].value / worth[best].value
    tempting = worth[best].kill < max(blow.kill for blow in worth.values())
    hexes = {game.units[state.unit].id: state.hex for state in unit_states(position, len(game.units))}
    messages = {
        action: Message(
            "skirmish.puzzle_target_worth",
            {"target": _unit(game, targets[action].targetId), **_words(worth[action])},
            (hexes[targets[action].targetId] or 0,),
        )
        for action in worth
    }
    return Proof(
        accept=(game.action_text(position, best),),
        difficulty=round(1500 - 700 * min(margin, 1.0)) + 60 * (len(worth) - LEAST_TARGETS) + (250 if tempting else 0),
        explanation=(messages[best], messages[order[1]]),
        reasons=reasons_of([(messages[action], game.action_text(position, action)) for action in order[1:]]),
        parameters={"unit": _unit(game, game.units[position.active].id)},
    )


def _volley(game: Skirmish, position: Position, target_id: str) -> Strike:
    """What every weapon that the rules let the active unit fire at a target is expected to do to it."""
    # Kernels are compiled for words that may be written.
    unit, words = position.active, position.words.copy()
    assert unit is not None, "no unit is active"
    target = next(number for number, candidate in enumerate(game.units) if candidate.id == target_id)
    carried = cast(Any, game.constants)["ranged"][unit].tolist()
    weapons = [
        weapon
        for weapon, number in zip(game.units[unit].ranged, carried, strict=False)
        if can_fire(game.constants, words, unit, number, target)
    ]
    wounds = [state.wounds for state in unit_states(position, len(game.units))]
    return strike(weapons, game.units[target].type, wounds[target])


def make_place(game: Skirmish, rng: Rng) -> Candidate | None:
    """A move of a random game with one clearly safest hex at an objective."""
    field = field_of(game)
    for position in _positions(game, rng, "move"):
        situation = Situation(field, position)
        unit, risks = situation.active, {}
        for action, meaning in _legal_meanings(game, position):
            if not isinstance(meaning, Move):
                continue
            where = game.scenario.grid.index(meaning.col, meaning.row)
            if not field.near[:, where].any():
                continue
            guns = [
                weapon
                for foe in situation.foes
                for _, weapon in field.arms(foe)
                if field.sight[situation.hexes[foe], where]
                and field.distance[situation.hexes[foe], where] <= weapon.range
            ]
            risks[action] = strike(guns, field.units[unit].type, situation.wounds[unit])
        safest = _safest(game, unit, risks)
        if safest is not None:
            return Candidate(position, frozenset(safest))
    return None


def prove_place(game: Skirmish, position: Position) -> Proof | None:
    """Compute what all guns together are expected to do to the unit on each hex at an objective."""
    if position.phase != "move" or position.active is None:
        return None
    states = [*unit_states(position, len(game.units))]
    unit = position.active
    hexes = {
        action: game.scenario.grid.index(meaning.col, meaning.row)
        for action, meaning in _legal_meanings(game, position)
        if isinstance(meaning, Move) and _at_objective(game, game.scenario.grid.index(meaning.col, meaning.row))
    }
    guns = {
        action: [
            weapon
            for foe, state in enumerate(states)
            if state.hex is not None and game.units[foe].player != game.units[unit].player
            for weapon in game.units[foe].ranged
            if _reaches(game, weapon, state.hex, where)
        ]
        for action, where in hexes.items()
    }
    risks = {action: strike(weapons, game.units[unit].type, states[unit].wounds) for action, weapons in guns.items()}
    safest = _safest(game, unit, risks)
    if safest is None:
        return None
    messages = {
        action: Message("skirmish.puzzle_place_risk", {**_words(risks[action]), "count": len(guns[action])})
        for action in risks
    }
    best = Message(
        "skirmish.puzzle_place_safest",
        {"hexes": tuple(game.scenario.grid.name(hexes[action]) for action in safest), **messages[safest[0]].parameters},
        tuple(hexes[action] for action in safest),
    )
    others = [risks[action].value for action in risks if action not in safest]
    margin = (min(others) - risks[safest[0]].value) / game.units[unit].value
    return Proof(
        accept=tuple(game.action_text(position, action) for action in safest),
        difficulty=round(1500 - 1200 * min(margin, 0.5)) + 15 * (len(risks) - LEAST_HEXES),
        explanation=(best,),
        reasons=reasons_of(
            [(messages[action], game.action_text(position, action)) for action in risks if action not in safest]
        ),
        parameters={"unit": _unit(game, game.units[unit].id)},
    )


def _best_target(worth: dict[Action, Strike]) -> Action | None:
    """The target that is worth most by a clear margin."""
    order = sorted(worth, key=lambda action: (-worth[action].value, action))
    if len(order) < LEAST_TARGETS or worth[order[0]].value == 0.0:
        return None
    margin = worth[order[0]].value - worth[order[1]].value
    return order[0] if margin >= CLEAR * worth[order[0]].value else None


def _safest(game: Skirmish, unit: int, risks: dict[Action, Strike]) -> list[Action] | None:
    """The hexes with the least expected loss by a clear margin."""
    if len(risks) < LEAST_HEXES:
        return None
    least = min(risk.value for risk in risks.values())
    safest = [action for action, risk in risks.items() if risk.value <= least + _SAME]
    others = [risk.value for risk in risks.values() if risk.value > least + _SAME]
    if len(safest) > MOST_SAFEST or not others:
        return None
    return safest if min(others) - least >= CLEAR_RISK * game.units[unit].value else None


def _positions(game: Skirmish, rng: Rng, phase: str) -> Iterator[Position]:
    """The positions of a scripted game in which a unit acts in a phase, in random order."""
    agents: list[AnyAgent] = [make_agent(game, rng.choice(PLAYERS)) for _ in range(2)]
    state, positions = game.initial(rng), []
    while game.outcome(state) is None:
        if state.phase == phase and state.active is not None:
            positions.append(state._replace(packed_events=b""))
        legal = game.legal(state)
        action = (
            rng.choice(legal_actions(legal))
            if state.phase != "deployment" and rng.below(100) < CHANCE_MOVES
            else agents[state.to_move].decide(game.view(state, state.to_move), legal, rng=rng, limit=Limit()).action
        )
        state = game.apply(state, action, rng)
    rng.shuffle(positions)
    yield from positions


def _legal_meanings(game: Skirmish, position: Position) -> list[tuple[Action, Meaning]]:
    """Every legal action with what it means."""
    decoded = [(action, game.table.decode(position, action)) for action in legal_actions(game.legal(position))]
    return [(action, meaning) for action, meaning in decoded if meaning is not None]


def _at_objective(game: Skirmish, where: int) -> bool:
    radius, grid = game.scenario.game.objective_radius, game.scenario.grid
    return any(grid.distance[goal, where] <= radius for goal in game.scenario.objectives)


def _reaches(game: Skirmish, weapon: Weapon, here: int, there: int) -> bool:
    return bool(game.sees[here, there]) and int(game.scenario.grid.distance[here, there]) <= weapon.range


def _words(blow: Strike) -> dict[str, float]:
    return {"wounds": round(blow.wounds, 2), "kill": round(blow.kill, 3), "value": round(blow.value, 1)}


def _unit(game: Skirmish, unit_id: str) -> Message:
    unit = next(candidate for candidate in game.units if candidate.id == unit_id)
    return Message("skirmish.unit", {"id": unit.id, "name": name_title(unit.name)})
