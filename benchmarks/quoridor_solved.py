"""A match on a solved board: whom each opening belongs to by perfect play, and how often a player's moves keep it.

    python -m benchmarks.quoridor_solved --preset 5x5 --agents zero:simulations=200,hell --games 200

Both players get every opening once. One that plays perfectly wins the openings that are its own, and of the others
those that its opponent gives away.
"""

import argparse
import json
import random
import shlex
import sys
from typing import Any

import ludex
from benchmarks.alphazero import NAME
from benchmarks.documents import add_into, read, write
from ludex.core.game import Json, legal_actions
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.games.quoridor.agents.solver.solve import Solution, solve
from ludex.games.quoridor.game import Quoridor


class Tally:
    """What one player did."""

    def __init__(self) -> None:
        self.own_games = self.own_won = self.other_games = self.other_won = 0
        """Games whose opening was the player's own, or its opponent's, and how many of them it won."""
        self.critical = self.kept = 0
        """Won positions in which some moves keep the win and some do not, and how often it was kept."""


def opened(game: Quoridor, plies: int, draws: random.Random) -> Any:
    """A position after moves by chance."""
    state = game.initial(Rng(0))
    for _ in range(plies):
        state = game.apply(state, draws.choice(legal_actions(game.legal(state))), Rng(0))
    return state


def played(game: Quoridor, solution: Solution, state: Any, agents: list[Any], tallies: list[Tally]) -> None:
    """Play on from an opening; `agents` and `tallies` are those of white and black."""
    owner = solution.value(state).winner
    while (outcome := game.outcome(state)) is None:
        mover, legal = game.to_move(state), game.legal(state)
        found = agents[mover].decide(game.view(state, mover), legal, rng=Rng(state.ply), limit=Limit()).action
        if solution.value(state).winner == mover:
            moves = legal_actions(legal)
            keeping = [one for one in moves if solution.value(game.apply(state, one, Rng(0))).winner == mover]
            if len(keeping) < len(moves):
                tallies[mover].critical += 1
                tallies[mover].kept += found in keeping
        state = game.apply(state, found, Rng(0))
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="5x5")
    parser.add_argument("--agents", default="zero:simulations=200,hell")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--opening-plies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", help="keep the result under this name")
    add_into(parser)
    args = parser.parse_args()
    game = ludex.make("quoridor", args.preset)
    assert isinstance(game, Quoridor)
    solution, names = solve(game, game.initial(Rng(0))), args.agents.split(",")
    agents, tallies = [ludex.make_agent(game, name) for name in names], [Tally(), Tally()]
    draws = random.Random(args.seed)
    for _ in range(args.games // 2):
        opening = opened(game, args.opening_plies, draws)
        if game.outcome(opening) is None:
            played(game, solution, opening, agents, tallies)
            played(game, solution, opening, agents[::-1], tallies[::-1])
    players: dict[str, Json] = {name: vars(tally) for name, tally in zip(names, tallies, strict=True)}
    document: dict[str, Json] = {
        "preset": args.preset,
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
