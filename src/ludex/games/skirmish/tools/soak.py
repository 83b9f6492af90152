"""`ludex skirmish soak`: random games that check masks, invariants, replays and declared deadlocks at every step.

The batch environment plays; after each game the plain contract plays the same actions with the same dice, and must come
to the same position.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray

from ludex.core.seeding import CHANCE, OPENING, generator
from ludex.core.verb import Progress, VerbResult
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.games.skirmish.rules.position import Position, deployment_state, unit_states
from ludex.kernels.sampling import RandomActions

LANES: Final = 64


class BrokenPromise(AssertionError):
    """Something that the contract promises did not hold."""


@dataclass
class Soak:
    """What came of many random games."""

    games: int = 0
    """Each was played again by the plain contract, to the same end."""
    plies: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    """By reason."""
    deadlocks: int = 0


def play_random_games(
    game: Skirmish, games: int, seed: int, advance: Callable[[int], None] = lambda games: None
) -> Soak:
    """Play random games. Raises `BrokenPromise` naming seed, lane and ply for anything that should not be."""
    result = Soak()
    for first in range(0, games, LANES):
        _Round(game, min(LANES, games - first), seed + first // LANES).run(result, advance)
    return result


def soak(
    board: Any,
    progress: Progress,
    *,
    games: Annotated[int, typer.Option(min=1, help="random games to play")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first 64 games; the next ones follow")] = 0,
) -> VerbResult:
    """Play random games and check masks, invariants and replays at every step."""
    from rich.text import Text

    began = time.perf_counter()
    with progress("random games", games) as advance:
        result = play_random_games(board, games, seed, advance)
    seconds = time.perf_counter() - began
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "games": result.games,
        "seed": seed,
        "plies": result.plies,
        "deadlocks": result.deadlocks,
        "replayed": result.games,
        "outcomes": dict(result.outcomes),
        "seconds": round(seconds, 1),
    }
    outcomes = ", ".join(f"{count} by {reason}" for reason, count in result.outcomes.most_common())
    return VerbResult(
        document,
        lambda: Text(
            f"{result.games:,} games, {result.plies:,} plies, {result.deadlocks:,} deadlocks; "
            f"{outcomes or 'none decided'}; "
            f"{result.games:,} replayed to the same position, no promise broken, in {seconds:.1f} s"
        ),
    )


class _Round:
    """One game in each lane."""

    def __init__(self, game: Skirmish, lanes: int, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._batch = SkirmishBatch(game, lanes)
        self._sampler = RandomActions(lanes, seed, OPENING)
        self._played: list[list[int]] = [[] for _ in range(lanes)]

    def run(self, result: Soak, advance: Callable[[int], None]) -> None:
        """Play every lane to its end, and replay it."""
        batch, lanes = self._batch, self._batch.lanes
        batch.reset(self._seed)
        playing = np.ones(batch.num_lanes, np.bool_)
        while playing.any():
            require_masks(lanes.mask[playing], f"seed {self._seed}")
            require_placements(self._game, lanes.states, f"seed {self._seed}")
            actions = self._sampler.draw(lanes.mask)
            for lane in np.flatnonzero(playing).tolist():
                self._played[lane].append(int(actions[lane]))
            stuck = batch.deadlocks(actions, playing)
            batch.step(actions, playing & ~stuck)
            for lane in np.flatnonzero(stuck | lanes.terminated).tolist():
                self._end(lane, bool(stuck[lane]), result)
                advance(1)
            playing &= ~(stuck | lanes.terminated)

    def _end(self, lane: int, stuck: bool, result: Soak) -> None:
        words = (self._batch.lanes.states if stuck else self._batch.lanes.final_states)[lane]
        position, aborted = self._replay_lane(lane)
        if aborted != stuck or position.packed != words.tobytes():
            raise BrokenPromise(f"seed {self._seed}, lane {lane}: the replay ends in another position")
        result.games += 1
        result.plies += len(self._played[lane])
        if stuck:
            result.deadlocks += 1
        else:
            result.outcomes[layout.reason_of(int(words[layout.RESULT]))] += 1

    def _replay_lane(self, lane: int) -> tuple[Position, bool]:
        """Where the plain contract comes to with the lane's actions and dice, and whether the deployment deadlocked."""
        position = self._game.initial(generator(self._seed, 0, CHANCE, lane=lane))
        for ply, action in enumerate(self._played[lane], 1):
            if position.phase == "deployment":
                require_invariants(self._game, position, f"seed {self._seed}, lane {lane}, ply {ply}")
            try:
                position = self._game.apply(position, action, generator(self._seed, ply, CHANCE, lane=lane))
            except DeploymentDeadlockError:
                return position, True
        require_invariants(self._game, position, f"seed {self._seed}, lane {lane}, the end")
        return position, False


def require_masks(masks: NDArray[np.bool_], where: str) -> None:
    """No mask of `bool[N, actions]` is empty."""
    if not masks.any(axis=1).all():
        raise BrokenPromise(f"{where}: a mask is empty")


def require_placements(game: Skirmish, states: NDArray[np.int16], where: str) -> None:
    """The contract's invariants that the words of `states: int16[N, words]` could break, in every phase."""
    size = len(game.units) * layout.UNIT_WORDS
    units = states[:, layout.UNITS : layout.UNITS + size].reshape(len(states), -1, layout.UNIT_WORDS)
    hexes, placed = units[:, :, layout.HEX], (units[:, :, layout.MARKS] & layout.DEPLOYED) != 0
    stands = hexes != layout.NOWHERE
    done = placed.all(axis=1)
    if game.scenario.config.deployment_confirmation == "per_player":
        done &= (states[:, layout.CONFIRMED : layout.CONFIRMED + 2] != 0).all(axis=1)
    # A unit that is not on the board gets a number of its own, below every hex.
    apart = np.sort(np.where(stands, hexes, -1 - np.arange(len(game.units))), axis=1)
    promises = {
        "a unit that is not placed stands nowhere": not (stands & ~placed).any(),
        "no two units stand on one hex": bool((np.diff(apart, axis=1) != 0).all()),
        "no unit stands on a wall": not game.scenario.walls[hexes[stands]].any(),
        "the deployment is over exactly if it is complete": np.array_equal(
            done, states[:, layout.PHASE] != layout.DEPLOYMENT
        ),
    }
    _require(promises, where)


def require_invariants(game: Skirmish, position: Position, where: str) -> None:
    """The contract's five, section 3.2."""
    state = deployment_state(game.scenario, position)
    units = list(unit_states(position, len(game.units)))
    placed = {game.units[unit.unit].id for unit in units if unit.deployed}
    left = {unit_id for ids in state.deployable_units_by_player.values() for unit_id in ids}
    confirmed = game.scenario.config.deployment_confirmation == "none" or len(state.confirmed_players) == 2
    complete = not left and confirmed
    promises = {
        "a unit is placed exactly if it is in deployed_units": placed == set(state.deployed_units),
        "a unit that is not placed stands nowhere": all(unit.hex is None for unit in units if not unit.deployed),
        "no unit is both placed and to be placed": not placed & left,
        "deployment_complete exactly if everything is placed and confirmed": state.deployment_complete == complete,
        "a complete deployment is over": state.deployment_complete == (position.phase != "deployment"),
    }
    _require(promises, where)


def _require(promises: dict[str, bool], where: str) -> None:
    for promise, holds in promises.items():
        if not holds:
            raise BrokenPromise(f"{where}: {promise}: does not hold")
