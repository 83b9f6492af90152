"""Skirmish over packed positions: the engine's own words and kernels, four words to a number.

A network sees every position from the mover's end of the board: the planes of `engine.observation`, each number about
the whole game as a plane of its own, and then the whole row of numbers, padded with zeros to whole planes.
"""

import math
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import RUNNING, CompiledRules, Vector, Words
from ludex.games.skirmish.game import HALF_LOST, POINTS, Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine import play as engine
from ludex.games.skirmish.rules.engine.observation import GENERAL, PLANES, UNIT_NUMBERS, vector_length
from ludex.games.skirmish.rules.engine.observation import observe as engine_observe
from ludex.games.skirmish.rules.engine.orientation import half_turn, identity_orientation
from ludex.games.skirmish.rules.engine.records import Constants, Scratch
from ludex.games.skirmish.rules.engine.units import wounds_of
from ludex.games.skirmish.rules.position import Position
from ludex.kernels.jit import kernel, to_index
from ludex.kernels.records import layout_of, record_on_stack, record_over

STATE_SIZE: Final = -(-layout.STATE_WORDS // 4)
RECORD: Final = layout_of(Constants).itemsize // 8
"""Numbers of the scenario's record; where each player sees each hex is behind it."""
scenario_in = record_over(Constants)
scratch_here = record_on_stack(Scratch)


@kernel
def reset(constants: Vector, state: Vector, random: Words) -> None:
    """Every unit unplaced, or where the scenario has fixed it; nothing is rolled."""
    state[:] = 0
    engine.begin(scenario_in(constants), state.view(np.int16), scratch_here())


@kernel
def apply(constants: Vector, state: Vector, action: int, random: Words) -> None:
    """An action, and all that follows before the next choice."""
    work = scratch_here()
    work.generator[0] = random[0]
    engine.play(scenario_in(constants), state.view(np.int16), action, work)
    random[0] = work.generator[0]


@kernel
def legal(constants: Vector, state: Vector, mask: NDArray[np.uint8]) -> int:
    """The mask of the engine."""
    engine.fill_mask(scenario_in(constants), state.view(np.int16), mask.view(np.bool_), scratch_here())
    return to_index(mask.sum())


@kernel
def outcome(constants: Vector, state: Vector) -> float:
    """The result, once there is one."""
    result = to_index(state.view(np.int16)[layout.RESULT])
    if result == layout.LIVE:
        return RUNNING
    if result == layout.DRAWN:
        return 0.0
    return -1.0 if result & layout.WON_BY_SECOND else 1.0


@kernel
def player(constants: Vector, state: Vector) -> int:
    """Who has to choose."""
    return to_index(state.view(np.int16)[layout.TO_MOVE])


@kernel
def observe(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    """Planes, general numbers and the row of numbers, from the mover's end of the board."""
    scenario, words = scenario_in(constants), state.view(np.int16)
    size, mover = scenario.size, to_index(words[layout.TO_MOVE])
    mapping = constants[RECORD + mover * size : RECORD + (mover + 1) * size]
    planes = out[: (PLANES + GENERAL) * size].reshape((PLANES + GENERAL, size))
    row = out[(PLANES + GENERAL) * size :]
    length = GENERAL + 2 * scenario.unit_slots * UNIT_NUMBERS
    engine_observe(scenario, words, mover, mapping, planes[:PLANES], row[:length], scratch_here())
    row[length:] = 0.0
    for number in range(GENERAL):
        planes[PLANES + number] = row[number]


@kernel
def estimate(constants: Vector, state: Vector) -> float:
    """`expected_score` of player 1."""
    scenario, words = scenario_in(constants), state.view(np.int16)
    lead, sign = 0.0, 1.0
    for side in range(2):
        left, whole = 0.0, 0.0
        for unit in range(scenario.first[side], scenario.first[side + 1]):
            left += wounds_of(words, unit)
            whole += scenario.wounds[unit]
        lead += sign * (words[layout.POINTS + side] / POINTS + HALF_LOST * left / whole)
        sign = -1.0
    return math.tanh(lead)


def pack(position: Position) -> Vector:
    """The words of a position, four to a number."""
    state = np.zeros(STATE_SIZE, np.int64)
    state.view(np.int16)[: layout.STATE_WORDS] = position.words
    return state


def unpack(state: Vector) -> Position:
    """The position with these words, without the events of its last ply."""
    return Position(state.view(np.int16)[: layout.STATE_WORDS].tobytes())


def compiled(game: Skirmish) -> CompiledRules | None:
    """The compiled rules of a scenario; None for one whose deployment deadlocks, which ends without a score."""
    scenario, grid = game.scenario, game.scenario.grid
    if scenario.doomed:
        return None
    # A board that cannot be turned is seen as it is.
    orientation = (half_turn if grid.cols % 2 else identity_orientation)(scenario)
    record: Any = np.asarray(cast(Any, game.constants)).reshape(1).view(np.int64)
    numbers = vector_length(game.table.unit_slots)
    return CompiledRules(
        state_size=STATE_SIZE,
        action_size=game.info.num_actions,
        observation_shape=(PLANES + GENERAL + -(-numbers // grid.size), grid.cols, grid.rows),
        constants=np.concatenate((record, orientation.hexes.ravel())),
        reset=reset,
        apply=apply,
        draws=True,
        legal=legal,
        outcome=outcome,
        player=player,
        observe=observe,
        estimate=estimate,
        pack=pack,
        unpack=unpack,
        omitted=("events",),
        orientation=orientation.actions,
    )
