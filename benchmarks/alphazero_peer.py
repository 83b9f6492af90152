"""Self-play with a network on a CPU beside OpenSpiel's MCTS with the same network, in moves per CPU-second.

    python -m benchmarks.alphazero_peer --channels 32 --blocks 2

OpenSpiel's AlphaZero in Python plays by `MCTSBot` with one position per call of the network, and remembers evaluations.
Its network needs JAX, so both sides use the learner's residual tower in torch here, on one thread. Ours searches many
games at once and remembers as many evaluations. Both make 32 simulations per move with noise at the root.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python.algorithms import mcts
from open_spiel.python.utils import lru_cache

import ludex
from benchmarks.alphazero_speed import network, ply_by_ply
from benchmarks.documents import measurement_parser, write_run
from ludex.core.bench import machine
from ludex.core.registry import names
from ludex.learn.alphazero.network import Evaluator
from ludex.learn.alphazero.selfplay import SelfPlay
from ludex.search.batched import BatchedSearch, SearchOptions, positions_of

NAME = "alphazero-peer"
BOARDS = (("tictactoe", "3x3x3", "tic_tac_toe"), ("connect_four", "7x6", "connect_four"))
CACHE = 1 << 16
NOISE_SHARE, NOISE_ALPHA = 0.25, 1.0
EARLY_PLIES = 4
"""Moves that are drawn by their visits."""
C_PUCT = 1.25


class SpielEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """One position per call, remembered, as OpenSpiel's own evaluator does it."""

    def __init__(self, game: Any, args: argparse.Namespace) -> None:
        self._shape = tuple(game.observation_tensor_shape())
        net = network(self._shape, game.num_distinct_actions(), args)
        self._evaluate = Evaluator(net, torch.device("cpu"), "fp32", 1)
        self._cache = lru_cache.LRUCache(CACHE)

    def _inference(self, state: Any) -> tuple[float, Any]:
        seen = np.asarray(state.observation_tensor(), np.float32)
        mask = np.asarray(state.legal_actions_mask(), np.uint8)

        def infer() -> tuple[float, Any]:
            logits, values = self._evaluate(seen.reshape(1, *self._shape), mask[None])
            weights = np.where(mask, np.exp(logits[0] - logits[0].max()), 0.0)
            return float(values[0]), weights / weights.sum()

        evaluation: tuple[float, Any] = self._cache.make(seen.tobytes() + mask.tobytes(), infer)
        return evaluation

    def evaluate(self, state: Any) -> Any:
        """Both players' values; the network's is the mover's."""
        value = self._inference(state)[0]
        return np.array([value, -value] if state.current_player() == 0 else [-value, value])

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """The policy over legal actions."""
        policy = self._inference(state)[1]
        return [(action, policy[action]) for action in state.legal_actions()]


def theirs(spiel: str, args: argparse.Namespace) -> Callable[[], int]:
    """One game of OpenSpiel's bot against itself per call; returns its moves."""
    game, random = pyspiel.load_game(spiel), np.random.RandomState(args.seed)
    bot = mcts.MCTSBot(
        game,
        C_PUCT,
        args.simulations,
        SpielEvaluator(game, args),
        solve=False,
        random_state=random,
        dirichlet_noise=(NOISE_SHARE, NOISE_ALPHA),
        child_selection_fn=mcts.SearchNode.puct_value,
    )

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            root = bot.mcts_search(state)
            counts = np.array([child.explore_count for child in root.children], np.float64)
            drawn = random.choice(len(counts), p=counts / counts.sum())
            child = root.children[drawn] if moves < EARLY_PLIES else root.best_child()
            state.apply_action(child.action)
            moves += 1
        return moves

    return play


def ours(name: str, preset: str, args: argparse.Namespace) -> Callable[[], int]:
    """One ply of all games per call."""
    options = SearchOptions(
        simulations=args.simulations,
        rule="puct",
        c_puct=C_PUCT,
        noise_alpha=NOISE_ALPHA,
        noise_share=NOISE_SHARE,
        cache_size=CACHE,
    )
    search = BatchedSearch(positions_of(ludex.make(name, preset), args.games), args.games, options, args.seed)
    net = network(search.observation_shape, search.action_size, args)
    evaluate = Evaluator(net, torch.device("cpu"), "fp32", args.games)
    self_play = SelfPlay(search, ply_by_ply(args.games, EARLY_PLIES), args.seed)

    def play() -> int:
        self_play.play(evaluate, 1)
        return int(args.games)

    return play


def moves_per_cpu_second(play: Callable[[], int], seconds: float) -> float:
    """How many moves a CPU-second gives, caches cold at first on both sides."""
    play()
    begin, moves = time.process_time(), 0
    while (spent := time.process_time() - begin) < seconds:
        moves += play()
    return moves / spent


def main() -> None:
    """Print a row per board, and write the document."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--games", type=int, default=128, help="our games at once")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU-seconds per side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default=NAME, help="of the document")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for name, preset, spiel in BOARDS:
        if name not in names():
            print(f"{name} is not installed: left out")
            continue
        rates = [moves_per_cpu_second(play, args.seconds) for play in (ours(name, preset, args), theirs(spiel, args))]
        rows.append(
            {"game": name, "preset": preset, "ours": rates[0], "open_spiel": rates[1], "ratio": rates[0] / rates[1]}
        )
        print(rows[-1], flush=True)
    where = machine(("ludex", "numpy", "numba", "torch", "open_spiel"))
    write_run(args, "benchmarks.alphazero_peer", args.name, where, rows)


if __name__ == "__main__":
    main()
