"""Random games of tic-tac-toe beside pgx, which steps a batch in one call: `python -m benchmarks.tictactoe_pgx`.

Both draw random legal actions, auto-reset included, in CPU-seconds of the whole process on one core: JAX uses more
threads than one, which get in each other's way otherwise. JAX is apart from `ludex bench`, whose peers CI installs.
"""

import os
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pgx
from pgx.experimental import auto_reset

from benchmarks.documents import measurement_parser, write
from benchmarks.peers.tictactoe import LANES, UNIT, batch_games
from ludex.core.bench import BenchRow, machine, rates

NAME = "tictactoe-pgx"
PEER_LANES = 4096
"""Where pgx was fastest of 256, 1,024 and 4,096."""
STEPS = 10
SEED = 1


def peer() -> Callable[[], int]:
    """Some steps of a batch of pgx's environment."""
    env = pgx.make("tic_tac_toe")
    step = auto_reset(env.step, env.init)

    def turn(carried: Any, _: None) -> tuple[Any, Any]:
        state, key = carried
        key, drawn, again = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(drawn, logits, axis=1)
        state = jax.vmap(step)(state, actions, jax.random.split(again, PEER_LANES))
        return (state, key), state.terminated.sum()

    turns = jax.jit(lambda carried: jax.lax.scan(turn, carried, None, length=STEPS))
    key = jax.random.PRNGKey(SEED)
    carried = (jax.jit(jax.vmap(env.init))(jax.random.split(key, PEER_LANES)), key)

    def work() -> int:
        nonlocal carried
        carried, ended = turns(carried)
        return int(np.asarray(ended).sum())

    return work


def main() -> None:
    """Measure both, and write the report."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    args = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    where = machine(("ludex", "numpy", "numba", "pgx", "jax"))
    measured = rates({"ours": batch_games(), "peer": peer()}, args.seconds)
    row = BenchRow(
        f"batch kernel, {LANES} lanes, one thread",
        UNIT,
        measured["ours"],
        measured["peer"],
        f"pgx, jit, {PEER_LANES} lanes",
    )
    document = {"game": "tictactoe", "machine": where, "seconds": args.seconds, "seed": SEED, "rows": [row.to_json()]}
    write(args.into, NAME, document)


if __name__ == "__main__":
    main()
