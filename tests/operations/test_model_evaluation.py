"""The evaluation of a language model, against a server whose player is known exactly."""

import json
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.coach.questions import draw_questions
from ludex.core.errors import BadOption
from ludex.operations.model_evaluation import MODEL_EVALUATION, ModelEvaluationRequest, ModelEvaluationResult, run
from ludex.operations.operation import Context
from ludex.operations.permissions import Permissions
from ludex.remote.llm_agent import reference_of
from tests.remote.chat_server import serve_chat
from tests.remote.scripted import scripted


def request(agent: str, game: str = "tictactoe", **options: Any) -> ModelEvaluationRequest:
    values = {"game": game, "agent": agent, "games": 2, "positions": 30, **options}
    return MODEL_EVALUATION.parse(values).checked(None, remote=None)


def measured(agent: str, folder: Path | None = None, **options: Any) -> ModelEvaluationResult:
    return run(request(agent, **options), Context(folder=folder))


def without_times(result: ModelEvaluationResult) -> list[dict[str, Any]]:
    apart = {"agent", "names", "tokens_per_move", "seconds_per_move", "legal", "legal_at_once"}
    return [variant.model_dump(exclude=apart) for variant in result.variants]


@pytest.mark.slow
def test_a_scripted_perfect_player_scores_as_perfect_does_with_regret_zero() -> None:
    """On 200 positions and in games: the harness loses nothing."""
    board = ludex.make("tictactoe")
    options: dict[str, Any] = {"positions": 200, "games": 4, "opponents": ["newcomer", "casual"], "opening_plies": 1}
    with serve_chat(scripted(board, "perfect")) as server:
        model = measured(reference_of("m", url=server.url), **options)
    perfect = measured("perfect", **options)
    assert without_times(model) == without_times(perfect)
    (variant,) = model.variants
    assert variant.regret is not None
    assert (variant.regret.mean, variant.regret.ci95, variant.regret.count) == (0.0, (0.0, 0.0), 200)
    assert variant.accuracy == pytest.approx(100.0)
    assert variant.tokens_per_move == (100.0, 3.0)
    assert variant.legal is not None
    assert variant.legal.mean == 1.0
    assert variant.legal.count > 200


def test_small_boards_of_quoridor_are_judged_exactly() -> None:
    result = measured("perfect", game="quoridor", preset="3x3", games=0)
    (variant,) = result.variants
    assert result.analyst == "perfect"
    assert variant.regret is not None
    assert (variant.regret.mean, variant.regret.count) == (0.0, 30)


def test_a_report_is_made_again_without_the_model(tmp_path: Path) -> None:
    board = ludex.make("tictactoe")
    with serve_chat(scripted(board, "random")) as server:
        agent = reference_of("m", url=server.url)
        first = measured(agent, tmp_path, opponents=["newcomer"])
    # The server is gone.
    assert measured(agent, tmp_path, opponents=["newcomer"]) == first
    entries = [json.loads(line) for line in (tmp_path / "own-questions.jsonl").read_text().splitlines()[1:]]
    assert len(entries) == 30
    assert all(entry["transcript"][0]["prompt"] and entry["transcript"][0]["answers"] for entry in entries)


def test_errors_are_counted_by_kind_and_lose_games() -> None:
    answers = iter(["a1 or b2", "\N{FULLWIDTH LATIN CAPITAL LETTER A}1"] * 1000)
    with serve_chat(lambda body: next(answers)) as server:
        agent = reference_of("m", url=server.url, retries=1)
        (variant,) = measured(agent, positions=10, games=2, opponents=["newcomer"]).variants
    assert variant.refusals.keys() == {"prose", "look_alike"}
    assert variant.faults == {"illegal_choice": 12}
    assert variant.legal is not None
    assert (variant.legal.mean, variant.regret) == (0.0, None)
    assert [(row.losses, row.forfeits) for row in variant.scores] == [(2, 2)]


def test_regret_and_blunders_are_those_of_the_judge() -> None:
    (variant,) = measured("random", positions=60, games=0).variants
    assert variant.regret is not None
    assert variant.regret.ci95[0] > 0.05
    assert sum(variant.blunders.values()) > 5
    assert all(theme.startswith("tictactoe.review_") for theme in variant.blunders)


def test_relabelled_asks_in_other_names_and_reports_both() -> None:
    board, prompts = ludex.make("tictactoe"), []
    own, other = scripted(board, "perfect"), scripted(board, "perfect", 9)

    def answer(body: dict[str, Any]) -> str:
        prompts.append(body["messages"][0]["content"])
        return str((own if "tictactoe" in prompts[-1] else other)(body))

    with serve_chat(answer) as server:
        result = measured(reference_of("m", url=server.url), positions=20, games=0, relabelled=True, seed=9)
    assert [variant.names for variant in result.variants] == ["own", "relabelled"]
    assert all(variant.regret is not None and variant.regret.mean == 0 for variant in result.variants)
    assert len(set(prompts)) == 2
    with pytest.raises(BadOption, match="only agents llm:"):
        request("perfect", relabelled=True)


def test_tokens_of_the_whole_are_bounded() -> None:
    with serve_chat(scripted(ludex.make("tictactoe"), "perfect")) as server:
        result = measured(reference_of("m", url=server.url), most_tokens=103 * 7, games=2)
        assert result.bounded
        assert len(server.requests) == 10  # The task under way is finished.


def test_a_game_for_one_has_a_success_rate_and_no_rating() -> None:
    result = measured("exact", game="minesweeper", preset="small", positions=6, games=3)
    (variant,) = result.variants
    assert variant.elo_ci95 is None
    (alone,) = variant.scores
    assert (alone.opponent, alone.games) == (None, 3)
    assert variant.regret is not None
    assert variant.regret.mean < 0.05


def test_questions_are_different_positions_with_a_choice() -> None:
    board = ludex.make("tictactoe")
    questions = draw_questions(board, 50, 3)
    assert questions == draw_questions(board, 50, 3)
    matches = [question.match(board) for question in questions]
    assert len({str(board.dump(match.state)) for match in matches}) == 50
    assert all(int(match.legal().sum()) > 1 for match in matches)


def test_a_job_names_no_model_without_permission() -> None:
    parsed = MODEL_EVALUATION.parse({"game": "tictactoe", "agent": "llm:m"})
    with pytest.raises(BadOption, match="only the administrator's browser may name"):
        parsed.checked(None, remote=Permissions(engines=True))
