"""Self-play of Pgx's games with mctx, the tree search in JAX, beside which ours is measured on one GPU.

    python -m benchmarks.alphazero_pgx

Everything runs on the device: games, trees and a residual network of random weights, 64 channels and 6 blocks, as in
Pgx's own example, Gumbel search with 32 simulations in 1,024 games at once. Nothing is learned. JAX multiplies in TF32
by default: `--precision highest` is IEEE fp32, `bf16` a network in bfloat16.

`python -m benchmarks.alphazero_speed` measures ours; run both on the same quiet machine.
"""

import argparse
import time
from typing import Any

import haiku
import jax
import jax.numpy as jnp
import mctx
import pgx
from pgx.experimental import auto_reset

from benchmarks.documents import measurement_parser, write_run
from ludex.core.bench import machine

NAME = "alphazero-pgx"
PLIES = 16
"""Moves of every game per call."""
PRECISIONS = ("default", "highest", "bf16")


def tower(actions: int, channels: int, blocks: int, dtype: Any) -> Any:
    """A residual network: (logits [B, A], values [B]) of observations [B, H, W, C], batch normalisation folded away."""

    def apply(observations: Any) -> tuple[Any, Any]:
        def convolved(x: Any, width: int, side: int = 3) -> Any:
            return haiku.Conv2D(width, side)(x)

        x = jax.nn.relu(convolved(observations.astype(dtype), channels))
        for _ in range(blocks):
            inner = jax.nn.relu(convolved(x, channels))
            x = jax.nn.relu(x + convolved(inner, channels))
        policy = haiku.Flatten()(jax.nn.relu(convolved(x, 2, 1)))
        value = jax.nn.relu(haiku.Linear(channels)(haiku.Flatten()(jax.nn.relu(convolved(x, 1, 1)))))
        logits = haiku.Linear(actions)(policy)
        return logits.astype(jnp.float32), jnp.tanh(haiku.Linear(1)(value)).reshape(-1).astype(jnp.float32)

    return haiku.without_apply_rng(haiku.transform(apply))


def self_play(args: argparse.Namespace, precision: str) -> Any:
    """A compiled function that advances all games by some plies, and its first argument."""
    env = pgx.make(args.game)
    dtype = jnp.bfloat16 if precision == "bf16" else jnp.float32
    net = tower(env.num_actions, args.channels, args.blocks, dtype)
    rows = jnp.arange(args.games)
    key = jax.random.PRNGKey(args.seed)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, args.games))
    params = net.init(key, states.observation[:1])
    params = jax.tree_util.tree_map(lambda weights: weights.astype(dtype), params)
    step = auto_reset(env.step, env.init)

    def masked(logits: Any, legal: Any) -> Any:
        return jnp.where(legal, logits - logits.max(axis=1, keepdims=True), jnp.finfo(jnp.float32).min)

    def simulate(params: Any, key: Any, action: Any, states: Any) -> Any:
        mover = states.current_player
        states = jax.vmap(env.step)(states, action)
        logits, values = net.apply(params, states.observation)
        over = states.terminated
        output = mctx.RecurrentFnOutput(
            reward=states.rewards[rows, mover],
            discount=jnp.where(over, 0.0, -1.0),
            prior_logits=masked(logits, states.legal_action_mask),
            value=jnp.where(over, 0.0, values),
        )
        return output, states

    def ply(carried: Any, _: None) -> Any:
        params, states, key = carried
        key, searching, stepping = jax.random.split(key, 3)
        logits, values = net.apply(params, states.observation)
        root = mctx.RootFnOutput(prior_logits=masked(logits, states.legal_action_mask), value=values, embedding=states)
        output = mctx.gumbel_muzero_policy(
            params,
            searching,
            root,
            simulate,
            num_simulations=args.simulations,
            invalid_actions=~states.legal_action_mask,
            qtransform=mctx.qtransform_completed_by_mix_value,
            gumbel_scale=1.0,
        )
        states = jax.vmap(step)(states, output.action, jax.random.split(stepping, args.games))
        return (params, states, key), states.terminated.sum()

    played = jax.jit(lambda carried: jax.lax.scan(ply, carried, None, length=PLIES))
    return played, (params, states, key)


def measure(args: argparse.Namespace, precision: str) -> dict[str, Any]:
    """One row: self-play for some seconds."""
    jax.config.update("jax_default_matmul_precision", "highest" if precision == "highest" else None)
    played, carried = self_play(args, precision)
    # The first call compiles.
    carried, ended = played(carried)
    ended.block_until_ready()
    calls, games, begin = 0, 0, time.perf_counter()
    while (seconds := time.perf_counter() - begin) < args.seconds:
        carried, ended = played(carried)
        games += int(ended.sum())
        calls += 1
    moves = calls * PLIES * args.games
    return {
        "precision": precision,
        "moves_per_second": moves / seconds,
        "simulations_per_second": moves * args.simulations / seconds,
        "games_per_second": games / seconds,
    }


def main() -> None:
    """Print a row per precision, and write the document."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--games", type=int, default=1024, help="games at once")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--precision", default=",".join(PRECISIONS), help="several with commas")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = []
    for precision in args.precision.split(","):
        rows.append(measure(args, precision))
        print(rows[-1], flush=True)
    where = {**machine(("jax", "pgx", "mctx", "dm-haiku")), "device": str(jax.devices()[0])}
    write_run(args, "benchmarks.alphazero_pgx", NAME, where, rows)


if __name__ == "__main__":
    main()
