"""How well a network of `ludex train GAME --config alphazero` plays, against exact players where there are some.

    python -m benchmarks.alphazero tictactoe --net net.onnx --preset 4x4x4 --games 2000 --simulations 50
    python -m benchmarks.alphazero connect_four --net net.onnx --games 20 --simulations 200
    python -m benchmarks.alphazero quoridor --net net.onnx --preset 5x5 --games 40 --simulations 200
    python -m benchmarks.alphazero match --game quoridor --preset 9x9 --net net.onnx --opponent hell --games 400
    python -m benchmarks.alphazero progress --run RUN

Without `--net` the network that ships for the board plays. `tictactoe` meets the exact solver's random choices and, on
boards of up to 9 cells, every play of the opponent. `connect_four` and `quoridor` count the positions where some moves
keep the value and some do not, and how often the network's move is one of the latter. `--name NAME` keeps the result.
"""

import argparse
import json
import random
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import ludex
from benchmarks.connect_four_solver import Solver
from benchmarks.documents import measurement_parser, read, write
from ludex.arena.duel import duel
from ludex.arena.terms import Terms
from ludex.core.agent import AnyAgent
from ludex.core.executor import executor_for
from ludex.core.folders import runs_folder
from ludex.core.game import Action, AnyGame, Json, legal_actions
from ludex.core.limit import Limit
from ludex.core.options import join_reference
from ludex.core.seeding import Rng, generator
from ludex.learn.runs import Run
from ludex.operations.duel import DuelResult
from ludex.search.model import position_key

NAME = "alphazero"
"""The document of all results."""
EXHAUSTIVE_CELLS = 9
"""Boards up to this size are walked through every play of the opponent."""
Document = dict[str, Json]


class Memory:
    """An agent whose decision is the same whenever a position comes again."""

    def __init__(self, game: AnyGame, agent: AnyAgent) -> None:
        self._game, self._agent = game, agent
        self._known: dict[Any, Action] = {}

    def move(self, state: Any) -> Action:
        key = position_key(self._game, state)
        if key not in self._known:
            view = self._game.view(state, self._game.to_move(state))
            decision = self._agent.decide(view, self._game.legal(state), rng=Rng(1), limit=Limit())
            self._known[key] = decision.action
        return self._known[key]


def reference(net: str | None, simulations: int | None) -> str:
    """The name of the agent under test."""
    return join_reference("zero", {"net": net} if net else {}) + (f":simulations={simulations}" if simulations else "")


def played(game: AnyGame, movers: list[Callable[[Any], Action]]) -> tuple[float, tuple[Action, ...]]:
    """The score of the first player, and the moves."""
    state, moves = game.initial(Rng(0)), []
    while (outcome := game.outcome(state)) is None:
        action = movers[game.to_move(state)](state)
        moves.append(action)
        state = game.apply(state, action, Rng(0))
    return outcome.scores[0], tuple(moves)


class Lines(NamedTuple):
    """Complete games of an agent in one seat against every play of the other."""

    losing: int
    total: int


def walk(game: AnyGame, agent: Memory, seat: int) -> Lines:
    """Count the lines, and those that the agent loses."""

    def count(state: Any) -> Lines:
        outcome = game.outcome(state)
        if outcome is not None:
            return Lines(int(outcome.scores[seat] < 0), 1)
        mine = game.to_move(state) == seat
        actions = [agent.move(state)] if mine else legal_actions(game.legal(state))
        branches = [count(game.apply(state, action, Rng(0))) for action in actions]
        return Lines(sum(branch.losing for branch in branches), sum(branch.total for branch in branches))

    return count(game.initial(Rng(0)))


