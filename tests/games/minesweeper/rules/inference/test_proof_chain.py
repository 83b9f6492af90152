"""Whole proofs: the numbers of a chain alone prove its cell, and each step follows from those before."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.rules import RulesAgent
from ludex.games.minesweeper.rules.geometry import DEGREE, neighbours
from ludex.games.minesweeper.rules.inference.forced_moves import Step, proof_chain, proofs
from tests.games.minesweeper.agents.support import moments
from tests.games.minesweeper.support import game_of


def can_be(numbers: NDArray[np.int8], used: Sequence[int], cell: int, mine: bool) -> bool:
    """Whether some layout of mines fits these numbers, whatever the others say, with this cell mined or not."""
    near = neighbours(*numbers.shape)
    flat = numbers.reshape(-1)
    around = {one: [o for o in near[one, : near[one, DEGREE]].tolist() if flat[o] < 0] for one in used}
    cells = [*dict.fromkeys([cell, *(other for one in used for other in around[one])])]
    value: dict[int, bool] = {cell: mine}

    def fits() -> bool:
        for one in used:
            known = [value[other] for other in around[one] if other in value]
            if not sum(known) <= flat[one] <= sum(known) + len(around[one]) - len(known):
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
