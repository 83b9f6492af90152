"""Reasons in steps of both paths."""

import pytest

from ludex.core.judgement import JudgedMove
from ludex.core.line import match_of
from ludex.core.messages import LANGUAGES
from ludex.games.quoridor.screen.review import reasons


def judged(line: str, best: str, reply: str = "") -> JudgedMove:
    """The last move of a line beside a better one."""
    match = match_of(line)
    before, game = match.positions[-2], match.game
    return JudgedMove(
        game=game,
        before=before,
        after=match.state,
        player=match.moves[-1].player,
        action=match.moves[-1].action,
        best=game.parse_action(before, best),
        line=(),
        reply=(game.parse_action(match.state, reply),) if reply else (),
        expected=0.6,
        kept=0.4,
    )


@pytest.mark.parametrize(
    ("line", "best", "reply", "expected"),
    [
        (
            "quoridor 9x9: e2 e8 e7h",
            "e3",
            "",
            ["this wall added 1 step to their path and 1 step to yours", "e3 would have left you 6 steps"],
        ),
        (
            "quoridor 9x9: e2 e8 a1v",
            "e3",
            "",
            ["this wall lengthened nobody\u2019s path", "e3 would have left you 6 steps"],
        ),
        (
            "quoridor 9x9: e2 e8 e1",
            "e7h",
            "",
            [
                "this step brought you no nearer: 8 steps to go",
                "e7h would have added 1 step to their path and 1 step to yours",
            ],
        ),
        (
            "quoridor 3x3:walls=1: a1h",
            "b2",
            "",
            ["this wall added 1 step to their path and 1 step to yours", "b2 would have left you 1 step"],
        ),
    ],
)
def test_what_a_move_did_to_both_paths(line: str, best: str, reply: str, expected: list[str]) -> None:
    messages = reasons(judged(line, best, reply))
    assert [message.text() for message in messages] == expected
    assert all(message.text(language) for message in messages for language in LANGUAGES)


def test_a_last_wall_far_from_the_goal_is_named() -> None:
    messages = reasons(judged("quoridor 9x9:walls=1: e2 e8 e7h", "e3"))
    assert "you used your last wall with 8 steps to go" in [message.text() for message in messages]
    assert messages[0].cells, "the path that became longer is marked"


def test_a_wall_that_follows_is_named() -> None:
    """A wall stands before the pawn: the next one beside it makes the way around longer."""
    messages = reasons(judged("quoridor 9x9: e2 e8 e3 e3h a1h g3h a8h", "d3", "c3h"))
    assert "it let c3h follow, which adds 3 steps to your path" in [message.text() for message in messages]


def test_the_best_move_is_not_blamed() -> None:
    assert reasons(judged("quoridor 9x9: e2 e8 a1v", "a1v")) == []
    messages = reasons(judged("quoridor 9x9: e2 e8 e1h", "e1h"))
    assert [message.text() for message in messages] == ["this wall added 1 step to their path and nothing to yours"]


def test_a_step_to_the_side_is_not_praised_for_its_distance() -> None:
    messages = reasons(judged("quoridor 9x9: e2 e8 a1v", "d2"))
    assert [message.text() for message in messages] == ["this wall lengthened nobody\u2019s path"]
