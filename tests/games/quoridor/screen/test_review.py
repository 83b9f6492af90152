"""Why a move is good or worse than another, in words."""

import pytest

from ludex.core.decision import Candidate, Decision, JudgedMove
from ludex.core.explanation import advice, reasons_of
from ludex.core.game import legal_actions
from ludex.core.messages import LANGUAGES, Message
from ludex.core.record import match_of
from ludex.core.seeding import Rng
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.screen.review import reasons, steps_of
from ludex.games.quoridor.screen.teaching import TUTORIAL


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
            [
                "this wall added 1 step to Orange\u2019s path and 1 step to Blue\u2019s",
                "e3 would have left Blue 6 steps",
            ],
        ),
        (
            "quoridor 9x9: e2 e8 a1v",
            "e3",
            "",
            ["this wall lengthened nobody\u2019s path", "e3 would have left Blue 6 steps"],
        ),
        # A step to the side is not praised for its distance.
        ("quoridor 9x9: e2 e8 a1v", "d2", "", ["this wall lengthened nobody\u2019s path"]),
        (
            "quoridor 9x9: e2 e8 e1",
            "e7h",
            "",
            [
                "this step brought Blue no nearer: 8 steps to go",
                "e7h would have added 1 step to Orange\u2019s path and 1 step to Blue\u2019s",
            ],
        ),
        (
            "quoridor 3x3:walls=1: a1h",
            "b2",
            "",
            [
                "this wall added 1 step to Orange\u2019s path and 1 step to Blue\u2019s",
                "b2 would have left Blue 1 step",
            ],
        ),
    ],
)
def test_what_a_move_did_to_both_paths(line: str, best: str, reply: str, expected: list[str]) -> None:
    messages = reasons(judged(line, best, reply))
    assert [message.text() for message in messages] == expected
    assert all(message.text(language) for message in messages for language in LANGUAGES)


def test_a_review_speaks_of_the_mover_by_name() -> None:
    """Its reader may be the other player."""
    english, french = (
        [message.text(language) for message in reasons(judged("quoridor 9x9: e2 a8v", "e8"))]
        for language in ("en", "fr")
    )
    assert english == ["this wall lengthened nobody\u2019s path", "e8 would have left Orange 7 steps"]
    assert french[1] == "avec e8, il restait 7 pas à Orange"


def test_a_last_wall_far_from_the_goal_is_named() -> None:
    messages = reasons(judged("quoridor 9x9:walls=1: e2 e8 e7h", "e3"))
    assert "Blue\u2019s last wall is gone with 8 steps to go" in [message.text() for message in messages]
    assert messages[0].cells, "the path that became longer is marked"


def test_a_wall_that_follows_is_named() -> None:
    """A wall stands before the pawn: the next one beside it makes the way around longer."""
    messages = reasons(judged("quoridor 9x9: e2 e8 e3 e3h a1h g3h a8h", "d3", "c3h"))
    assert "it let c3h follow, which adds 3 steps to Blue\u2019s path" in [message.text() for message in messages]


def test_the_best_move_is_not_blamed() -> None:
    assert reasons(judged("quoridor 9x9: e2 e8 a1v", "a1v")) == []
    messages = reasons(judged("quoridor 9x9: e2 e8 e1h", "e1h"))
    assert [message.text() for message in messages] == [
        "this wall added 1 step to Orange\u2019s path and none to Blue\u2019s"
    ]


def reason(line: str, move: str, *, addressed: bool, value: float = 0.1) -> tuple[str, str]:
    """The first reason for a move in English and in French."""
    match = match_of(line)
    action = match.game.parse_action(match.state, move)
    decision = Decision(action, value=value, candidates=(Candidate(action, score=1.0),))
    first, *_ = reasons_of(match.game, match.state, decision, addressed=addressed)
    return first.text("en"), first.text("fr").replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("line", "move", "english", "french"),
    [
        ("9x9: e2 e8", "e3", "A step along your shortest path: 6 steps to go", "Un pas sur votre plus court chemin"),
        ("5x5: c2 c4 d3v c3", "c4", "The jump saves you a step: 1 step to go", "Le saut vous fait gagner un pas"),
        ("5x5: c2 c4 c3 b4 c4 b3", "c5", "This step reaches your goal row: you win.", "vous gagnez"),
        (
            "5x5: c2 b5 d2 b4 d3 b3 d1v b2",
            "a1h",
            "adds 1 step to their path and none to yours",
            "sans toucher au vôtre",
        ),
        ("9x9: e2 e8", "f2", "their next wall lengthens your 7 steps by", "leur prochain mur allonge vos 7 pas de"),
    ],
)
def test_a_hint_speaks_of_both_paths(line: str, move: str, english: str, french: str) -> None:
    spoken = reason(f"quoridor {line}", move, addressed=True)
    assert english in spoken[0]
    assert french in spoken[1]


def test_others_read_the_names_of_the_players_and_a_forced_win_is_said() -> None:
    line = "quoridor 5x5: c2 b5 d2 b4 d3 b3 d1v b2"
    english, french = reason(line, "a1h", addressed=False, value=1.0)
    assert english.replace("\u2019", "'") == (
        "This wall adds 1 step to Orange's path and none to Blue's. Blue wins by force from here."
    )
    assert french.replace("\u2019", "'") == (
        "Ce mur allonge le chemin d'Orange de 1 pas sans toucher à celui de Bleu. Bleu a une victoire forcée."
    )


def test_a_move_by_chance_has_no_reason_of_the_game() -> None:
    match = match_of("quoridor 9x9:")
    action = match.game.parse_action(match.state, "e2")
    assert reasons_of(match.game, match.state, Decision(action, candidates=(Candidate(action, prob=0.1),))) == ()


@pytest.mark.parametrize(("value", "hint"), [(0.06, "e2"), (0.0, "g2h")])
def test_a_hint_is_a_move_with_a_reason_where_it_is_as_good(value: float, hint: str) -> None:
    match = match_of("quoridor 9x9:")
    wall, step = (match.game.parse_action(match.state, text) for text in ("g2h", "e2"))
    candidates = (Candidate(wall, score=20.0, value=0.1), Candidate(step, score=10.0, value=value))
    decision = Decision(wall, value=0.1, candidates=candidates, explanation=(Message("quoridor.review_draw"),))
    assert match.game.action_text(match.state, advice(match.game, match.state, decision).action) == hint


@pytest.mark.parametrize("addressed", [False, True])
def test_every_opening_move_has_a_sentence_in_every_language(addressed: bool) -> None:
    match = match_of("quoridor 5x5: c2 c4 b3h")
    for action, allowed in enumerate(match.game.legal(match.state)):
        if allowed:
            decision = Decision(action, candidates=(Candidate(action, score=1.0),))
            for message in reasons_of(match.game, match.state, decision, addressed=addressed):
                assert all("{" not in message.text(language) for language in LANGUAGES)


def test_the_wall_of_the_tutorial_wins_the_race() -> None:
    """Only one wall costs Orange more steps than Blue needs."""
    position, accepted = next((step.position, step.turns[0].accept) for step in TUTORIAL.steps if step.name == "wall")
    match = match_of(f"quoridor {position.board}: {' '.join(position.moves)}")
    game, state = match.game, match.state
    assert isinstance(game, Quoridor)
    steps = {
        game.action_text(state, action): steps_of(game, game.apply(state, action, Rng(0)), 0)
        for action in legal_actions(game.legal(state))
    }
    assert steps_of(game, state, 0) == (2, 1)
    assert {move: after for move, after in steps.items() if after.theirs > after.own} == {accepted[0]: (2, 6)}
