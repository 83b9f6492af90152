"""Measuring what a run has learned, after its training."""

from typing import Final

from ludex.core.errors import BadRun
from ludex.core.limit import Limit
from ludex.core.match import play
from ludex.core.registry import default_level, make, make_agent
from ludex.learn.learned import (
    NODES,
    Learned,
    StepGame,
    StepStrength,
    telling_positions,
    telling_steps,
    write_learned,
)
from ludex.learn.run_agents import agents_of, reference_of
from ludex.learn.runs import Run
from ludex.operations import evaluation
from ludex.operations.operation import Context, Interrupted

SEED: Final = 17
"""Of the games that are measured and of the one that is played at every step."""


def measure_learning(run: Run, games: int, context: Context) -> Learned:
    """Measure at most five steps of a run by so many games each, and keep the result in its folder.

    Raises `BadRun` if the run keeps no agents.
    """
    trained = agents_of(run)
    if trained is None or not trained.agents:
        raise BadRun(f"run {run.name!r} keeps no agents, so that nothing can be measured")
    board = make(run.game, trained.board)
    opponent = (default_level(board) or "random") if board.info.players == 2 else None
    opponents = [] if opponent is None else [opponent]
    learned = Learned(game=run.game, preset=trained.board, opponent=opponent, complete=False, seed=SEED)
    write_learned(run, learned)
    for agent in telling_steps(trained.agents):
        reference = reference_of(run, agent)
        options = {"game": run.game, "preset": trained.board, "agent": reference, "opponents": opponents}
        request = evaluation.EVALUATION.parse({**options, "games": games, "nodes": NODES, "seed": SEED})
        inner = Context(executor=context.executor, services=context.services)
        result = evaluation.run(request.checked(None, remote=None), inner)
        if result.interrupted:
            raise Interrupted(f"interrupted while what {run.name} has learned was measured; the run itself is finished")
        strength = StepStrength(step=agent.step, games=result.games, win_rate=result.win_rate, ci95=result.ci95)
        seats = [make_agent(board, name) for name in (reference, *opponents)]
        match = play(board, seats, seed=SEED, limit=Limit(nodes=NODES))
        scores = None if match.outcome is None else [*match.outcome.scores]
        game = StepGame(step=agent.step, moves=[move.text for move in match.moves], scores=scores)
        parts = {"strength": [*learned.strength, strength], "games": [*learned.games, game]}
        learned = learned.model_copy(update=parts)
        write_learned(run, learned)
    ends = [reference_of(run, agent) for agent in (trained.agents[0], trained.agents[-1])]
    positions = telling_positions(run, trained, board, *ends) if len(trained.agents) > 1 else []
    learned = learned.model_copy(update={"positions": positions, "complete": True})
    write_learned(run, learned)
    return learned


def announce_measurement(run: Run) -> None:
    """Say in the run's folder that it will be measured, so that its page waits for that."""
    write_learned(run, Learned(game=run.game, preset="", opponent=None, complete=False, seed=SEED))
