"""Random games that hold the contract's promises at every step: masks, invariants, replays, declared deadlocks."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.record import Record, replay
from ludex.core.seeding import OPENING
from ludex.games.skirmish.deployment_state import DeploymentState, deployment_state
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.position import Position, unit_states


class BrokenPromise(AssertionError):
    """Something that the contract promises did not hold."""


@dataclass
class Soak:
    """What came of many random games."""

    games: int = 0
    plies: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    """By reason."""
    deadlocks: int = 0
    replayed: int = 0


def soak(game: Skirmish, games: int, seed: int, advance: Callable[[int], None] = lambda games: None) -> Soak:
    """Play games by chance. Raises `BrokenPromise` naming seed and ply for anything that should not be."""
    found = Soak()
    for number in range(games):
        match = Match(game, seed + number)
        while not match.over:
            where = f"seed {match.seed}, ply {match.ply}"
            mask = match.legal()
            if not mask.any():
                raise BrokenPromise(f"{where}: the mask is empty in the phase {match.state.phase}")
            require_invariants(game, match.state, where)
            match.play(match.rng(OPENING).choice(legal_actions(mask)))
        found.games += 1
        found.plies += match.ply
        if match.outcome is None:
            found.deadlocks += 1
        else:
            found.outcomes[match.outcome.reason] += 1
            again = replay(game, Record.of(match, ("random", "random")))
            if again.state != match.state:
                raise BrokenPromise(f"seed {match.seed}: the replay ends in another position")
            found.replayed += 1
        advance(1)
    return found


def require_invariants(game: Skirmish, position: Position, where: str) -> None:
    """The contract's five, section 3.2."""
    state = deployment_state(game.scenario, position)
    units = list(unit_states(position, len(game.units)))
    placed = {game.units[unit.unit].id for unit in units if unit.deployed}
    left = {one for ids in state.deployable_units_by_player.values() for one in ids}
    promises = {
        "a unit is placed exactly if it is in deployed_units": placed == set(state.deployed_units),
        "a unit that is not placed stands nowhere": all(unit.hex is None for unit in units if not unit.deployed),
        "no unit is both placed and to be placed": not placed & left,
        "deployment_complete exactly if everything is placed and confirmed": _complete(game, state, left),
        "a complete deployment is over": state.deployment_complete == (position.phase != "deployment"),
    }
    for promise, holds in promises.items():
        if not holds:
            raise BrokenPromise(f"{where}: {promise}: does not hold")


def _complete(game: Skirmish, state: DeploymentState, left: set[str]) -> bool:
    confirmed = game.scenario.deployment_confirmation == "none" or len(state.confirmed_players) == 2
    return state.deployment_complete == (not left and confirmed)
