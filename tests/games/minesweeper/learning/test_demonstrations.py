"""What stage A learns from: exact labels, the same in every process, whatever the start rule."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from ludex.games.minesweeper.env.config import FLAGGED, EnvConfig
from ludex.games.minesweeper.learning.config import CONFIGS, BoardConfig, MinesweeperConfig
from ludex.games.minesweeper.learning.demonstration_source import ExampleSource, WorkingSource
from ludex.games.minesweeper.learning.demonstrations import CERTAIN, LEAST_CHANCE, Examples, ExampleTask, make_examples
from ludex.games.minesweeper.learning.imitation import ReplayBuffer
from ludex.games.minesweeper.rules.inference.forced_moves import forced_moves
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.learn.config import load_config

CPU = torch.device("cpu")
TASK = ExampleTask(
    EnvConfig(H=6, W=7, mine_count=8, guarantee_safe_neighborhood=False, random_first_click=True, reveal_only=True),
    seed=5,
    games=40,
)


def equal(one: Examples, other: Examples) -> bool:
    pairs: Iterable[tuple[NDArray[np.generic], NDArray[np.generic]]] = zip(one, other, strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


@pytest.fixture(scope="module")
def made() -> Examples:
    return make_examples(TASK)


@pytest.mark.slow
def test_every_label_is_the_solvers(made: Examples) -> None:
    guesses = 0
    for numbers, mines, chance, cell in zip(made.numbers, made.mines, made.chance, made.cell, strict=True):
        exact = mine_probabilities(numbers, int(mines))
        hidden = numbers < 0
        assert np.allclose(chance[hidden].astype(float), exact[hidden], atol=5e-4)
        assert np.array_equal(chance[hidden] == 0.0, exact[hidden] == 0.0)
        assert (chance[~hidden] == 0.0).all()
        if cell == CERTAIN:
            assert (exact == 0.0).any()
        else:
            guesses += 1
            assert not (exact == 0.0).any()
            assert hidden.flat[cell]
            assert exact.flat[cell] < 1.0
    assert guesses > 5
    assert float(made.chance[made.chance > 0].min()) >= np.float16(LEAST_CHANCE)


def test_a_ring_draws_turned_boards_with_their_labels(made: Examples) -> None:
    board = BoardConfig(H=6, W=7, mine_count=8, weight=1.0)
    buffer = ReplayBuffer(board, 10_000, CPU)
    buffer.add(0, made)
    known: dict[bytes, list[int]] = {}
    for index, numbers in enumerate(made.numbers):
        known.setdefault(numbers.tobytes(), []).append(index)

    def matches(index: int, chance: NDArray[np.float32], good: NDArray[np.bool_]) -> bool:
        certain = (made.numbers[index] < 0) & (made.chance[index] == 0)
        guessed = np.arange(42).reshape(6, 7) == made.cell[index]
        expected = certain if made.cell[index] == CERTAIN else guessed
        return np.array_equal(chance, made.chance[index].astype(np.float32)) and np.array_equal(good, expected)

    turned = 0
    for seed in range(8):
        demonstration = buffer.draw(16, torch.Generator().manual_seed(seed))
        for at in range(16):
            good = demonstration.good.view(-1, 6, 7)
            planes = [plane[at].numpy() for plane in (demonstration.numbers, demonstration.chance, good)]
            # A board may look like its own image: one of the ways back is the right one.
            back = [[np.flip(plane, flip) for plane in planes] for flip in ((), (0,), (1,), (0, 1))]
            fits = [
                any(matches(index, chance, good) for index in known.get(np.ascontiguousarray(numbers).tobytes(), []))
                for numbers, chance, good in back
            ]
            assert any(fits)
            turned += not fits[0]
    assert turned > 0


def test_a_full_ring_forgets_the_earliest(made: Examples) -> None:
    board = BoardConfig(H=6, W=7, mine_count=8, weight=1.0)
    part = made.first(30)
    buffer = ReplayBuffer(board, 70, CPU)
    for number in range(5):
        buffer.add(number, part)
    assert buffer.filled == 70
    assert [chunk.number for chunk in buffer.chunks] == [2, 3, 4]
    again = ReplayBuffer(board, 70, CPU)
    again.at = buffer.chunks[0].begin
    for chunk in buffer.chunks:
        again.add(chunk.number, part)
    assert torch.equal(buffer._numbers, again._numbers)
    assert buffer.at == again.at


@pytest.mark.slow
@pytest.mark.parametrize(("first", "every"), [pytest.param(0, 1, marks=pytest.mark.full), (1, 3)])
def test_chunks_take_turns_by_weight_and_are_the_same_for_workers(first: int, every: int) -> None:
    boards = [{"H": 4, "W": 4, "mine_count": 3, "weight": 1.0}, {"H": 5, "W": 4, "mine_count": 3, "weight": 2.0}]
    changes = {"boards": boards, "starts": ["safe"], "imitation.games_per_chunk": 4, "imitation.density_spread": 0.3}
    config = load_config(MinesweeperConfig, CONFIGS, "miniature", changes)
    source = ExampleSource(config)
    assert [source.board_of(number) for number in range(6)] == [0, 1, 1, 0, 1, 1]
    bands = {source.task_of(number).cfg.density_band is None for number in range(6)}
    assert bands == {True, False}
    working = WorkingSource(ExampleSource(config), first, 2, every)
    try:
        chunks = {}
        for _ in range(4):
            chunk = working.take(wait=True)
            assert chunk is not None
            chunks[chunk.number] = chunk
    finally:
        working.close()
    assert all(number % every == first for number in chunks)
    for number, chunk in chunks.items():
        here = source.make(number)
        assert chunk.board == here.board
        assert equal(chunk.examples, here.examples)


FORCED = ExampleTask(
    EnvConfig(H=6, W=7, mine_count=8, random_first_click=True), seed=5, games=16, teacher="forced_pairs"
)


@pytest.fixture(scope="module")
def forced() -> Examples:
    return make_examples(FORCED)


class Shown:
    """A state of an example, as `forced_moves` sees it."""

    def __init__(self, numbers: NDArray[np.int8]) -> None:
        self.numbers, self.flags = np.maximum(numbers, -1).astype(np.int8), numbers == FLAGGED


def test_a_teacher_of_rules_shows_one_forced_move_of_states_that_have_one(forced: Examples) -> None:
    """Reveals and flags, each proven by rules; guesses are left out; the mines are those of the finished game."""
    kinds = set()
    for numbers, mines, mine, action in zip(forced.numbers, forced.mines, forced.chance, forced.cell, strict=True):
        moves = forced_moves(Shown(numbers), pairs=True)
        kind, cell = ("flag", int(action) - 42) if action >= 42 else ("reveal", int(action))
        assert (kind, cell) in moves
        assert mine.flat[cell] == (kind == "flag")
        assert set(np.unique(mine)) <= {0.0, 1.0}
        assert mine.sum() == mines
        assert not mine[numbers >= 0].any()
        kinds.add(kind)
    assert kinds == {"reveal", "flag"}
    assert (forced.numbers == FLAGGED).any()


def provable(examples: Examples, *, pairs: bool) -> int:
    return sum(bool(forced_moves(Shown(numbers), pairs=pairs)) for numbers in examples.numbers)


def test_forced_pairs_also_compares_numbers_two_by_two(forced: Examples) -> None:
    assert 0 < provable(forced, pairs=False) < provable(forced, pairs=True) == len(forced.numbers)


def test_the_seeds_teacher_has_its_two_rules() -> None:
    examples = make_examples(replace(FORCED, teacher="forced_moves"))
    assert 0 < provable(examples, pairs=False) == len(examples.numbers)
    for numbers, action in zip(examples.numbers, examples.cell, strict=True):
        kind, cell = ("flag", int(action) - 42) if action >= 42 else ("reveal", int(action))
        assert (kind, cell) in forced_moves(Shown(numbers))


def test_every_forced_move_is_as_likely(forced: Examples) -> None:
    """The share of flags among the chosen moves is that among the forced ones."""
    expected = [
        np.mean([kind == "flag" for kind, _ in forced_moves(Shown(numbers), pairs=True)]) for numbers in forced.numbers
    ]
    deviation = float(np.sqrt(np.sum(np.array(expected) * (1 - np.array(expected)))))
    assert abs(float((forced.cell >= 42).sum()) - float(np.sum(expected))) < 4 * deviation


def test_without_flags_the_seeds_teacher_reveals_alone() -> None:
    cfg = FORCED.cfg.model_copy(update={"reveal_only": True})
    made = make_examples(ExampleTask(cfg, 5, 10, "forced_moves"))
    assert len(made.won) > 20
    assert (made.cell < 42).all()
    assert not (made.numbers == FLAGGED).any()


def test_demonstrations_are_observations_masks_and_actions(forced: Examples) -> None:
    """What the network learns from is what the environment shows and allows."""
    board = BoardConfig(H=6, W=7, mine_count=8, weight=1.0)
    buffer = ReplayBuffer(board, 10_000, CPU, "forced_moves", reveal_only=False)
    buffer.add(0, forced)
    drawn = buffer.draw(64, torch.Generator().manual_seed(0))
    obs, mask = drawn.observe(FORCED.cfg), drawn.action_mask(FORCED.cfg)
    assert obs.shape == (64, FORCED.cfg.channels, 6, 7)
    assert mask.shape == drawn.good.shape == (64, 84)
    assert torch.equal(drawn.good.sum(1), torch.ones(64))
    assert bool((mask | ~drawn.good).all())
    assert torch.equal(mask[:, :42], ~obs[:, 0].bool().flatten(1))
    actions = drawn.good.int().argmax(1)
    mines = drawn.chance.flatten(1).gather(1, (actions % 42).unsqueeze(1)).squeeze(1)
    assert torch.equal(mines.bool(), actions >= 42)
