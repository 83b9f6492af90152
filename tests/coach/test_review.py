"""Reviews of matches whose exact values are known."""

import json
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from pydantic import TypeAdapter

from ludex.coach.analyst import Analyst, Assessment, analyst_version
from ludex.coach.model import Review, export_text
from ludex.coach.review import compose, explained, net_luck, positions_of, require_over, review_of
from ludex.core import registry
from ludex.core.decision import Decision, JudgedMove
from ludex.core.errors import AgentFault, Unsupported
from ludex.core.explanation import advice, first_reason, move_words
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.record import match_of
from ludex.core.registry import make, names
from ludex.core.seeding import OPENING
from ludex.core.services import Services

LOST = "tictactoe 3x3x3: a1 b1 b2 c2 c3"
"""The second player answers the corner at its side, which loses."""


@pytest.fixture(scope="module")
def review() -> Review:
    return review_of(match_of(LOST), ("one", "two"))


def test_values_losses_and_classes(review: Review) -> None:
    assert review.probabilities == (0.5, 0.5, 1.0, 1.0, 1.0, 1.0)
    assert [move.loss for move in review.moves] == [0.0, 0.5, 0.0, 0.0, 0.0]
    assert [move.move_class for move in review.moves] == ["best", "blunder", "best", "best", "best"]
    assert review.key_moments == (1,)
    assert (review.moves[1].best, review.moves[1].reply[0]) == ("b2", "b2")


def test_a_search_that_was_stopped_before_it_had_a_value_is_named() -> None:
    with closing(Analyst(make("tictactoe"))) as analyst:
        with pytest.raises(Unsupported, match="values no position"):
            analyst.share(Decision(action=0))
        analyst.stop[0] = 1
        with pytest.raises(AgentFault, match="stopped before it had a value"):
            analyst.share(Decision(action=0))


def test_the_winner_is_the_more_accurate(review: Review) -> None:
    first, second = review.accuracies
    assert first == pytest.approx(100.0)
    assert second is not None
    assert second < 20


def test_a_review_becomes_better_and_ends_as_the_whole(review: Review) -> None:
    match = match_of(LOST)
    analyst, plies = Analyst(match.game), positions_of(match)
    glances = {ply: analyst.glance(match, ply) for ply in plies}
    assert None not in compose(match, {}, glances).probabilities
    assessments = {ply: analyst.assess(match, ply, glances[ply]) for ply in plies}
    steps = [compose(match, {ply: assessments[ply] for ply in plies[:done]}, glances) for done in range(6)]
    assert [step.done for step in steps] == [0, 1, 2, 3, 4, 5]
    assert explained(match, assessments, ("one", "two")) == review
    assert review.complete
    json.dumps(review.document())


def test_assessments_travel_as_json(review: Review) -> None:
    match = match_of(LOST)
    analyst = Analyst(match.game)
    assessments = {ply: analyst.assess(match, ply) for ply in range(5)}
    document = TypeAdapter(Assessment)
    read = {ply: document.validate_json(document.dump_json(assessment)) for ply, assessment in assessments.items()}
    assert read == assessments
    assert compose(match, read, None, ("one", "two")).moves == compose(match, assessments).moves


def test_no_more_is_lost_than_there_was() -> None:
    match = match_of(LOST)
    analyst = Analyst(match.game)
    assessments = {ply: analyst.assess(match, ply) for ply in range(5)}
    # Another search values the best move more than the one of the position itself.
    assessments[1] = replace(assessments[1], probability=0.3, after_best=0.8)
    move = compose(match, assessments).moves[1]
    assert (move.loss, move.kept) == (0.3, 0.0)


def test_another_move_is_judged() -> None:
    match = match_of(LOST)
    analyst = Analyst(match.game)
    state = match.positions[1]
    losses = {text: analyst.judge(match, 1, match.game.parse_action(state, text)) for text in ("b2", "c3", "b1")}
    assert losses == {"b2": 0.0, "c3": 0.5, "b1": 0.5}


def test_a_live_match_is_not_reviewed() -> None:
    with pytest.raises(Unsupported, match="live"):
        require_over(match_of("tictactoe 3x3x3: a1"))


def test_a_larger_board_has_another_analyst_and_version() -> None:
    small, large = make("tictactoe"), make("tictactoe", rows=5, cols=5, k=4)
    assert Analyst(large).reference == "mcts"
    assert analyst_version(small) != analyst_version(large)


def test_the_text_holds_marks_evaluations_and_better_moves(review: Review) -> None:
    text = export_text(review)
    assert '[Player2 "two"]' in text
    assert '[Accuracy1 "100.0"]' in text
    marked = "2. b1?? {100 %; b1 loses to a fork at a3: two lines at once; better: b2 a3 a2 c2 b3 b1 c1 c3}"
    assert marked in " ".join(text.split())


def test_the_better_move_is_said_in_words_where_people_do_not_read_the_notation() -> None:
    board, (tictactoe, skirmish) = make("skirmish"), (Match(make(name), seed=1) for name in ("tictactoe", "skirmish"))
    assert move_words(tictactoe.game, tictactoe.state, 4) is None
    words = move_words(board, skirmish.state, 0)
    assert words is not None
    assert board.action_text(skirmish.state, 0) not in words.values()


def test_better_moves_are_written_with_their_words(review: Review) -> None:
    move = review.moves[1]
    assert move.better() == "b2 a3 a2 c2 b3 b1 c1 c3"
    spoken = replace(move, best_words={"en": "the centre", "fr": "le centre"})
    assert spoken.better("fr") == "b2 (le centre) a3 a2 c2 b3 b1 c1 c3"
    assert "better: b2 (the centre)" in export_text(review.model_copy(update={"moves": (spoken,)}))


