"""A match on a solved board: whom each opening belongs to by perfect play, and how often a player's moves keep it.

    python -m benchmarks.solved --game quoridor --preset 5x5 --agents zero:simulations=200,hell
    python -m benchmarks.solved --game connect_four --opening-plies 12 --agents zero:simulations=200,mcts

Both players get every opening once. One that plays perfectly wins the openings that are its own, and of the others
those that its opponent gives away.
"""

import json
import random
import shlex
import sys
from collections.abc import Callable
from typing import Any, Protocol

import ludex
from benchmarks.alphazero import NAME
from benchmarks.connect_four_solver import Solver
from benchmarks.documents import measurement_parser, read, write
from ludex.core.decision import Decision
from ludex.core.game import Action, AnyGame, Json, legal_actions
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.games.quoridor.agents.solver import solve
from ludex.games.quoridor.game import Quoridor

LOST = -1
SOLVER = "solver"
"""The agent that plays perfectly, beside those of the game."""


class Judge(Protocol):
    """Knows the value of every position."""

    def value(self, state: Any) -> int:
        """1 won, 0 drawn, -1 lost for the player to move."""

    def keeping(self, state: Any) -> list[Action]:
        """The moves that keep the value."""

    def best(self, state: Any) -> Action:
        """A move of perfect play."""


class QuoridorJudge:
    """Asks the solver of small boards."""

    def __init__(self, game: AnyGame) -> None:
        assert isinstance(game, Quoridor)
        self._game, self._solution = game, solve(game, game.initial(Rng(0)))

    def value(self, state: Any) -> int:
        winner = self._solution.value(state).winner
        return 0 if winner is None else 1 if winner == self._game.to_move(state) else LOST

    def keeping(self, state: Any) -> list[Action]:
        winner = self._solution.value(state).winner
        return [
            move
            for move in legal_actions(self._game.legal(state))
            if self._solution.value(self._game.apply(state, move, Rng(0))).winner == winner
        ]

    def best(self, state: Any) -> Action:
        """Of the moves that keep the value the fastest win, or the longest resistance."""
        hurries = self.value(state) > 0

        def plies(move: Action) -> int:
            return self._solution.value(self._game.apply(state, move, Rng(0))).plies or 0

        return (min if hurries else max)(self.keeping(state), key=plies)


class ConnectFourJudge:
    """Asks a search to the end, which takes about a second after 12 stones and minutes after 8."""

    def __init__(self, game: AnyGame) -> None:
        self._solver = Solver()

    def value(self, state: Any) -> int:
        return self._solver.value(*self._solver.bits(state))

    def keeping(self, state: Any) -> list[Action]:
        return self._solver.best(*self._solver.bits(state))

    def best(self, state: Any) -> Action:
        return self.keeping(state)[0]


class SolverAgent:
    """Plays what a judge says: how much a perfect player makes of the openings."""

    name = SOLVER

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def decide(self, view: Any, legal: Any, *, rng: Rng, limit: Limit) -> Decision:
        return Decision(self._judge.best(view))


JUDGES: dict[str, Callable[[AnyGame], Judge]] = {"quoridor": QuoridorJudge, "connect_four": ConnectFourJudge}


class Tally:
    """What one player did."""

    def __init__(self) -> None:
        self.own_games = self.own_won = self.other_games = self.other_won = 0
        """Games whose opening was the player's own, or its opponent's, and how many of them it won."""
        self.critical = self.kept = 0
        """Positions not lost in which some moves keep the value and some do not, and how often it was kept."""


def opened(game: AnyGame, plies: int, draws: random.Random) -> Any:
    """A position after moves at random in which the game goes on."""
    while True:
        state = game.initial(Rng(0))
        for _ in range(plies):
            if game.outcome(state) is None:
                state = game.apply(state, draws.choice(legal_actions(game.legal(state))), Rng(0))
        if game.outcome(state) is None:
            return state


def played(game: AnyGame, judge: Judge, state: Any, agents: list[Any], tallies: list[Tally]) -> None:
    """Play on from an opening; `agents` and `tallies` are those of the first player and the second."""
    value = judge.value(state)
    owner = None if value == 0 else game.to_move(state) if value > 0 else 1 - game.to_move(state)
    ply = 0
    while (outcome := game.outcome(state)) is None:
        mover, legal = game.to_move(state), game.legal(state)
        action = agents[mover].decide(game.view(state, mover), legal, rng=Rng(ply), limit=Limit()).action
        if judge.value(state) > LOST:
            keeping = judge.keeping(state)
            if len(keeping) < len(legal_actions(legal)):
                tallies[mover].critical += 1
                tallies[mover].kept += action in keeping
        state = game.apply(state, action, Rng(0))
        ply += 1
    for seat, tally in enumerate(tallies):
        won = outcome.scores[seat] > 0
        if owner == seat:
            tally.own_games += 1
            tally.own_won += won
        elif owner == 1 - seat:
            tally.other_games += 1
            tally.other_won += won


def main() -> None:
    """Play the match, and print or write what was found."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--game", default="quoridor", choices=JUDGES)
    parser.add_argument("--preset")
    parser.add_argument("--agents", default="zero:simulations=200,hell")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--opening-plies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", help="keep the result under this name")
    args = parser.parse_args()
    game, names = ludex.make(args.game, args.preset), args.agents.split(",")
    judge = JUDGES[args.game](game)
    agents = [SolverAgent(judge) if name == SOLVER else ludex.make_agent(game, name) for name in names]
    tallies = [Tally(), Tally()]
    draws = random.Random(args.seed)
    for _ in range(args.games // 2):
        opening = opened(game, args.opening_plies, draws)
        played(game, judge, opening, agents, tallies)
        played(game, judge, opening, agents[::-1], tallies[::-1])
    players: dict[str, Json] = {name: vars(tally) for name, tally in zip(names, tallies, strict=True)}
    document: dict[str, Json] = {
        "game": args.game,
        "preset": game.info.preset,
        "opening_plies": args.opening_plies,
        "seed": args.seed,
        "players": players,
        "command": shlex.join(sys.argv[1:]),
    }
    print(json.dumps(document, indent=1))
    if args.name is not None:
        write(args.into, NAME, {**read(NAME, args.into), args.name: document})


if __name__ == "__main__":
    main()