def tictactoe(args: argparse.Namespace) -> Document:
    """Games against the exact solver that chooses among the best moves at random, from both seats."""
    game = ludex.make("tictactoe", args.preset)
    agent = Memory(game, ludex.make_agent(game, reference(args.net, args.simulations)))
    perfect = ludex.make_agent(game, "perfect:ties=random")
    scores, seen = [], set()
    for number in range(args.games):
        seat = number % 2
        draws = generator(args.seed, number)

        def reply(state: Any, draws: Rng = draws) -> Action:
            return perfect.decide(state, game.legal(state), rng=draws, limit=Limit()).action

        score, moves = played(game, [agent.move, reply] if seat == 0 else [reply, agent.move])
        scores.append(score if seat == 0 else -score)
        seen.add((seat, moves))
    result: Document = {
        "preset": game.info.preset,
        "games": args.games,
        "lost": scores.count(-1.0),
        "won": scores.count(1.0),
        "distinct_games": len(seen),
    }
    if game.info.num_actions <= EXHAUSTIVE_CELLS:
        lines = [walk(game, agent, seat) for seat in (0, 1)]
        result["losing_lines"] = [seat_lines.losing for seat_lines in lines]
        result["lines"] = [seat_lines.total for seat_lines in lines]
    return result


def connect_four(args: argparse.Namespace) -> Document:
    """Games as the first player against an opponent that draws among the moves that keep the value."""
    game = ludex.make("connect_four")
    agent = Memory(game, ludex.make_agent(game, reference(args.net, args.simulations)))
    solver = Solver(bits=args.table_bits, threads=args.solver_threads, exact_from=args.exact_from)
    rng, critical, lost = random.Random(args.seed), 0, 0
    results, games = list[float](), set[tuple[Action, ...]]()
    while len(games) < args.games:
        state, moves = game.initial(Rng(0)), []
        while (outcome := game.outcome(state)) is None:
            mover, stones = solver.bits(state)
            columns, best = solver.playable(stones), solver.best(mover, stones)
            if game.to_move(state) == 0:
                col = agent.move(state)
                critical += len(best) < len(columns)
                lost += col not in best
            else:
                col = rng.choice(best)
            state = game.apply(state, col, Rng(0))
            moves.append(col)
        if tuple(moves) not in games:
            games.add(tuple(moves))
            results.append(outcome.scores[0])
            print(f"game {len(games)}: {outcome.scores[0]:+.0f} {moves} critical {critical} lost {lost}", flush=True)
    return {
        "games": len(games),
        "won": results.count(1.0),
        "critical_positions": critical,
        "value_lost": lost,
        "value_lost_share": lost / max(1, critical),
        "exact_from": solver.exact_from,
        "horizon": solver.horizon,
        "solver_positions": solver.positions,
    }


def quoridor(args: argparse.Namespace) -> Document:
    """Moves of a solved board: the share that keeps the value where some moves do and some do not."""
    from ludex.games.quoridor.agents.solver import solve
    from ludex.games.quoridor.game import Quoridor

    game = ludex.make("quoridor", args.preset)
    assert isinstance(game, Quoridor)
    solution = solve(game, game.initial(Rng(0)))
    agent = Memory(game, ludex.make_agent(game, reference(args.net, args.simulations)))
    rng, critical, optimal, results = random.Random(args.seed), 0, 0, list[float]()
    for number in range(args.games):
        seat, state = number % 2, game.initial(Rng(0))
        while (outcome := game.outcome(state)) is None:
            legal = legal_actions(game.legal(state))
            winner = solution.value(state).winner
            keeping = [move for move in legal if solution.value(game.apply(state, move, Rng(0))).winner == winner]
            if game.to_move(state) != seat:
                action = rng.choice(keeping or legal)
            else:
                action = agent.move(state)
                if 0 < len(keeping) < len(legal):
                    critical += 1
                    optimal += action in keeping
            state = game.apply(state, action, Rng(0))
        results.append(outcome.scores[seat])
    return {
        "preset": game.info.preset,
        "games": args.games,
        "won": results.count(1.0),
        "drawn": results.count(0.0),
        "critical_positions": critical,
        "value_kept": optimal,
        "value_kept_share": optimal / max(1, critical),
    }