def test_luck_of_one_player_is_bad_luck_of_the_other() -> None:
    match = match_of(LOST)
    analyst = Analyst(match.game)
    reviews = {
        ply: replace(analyst.assess(match, ply), luck=luck) for ply, luck in enumerate((0.2, 0.3, None, -0.1, 0.0))
    }
    moves = compose(match, reviews).moves
    assert net_luck(moves, 2) == pytest.approx((0.0, 0.0))
    assert net_luck(moves[:2], 2) == pytest.approx((-0.1, 0.1))


FAILING: Any = None
"""What the hooks of the planted specs lead to."""


def rolled(judged: JudgedMove) -> float:
    """What the dice gave a move of theirs."""
    return 1.0


def rolled_text(amount: float) -> Message:
    """What they say of it."""
    return Message.plain(f"{amount:+g}")


@pytest.mark.parametrize("group", ["review", "screen"])
def test_a_failing_hook_costs_the_reasons_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, group: str
) -> None:
    def fail(*_: object) -> list[Message]:
        raise ZeroDivisionError("planted")

    plain, where = registry.spec("tictactoe"), f"{__name__}:FAILING"
    groups: dict[str, dict[str, Any]] = {
        "review": {"review": replace(plain.review, reasons=where)},
        "screen": {
            "review": replace(plain.review, reasons=None),
            "screen": replace(plain.screen, reason=None, effects=where),
        },
    }
    planted = replace(plain, **groups[group])
    monkeypatch.setitem(globals(), "FAILING", fail)
    monkeypatch.setattr("ludex.core.hooks._logged", set())
    for module in ("ludex.coach.review", "ludex.core.explanation"):
        monkeypatch.setattr(f"{module}.spec", lambda game: planted)
    match = match_of("tictactoe 3x3x3: a1 b1 c1 a2")
    while not match.over:
        match.play(legal_actions(match.legal())[0])
    review = review_of(match)
    assert {move.move_class for move in review.moves} & {"blunder", "mistake"}
    assert all(move.reasons == () for move in review.moves)
    decision = Decision(action=legal_actions(match.game.legal(match.positions[0]))[0], value=0.5)
    assert advice(match.game, match.positions[0], decision) == decision
    assert first_reason(match.game, match.positions[0], decision) == ""
    faults = [record for record in caplog.records if "a hook fails" in str(record.msg)]
    assert len(faults) == 1, "the fault is logged once"
    assert "ZeroDivisionError: planted" in str(faults[0].msg)


@pytest.mark.parametrize("hook", ["luck", "dice", "dice_text", "is_mark", "describe_move"])
def test_a_failing_hook_costs_its_part_of_the_review_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, hook: str
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("planted")

    match = Match(make("minesweeper", "small"), seed=5)
    while not match.over:
        match.play(legal_actions(match.legal())[0])
    plain, where = registry.spec("minesweeper"), f"{__name__}:FAILING"
    dice: dict[str, Any] = {"dice": f"{__name__}:rolled", "dice_text": f"{__name__}:rolled_text"}
    changes: dict[str, Any] = {"screen": replace(plain.screen, describe_move=where)}
    if hook != "describe_move":
        changes = {"review": replace(plain.review, **{**dice, hook: where})}
    monkeypatch.setitem(globals(), "FAILING", fail)
    monkeypatch.setattr("ludex.core.hooks._logged", set())
    for module in ("ludex.coach.review", "ludex.coach.analyst", "ludex.core.explanation"):
        monkeypatch.setattr(f"{module}.spec", lambda game: replace(plain, **changes))
    # An analyst with other hooks is kept for other services.
    review = review_of(match, services=partial(Services))
    assert review.done == review.total == match.ply
    assert (review.luck == (None,)) == (hook == "luck")
    said = hook in {"luck", "is_mark"}
    assert (review.luck_notes != (None,)) == said
    assert all(move.best_words is None for move in review.moves)
    faults = [str(record.msg) for record in caplog.records if "a hook fails" in str(record.msg)]
    name = f"{'screen' if hook == 'describe_move' else 'review'}.{hook}"
    assert len(faults) == 1, "the fault is logged once"
    assert all(text in faults[0] for text in (name, "minesweeper", "ZeroDivisionError: planted"))


def test_a_move_that_wins_at_once_is_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of("tictactoe 3x3x3: a1 b1 a2 b2 a3")
    analyst = Analyst(match.game)
    other = legal_actions(match.game.legal(match.positions[4]))[-1]
    assert other != match.moves[4].action
    monkeypatch.setattr(analyst, "_decide", lambda *_, **__: Decision(action=other, value=1.0))
    monkeypatch.setattr("ludex.coach.analyst._equal", lambda *_: False)
    assert analyst.assess(match, 4).as_good


@pytest.mark.parametrize("game", names())
def test_a_move_is_best_exactly_if_it_loses_nothing(game: str) -> None:
    board = make(game)
    # Plies late in a match between players that err: the values of several moves are alike there.
    match = Match(board, seed=4)
    while not match.over:
        match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
    plies = range(max(0, match.ply - 6), match.ply)
    with closing(Analyst(board, Services())) as analyst:
        analyst._review = replace(analyst._review, nodes=40, samples=2)
        assessments = {ply: analyst.assess(match, ply) for ply in (*plies, *positions_of(match)[match.ply :])}
    moves = compose(match, assessments).moves
    assert [move.ply for move in moves] == [*plies]
    for move in moves:
        assert (move.move_class in {"best", "brilliant"}) == (move.loss == 0.0), move
        assert move.loss > 0.0 or move.best == move.line[0] == move.text, "the best move is the one that was played"
