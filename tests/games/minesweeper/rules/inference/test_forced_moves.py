"""Moves that are provably right: against every layout that fits, and as proofs that can be followed step by step."""

import random
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.solving import RulesAgent
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.env import MinesweeperEnv
from ludex.games.minesweeper.rules.inference.forced_moves import (
    Forced,
    Step,
    forced_moves,
    proof_chain,
    proofs,
    smallest_proof,
)
from ludex.games.minesweeper.rules.layout import DEGREE, BadBoard, InconsistentPosition, neighbours
from ludex.games.minesweeper.rules.position import View
from tests.games.minesweeper.agents.support import moments
from tests.games.minesweeper.rules.inference.support import field_by_chance, numbers_of, view_of
from tests.games.minesweeper.support import game_of
from tests.reference.minesweeper_layouts import Square, hidden, layouts_beside_numbers, near
from tests.sizes import sampled

SHAPES = ((5, 5), (4, 6), (6, 4), (3, 5), (2, 6), (1, 8), (6, 1), (3, 3))


def views(seed: int, count: int) -> Iterator[View]:
    """Positions in play with flags that may be wrong."""
    rng = random.Random(seed)
    for _ in range(count):
        rows, cols = rng.choice(SHAPES)
        mines = rng.randint(1, rows * cols // 2)
        yield view_of(field_by_chance(rng, rows, cols, mines, flags=rng.choice((0, 0, 1, 4))))


def square_of(view: View, cell: int) -> Square:
    return divmod(cell, view.cols)


@pytest.mark.slow
@pytest.mark.parametrize("count", sampled(1000, 4000))
def test_rules_forced_moves_soundness(count: int) -> None:
    forced_count = 0
    for view in views(seed=1, count=count):
        fitting = layouts_beside_numbers(view.numbers.tolist())
        moves = forced_moves(view, pairs=True)
        forced_count += len(moves)
        for kind, cell in moves:
            square = square_of(view, cell)
            assert kind in {"reveal", "flag"}
            assert view.numbers[square] == -1, (view.numbers, kind, square)
            assert all((square in layout) == (kind == "flag") for layout in fitting), (view.numbers, kind, square)
        assert len({cell for _, cell in moves}) == len(moves)
    assert forced_count > 2 * count


@pytest.mark.slow
def test_flags_prove_nothing_and_are_not_listed_twice() -> None:
    flagged = 0
    for view in views(seed=2, count=600):
        unflagged = view._replace(flagged=bytes(len(view.flagged)))
        moves = forced_moves(view, pairs=True)
        assert moves == [
            (kind, cell)
            for kind, cell in forced_moves(unflagged, pairs=True)
            if kind == "reveal" or not view.flagged[cell]
        ]
        flagged += len(forced_moves(unflagged, pairs=True)) - len(moves)
    assert flagged > 60


def test_the_documents_rule_by_flags_reveals_mines_beside_a_wrong_flag() -> None:
    """To the letter: as many flags around a number as it says, so its other hidden neighbours are safe."""
    wrong = 0
    for view in views(seed=2, count=600):
        fitting = layouts_beside_numbers(view.numbers.tolist())
        safe = {cell for kind, cell in forced_moves(view) if kind == "reveal"}
        for row, col in zip(*np.nonzero(view.numbers > 0), strict=True):
            around = [
                square for square in near(view.rows, view.cols, (int(row), int(col))) if view.numbers[square] == -1
            ]
            flags = [square for square in around if view.flagged[square[0] * view.cols + square[1]]]
            if len(flags) == view.numbers[row, col]:
                others = [square for square in around if square not in flags]
                mines = [square for square in others if any(square in layout for layout in fitting)]
                wrong += len(mines)
                assert not safe & {square[0] * view.cols + square[1] for square in mines}
    assert wrong > 20


@pytest.mark.slow
def test_once_everything_is_applied_no_rule_proves_more() -> None:
    """The fixed point by definition: no number and no pair of numbers proves a cell that was not found."""
    for view in views(seed=3, count=800):
        numbers = view.numbers.tolist()
        proven = {square_of(view, proof.cell): proof.kind for proof in proofs(view.numbers)}
        sums = []
        for square, number in np.ndenumerate(view.numbers):
            around = set(near(view.rows, view.cols, square)) & set(hidden(numbers))
            if number >= 0:
                mines = sum(proven.get(other) == "flag" for other in around)
                sums.append((around - set(proven), int(number) - mines))
        for cells, need in sums:
            assert not cells or 0 < need < len(cells), view.numbers
        for (cells, need), (others, other_need) in product(sums, sums):
            if cells & others and cells != others:
                assert need - other_need < len(cells - others), view.numbers
        done = view._replace(flagged=bytes(proven.get(square_of(view, i)) == "flag" for i in range(len(view.flagged))))
        assert [kind for kind, _ in forced_moves(done, pairs=True)] == [
            kind for kind in proven.values() if kind == "reveal"
        ]


@pytest.mark.slow
def test_every_proof_follows_from_its_numbers_and_what_was_proven_before() -> None:
    lengths = set()
    for view in views(seed=4, count=600):
        known: dict[Square, bool] = {}
        for proof in proofs(view.numbers):
            square = square_of(view, proof.cell)
            because = [square_of(view, number) for number in proof.because]
            assert 1 <= len(because) <= 2
            assert all(view.numbers[number] >= 0 for number in because)
            lengths.add(len(because))
            follows(view, proof, square, because, known)
            known[square] = proof.kind == "flag"
    assert lengths == {1, 2}


def follows(view: View, one: Forced, square: Square, because: list[Square], known: dict[Square, bool]) -> None:
    """Check that these numbers alone leave the square no choice, and that they touch it or share cells."""
    around = [set(near(view.rows, view.cols, number)) & set(hidden(view.numbers.tolist())) for number in because]
    assert square in set.union(*around), (view.numbers, one)
    assert set.intersection(*around), (view.numbers, one)
    open_squares = sorted(set.union(*around) - set(known))
    for chosen in product((False, True), repeat=len(open_squares)):
        mined = known | dict(zip(open_squares, chosen, strict=True))
        if all(sum(mined[at] for at in cells) == view.numbers[n] for cells, n in zip(around, because, strict=True)):
            assert mined[square] == (one.kind == "flag"), (view.numbers, one)


def test_a_pair_is_named_as_the_reason() -> None:
    assert proofs(numbers_of("##### #121#"))[0].because in {(6, 7), (7, 8)}
    assert proofs(numbers_of("0#")) == [Forced("reveal", 1, (0,))]
    assert proofs(numbers_of("#1")) == [Forced("flag", 0, (1,))]


@pytest.mark.parametrize("text", ["2#", "0# #1", "1#2", "#1# ### #7#", "1#0"])
def test_numbers_that_contradict_each_other_are_refused(text: str) -> None:
    with pytest.raises(InconsistentPosition, match="contradict"):
        proofs(numbers_of(text))


def test_an_array_that_is_no_board_is_refused() -> None:
    with pytest.raises(BadBoard, match="int8"):
        proofs(np.zeros((2, 2), np.int64))
    with pytest.raises(BadBoard, match=r"row 0, column 1: expected -1 .* found 9"):
        proofs(np.array([[0, 9]], np.int8))


def test_an_untouched_and_a_finished_board_ask_for_nothing() -> None:
    assert proofs(np.full((4, 4), -1, np.int8)) == []
    assert proofs(numbers_of("000 000")) == []


def test_the_environment_is_accepted_like_a_view() -> None:
    env = MinesweeperEnv(EnvConfig(H=9, W=9, mine_count=10), seed=5)
    env.reset()
    env.step(40)
    moves = forced_moves(env, pairs=True)
    kinds = {kind for kind, _ in moves}
    assert kinds == {"reveal", "flag"}
    view = View(9, 9, 10, "zero", env.numbers.tobytes(), env.flags.tobytes(), 1)
    assert moves == forced_moves(view, pairs=True)
    assert all(env.mine_mask.reshape(-1)[cell] == (kind == "flag") for kind, cell in moves)
    flagged = next(cell for kind, cell in moves if kind == "flag")
    env.step(81 + flagged)
    assert forced_moves(env, pairs=True) == [move for move in moves if move != ("flag", flagged)]


def test_the_documents_two_rules_come_first_and_alone_by_default() -> None:
    """The closure of both rules, written out, is what `forced_moves` gives; the pair rule adds to it."""
    more = 0
    for view in views(11, 300):
        alone = {(move.kind, move.cell) for move in proofs(view.numbers, pairs=False)}
        assert alone == literal_rules(view.numbers)
        assert set(forced_moves(view)) == {move for move in alone if move[0] == "reveal" or not view.flagged[move[1]]}
        paired = {(move.kind, move.cell) for move in proofs(view.numbers)}
        assert alone <= paired
        more += len(paired) > len(alone)
    assert more > 0


def literal_rules(numbers: "np.ndarray[tuple[int, ...], np.dtype[np.int8]]") -> set[tuple[str, int]]:
    """All-safe and all-mines until nothing follows, cell by cell."""
    rows, cols = numbers.shape
    known: dict[int, str] = {}
    while True:
        before = len(known)
        for row, col in product(range(rows), range(cols)):
            if numbers[row, col] < 0:
                continue
            beside = product(range(max(0, row - 1), min(rows, row + 2)), range(max(0, col - 1), min(cols, col + 2)))
            around = [r * cols + c for r, c in beside if numbers[r, c] < 0]
            unknown = [cell for cell in around if cell not in known]
            missing = int(numbers[row, col]) - sum(known.get(cell) == "flag" for cell in around)
            if missing == 0:
                known |= dict.fromkeys(unknown, "reveal")
            elif missing == len(unknown):
                known |= dict.fromkeys(unknown, "flag")
        if len(known) == before:
            return {(kind, cell) for cell, kind in known.items()}


def can_be(numbers: NDArray[np.int8], used: Sequence[int], cell: int, mine: bool) -> bool:
    """Whether some layout of mines fits these numbers, whatever the others say, with this cell mined or not."""
    near = neighbours(*numbers.shape)
    flat = numbers.reshape(-1)
    around = {clue: [o for o in near[clue, : near[clue, DEGREE]].tolist() if flat[o] < 0] for clue in used}
    cells = [*dict.fromkeys([cell, *(other for clue in used for other in around[clue])])]
    value: dict[int, bool] = {cell: mine}

    def fits() -> bool:
        for clue in used:
            known = [value[other] for other in around[clue] if other in value]
            if not sum(known) <= flat[clue] <= sum(known) + len(around[clue]) - len(known):
                return False
        return True

    def search(at: int) -> bool:
        if not fits():
            return False
        if at == len(cells):
            return True
        for guess in (False, True):
            value[cells[at]] = guess
            if search(at + 1):
                return True
        del value[cells[at]]
        return False

    return search(1)


def chains() -> Iterator[tuple[NDArray[np.int8], int, list[Step]]]:
    game = game_of(9, 9, 12, "zero")
    for view, _, decision in moments(game, RulesAgent(game), seed=7, games=4):
        if decision.stats["how"] == "rule":
            forced = proofs(view.numbers)
            yield view.numbers, decision.action, proof_chain(view.numbers, forced, decision.action)


def test_a_smallest_proof_needs_each_of_its_numbers() -> None:
    shorter = 0
    for numbers, cell, chain in chains():
        steps = smallest_proof(numbers, proofs(numbers), cell)
        clues = {number for step in steps for number in step.numbers}
        shorter += len(clues) < len({number for step in chain for number in step.numbers})
        assert cell in steps[-1].cells
        assert not can_be(numbers, [*clues], cell, mine=True)
        for clue in clues if len(steps) > 1 else ():
            assert all(move.cell != cell for move in proofs(numbers, clues=clues - {clue}))
    assert shorter > 0


def test_the_numbers_of_a_chain_alone_prove_its_cell() -> None:
    longest, short_of_it = 0, 0
    for numbers, cell, steps in chains():
        used = [*dict.fromkeys(number for step in steps for number in step.numbers)]
        assert not can_be(numbers, used, cell, mine=True)
        longest = max(longest, len(steps))
        short_of_it += len(steps) > 1 and can_be(numbers, steps[-1].numbers, cell, mine=True)
    assert longest > 2
    assert short_of_it > 0, "the last step alone proves every cell: no chain was needed"


def test_every_step_follows_from_its_numbers_and_the_steps_before() -> None:
    for numbers, cell, steps in chains():
        assert steps[-1].kind == "reveal"
        assert cell in steps[-1].cells
        for place, step in enumerate(steps):
            used = [number for before in steps[: place + 1] for number in before.numbers]
            for one in step.cells:
                assert not can_be(numbers, [*dict.fromkeys(used)], one, mine=step.kind == "reveal")


def test_a_cell_that_no_rule_proves_has_no_chain() -> None:
    with pytest.raises(KeyError):
        proof_chain(np.array([[1, -1], [-1, -1]], np.int8), [], 1)
