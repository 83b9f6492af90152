"""Tic-tac-toe for a person who has never played it: seven moves on 3x3."""

from ludex.core.illustration import PositionSpec
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial


def _step(name: str, moves: str, *turns: TurnSpec, cells: tuple[int, ...] = ()) -> StepSpec:
    position = PositionSpec(board="3x3x3", moves=tuple(moves.split()), cells=cells)
    return StepSpec(name=name, position=position, turns=turns)


TUTORIAL = Tutorial(
    steps=(
        _step("first", "", TurnSpec(accept=("b2",)), cells=(4,)),
        _step("win", "a1 a3 b1 c2", TurnSpec(accept=("c1",)), cells=(6, 7)),
        _step("diagonal", "b2 b1 a1 b3", TurnSpec(accept=("c3",))),
        _step("block", "a1 b2 c2 b3", TurnSpec(accept=("b1",)), cells=(1, 4)),
        _step("before", "a1 a3 b1 b3", TurnSpec(accept=("c1",), refuse={"c3": "blocks"})),
        _step("fork", "a3 b2 c1 c3", TurnSpec(accept=("a1",), reply=("a2",)), TurnSpec(accept=("b1",))),
        _step("corner", "a1", TurnSpec(accept=("b2",), refuse={"c3": "opposite"})),
    )
)
