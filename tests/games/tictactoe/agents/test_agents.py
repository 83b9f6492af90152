"""The players: what they choose, what they report, and what they refuse."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from ludex.core.agent import AnyAgent
from ludex.core.errors import BadOption, BadRankings, Unsupported
from ludex.core.game import legal_actions
from ludex.core.ranking import Entry, MemoryRankings
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.core.services import Services
from ludex.games.tictactoe.agents.ranking_files import TicTacToeRankings
from ludex.games.tictactoe.rules.position import Position
from tests.games.tictactoe.support import (
    at,
    canonical_live,
    decision_of,
    game_of,
    position_of,
    q_by_key,
    shipped,
)
from tests.reference import tictactoe as reference

GAME = game_of()
MADE = "2026-01-02T03:04:05+00:00"
TELEMETRY = {"winIn1", "blockIn1", "doubleThreat", "transform", "move", "bestQ"}


def ranking(options: str = "") -> AnyAgent:
    return make_agent(GAME, f"ranking{options}")


def test_the_default_opponent_is_the_shipped_ranking() -> None:
    assert make_agent("tictactoe").name == "ranking"
    assert decision_of(make_agent("tictactoe"), GAME, Position()) == decision_of(
        ranking(":ranking=shipped"), GAME, Position()
    )


@pytest.mark.parametrize(
    ("key", "telemetry"),
    [
        ("EEE EEE EEE", {"winIn1": False, "blockIn1": False, "doubleThreat": False, "transform": "Identity"}),
        ("XXE OOE EEE", {"winIn1": True, "blockIn1": False, "doubleThreat": False, "move": 2}),
        ("XXE EOE EEE", {"winIn1": False, "blockIn1": True, "doubleThreat": False, "move": 2}),
        ("EEE EXX OXO", {"winIn1": False, "blockIn1": False, "doubleThreat": True, "bestQ": -1.0}),
        ("XEE EEE EEE", {"transform": "Rot180", "move": 4, "bestQ": 0.0}),
    ],
)
def test_ruling_7_the_telemetry_is_part_of_the_decision(key: str, telemetry: dict[str, Any]) -> None:
    stats = decision_of(ranking(), GAME, at(key)).stats
    assert set(stats) == TELEMETRY
    assert stats == {**stats, **telemetry}


def test_ruling_7_the_telemetry_is_part_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="ludex.tictactoe")
    decision = decision_of(ranking(), GAME, at("XXE EOE EEE"))
    [record] = [record for record in caplog.records if record.name == "ludex.tictactoe"]
    assert record.levelname == "INFO"
    assert isinstance(record.msg, dict)
    assert record.msg == {**record.msg, "event": "decision", "agent": "ranking", **decision.stats}


@pytest.mark.slow
def test_every_legal_move_has_its_q_and_beside_it_its_exact_value() -> None:
    agent, q = ranking(), q_by_key(shipped().entries())
    for grid in canonical_live():
        decision = decision_of(agent, GAME, position_of(grid, 3))
        assert sorted(candidate.action for candidate in decision.candidates) == reference.moves(grid, 3)
        for candidate in decision.candidates:
            entry = reference.key(grid), reference.canonical_move(grid, candidate.action)
            value, distance = reference.solve_move(grid, 3, candidate.action)
            assert candidate.score == q.get(entry, 0.0)
            assert candidate.terms == {"exact": value, "distance": distance}
            assert candidate.line == (candidate.action,)


def test_the_chosen_move_comes_first_then_the_greatest_q_then_the_lowest_index() -> None:
    agent = ranking()
    for grid in canonical_live():
        decision = decision_of(agent, GAME, position_of(grid, 3))
        first, *rest = decision.candidates
        assert first.action == decision.action == decision.stats["move"]
        scores = [candidate.score for candidate in decision.candidates if candidate.score is not None]
        assert len(scores) == len(decision.candidates)
        ordered = sorted(zip((-score for score in scores[1:]), (candidate.action for candidate in rest), strict=True))
        assert [candidate.action for candidate in rest] == [action for _, action in ordered]
        assert decision.stats["bestQ"] == max(scores)


def test_the_overlays_show_q_and_the_exact_value_of_each_free_cell() -> None:
    decision = decision_of(ranking(), GAME, at("XXE EOE EEE"))
    cells = {candidate.action: candidate for candidate in decision.candidates}
    assert set(decision.overlay) == {"q", "exact"}
    assert decision.overlay["q"] == tuple(cells[cell].score if cell in cells else None for cell in range(9))
    assert decision.overlay["exact"] == tuple(
        cells[cell].terms["exact"] if cell in cells else None for cell in range(9)
    )


def test_the_value_of_a_decision_stays_within_one(tmp_path: Path) -> None:
    values = [Entry("EEEEEEEEE", 4, 5.0)]
    (tmp_path / "great.json").write_text(json.dumps(TicTacToeRankings(GAME).export(values, MADE)))
    decision = decision_of(ranking(f":file={tmp_path / 'great.json'}"), GAME, Position())
    assert (decision.action, decision.value, decision.stats["bestQ"]) == (4, 1.0, 5.0)


@pytest.mark.parametrize(
    ("key", "note"),
    [
        ("XXE OOE EEE", "c3 wins at once"),
        ("XXE EOE EEE", "c3 blocks the only threat"),
        ("EEE EXX OXO", "two threats, and nothing stops both"),
        ("EEE EEE EEE", "no difference between these squares, so it takes the first, a3"),
        ("EEE EXE EEE", "a3 did best in training (learned value +0.00)"),
    ],
)
def test_a_decision_says_why_in_one_sentence(key: str, note: str) -> None:
    assert note in decision_of(ranking(), GAME, at(key)).note


@pytest.mark.slow
def test_the_ranking_and_perfect_agents_draw_no_random_number_in_any_position() -> None:
    agents = [ranking(), ranking(":ranking=empty"), make_agent(GAME, "perfect")]
    for grid in canonical_live():
        position = position_of(grid, 3)
        for agent in agents:
            assert decision_of(agent, GAME, position) == decision_of(agent, GAME, position)


def test_the_random_agent_plays_every_legal_move_sometimes_and_reports_its_chance() -> None:
    agent, position = make_agent(GAME, "random"), at("XXE EOE EEE")
    decisions = [decision_of(agent, GAME, position, generator(seed, 0)) for seed in range(200)]
    assert {decision.action for decision in decisions} == {2, 3, 5, 6, 7, 8}
    assert [candidate.prob for candidate in decisions[0].candidates] == [1 / 6] * 6


def results_against_everything(agent: AnyAgent, seat: int, ties: int = 1) -> set[float]:
    """The agent's scores over every play of the opponent, with `ties` different generators at each decision."""
    scores, positions, waiting = set(), {Position()}, [Position()]
    while waiting:
        position = waiting.pop()
        outcome = GAME.outcome(position)
        if outcome is not None:
            scores.add(outcome.scores[seat])
            continue
        actions = legal_actions(GAME.legal(position))
        if GAME.to_move(position) == seat:
            rngs = [generator(seed, 0) for seed in range(ties)]
            actions = sorted({decision_of(agent, GAME, position, rng).action for rng in rngs})
        after = {GAME.apply(position, action, generator(0, 0)) for action in actions} - positions
        positions |= after
        waiting.extend(after)
    return scores


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["perfect", "perfect:ties=random", "ranking", "flawless"])
def test_no_opponent_beats_it_in_either_seat(name: str, seat: int) -> None:
    ties = 3 if "random" in name else 1
    assert results_against_everything(make_agent(GAME, name), seat, ties) == {0.0, 1.0}


