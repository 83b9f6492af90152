"""Quoridor for a person who has never played it: six tasks on 5x5."""

from ludex.core.illustration import PositionSpec
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial


def _step(name: str, moves: str, *turns: TurnSpec, cells: tuple[int, ...] = ()) -> StepSpec:
    position = PositionSpec(board="5x5", moves=tuple(moves.split()), cells=cells)
    return StepSpec(name=name, position=position, turns=turns)


_WALLS = "*[hv]"
_GOAL = (20, 21, 22, 23, 24)

TUTORIAL = Tutorial(
    steps=(
        _step("walk", "", TurnSpec(accept=("c2",), refuse={"[bd]1": "aside"}), cells=_GOAL),
        _step("jump", "c2 c4 d3v c3", TurnSpec(accept=("c4",), refuse={_WALLS: "walled"})),
        _step("aside", "c2 c4 a1v c3 c3h a4v", TurnSpec(accept=("b3", "d3"), refuse={_WALLS: "walled"})),
        _step("wall", "c2 b5 d2 b4 d3 b3 d1v b2", TurnSpec(accept=("a1h", "b1h"), refuse={_WALLS: "elsewhere"})),
        _step(
            "path",
            "c2 b5 d2 b4 d3 b3 a1h b2 c1h a2 d1v b2",
            TurnSpec(accept=("b2v", "c2v", "d3v"), refuse={_WALLS: "elsewhere"}),
        ),
        _step(
            "race",
            "c2 b5 d2 b4 d3 a4",
            TurnSpec(accept=("d4",), refuse={_WALLS: "walled"}, reply=("a3",)),
            TurnSpec(accept=("d5",)),
        ),
    )
)
