"""The players that reason, and the positions that they meet."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from ludex.core.agent import Agent
from ludex.core.decision import Decision
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.seeding import Rng, agent_stream
from ludex.games.minesweeper.agents.expert import ExpertAgent
from ludex.games.minesweeper.agents.solving import ExactAgent, HeuristicAgent, RulesAgent
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import ExpertOptions
from ludex.games.minesweeper.rules.position import View

Reasoner: TypeAlias = RulesAgent | HeuristicAgent | ExactAgent | ExpertAgent

PLAYERS: dict[str, Callable[[Minesweeper], Reasoner]] = {
    "rules": RulesAgent,
    "rules that guesses": lambda game: RulesAgent(game, guesses=True),
    "rules with pairs": lambda game: RulesAgent(game, guesses=True, pairs=True),
    "heuristic": HeuristicAgent,
    "exact": ExactAgent,
    "expert": lambda game: ExpertAgent(game, ExpertOptions()),
    "expert without a tree": lambda game: ExpertAgent(game, ExpertOptions(solutions=1, nodes=1)),
}


class Moment(NamedTuple):
    """A position of a game, the generator its player was given, and what the player decided."""

    view: View
    state: int
    decision: Decision


def decision_of(agent: Agent[View], view: View, state: int = 0) -> Decision:
    hidden = view.numbers.reshape(-1) < 0
    return agent.decide(view, np.concatenate([hidden, hidden]), rng=Rng(state), limit=Limit())


def moments(game: Minesweeper, agent: Agent[View], seed: int, games: int) -> list[Moment]:
    """Every decision of some games."""
    positions = []
    for number in range(games):
        match = Match(game, seed + number)
        while not match.over:
            view, rng = game.view(match.state, 0), match.rng(agent_stream(0))
            state = rng.state
            decision = agent.decide(view, match.legal(), rng=rng, limit=Limit())
            assert match.legal()[decision.action]
            positions.append(Moment(view, state, decision))
            match.carry_out(decision)
    return positions