@pytest.mark.slow
def test_perfect_plays_a_move_of_the_best_value_and_distance_in_every_live_position() -> None:
    agents = [make_agent(GAME, "perfect"), make_agent(GAME, "perfect:ties=random")]
    for number, grid in enumerate(canonical_live()):
        for agent in agents:
            decision = decision_of(agent, GAME, position_of(grid, 3), generator(number, 0))
            assert reference.solve_move(grid, 3, decision.action) == reference.solve(grid, 3)
            assert (decision.value, decision.stats["distance"]) == reference.solve(grid, 3)


def test_perfect_breaks_ties_by_the_first_or_by_chance() -> None:
    assert decision_of(make_agent(GAME, "perfect"), GAME, Position()).action == 0
    chance = make_agent(GAME, "perfect:ties=random")
    actions = {decision_of(chance, GAME, Position(), generator(seed, 0)).action for seed in range(100)}
    assert actions == set(range(9))


def test_on_a_board_too_large_to_solve_the_ranking_plays_without_exact_values() -> None:
    game = game_of(5, 5, 4)
    decision = decision_of(make_agent(game, "ranking:ranking=empty"), game, Position())
    assert decision.action == 0
    assert all(candidate.terms == {} for candidate in decision.candidates)
    assert decision.overlay["exact"] == (None,) * 25


def test_a_ranking_from_the_database_is_that_of_game_and_preset() -> None:
    stores = {("tictactoe", "3x3x3"): MemoryRankings([Entry("EEEEEEEEE", 4, 0.5)])}
    services = Services(rankings=lambda game, preset: stores[game, preset])
    agent = make_agent(GAME, "ranking:ranking=database", services)
    assert decision_of(agent, GAME, Position()).action == 4


def test_a_ranking_from_the_database_needs_one() -> None:
    with pytest.raises(Unsupported, match="no database is open"):
        ranking(":ranking=database")


def test_a_ranking_from_a_file_is_read_and_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(TicTacToeRankings(GAME).export([Entry("EEEEEEEEE", 1, 0.5)], MADE)))
    agent = ranking(f":file={path}")
    assert decision_of(agent, GAME, Position()).action == 1
    assert agent.name == f"ranking:file={path}"


def test_a_ranking_file_of_another_board_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.json"
    path.write_text(json.dumps(TicTacToeRankings(game_of(3, 4, 3)).export([Entry("E" * 12, 0, 1.0)], MADE)))
    with pytest.raises(BadRankings, match=r"qValues\[0\]: expected 9 cells"):
        ranking(f":file={path}")


def test_the_ranking_agent_says_which_boards_it_plays_without_options() -> None:
    with pytest.raises(BadOption, match="supports 3x3x3 only, not 3x4x3; its options are ranking, file"):
        make_agent(make("tictactoe", "3x4x3"), "ranking")


def test_tactical_wins_blocks_and_else_says_that_all_moves_have_the_same_q() -> None:
    game = game_of(5, 5, 4)
    agent = make_agent(game, "tactical")
    three = 0b01110
    assert decision_of(agent, game, Position(x=three, o=1 | 1 << 24)).note == "e5 blocks the only threat"
    assert decision_of(agent, game, Position(x=three, o=1 | 1 << 24 | 1 << 20)).note == "e5 wins at once"
    decision = decision_of(agent, game, Position())
    assert decision.action == 0
    assert decision.note.endswith("so it takes the first, a5")
