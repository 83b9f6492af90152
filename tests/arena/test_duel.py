"""Two agents over many games: seats, seeds, workers, interruption."""

from collections.abc import Callable, Generator, Iterable
from typing import Any

import pytest

import ludex
from ludex.arena.duel import duel
from ludex.arena.pairs import pair_seed, record_of
from ludex.core.errors import BadOption, Unsupported
from ludex.core.executor import InProcess, LocalProcesses
from ludex.core.record import replay

AGENTS = ("perfect:ties=random", "random")


def test_results_do_not_depend_on_the_workers() -> None:
    game = ludex.make("tictactoe")
    here = duel(game, AGENTS, games=200, seed=7, executor=InProcess())
    there = duel(game, AGENTS, games=200, seed=7, executor=LocalProcesses(2))
    assert [played.actions for played in here.played] == [played.actions for played in there.played]
    assert here.wins == there.wins
    other = duel(game, AGENTS, games=200, seed=8, executor=InProcess())
    assert [played.actions for played in here.played] != [played.actions for played in other.played]


def test_seats_are_swapped_within_a_pair_of_one_seed() -> None:
    result = duel(ludex.make("tictactoe"), ("random", "random"), games=20, seed=1, executor=InProcess())
    for first, second in result.pairs:
        assert (first.swapped, second.swapped, first.seed) == (False, True, second.seed)
        # The same player's dice in both games: only the seats' owners differ.
        assert first.actions == second.actions
        assert first.points + second.points == 1.0
    assert result.score == 0.5


def test_pairs_have_seeds_of_their_own() -> None:
    assert len({pair_seed(1, index) for index in range(100)} | {pair_seed(2, index) for index in range(100)}) == 200


def test_openings_are_shared_by_a_pair_and_differ_between_pairs() -> None:
    result = duel(
        ludex.make("tictactoe"), ("perfect", "perfect"), games=40, seed=1, executor=InProcess(), opening_plies=3
    )
    assert all(first.actions[:3] == second.actions[:3] for first, second in result.pairs)
    assert len({first.actions[:3] for first, _ in result.pairs}) > 10


def test_the_document_has_the_promised_shape() -> None:
    told = duel(ludex.make("tictactoe"), AGENTS, games=100, seed=3, executor=InProcess()).to_json()
    promised = ["game", "preset", "agents", "games", "wins", "draws", "score", "ci95", "elo", "seed"]
    assert list(told)[: len(promised)] == promised
    wins, draws = told["wins"], told["draws"]
    assert isinstance(wins, list)
    assert sum(wins) + draws == told["games"] == 100
    assert told["score"] == (wins[0] + draws / 2) / 100
    assert told["ci95"][0] < told["score"] < told["ci95"][1]


def test_deterministic_agents_are_seen_to_repeat_themselves() -> None:
    result = duel(ludex.make("tictactoe"), ("perfect", "ranking"), games=50, seed=3, executor=InProcess())
    assert result.distinct_games == 2


def test_every_played_game_replays() -> None:
    game = ludex.make("tictactoe")
    result = duel(game, AGENTS, games=20, seed=3, executor=InProcess())
    for played in result.played:
        record = record_of(game, AGENTS, played)
        assert replay(game, record).outcome == played.outcome
        assert record.agents == (AGENTS[::-1] if played.swapped else AGENTS)


class Interrupted:
    """An executor under which Ctrl-C comes after some tasks."""

    def __init__(self, after: int) -> None:
        self.after = after

    def run(self, call: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Any], None, None]:
        for index, task in enumerate(tasks):
            if index == self.after:
                raise KeyboardInterrupt
            yield index, call(task)


def test_an_interruption_keeps_what_was_played() -> None:
    game = ludex.make("tictactoe")
    whole = duel(game, AGENTS, games=640, seed=5, executor=InProcess())
    part = duel(game, AGENTS, games=640, seed=5, executor=Interrupted(after=3))
    assert part.interrupted
    assert not whole.interrupted
    assert [played.actions for played in part.played] == [played.actions for played in whole.played[:30]]
    assert duel(game, AGENTS, games=640, seed=5, executor=Interrupted(after=0)).pairs == ()


@pytest.mark.parametrize("games", [0, 1, 3, -2])
def test_an_odd_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(BadOption, match="even"):
        duel(ludex.make("tictactoe"), AGENTS, games=games, seed=1, executor=InProcess())


def test_a_game_for_one_has_no_duels() -> None:
    import dataclasses

    game = ludex.make("tictactoe")
    game.info = dataclasses.replace(game.info, players=1)  # type: ignore[misc]
    with pytest.raises(Unsupported, match="one player"):
        duel(game, AGENTS, games=2, seed=1, executor=InProcess())
