"""Two agents over many games: seats, seeds, workers, interruption."""

from typing import Any

import pytest

import ludex
from ludex.arena.duel import SEATS, duel
from ludex.arena.pairs import pair_seed, record_of
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.decision import Decision
from ludex.core.errors import BadOption, Unsupported
from ludex.core.executor import InProcess, LocalProcesses
from ludex.core.record import replay
from ludex.kernels.warmup import Warmup
from ludex.operations.duel import DuelResult
from ludex.search import random as random_agent
from tests.arena.executors import Backwards
from tests.json_values import number, numbers

AGENTS = ("perfect:ties=random", "random")


@pytest.mark.slow
def test_results_do_not_depend_on_the_workers() -> None:
    game = ludex.make("tictactoe")
    here = duel(Terms.of(game, AGENTS, seed=7), games=200, executor=InProcess())
    there = duel(Terms.of(game, AGENTS, seed=7), games=200, executor=LocalProcesses(2))
    assert [played.actions for played in here.played] == [played.actions for played in there.played]
    assert here.wins == there.wins
    other = duel(Terms.of(game, AGENTS, seed=8), games=200, executor=InProcess())
    assert [played.actions for played in here.played] != [played.actions for played in other.played]


def test_seats_are_swapped_within_a_pair_of_one_seed() -> None:
    result = duel(Terms.of(ludex.make("tictactoe"), ("random", "random"), seed=1), games=20, executor=InProcess())
    for first, second in result.pairs:
        assert (first.swapped, second.swapped, first.seed) == (False, True, second.seed)
        # The same player's dice in both games: only the seats' owners differ.
        assert first.actions == second.actions
        assert first.points + second.points == 1.0
    assert result.score == 0.5


def test_pairs_have_seeds_of_their_own() -> None:
    terms = [Terms.of(ludex.make("tictactoe"), ("random", "random"), seed=seed) for seed in (1, 2)]
    seeds = {pair_seed(term, index) for term in terms for index in range(100)}
    assert len(seeds) == 200


@pytest.mark.slow
def test_openings_are_shared_by_a_pair_and_differ_between_pairs() -> None:
    terms = Terms.of(ludex.make("tictactoe"), ("perfect", "perfect"), seed=1, opening_plies=3)
    result = duel(terms, games=40, executor=InProcess())
    assert all(first.actions[:3] == second.actions[:3] for first, second in result.pairs)
    assert len({first.actions[:3] for first, _ in result.pairs}) > 10


@pytest.mark.slow
def test_the_document_has_the_promised_shape() -> None:
    result = duel(Terms.of(ludex.make("tictactoe"), AGENTS, seed=3), games=100, executor=InProcess())
    report = DuelResult.of(result).model_dump(mode="json")
    promised = ["game", "preset", "agents", "games", "wins", "draws", "score", "ci95", "elo", "seed"]
    assert list(report)[: len(promised)] == promised
    wins, draws = numbers(report["wins"]), number(report["draws"])
    low, high = numbers(report["ci95"])
    assert sum(wins) + draws == report["games"] == 100
    assert report["score"] == (wins[0] + draws / 2) / 100
    assert low < number(report["score"]) < high


class Quitter:
    """Gives up at its first turn."""

    name = "quitter"

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
        return Decision(int(legal.argmax()), resigns=True)


def test_giving_up_loses_the_game_and_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_agent, "random", lambda *given: Quitter())
    game = ludex.make("tictactoe")
    result = duel(Terms.of(game, ("random", "perfect"), seed=3), games=4, executor=InProcess())
    assert (result.wins, result.time_forfeits) == ((0, 4), (0, 0))
    assert [len(played.actions) for played in result.played] == [0, 1, 0, 1]
    for played in result.played:
        assert played.outcome.reason == "resignation"
        assert replay(game, record_of(result.terms, SEATS, played)).outcome == played.outcome


def test_every_decision_is_timed() -> None:
    result = duel(Terms.of(ludex.make("tictactoe"), AGENTS, seed=3), games=20, executor=InProcess())
    for played in result.played:
        assert sum(map(len, played.micros)) == len(played.actions)
    report = DuelResult.of(result).model_dump(mode="json")
    for agent in (0, 1):
        times = sorted(micros for played in result.played for micros in played.micros[agent])
        mean, p99, longest = (numbers(report[key])[agent] for key in ("ms_per_move", "ms_p99", "ms_max"))
        assert 0 < mean <= p99 <= longest == times[-1] / 1000
        assert mean == pytest.approx(sum(times) / len(times) / 1000)


@pytest.mark.slow
def test_deterministic_agents_are_seen_to_repeat_themselves() -> None:
    result = duel(Terms.of(ludex.make("tictactoe"), ("perfect", "ranking"), seed=3), games=50, executor=InProcess())
    assert result.distinct_games == 2


@pytest.mark.slow
def test_an_interruption_keeps_what_was_played() -> None:
    game = ludex.make("tictactoe")
    whole = duel(Terms.of(game, AGENTS, seed=5), games=640, executor=InProcess())
    part = duel(Terms.of(game, AGENTS, seed=5), games=640, executor=Backwards(1, after=3))
    assert part.interrupted
    assert not whole.interrupted
    assert [played.actions for played in part.played] == [played.actions for played in whole.played[:30]]
    assert duel(Terms.of(game, AGENTS, seed=5), games=640, executor=Backwards(1, after=0)).pairs == ()


@pytest.mark.parametrize("games", [0, 1, 3, -2])
def test_an_odd_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(BadOption, match="even"):
        duel(Terms.of(ludex.make("tictactoe"), AGENTS, seed=1), games=games, executor=InProcess())


def test_a_game_for_one_has_no_duels() -> None:
    import dataclasses

    game = ludex.make("tictactoe")
    game.info = dataclasses.replace(game.info, players=1)  # type: ignore[misc]
    with pytest.raises(Unsupported, match="one player"):
        duel(Terms.of(game, AGENTS, seed=1), games=2, executor=InProcess())


@pytest.mark.parametrize("clock", [None, Clock(5000)])
def test_kernels_are_ready_before_a_clock_runs(monkeypatch: pytest.MonkeyPatch, clock: Clock | None) -> None:
    loaded: list[str] = []
    # Another test of this process may have made them ready.
    monkeypatch.setattr("ludex.kernels.warmup.LOADED", {})
    calls = Warmup(player={"solver": lambda: loaded.append("solver")})
    monkeypatch.setattr("ludex.games.tictactoe.tools.warmup.warmup", lambda: calls)
    duel(Terms.of(ludex.make("tictactoe"), AGENTS, seed=1, clock=clock), games=2, executor=InProcess())
    assert loaded == ([] if clock is None else ["solver"])


def test_games_lost_on_time_are_the_losers() -> None:
    game = ludex.make("tictactoe")
    # No agent decides in no time at all: the first to move always loses.
    terms = Terms.of(game, AGENTS, seed=1, clock=Clock(0))
    result = duel(terms, games=4, executor=InProcess())
    assert result.time_forfeits == result.wins == (2, 2)
    assert [played.lost_on_time for played in result.played] == [0, 1, 0, 1]
    for played in result.played:
        assert replay(game, record_of(result.terms, SEATS, played)).outcome == played.outcome
        assert sum(map(len, played.micros)) == len(played.actions) + 1 == 1
