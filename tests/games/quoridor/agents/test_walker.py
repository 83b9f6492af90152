"""The zero of the scale: it walks, and nothing else."""

import numpy as np

from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import words


def test_it_steps_where_the_way_is_shortest_and_puts_no_wall() -> None:
    game = make("quoridor")
    assert isinstance(game, Quoridor)
    agent = make_agent(game, "walker")
    for seed in range(40):
        match, rng = Match(game, seed), generator(seed, 0)
        for _ in range(12):
            match.play(int(rng.choice(np.flatnonzero(match.legal()).tolist())))
        mover, row = match.to_move, match.state
        best = decide(match, agent, Limit()).action
        assert best < game.squares
        reached = {}
        for action in np.flatnonzero(match.legal()[: game.squares]).tolist():
            after = game.apply(row, action, rng)
            reached[action] = distance(words(after, 9), mover, 9, game.geometry)
        assert reached[best] == min(reached.values())
