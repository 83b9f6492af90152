"""Measuring what a run has learned, after its training."""

from contextlib import closing
from typing import Final, Literal

from ludex.coach.analyst import Analyst
from ludex.core.errors import BadRun
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.match import play
from ludex.core.registry import default_level, make, make_agent, spec, supports
from ludex.learn.learned import (
    NODES,
    Learned,
    StepGame,
    StepStrength,
    better_positions,
    sample_steps,
    write_learned,
)
from ludex.learn.run_agents import RunAgent, agents_of, reference_of
from ludex.learn.runs import Run
from ludex.operations import evaluation
from ludex.operations.operation import Context, Interrupted

SEED: Final = 17
"""Of the games that are measured."""
FILMS: Final = 5
"""Of so many games, one per seed, the one in which the last step gained most is played at every step."""


def measure_learning(run: Run, games: int, context: Context) -> Learned:
    """Measure at most five steps of a run by so many games each, and keep the result in its folder.

    Raises `BadRun` if the run keeps no agents.
    """
    trained = agents_of(run)
    if trained is None or not trained.agents:
        raise BadRun(f"run {run.name!r} keeps no agents, so that nothing can be measured")
    board = make(run.game, trained.board)
    opponent, counted = _opponent(board)
    opponents = [] if opponent is None else [opponent]
    learned = Learned(
        game=run.game, preset=trained.board, opponent=opponent, counted=counted, complete=False, seed=SEED
    )
    write_learned(run, learned)
    steps = sample_steps(trained.agents)
    for agent in steps:
        strength = _strength(run, learned, agent, games, context)
        learned = learned.model_copy(update={"strength": [*learned.strength, strength]})
        write_learned(run, learned)
    seed, seat = _instructive_game(run, board, steps, opponents)
    film = [_game(run, board, agent, seed, seat, opponents) for agent in steps]
    first, last = (reference_of(run, trained.agents[end]) for end in (0, -1))
    examples: dict[str, object] = {}
    if len(trained.agents) > 1:
        with closing(Analyst(board, with_luck=False)) as analyst:
            positions, tried = better_positions(
                run, trained, board, first, last, lambda match, action: analyst.judge(match, match.ply, action)
            )
        examples = {"positions": positions, "tried": tried}
    parts = {"seed": seed, "seat": seat, "games": film, **examples, "complete": True}
    learned = learned.model_copy(update=parts)
    write_learned(run, learned)
    return learned


def _opponent(board: AnyGame) -> tuple[str | None, Literal["won", "not_lost"]]:
    """Whom the steps of a run meet, and which of their games count."""
    if board.info.players == 1:
        return None, "won"
    named = spec(board.info.id).learning.measured_against
    if named is not None and supports(board, named):
        return named, "not_lost"
    return default_level(board) or "random", "won"


def _strength(run: Run, learned: Learned, agent: RunAgent, games: int, context: Context) -> StepStrength:
    options = {
        "game": run.game,
        "preset": learned.preset,
        "agent": reference_of(run, agent),
        "opponents": [] if learned.opponent is None else [learned.opponent],
        "games": games,
        "nodes": NODES,
        "seed": SEED,
    }
    request = evaluation.EVALUATION.parse(options)
    inner = Context(executor=context.executor, services=context.services)
    result = evaluation.run(request.checked(None, remote=None), inner)
    if result.interrupted:
        raise Interrupted(f"interrupted while what {run.name} has learned was measured; the run itself is finished")
    if learned.counted == "won":
        return StepStrength(step=agent.step, games=result.games, win_rate=result.win_rate, ci95=result.ci95)
    figures = result.model_dump()
    low, high = figures["loss_ci95"]
    ends = (1 - high, 1 - low)
    return StepStrength(step=agent.step, games=result.games, win_rate=1 - figures["loss_rate"], ci95=ends)


def _instructive_game(run: Run, board: AnyGame, steps: list[RunAgent], opponents: list[str]) -> tuple[int, int]:
    """Seed and seat of the game in which the last step gains most on the first, so that one sees what was learned."""
    places = [(SEED + number, seat) for number in range(FILMS) for seat in range(len(opponents) + 1)]

    def gain(seed: int, seat: int) -> float:
        first, last = (_game(run, board, step, seed, seat, opponents).scores for step in (steps[0], steps[-1]))
        return 0.0 if first is None or last is None else last[seat] - first[seat]

    return max(places, key=lambda place: gain(*place))


def _game(run: Run, board: AnyGame, agent: RunAgent, seed: int, seat: int, opponents: list[str]) -> StepGame:
    names = [*opponents]
    names.insert(seat, reference_of(run, agent))
    match = play(board, [make_agent(board, name) for name in names], seed=seed, limit=Limit(nodes=NODES))
    scores = None if match.outcome is None else [*match.outcome.scores]
    return StepGame(step=agent.step, moves=[move.text for move in match.moves], scores=scores)


def announce_measurement(run: Run) -> None:
    """Say in the run's folder that it will be measured, so that its page waits for that."""
    write_learned(run, Learned(game=run.game, preset="", opponent=None, complete=False, seed=SEED))
