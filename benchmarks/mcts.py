"""The generic `mcts` beside OpenSpiel's MCTSBot: side-swapped games with intervals, and the time per simulation.

    python -m benchmarks.mcts --games 200 --simulations 1000

On tic-tac-toe `mcts` plays the exact solver and chance. On the other boards it plays OpenSpiel's
bot in C++ with as many simulations. The time per simulation is that of the games; for OpenSpiel's bot in Python it is
measured on a few positions after random moves.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as python_mcts

import ludex
from benchmarks.documents import measurement_parser, write_run
from benchmarks.engines.spiel_mcts import EXPLORATION, flipped
from ludex.arena.statistics import elo, interval95
from ludex.core import registry
from ludex.core.agent import AnyAgent
from ludex.core.bench import machine
from ludex.core.decision import Decision
from ludex.core.game import AnyGame, Mask, points
from ludex.core.limit import Limit
from ludex.core.match import play
from ludex.core.seeding import Rng

PYTHON_POSITIONS = 5
"""How many positions the bot in Python is timed on: it is slow."""


class Peer(NamedTuple):
    """A board in OpenSpiel."""

    game: str
    preset: str
    spiel: str
    text: Callable[[str], str]
    """OpenSpiel's name of our move."""


def drop(text: str) -> str:
    """A column of Connect Four, the mark of the player left out.

    >>> drop("d")
    '3'
    """
    return str(ord(text[0]) - ord("a")) if text[0].isalpha() else str(int(text) - 1)


PEERS = (
    Peer("quoridor", "5x5", "quoridor(board_size=5,wall_count=4)", partial(flipped, size=5)),
    Peer("connect_four", "7x6", "connect_four", drop),
)


class SpielAgent:
    """OpenSpiel's bot as an agent that follows the moves."""

    def __init__(self, peer: Peer, simulations: int, seed: int) -> None:
        self.name = f"open_spiel MCTSBot {simulations}"
        self.simulations = simulations
        self._peer = peer
        self._game = pyspiel.load_game(peer.spiel)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        self._bot = pyspiel.MCTSBot(self._game, evaluator, EXPLORATION, simulations, 1000, True, seed, False)
        self.state: Any = None

    def follow(self, moves: Sequence[str]) -> None:
        """Bring OpenSpiel's position to where the match is."""
        self.state = self._game.new_initial_state()
        for text in moves:
            self.state.apply_action(self._named()[self._peer.text(text)])

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        best_action, board = self._bot.step(self.state), registry.make(self._peer.game, self._peer.preset)
        names = {action: name for name, action in self._named().items()}
        for action in legal.nonzero()[0].tolist():
            if self._peer.text(board.action_text(view, action)) == names[best_action]:
                return Decision(action)
        raise AssertionError(f"{names[best_action]} is no move of ours")

    def _named(self) -> dict[str, int]:
        state = self.state
        # Connect Four's actions are named with the mark of the player, such as x3.
        return {state.action_to_string(name).lstrip("xo"): name for name in state.legal_actions()}


class Clocked:
    """Adds up the time and the simulations of an agent."""

    def __init__(self, agent: AnyAgent) -> None:
        self.name = agent.name
        self.agent = agent
        self.seconds, self.simulations = 0.0, 0

    def follow(self, moves: Sequence[str]) -> None:
        """Pass the moves on."""
        if isinstance(self.agent, SpielAgent):
            self.agent.follow(moves)

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        # Of the processor: other work on the machine says nothing about a search.
        begin = time.process_time()
        decision = self.agent.decide(view, legal, rng=rng, limit=limit)
        self.seconds += time.process_time() - begin
        own = self.agent.simulations if isinstance(self.agent, SpielAgent) else decision.stats.get("simulations", 0)
        self.simulations += own if isinstance(own, int) else 0
        return decision

    @property
    def microseconds(self) -> float:
        """Per simulation."""
        return 1e6 * self.seconds / max(1, self.simulations)


def compare(game: AnyGame, agents: Sequence[Clocked], games: int, seed: int, opening_plies: int) -> dict[str, Any]:
    """The first agent's score over side-swapped pairs."""
    scores: list[float] = []
    losses = 0
    for number in range(games // 2):
        pair = 0.0
        for swapped in (False, True):
            seats = [agents[1], agents[0]] if swapped else [agents[0], agents[1]]
            outcome = play(game, seats, seed=seed + number, opening_plies=opening_plies).outcome
            assert outcome is not None
            own = outcome.scores[1 if swapped else 0]
            losses += own < 0
            pair += points(own) / 2
        scores.append(pair)
    score = sum(scores) / len(scores)
    return {
        "game": game.info.id,
        "preset": game.info.preset,
        "agents": [agent.name for agent in agents],
        "games": 2 * len(scores),
        "opening_plies": opening_plies,
        "score": score,
        "ci95": list(interval95(scores)),
        "elo": elo(score),
        "losses": losses,
        "us_per_simulation": [agent.microseconds if agent.simulations else None for agent in agents],
    }


def python_microseconds(peer: Peer, simulations: int, seed: int) -> float:
    """OpenSpiel's bot in Python per simulation, over positions after random moves."""
    game = pyspiel.load_game(peer.spiel)
    random = np.random.RandomState(seed)
    evaluator = python_mcts.RandomRolloutEvaluator(1, random)
    bot = python_mcts.MCTSBot(game, EXPLORATION, simulations, evaluator, random_state=random)
    seconds, done = 0.0, 0
    for plies in range(0, 2 * PYTHON_POSITIONS, 2):
        state = game.new_initial_state()
        for _ in range(plies):
            state.apply_action(random.choice(state.legal_actions()))
            if state.is_terminal():
                # The random moves have ended the game.
                state = game.new_initial_state()
        begin = time.process_time()
        done += bot.mcts_search(state).explore_count
        seconds += time.process_time() - begin
    return 1e6 * seconds / done


def main() -> None:
    """Write the document `mcts`, and print a line per comparison."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    where, rows = machine(("ludex", "numpy", "numba", "open_spiel")), []
    board = ludex.make("tictactoe")
    search = f"mcts:simulations={options.simulations}"
    for opponent in ("perfect:ties=random", "random"):
        agents = [Clocked(ludex.make_agent(board, name)) for name in (search, opponent)]
        rows.append(compare(board, agents, options.games, options.seed, opening_plies=0))
    for peer in PEERS:
        if peer.game not in registry.names():
            print(f"{peer.game} is not installed: left out")
            continue
        board = ludex.make(peer.game, peer.preset)
        ours = ludex.make_agent(board, search)
        theirs = SpielAgent(peer, options.simulations, options.seed)
        row = compare(board, [Clocked(ours), Clocked(theirs)], options.games, options.seed, opening_plies=2)
        rows.append(row | {"us_per_simulation_python": python_microseconds(peer, options.simulations, options.seed)})
    for row in rows:
        print(row)
    how = f"--games {options.games} --simulations {options.simulations} --seed {options.seed}"
    write_run(options, f"benchmarks.mcts {how}", "mcts", where, rows)


if __name__ == "__main__":
    main()
