"""Steps of tutorials: moves are judged by the rules of the game, then by the task."""

import pytest

from ludex.core.errors import UsageError
from ludex.core.illustration import PositionSpec
from ludex.core.registry import resolve, spec
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial, judge

TUTORIAL: Tutorial = resolve(str(spec("tictactoe").screen.tutorial))
FORK = TUTORIAL.step("fork")


def test_a_turn_is_completed_by_a_move_of_its_list_and_answered_by_its_reply() -> None:
    first = judge("tictactoe", FORK, ["a1"])
    assert (first.accepted, first.turn, [move.text for move in first.position.moves[-2:]]) == (True, 1, ["a1", "a2"])
    second = judge("tictactoe", FORK, ["a1", "b1"])
    assert (second.accepted, second.turn, second.position.to_move) == (True, 2, None)


def test_the_board_does_not_turn_when_the_other_player_is_to_move() -> None:
    walk = resolve(str(spec("quoridor").screen.tutorial)).step("walk")
    verdict = judge("quoridor", walk, ["c2"])
    assert (verdict.position.to_move, verdict.position.seen_by) == (1, 0)


def test_a_legal_move_that_is_wrong_gets_the_reason_of_its_pattern() -> None:
    step = TUTORIAL.step("before")
    assert [str(judge("tictactoe", step, [move]).reason.id) for move in ("c3", "b2")] == [  # type: ignore[union-attr]
        "tictactoe.tutorial_before_blocks",
        "tictactoe.tutorial_before_wrong",
    ]
    verdict = judge("tictactoe", step, ["b2"])
    assert (verdict.accepted, verdict.turn, len(verdict.position.moves)) == (False, 0, 4)


@pytest.mark.parametrize("move", ["a3", "z9", ""])
def test_what_the_rules_refuse_gets_their_reason(move: str) -> None:
    verdict = judge("tictactoe", FORK, [move])
    assert (verdict.accepted, verdict.reason) == (False, None)
    assert verdict.error is not None


@pytest.mark.parametrize(("text", "is_legal"), [("chord:a2", True), ("chord:c1", False)])
def test_a_text_for_several_moves_completes_no_task(text: str, is_legal: bool) -> None:
    # The 1 at a2 has its flag, so its other neighbours can be revealed together; c1 is hidden.
    position = PositionSpec(
        board="small_8x8_10:rows=2:cols=3:mines=1:start=safe", position={"cells": "F..1..", "plies": 2}
    )
    step = StepSpec(name="number", position=position, turns=(TurnSpec(accept=("*",)),))
    verdict = judge("minesweeper", step, [text])
    assert (verdict.accepted, verdict.error is None, verdict.reason is not None) == (False, is_legal, is_legal)


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ([], "takes 1 to 2 moves, found 0"),
        (["a1", "b1", "c2"], "takes 1 to 2 moves, found 3"),
        (["a2", "a1"], "move 1 was not accepted"),
    ],
)
def test_moves_that_cannot_follow_each_other_are_refused(moves: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        judge("tictactoe", FORK, moves)


def test_an_unknown_step_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match="no step 'nothing'; its steps are: first, win"):
        TUTORIAL.step("nothing")


def test_dice_and_secrets_of_a_position_follow_from_its_seed() -> None:
    built = [PositionSpec(board="small_8x8_10", seed=seed, moves=("a1",)).build("minesweeper") for seed in (1, 1, 2)]
    one, same, other = (position.game.dump(position.state) for position in built)
    assert one == same
    assert one != other
