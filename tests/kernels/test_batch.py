"""Batches, records and samples of kernels."""

from dataclasses import replace
from types import GenericAlias
from typing import Annotated, Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import ludex
from benchmarks.dice_games.pig import BoardOptions, Pig
from ludex.core.compiled import RUNNING, CompiledRules, Vector, compiled_rules
from ludex.core.conformance import check_batch
from ludex.core.errors import Unsupported
from ludex.core.game import AnyGame, Observation
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.games.tictactoe.env.compiled import outcome
from ludex.kernels.batch import CompiledBatch, compiled_batch
from ludex.kernels.jit import kernel
from ludex.kernels.records import element_of, layout_of, new_record
from ludex.kernels.sampling import RandomActions
from ludex.kit.compiled import compiled
from ludex.search.mcts import MctsAgent
from ludex.search.model import Model
from ludex.search.spec import MctsOptions


class Observing:
    """A game with the observations of its compiled rules, which a `CompiledBatch` is compared with."""

    def __init__(self, game: AnyGame, rules: CompiledRules) -> None:
        self._game = game
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def observe(self, view: object) -> Observation:
        """A view is the position where nothing is hidden."""
        out = np.zeros(self._rules.observation_shape, np.float32)
        self._rules.observe(self._rules.constants, self._rules.pack(view), out.reshape(-1))
        return {self._rules.observation_name: out}


@pytest.mark.parametrize(("game", "preset"), [("tictactoe", "3x4x3"), ("quoridor", "3x3")])
def test_every_lane_equals_the_single_game(game: str, preset: str) -> None:
    board = ludex.make(game, preset)
    rules = compiled_rules(board)
    assert rules is not None
    check_batch(CompiledBatch(rules, 4), cast(AnyGame, Observing(board, rules)), steps=60)


def test_every_lane_rolls_the_dice_of_the_single_game() -> None:
    game = Pig(BoardOptions(goal=6), "6")
    check_batch(CompiledBatch(compiled(game), 4), game, steps=100)


@kernel
def quarter(constants: Vector, state: Vector) -> float:
    """The score of a game in which a line is worth a quarter of a win."""
    score = outcome(constants, state)
    return RUNNING if score == RUNNING else score / 4


def test_a_score_may_be_any_number_up_to_1() -> None:
    board = ludex.make("tictactoe")
    whole = compiled_rules(board)
    assert whole is not None
    rules = replace(whole, outcome=quarter)
    batch = CompiledBatch(rules, 1)
    batch.reset(0)
    rewards = [float(batch.step(np.array([cell]))[1][0]) for cell in (0, 3, 1, 4, 2)]
    assert rewards == [0.0, 0.0, 0.0, 0.0, 0.25]
    match = Match(board, seed=1)
    for text in ("a1", "a2", "b1", "b2"):
        match.play_text(text)
    agent = MctsAgent(Model.of(board), MctsOptions(), rules=rules)
    decision = decide(match, agent, Limit(simulations=500))
    assert (board.action_text(match.state, decision.action), decision.value) == ("c1", 0.25)


def test_actions_of_another_shape_are_refused() -> None:
    batch = compiled_batch(ludex.make("tictactoe"), 2)
    batch.reset(0)
    with pytest.raises(ValueError, match=r"actions must be int64\[2\], one per lane, found shape \[3\]"):
        batch.step(np.zeros(3, np.int64))


def test_a_game_without_compiled_rules_has_no_such_batch() -> None:
    with pytest.raises(Unsupported, match=r"minesweeper .* has no compiled rules"):
        compiled_batch(ludex.make("minesweeper"), 2)


class Fields:
    count: int
    rows: Annotated[NDArray[np.int8], 3, 2]
    odds: Annotated[NDArray[np.float32], 4]


def test_layout_follows_the_annotations() -> None:
    layout = layout_of(Fields)
    assert layout.names == ("count", "rows", "odds")
    assert [layout[name] for name in layout.names] == [
        np.dtype(np.int64),
        np.dtype((np.int8, (3, 2))),
        np.dtype((np.float32, (4,))),
    ]
    assert layout.isalignedstruct


def test_record_begins_with_zeros() -> None:
    record = np.asarray(new_record(Fields))
    assert record["count"] == 0
    assert not record["rows"].any()
    assert not record["odds"].any()


def test_record_is_read_and_written_by_name() -> None:
    record = new_record(Fields)
    record.count, record.rows[1] = 7, 2
    assert (record.count, record.rows.tolist()) == (7, [[0, 0], [2, 2], [0, 0]])


@pytest.mark.parametrize(
    "array",
    [NDArray[np.int8], np.ndarray[tuple[int], np.dtype[np.int8]], GenericAlias(NDArray, (np.int8,))],
    ids=["installed", "wrapped in its dtype", "NumPy 2.5 on Python 3.12"],
)
def test_element_of_either_spelling(array: object) -> None:
    assert element_of(array) is np.int8


LANES, DRAWS = 64, 400


@pytest.mark.parametrize("legal", [[3], [0, 199], list(range(200)), list(range(0, 200, 7))])
def test_every_legal_action_is_equally_likely_however_few_there_are(legal: list[int]) -> None:
    mask = np.zeros((LANES, 200), np.bool_)
    mask[:, legal] = True
    sampler = RandomActions(LANES, 5, 0)
    counts = np.zeros(200)
    for _ in range(DRAWS):
        np.add.at(counts, sampler.draw(mask), 1)
    assert set(np.flatnonzero(counts).tolist()) == set(legal)
    expected = LANES * DRAWS / len(legal)
    assert abs(counts[legal] - expected).max() < 4.5 * expected**0.5 + 1


def test_lanes_draw_by_their_own_masks_and_repeat_with_the_seed() -> None:
    mask = np.eye(LANES, dtype=np.bool_)
    assert RandomActions(LANES, 1, 0).draw(mask).tolist() == list(range(LANES))
    whole = np.ones((LANES, 50), np.bool_)
    first, again, other = (RandomActions(LANES, seed, 0) for seed in (7, 7, 8))
    assert first.draw(whole).tolist() == again.draw(whole).tolist() != other.draw(whole).tolist()
