"""Compiled rules with one planted bug each. They are plain functions: the checker only calls them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import RUNNING, CompiledRules, Ownership, Symmetries, Vector, Words
from ludex.core.seeding import Rng
from tests.core.conformance.toy_games import Dash, Heap, Nim, Pig


@dataclass(frozen=True)
class CompiledPlant:
    """A bug, and the checks under which it must be found: these and no others."""

    change: dict[str, Any]
    checks: set[str]
    dice: bool = False
    """Whether the rules are those of Pig, else those of Nim."""


def reset(constants: Vector, state: Vector) -> None:
    state[:] = constants[0], 0


def apply(constants: Vector, state: Vector, action: int) -> None:
    state[:] = state[0] - action - 1, 1 - state[1]


def legal(constants: Vector, state: Vector, mask: NDArray[np.uint8]) -> int:
    mask[:] = np.arange(1, 4) <= state[0]
    return int(mask.sum())


def outcome(constants: Vector, state: Vector) -> float:
    if state[0]:
        return RUNNING
    return 1.0 if state[1] == 1 else -1.0


def player(constants: Vector, state: Vector) -> int:
    return int(state[1])


def observe(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    out[:] = np.arange(1, 8) <= state[0]


def write_ownership(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    """What is left belongs to the player to move."""
    out[:] = (np.arange(1, 8) <= state[0]) * (1 if player == state[1] else -1)


def owning(write: Any = write_ownership, **changes: Any) -> Ownership:
    return Ownership(**{"planes": 1, "write": write, "cells": np.arange(7)[None], **changes})


def pack(position: Heap) -> Vector:
    return np.array([position.pile, position.turn], np.int64)


def unpack(state: Vector) -> Heap:
    return Heap(int(state[0]), int(state[1]))


def nim_rules() -> CompiledRules:
    """Nim as a table of one row."""
    return CompiledRules(
        state_size=2,
        action_size=3,
        observation_shape=(1, 1, 7),
        constants=np.array([Nim.START], np.int64),
        reset=reset,
        apply=apply,
        legal=legal,
        outcome=outcome,
        player=player,
        observe=observe,
        pack=pack,
        unpack=unpack,
        symmetries=Symmetries(actions=np.arange(3)[None], cells=np.arange(7)[None]),
        ownership=owning(),
    )


PIG = Pig()


def pack_dash(dash: Dash) -> Vector:
    return np.array([*dash.points, dash.gained, dash.turn, dash.plies], np.int64)


def unpack_dash(state: Vector) -> Dash:
    return PIG.load(state.tolist())


def roll_with(rolls: int) -> Callable[..., None]:
    """Pig by its contract, with the last of so many draws."""

    def apply_dash(constants: Vector, state: Vector, action: int, random: Words | None = None) -> None:
        rng = Rng(0 if random is None else int(random[0]))
        for _ in range(rolls - 1):
            rng.below(3)
        state[:] = pack_dash(PIG.apply(unpack_dash(state), action, rng))
        if random is not None:
            random[0] = rng.state

    return apply_dash


def reset_dash(constants: Vector, state: Vector, random: Words | None = None) -> None:
    state[:] = 0


def legal_dash(constants: Vector, state: Vector, mask: NDArray[np.uint8]) -> int:
    mask[:] = PIG.legal(unpack_dash(state))
    return int(mask.sum())


def outcome_dash(constants: Vector, state: Vector) -> float:
    result = PIG.outcome(unpack_dash(state))
    return RUNNING if result is None else result.scores[0]


def observe_dash(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    out[:] = state


def pig_rules() -> CompiledRules:
    """Pig as a row of five numbers."""
    return CompiledRules(
        state_size=5,
        action_size=2,
        observation_shape=(5, 1, 1),
        constants=np.zeros(1, np.int64),
        reset=reset_dash,
        apply=roll_with(1),
        draws=True,
        legal=legal_dash,
        outcome=outcome_dash,
        player=lambda constants, state: int(state[3]),
        observe=observe_dash,
        pack=pack_dash,
        unpack=unpack_dash,
    )


def apply_one_less(constants: Vector, state: Vector, action: int) -> None:
    state[:] = max(0, state[0] - action), 1 - state[1]


def outcome_of_the_mover(constants: Vector, state: Vector) -> float:
    result = outcome(constants, state)
    return result if result == RUNNING else -1


def observe_some(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    out[: state[0]] = 1.0


def observe_and_change(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    observe(constants, state, out)
    state[0] = max(1, state[0])


def own_some(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    out[: state[0]] = 1 if player == state[1] else -1


def own_and_change(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    write_ownership(constants, state, player, out)
    state[0] = max(1, state[0])


def own_twice(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    write_ownership(constants, state, player, out)
    out *= 2


def own_shifted(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    write_ownership(constants, state, player, out)
    out[:] = np.roll(out, player)


TWICE = Symmetries(actions=np.stack([np.arange(3)] * 2), cells=np.stack([np.arange(7)] * 2))
"""The identity, and the identity again."""

COMPILED = {
    "too few actions": CompiledPlant({"action_size": 2}, {"compiled_declared", "compiled_permutations"}),
    "two first symmetries": CompiledPlant(
        {"symmetries": Symmetries(actions=np.array([[0, 2, 1]]), cells=np.arange(7)[None])}, {"compiled_permutations"}
    ),
    "a key omitted that no dump has": CompiledPlant({"omitted": ("stones",)}, {"compiled_declared"}),
    "symmetries without cells that are owned": CompiledPlant({"ownership": owning(cells=None)}, {"compiled_declared"}),
    "cells that are owned without symmetries": CompiledPlant({"symmetries": None}, {"compiled_declared"}),
    "no planes of cells": CompiledPlant(
        {"ownership": owning(planes=0, cells=np.zeros((1, 0), np.int64))}, {"compiled_declared"}
    ),
    "cells of fewer planes": CompiledPlant({"ownership": owning(planes=2)}, {"compiled_permutations"}),
    "cells that are not written": CompiledPlant({"ownership": owning(own_some)}, {"ownership_values"}),
    "cells that are 2": CompiledPlant({"ownership": owning(own_twice)}, {"ownership_values"}),
    "owned cells change the position": CompiledPlant({"ownership": owning(own_and_change)}, {"compiled_unchanged"}),
    "another cell for the second player": CompiledPlant({"ownership": owning(own_shifted)}, {"ownership_players"}),
    "more cells on a turned board": CompiledPlant(
        {
            "ownership": owning(lambda constants, state, player, out: out.fill(player)),
            "orientation": np.stack([np.arange(3)] * 2),
        },
        {"ownership_players"},
    ),
    "the wrong image of a cell": CompiledPlant(
        {"symmetries": TWICE, "ownership": owning(cells=np.array([range(7), [1, 0, 2, 3, 4, 5, 6]]))},
        {"ownership_symmetry"},
    ),
    "both players see the first one's cells": CompiledPlant(
        {"ownership": owning(lambda constants, state, player, out: write_ownership(constants, state, 0, out))},
        {"ownership_orientation"},
    ),
    "a board that is not turned for the second player": CompiledPlant(
        {"ownership": owning(own_shifted), "orientation": np.stack([np.arange(3)] * 2)}, {"ownership_orientation"}
    ),
    "an outcome for the mover": CompiledPlant({"outcome": outcome_of_the_mover}, {"compiled_outcome"}),
    "an outcome that is a whole number": CompiledPlant(
        {"outcome": lambda constants, state: int(outcome(constants, state))}, {"compiled_outcome"}
    ),
    "the wrong player": CompiledPlant({"player": lambda constants, state: 1 - int(state[1])}, {"compiled_player"}),
    "a mask with another count": CompiledPlant(
        {"legal": lambda constants, state, mask: legal(constants, state, mask) + 1}, {"compiled_legal"}
    ),
    "takes one less": CompiledPlant({"apply": apply_one_less}, {"compiled_position", "compiled_pack"}),
    "a turn is lost": CompiledPlant(
        {"pack": lambda position: np.array([position.pile, 0], np.int64)}, {"compiled_pack"}
    ),
    "cells left as they were": CompiledPlant({"observe": observe_some}, {"compiled_observation"}),
    "an observation changes the position": CompiledPlant({"observe": observe_and_change}, {"compiled_unchanged"}),
    "an evaluation that the game has not": CompiledPlant(
        {"estimate": lambda constants, state: 0.0}, {"compiled_estimate"}
    ),
    "rules that draw nothing": CompiledPlant({"draws": False}, {"compiled_declared"}, dice=True),
    "symmetries that follow the dice": CompiledPlant(
        {"symmetries": Symmetries(actions=np.arange(2)[None], cells=np.arange(5)[None])},
        {"compiled_declared"},
        dice=True,
    ),
    "the second of two draws": CompiledPlant(
        {"apply": roll_with(2)}, {"compiled_draws", "compiled_position", "compiled_pack"}, dice=True
    ),
    "no symmetry": CompiledPlant(
        {"symmetries": replace(TWICE, actions=np.array([[0, 1, 2], [1, 0, 2]])), "ownership": None},
        {"compiled_symmetry"},
    ),
}


def planted(plant: CompiledPlant) -> CompiledRules:
    return replace(pig_rules() if plant.dice else nim_rules(), **plant.change)
