"""Let AlphaZero learn Connect Four from its rules alone, then measure it against a search without a network.

    pip install -c constraints.txt '.[train]'
    pip install ./examples/connect_four                               # the game: a package that is not part of Ludex
    python examples/alphazero_connect_four.py --minutes 10
    python examples/alphazero_connect_four.py --game tictactoe --minutes 2

It runs the commands that you would type: `ludex train` and `ludex match`.
"""

import argparse
import subprocess
import sys

from ludex.core.folders import runs_folder
from ludex.learn.runs import list_runs


def ludex(*arguments: str) -> None:
    """Run a command of Ludex."""
    print("ludex", *arguments, file=sys.stderr)
    subprocess.run([sys.executable, "-m", "ludex", *arguments], check=True)


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description="Train AlphaZero on a game and measure it.")
    parser.add_argument("--game", default="connect_four", help="any two-player game of perfect information")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of the configuration")
    parser.add_argument("--games", type=int, default=20, help="games of the match")
    parser.add_argument("--nodes", type=int, default=200, help="simulations per move of both players")
    given = parser.parse_args()

    changes = [word for one in given.set for word in ("--set", one)]
    ludex("train", given.game, "--config", "alphazero", "--set", f"minutes={given.minutes}", *changes)
    network = list_runs(runs_folder())[-1].folder / "net.onnx"
    ludex(
        *("match", given.game, "--agents", f"zero:net={network},mcts", "--games", str(given.games)),
        *("--nodes", str(given.nodes), "--opening-plies", "2"),
    )
    print(f"play it: ludex play {given.game} --agent zero:net={network}", file=sys.stderr)


if __name__ == "__main__":
    main()