def match(args: argparse.Namespace) -> Document:
    """Side-swapped games with random openings against any agent."""
    game = ludex.make(args.game, args.preset)
    agents = (reference(args.net, args.simulations if args.movetime is None else None), args.opponent)
    limit = Limit() if args.movetime is None else Limit(time_ms=args.movetime)
    terms = Terms.of(game, agents, seed=args.seed, limit=limit, opening_plies=args.opening_plies)
    result = duel(terms, games=args.games, executor=executor_for(args.workers))
    if not result.played:
        raise SystemExit("interrupted before the first pair of games ended")
    return DuelResult.of(result).model_dump(mode="json")


def progress(args: argparse.Namespace) -> Document:
    """What a run logged of its own evaluations: minutes, losses, and points against a search without a network."""
    run = Run(Path(args.run)) if Path(args.run).is_dir() else Run.open(runs_folder(), args.run)
    logged: dict[int, Document] = {}
    points: list[Json] = []
    rating: Json = 0.0
    for row in run.metrics():
        iteration = int(str(row["iteration"]))
        if "moves_per_second" in row:
            logged[iteration] = row
        elif row["opponent"] == "no network":
            figures = {key: logged[iteration].get(key) for key in ("minutes", "games", "loss", "draws")}
            points.append({"iteration": iteration, **figures, "score": row["win_rate"], "rating": rating})
        else:
            rating = row["rating"]
    return {"run": run.name, "game": run.game, "points": points, "config": run.config_name}


JUDGES: dict[str, Callable[[argparse.Namespace], Document]] = {
    "tictactoe": tictactoe,
    "connect_four": connect_four,
    "quoridor": quoridor,
    "match": match,
    "progress": progress,
}
GAMES = {"tictactoe": 2000, "connect_four": 20, "quoridor": 40, "match": 400, "progress": 0}
SIMULATIONS = dict.fromkeys(GAMES, 200) | {"tictactoe": 50}


def main() -> None:
    """Judge a network, and print or write what was found."""
    parser = measurement_parser(__doc__)
    parser.add_argument("judge", choices=JUDGES)
    parser.add_argument("--net", help="an .onnx file; without it the network that ships")
    parser.add_argument("--game", default="quoridor")
    parser.add_argument("--preset")
    parser.add_argument("--games", type=int)
    parser.add_argument("--simulations", type=int)
    parser.add_argument("--opponent", default="hell")
    parser.add_argument("--opening-plies", type=int, default=4)
    parser.add_argument("--movetime", type=int, help="milliseconds per move of both, instead of simulations")
    parser.add_argument("--run", help="a training run, by name or folder")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table-bits", type=int, default=24, help="of Connect Four's solver: 2**bits positions")
    parser.add_argument(
        "--exact-from", type=int, default=0, help="stones from which its values are exact; 16 plies deep before"
    )
    parser.add_argument("--solver-threads", type=int, default=1, help="of Connect Four's solver")
    parser.add_argument("--name", help="keep the result under this name")
    args = parser.parse_args()
    args.games = GAMES[args.judge] if args.games is None else args.games
    args.simulations = SIMULATIONS[args.judge] if args.simulations is None else args.simulations
    begin = time.perf_counter()
    result = JUDGES[args.judge](args)
    seconds = time.perf_counter() - begin
    budget = {"simulations": args.simulations} if args.movetime is None else {"movetime_ms": args.movetime}
    document = {**budget, **result, "seconds": seconds, "command": shlex.join(sys.argv[1:])}
    print(json.dumps(document, indent=1))
    if args.name is not None:
        earlier = read(NAME, args.into) if (args.into / f"{NAME}.json").exists() else {}
        write(args.into, NAME, {**earlier, args.name: document})


if __name__ == "__main__":
    main()
