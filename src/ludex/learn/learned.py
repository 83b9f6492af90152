"""What a run has learned, as `learned.json` in its folder: its strength by steps, positions and one game.

The same game is played again at every step, with the same seed, seat and opponent: of several games the one in which
the last step gains most. Positions are those in which the last step plays better than the first, some of them named by
`TrainingSpec.positions`.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from pydantic import Field

from ludex.core.decision import Decision
from ludex.core.documents import read_json
from ludex.core.errors import BadRun
from ludex.core.game import Action, AnyGame, legal_actions
from ludex.core.illustration import PositionSpec
from ludex.core.limit import Limit
from ludex.core.match import Match, time_decision
from ludex.core.options import StrictModel, validate
from ludex.core.registry import make_agent, resolve, spec
from ludex.core.seeding import ANALYSIS, generator
from ludex.learn.run_agents import RunAgent, RunAgents
from ludex.learn.runs import Run

FILE: Final = "learned.json"
MOST_STEPS: Final = 5
MOST_POSITIONS: Final = 3
HELD_OUT: Final = 12
"""Games of which a position each is tried, where a training names none."""
HELD_OUT_SEED: Final = 1_000_003
"""Of the first of these games: no training plays it."""
PUBLIC_SEED: Final = 0
"""Of the draws in positions, which the pages that ask the agents again use too."""
NODES: Final = 32
"""Of each search, where an agent searches."""


class StepStrength(StrictModel):
    """How an agent of the run did against the opponent, or alone."""

    step: int
    games: int
    win_rate: float
    """The share of the games that count: see `Learned.counted`."""
    ci95: tuple[float, float]


Verdict = Literal["better", "same", "worse"]


class StepGame(StrictModel):
    """The game of one step."""

    step: int
    moves: list[str]
    scores: list[float] | None
    """None where it ended without a score."""


class LearnedPosition(StrictModel):
    """A position by its seed and the moves that lead to it."""

    seed: int
    moves: list[str]


class Tried(StrictModel):
    """In how many of the positions that were tried the first and the last step chose well."""

    positions: int
    first: int
    last: int


class Learned(StrictModel):
    """What a run has learned."""

    format: Literal["ludex-learned"] = "ludex-learned"
    format_version: Literal[1] = Field(default=1, alias="formatVersion")
    game: str
    preset: str
    opponent: str | None
    """None in a game for one."""
    counted: Literal["won", "not_lost"] = "won"
    """Which games count: those won, or against a perfect player those that were not lost."""
    seat: int = 0
    """The run's, in the game that is played again: of several games the one in which the last step gained most."""
    complete: bool
    """Whether all of it is there: it is measured step by step, once the run is finished."""
    seed: int
    """Of the game that is played again."""
    strength: list[StepStrength] = Field(default_factory=list)
    games: list[StepGame] = Field(default_factory=list)
    positions: list[LearnedPosition] = Field(default_factory=list)
    tried: Tried | None = None
    """None before a judge had a part."""


def read_learned(run: Run) -> Learned | None:
    """What was measured of a run; None if nothing was. Raises `BadRun`."""
    path = run.folder / FILE
    if not path.is_file():
        return None
    return validate(Learned, read_json(path, BadRun), str(path), BadRun)


def write_learned(run: Run, learned: Learned) -> None:
    """Keep it in the run's folder."""
    run.write(FILE, json.dumps(learned.model_dump(by_alias=True)) + "\n")


def sample_steps(agents: Sequence[RunAgent]) -> list[RunAgent]:
    """At most five agents, the first and the last among them: the sooner, the closer, as most is learned at first."""
    last = len(agents) - 1
    places = {min(last, max(place, round(last * (place / (MOST_STEPS - 1)) ** 2))) for place in range(MOST_STEPS)}
    return [agents[place] for place in sorted(places)]


def verdict_of(strength: Sequence[StepStrength]) -> Verdict:
    """Whether the last step is better than the first by more than chance, by Newcombe's interval of a difference."""
    low, high = sorted((strength[0], strength[-1]), key=lambda step: step.win_rate)
    doubt = math.hypot(high.win_rate - high.ci95[0], low.ci95[1] - low.win_rate)
    if high.win_rate - low.win_rate <= doubt:
        return "same"
    return "better" if high is strength[-1] else "worse"


def match_at(game: AnyGame, position: LearnedPosition) -> Match[Any, Any]:
    """The match that has reached a position."""
    match: Match[Any, Any] = Match(game, position.seed)
    for text in position.moves:
        match.play_text(text)
    return match


def better_positions(
    run: Run, kept: RunAgents, game: AnyGame, first: str, last: str, loss: Callable[[Match[Any, Any], Action], float]
) -> tuple[list[LearnedPosition], Tried]:
    """The positions in which the last agent's move is better, of those that the game names and of held-out games.

    `loss` says what a move in the position of a match gives away, nothing where it is as good as the best.
    """
    training = spec(run.game).learning.training
    specs: Sequence[PositionSpec] = (
        () if training is None or training.positions is None else resolve(training.positions)
    )
    candidates = [
        LearnedPosition(seed=position.seed, moves=[*position.moves])
        for position in specs
        if position.board == kept.board
    ]
    named = len(candidates)
    candidates += [_held_out(game, number) for number in range(HELD_OUT - len(candidates))]
    agents = make_agent(game, first), make_agent(game, last)
    matches = [match_at(game, position) for position in candidates]
    pairs = [choices(match, *agents) for match in matches]
    losses = [
        [loss(match, decision.action) for decision in decisions]
        for match, decisions in zip(matches, pairs, strict=True)
    ]
    # What the game names says more than a position of chance.
    order = sorted(range(len(candidates)), key=lambda index: (index >= named, -_distance(*pairs[index])))
    by_length: dict[int, LearnedPosition] = {}
    for index in order:
        position, (before, after) = candidates[index], losses[index]
        if after < before:
            # One per length: symmetric positions of one opening would show the same thing again.
            by_length.setdefault(len(position.moves), position)
    best_moves = [sum(both[end] == 0 for both in losses) for end in (0, 1)]
    tried = Tried(positions=len(candidates), first=best_moves[0], last=best_moves[1])
    return [*by_length.values()][:MOST_POSITIONS], tried


def _held_out(game: AnyGame, number: int) -> LearnedPosition:
    """A position of a random game: the later the number, the later the position, as far as the game lasts."""
    seed = HELD_OUT_SEED + number
    match: Match[Any, Any] = Match(game, seed)
    draws = generator(seed, 0)
    for _ in range(number):
        actions = legal_actions(match.legal())
        match.play(actions[draws.below(len(actions))])
        if match.over:
            match.undo()
            break
    return LearnedPosition(seed=seed, moves=[move.text for move in match.moves])


def choices(match: Match[Any, Any], *agents: Any) -> tuple[Decision, Decision]:
    """What both agents choose, with the draws of an analysis, so that a page that asks them again shows the same."""
    before, after = (
        time_decision(match, agent, Limit(nodes=NODES), generator(PUBLIC_SEED, match.ply + 1, ANALYSIS))[0]
        for agent in agents
    )
    return before, after


def _distance(*decisions: Decision) -> float:
    """How differently two agents choose: 1 for another move, and the distance of their shares."""
    shares = [
        {candidate.action: candidate.prob for candidate in decision.candidates if candidate.prob is not None}
        for decision in decisions
    ]
    moved = float(decisions[0].action != decisions[1].action)
    if not all(shares):
        return moved
    actions = shares[0].keys() | shares[1].keys()
    return moved + sum(abs(shares[0].get(action, 0.0) - shares[1].get(action, 0.0)) for action in actions) / 2
