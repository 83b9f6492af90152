"""UCT in a kernel: the same search as over the contract, for games with compiled rules."""

from dataclasses import replace

import numpy as np
import pytest

import ludex
from ludex.core.compiled import compiled_rules
from ludex.core.conformance import check_agent
from ludex.core.decision import Decision
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.search import compiled_mcts
from ludex.search.mcts import MctsAgent
from ludex.search.model import Model
from ludex.search.spec import MctsOptions


def agents(game: AnyGame, **options: float) -> tuple[MctsAgent, MctsAgent]:
    """One that searches in a kernel, one over the contract."""
    model, chosen = Model.of(game), MctsOptions.model_validate(options)
    return MctsAgent(model, chosen, rules=compiled_rules(game)), MctsAgent(model, chosen)


def played(game: AnyGame, line: str) -> Match[object, object]:
    match = Match(game, seed=1)
    for text in line.split():
        match.play_text(text)
    return match


def test_the_agent_of_a_game_with_compiled_rules_searches_in_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[object] = []
    monkeypatch.setattr(compiled_mcts.CompiledSearch, "finished", property(searches.append))
    game = ludex.make("tictactoe")
    decide(Match(game, 1), ludex.make_agent(game, "mcts"), Limit(simulations=5))
    assert searches


@pytest.mark.parametrize(("line", "value"), [("a1 a2 b1 b2", 1.0), ("a1 a2 b1 b2 a3", 1.0), ("a1 b1 a3", -1.0)])
def test_what_is_proven_is_what_the_contract_proves(line: str, value: float) -> None:
    game = ludex.make("tictactoe")
    decisions = [decide(played(game, line), agent, Limit(simulations=5000)) for agent in agents(game)]
    assert [decision.value for decision in decisions] == [value, value]
    assert [decision.candidates[0].terms.get("proven") for decision in decisions] == [value, value]
    assert decisions[0].note == decisions[1].note
    assert int(str(decisions[0].stats["simulations"])) < 5000


def test_a_win_at_hand_is_seen_when_a_node_is_opened() -> None:
    game = ludex.make("tictactoe")
    match = played(game, "a1 a2 b1 b2")
    decision = decide(match, agents(game)[0], Limit(simulations=1))
    assert (game.action_text(match.state, decision.action), decision.value) == ("c1", 1.0)


def test_rollouts_find_the_values_that_the_contract_finds() -> None:
    game = ludex.make("tictactoe", "4x4x4")
    match = played(game, "b2 c3 b3")
    ours, theirs = (decide(match, agent, Limit(simulations=1500)) for agent in agents(game))
    # Single moves vary with the games that chance has played.
    means = [
        sum((candidate.score or 0.0) * (candidate.prob or 0.0) for candidate in decision.candidates)
        for decision in (ours, theirs)
    ]
    assert means[0] == pytest.approx(means[1], abs=0.1)
    assert ours.value == pytest.approx(theirs.value, abs=0.15)


def test_an_evaluation_gives_the_same_tree_as_over_the_contract() -> None:
    """Nothing is left to chance then: every visit is the same."""
    game = ludex.make("quoridor", "3x3")
    for line in ("", "b2 a1v"):
        ours, theirs = (decide(played(game, line), agent, Limit(simulations=150)) for agent in agents(game))
        assert visits(ours) == visits(theirs)
        assert ours.value == pytest.approx(theirs.value)
        assert ours.candidates[0].line == theirs.candidates[0].line


def visits(decision: Decision) -> dict[int, float]:
    return {candidate.action: candidate.terms["visits"] for candidate in decision.candidates}


def test_limits_and_reports_are_kept() -> None:
    game = ludex.make("tictactoe", "4x4x4")
    ours, _ = agents(game)
    reports: list[Decision] = []
    decision = decide(Match(game, 1), ours, Limit(simulations=300, report=reports.append))
    assert [report.stats["simulations"] for report in reports] == [64, 128, 256]
    assert sum(visits(decision).values()) == decision.stats["simulations"] == 300
    assert len(decision.candidates[0].line) > 1
    assert decide(Match(game, 1), ours, Limit(simulations=300, depth=1)).stats["depth"] == 1
    assert decide(Match(game, 1), ours, Limit(stop=np.ones(1, np.uint8))).stats == {}
    short = decide(Match(game, 1), agents(game, rollout=0)[0], Limit(simulations=40))
    assert {candidate.score for candidate in short.candidates} == {0.0}


def test_a_full_tree_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_mcts, "FIRST_NODES", 16)
    game = ludex.make("tictactoe")
    whole = decide(Match(game, 1), agents(game)[0], Limit(simulations=900))
    assert whole.stats["simulations"] == 900
    monkeypatch.setattr(compiled_mcts, "MOST_NODES", 64)
    full = decide(Match(game, 1), agents(game)[0], Limit(simulations=900))
    assert sum(visits(full).values()) == 900
    assert int(str(full.stats["depth"])) < int(str(whole.stats["depth"]))


def test_it_keeps_the_contract() -> None:
    game = ludex.make("tictactoe")
    check_agent(game, lambda: ludex.make_agent(game, "mcts"), plays=1, limit=Limit(simulations=64))


def test_rules_without_an_evaluation_are_searched_by_rollouts() -> None:
    game = ludex.make("quoridor", "3x3")
    rules = compiled_rules(game)
    assert rules is not None
    agent = MctsAgent(Model(game), MctsOptions(), rules=replace(rules, estimate=None))
    decision = decide(Match(game, 1), agent, Limit(simulations=400))
    assert decision.value is not None
    assert decision.value > 0.0
