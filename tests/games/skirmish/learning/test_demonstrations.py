"""Demonstrations are the decisions of the teaching players, as they see the board, with the final scores."""

import numpy as np
import pytest

from ludex.core.executor import InProcess
from ludex.core.match import Match, play
from ludex.core.registry import make_agent
from ludex.core.seeding import OPENING, generator
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.demonstrations import (
    Demonstration,
    Demonstrations,
    collect_demonstrations,
    play_demonstration,
)
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.games.skirmish.rules.position import Position, View
from ludex.learn.shards import concatenate
from tests.games.skirmish.support import shipped

pytestmark = pytest.mark.slow

PAIR = ("objective", "greedy")
PLACEMENTS = 6
"""Of both players on `small`."""


def demonstration(seed: int, *, taught: tuple[bool, bool] = (True, True), epsilon: float = 0.0) -> Demonstration:
    return Demonstration("small", PAIR, taught, epsilon, seed)


def movers(demonstrations: Demonstrations) -> list[int]:
    return [int(mover) for mover in demonstrations.states[:, layout.TO_MOVE]]


def whole_match(game: Skirmish, pair: tuple[str, str], seed: int) -> Match[Position, View]:
    return play(game, [make_agent(game, name) for name in pair], seed=seed)


@pytest.mark.parametrize("seed", range(4))
def test_without_epsilon_a_demonstration_is_the_match_of_its_agents(seed: int) -> None:
    game = shipped("small")
    match, seat = whole_match(game, PAIR, seed), SeatAdapter(game)
    demonstrations = play_demonstration(demonstration(seed))
    assert [state.tobytes() for state in demonstrations.states] == [
        position.packed for position in match.positions[:-1]
    ]
    assert demonstrations.actions.tolist() == [seat.action(move.player, move.action) for move in match.moves]
    assert match.outcome is not None
    assert demonstrations.scores.tolist() == [match.outcome.scores[move.player] for move in match.moves]
    assert (demonstrations.states.dtype, demonstrations.actions.dtype, demonstrations.scores.dtype) == (
        np.dtype(np.int16),
        np.dtype(np.int64),
        np.dtype(np.float32),
    )


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_actions_are_legal_as_the_turned_batch_shows_the_states(epsilon: float) -> None:
    demonstrations = concatenate([play_demonstration(demonstration(seed, epsilon=epsilon)) for seed in range(2)])
    count = len(demonstrations.actions)
    assert set(movers(demonstrations)) == {0, 1}
    batch = SkirmishBatch(shipped("small"), count + 3, turned=True)
    batch.reset(0)
    obs, mask = batch.show(demonstrations.states)
    assert mask.shape == (count, batch.num_actions)
    assert mask[np.arange(count), demonstrations.actions].all()
    # What is shown is what the adapter shows the player to move.
    game, seat = shipped("small"), SeatAdapter(shipped("small"))
    for row in range(0, count, 7):
        position = Position(demonstrations.states[row].tobytes())
        observation = seat.observe(game.view(position, position.to_move))
        assert all((obs[name][row] == observation[name]).all() for name in observation)
        assert (mask[row] == seat.mask(position.to_move, game.legal(position))).all()


@pytest.mark.parametrize("taught", [(True, False), (False, True), (False, False)])
def test_only_teachers_are_recorded(taught: tuple[bool, bool]) -> None:
    both, recorded = play_demonstration(demonstration(2)), play_demonstration(demonstration(2, taught=taught))
    is_taught = np.array([taught[player] for player in movers(both)])
    assert recorded.states.tolist() == both.states[is_taught].tolist()
    assert recorded.actions.tolist() == both.actions[is_taught].tolist()
    assert recorded.scores.tolist() == both.scores[is_taught].tolist()
    assert recorded.states.shape == (is_taught.sum(), layout.STATE_WORDS)


def test_random_plies_are_played_and_not_recorded() -> None:
    epsilon = 0.4
    for seed in range(3):
        plies = play_demonstration(demonstration(seed, epsilon=epsilon)).states[:, layout.PLIES].tolist()
        battle = range(PLACEMENTS, plies[-1] + 1)
        drawn = {ply for ply in battle if generator(seed, ply + 1, OPENING).uniform() < epsilon}
        assert drawn
        assert plies == [ply for ply in range(plies[-1] + 1) if ply not in drawn]


@pytest.mark.parametrize("preset", ["small", "mirror", "default"])
def test_no_placement_is_random_whatever_epsilon_is(preset: str) -> None:
    """Every placement is recorded, and those of all seeds and of epsilon 0 are the same."""
    placements = len(shipped(preset).units)
    games = [
        play_demonstration(Demonstration(preset, PAIR, (True, True), epsilon, seed))
        for epsilon, seed in ((0.0, 1), (1.0, 1), (1.0, 2), (1.0, 3))
    ]
    assert {len(game.actions) for game in games[1:]} == {placements}
    assert len({tuple(game.actions[:placements].tolist()) for game in games}) == 1


def test_teachers_meet_opponents_in_turns_from_either_seat() -> None:
    """Against another teacher, or itself, both sides are recorded."""
    teachers, opponents = ("objective", "greedy"), ("random", "greedy")
    demonstrations = collect_demonstrations(InProcess(), "small", teachers, opponents, 8, 0.1, 40)
    pairs = [
        (("objective", "random"), (True, False)),
        (("random", "objective"), (False, True)),
        (("greedy", "random"), (True, False)),
        (("random", "greedy"), (False, True)),
        (("objective", "greedy"), (True, True)),
        (("greedy", "objective"), (True, True)),
        (("greedy", "greedy"), (True, True)),
        (("greedy", "greedy"), (True, True)),
    ]
    alone = [
        play_demonstration(Demonstration("small", pair, taught, 0.1, 40 + number))
        for number, (pair, taught) in enumerate(pairs)
    ]
    expected = concatenate(alone)
    assert demonstrations.states.tobytes() == expected.states.tobytes()
    assert demonstrations.actions.tolist() == expected.actions.tolist()
    assert demonstrations.scores.tolist() == expected.scores.tolist()


def test_a_deployment_that_cannot_be_finished_raises() -> None:
    with pytest.raises(DeploymentDeadlockError, match="seed 3: player 1"):
        play_demonstration(Demonstration("cramped", PAIR, (True, True), 0.0, 3))
