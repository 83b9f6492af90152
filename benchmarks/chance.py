"""What networks learn of games with dice, against exact values: value error and regret.

    python -m benchmarks.chance --minutes 4 --games pig,tiles,einstein --runs RUNS
    python -m benchmarks.chance --judge RUN/net.onnx --games pig

Each game is learned from its rules alone. Judged are positions of random play: how far the value is from the exact one,
and the regret, how much less the move is worth than the best one. Values are scores in -1..1; of 2048 they are points.
`einstein` is judged by endings with at most two stones each.
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

import ludex
from benchmarks.dice_games import einstein_endings, pig, tiles
from benchmarks.documents import ROOT, five_digits, measurement_parser, read, write
from ludex.core.bench import machine
from ludex.core.game import Action, AnyGame, Json
from ludex.core.limit import Limit
from ludex.core.registry import names, spec
from ludex.core.seeding import Rng, generator
from ludex.core.source_package import register
from ludex.learn.alphazero.config import AlphaZeroConfig, complete
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run

NAME: Final = "chance"
PACKAGES: Final = ("benchmarks/dice_games", "packages/classics")
SIMULATIONS: Final = (1, 32, 200)
POSITIONS: Final = 300


class Judge(Protocol):
    """Knows the exact value of positions."""

    unit: float
    """What a score of 1 is called."""

    def __init__(self, game: Any) -> None: ...

    def positions(self, game: Any, count: int, rng: Rng) -> list[Any]:
        """Live positions with more than one legal action."""

    def value(self, state: Any) -> float:
        """The score of the player to move by perfect play."""

    def actions(self, state: Any) -> dict[Action, float]:
        """The same after each legal action, for the player who plays it."""


JUDGES: Final[dict[str, type[Judge]]] = {
    "pig": pig.Exact,
    "tiles": tiles.Exact,
    "einstein": einstein_endings.Exact,
}


class Verdict(NamedTuple):
    """Means over positions."""

    value_error: float | None
    """How far the value is from the exact one; None for an agent that has no value."""
    regret: float
    """How much less the move is worth than the best one."""
    best_moves: float
    """The share of positions in which it is the best one."""


def judge(game: AnyGame, exact: Judge, states: Sequence[Any], reference: str) -> Verdict:
    """What an agent's decisions are worth."""
    agent = ludex.make_agent(game, reference)
    errors, regrets = [], []
    for number, state in enumerate(states):
        player = game.to_move(state)
        decision = agent.decide(game.view(state, player), game.legal(state), rng=generator(5, number), limit=Limit())
        worth = exact.actions(state)
        regrets.append(max(worth.values()) - worth[decision.action])
        if decision.value is not None:
            value = decision.value if game.info.players == 2 else 2 * decision.value - 1
            errors.append(abs(value - exact.value(state)))
    error = exact.unit * float(np.mean(errors)) if errors else None
    return Verdict(error, exact.unit * float(np.mean(regrets)), float(np.mean(np.array(regrets) < 1e-6)))


def verdicts(game_id: str, net: Path, count: int) -> list[dict[str, Json]]:
    """A row per agent: the network by its simulations, and searches without a network."""
    game = ludex.make(game_id)
    exact = JUDGES[game_id](game)
    states = exact.positions(game, count, generator(11, 0))
    agents = [f"zero:net={net}:simulations={count}" for count in SIMULATIONS]
    agents += [f"mcts:simulations={SIMULATIONS[-1]}", "random"]
    rows: list[dict[str, Json]] = []
    for agent in agents:
        verdict = judge(game, exact, states, agent)
        rows.append({"agent": agent.replace(f":net={net}", ""), "positions": len(states), **verdict._asdict()})
        print(game_id, json.dumps(rows[-1]), flush=True)
    return rows


def learn(game_id: str, minutes: float, runs: Path, changes: dict[str, Json]) -> dict[str, Json]:
    """Train a network from nothing; returns how it went and where it is."""
    prepare()
    from ludex.learn.alphazero.train import train

    given: dict[str, Any] = {"minutes": minutes, **changes}
    config = complete(spec(game_id), load_config(AlphaZeroConfig, "ludex.learn.alphazero.configs", NAME_OF, given))
    run = Run.create(runs, game_id, NAME_OF, dump_config(config))
    before = process_time()
    summary = train(config, run, lambda amount: None)
    kept = {key: summary[key] for key in ("device", "games", "positions", "steps", "parameters", "seconds")}
    return {**kept, "cpu_seconds": process_time() - before, "folder": str(run.folder), "minutes": minutes}


NAME_OF: Final = "alphazero"


def prepare() -> None:
    """Make the games known."""
    if "pig" not in names():
        for package in PACKAGES:
            register(ROOT / package)


def main() -> None:
    """Learn and judge one game after the other; the result is written after each."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--games", default=",".join(JUDGES))
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=JSON", help="of the configuration")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--judge", type=Path, help="a network to judge; nothing is learned or kept")
    args = parser.parse_args()
    prepare()
    if args.judge is not None:
        verdicts(args.games, args.judge, args.positions)
        return
    changes: dict[str, Json] = {key: json.loads(value) for key, value in (pair.split("=", 1) for pair in args.set)}
    runs = args.runs or Path(tempfile.mkdtemp())
    for game_id in args.games.split(","):
        where = machine(("torch", "numpy"))
        learned = learn(game_id, args.minutes, runs, changes)
        rows: list[Json] = [*verdicts(game_id, Path(str(learned.pop("folder"))) / "net.onnx", args.positions)]
        earlier = read(NAME, args.into) if (args.into / f"{NAME}.json").exists() else {}
        run = {"load": where["load"], **learned, "set": changes, "rows": rows}
        document = {**earlier, "machine": where, game_id: run}
        write(args.into, NAME, five_digits(document))


if __name__ == "__main__":
    main()
