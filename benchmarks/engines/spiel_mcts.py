"""open_spiel's MCTS bot for Quoridor as a UGI engine, so that `ludex match` can play against it.

    ludex match quoridor --games 40 --opening-plies 6 \\
        --agents 'master:movetime=300,ugi:"python benchmarks/engines/spiel_mcts.py":nodes=1000'

Rollouts are uniform. Its first player starts at the top of the board, so rows are flipped on the way in and out. Limits
of `go` are not read: the number of simulations is the bot's own.
"""

import argparse
import sys
from typing import Any

import pyspiel

SIZE = 9
EXPLORATION = 2.0


def flipped(text: str, size: int = SIZE) -> str:
    """The other side's name of a move; the same function both ways.

    >>> flipped("e2"), flipped("e3h"), flipped("c1h", 5)
    ('e8', 'e6h', 'c4h')
    """
    if text[-1] in "hv":
        return f"{text[0]}{size - int(text[1:-1])}{text[-1]}"
    return f"{text[0]}{size + 1 - int(text[1:])}"


def position_after(game: Any, moves: list[str]) -> Any:
    """The position after our moves."""
    state = game.new_initial_state()
    for text in moves:
        named = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(named[flipped(text)])
    return state


def main() -> None:
    """Answer lines until `quit`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    game = pyspiel.load_game(f"quoridor(board_size={SIZE})")
    evaluator = pyspiel.RandomRolloutEvaluator(1, options.seed)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, options.simulations, 1000, True, options.seed, False)
    state = game.new_initial_state()
    for line in sys.stdin:
        match line.split():
            case ["ugi"]:
                print(f"id name open_spiel MCTS {options.simulations}\nugiok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", "startpos", *rest]:
                state = position_after(game, rest[1:])
            case ["go", *_]:
                print(f"bestmove {flipped(state.action_to_string(bot.step(state)))}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
