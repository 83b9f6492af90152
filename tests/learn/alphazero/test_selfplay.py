"""Self-play: every sample against the same games played by the contract, and games that are given up."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.learn.alphazero.config import SelfPlayConfig
from ludex.learn.alphazero.selfplay import Played, SelfPlay
from ludex.search.batched import BatchedSearch, SearchOptions, know_nothing, positions_of
from tests.learn.alphazero.miniature import small_config

GAMES, PLIES = 6, 25
Sample = tuple[bytes, float, float]


def playing(seed: int = 3, **changes: Any) -> tuple[SelfPlay, BatchedSearch]:
    given = {f"self_play__{key}": value for key, value in changes.items()}
    config: SelfPlayConfig = small_config(**given).self_play
    options = SearchOptions(simulations=4, rule="gumbel")
    search = BatchedSearch(positions_of(make("tictactoe"), GAMES), GAMES, options, seed)
    return SelfPlay(search, config, seed), search


def recorded(search: BatchedSearch, monkeypatch: pytest.MonkeyPatch) -> list[NDArray[np.int64]]:
    """The moves of all games, written down as they are played."""
    moves: list[NDArray[np.int64]] = []
    advance = search.advance

    def noted(actions: NDArray[np.int64]) -> Any:
        moves.append(actions.copy())
        return advance(actions)

    monkeypatch.setattr(search, "advance", noted)
    return moves


def expected(moves: list[NDArray[np.int64]]) -> Counter[Sample]:
    """The samples of those games by the contract: the mover's marks first, the mover's score, the plies left."""
    game = make("tictactoe")
    samples: Counter[Sample] = Counter()
    for lane in range(GAMES):
        state, seen = game.initial(Rng(0)), list[tuple[bytes, int]]()
        for row in moves:
            player = game.to_move(state)
            planes = game.observe(state)["planes"].astype(np.float16)
            seen.append((planes[:: 1 if player == 0 else -1].tobytes(), player))
            state = game.apply(state, int(row[lane]), Rng(0))
            outcome = game.outcome(state)
            if outcome is None:
                continue
            for at, (observation, mover) in enumerate(seen):
                samples[observation, outcome.scores[mover], float(len(seen) - at)] += 1
            state, seen = game.initial(Rng(0)), []
    return samples


def samples_of(played: Played) -> Counter[Sample]:
    rows = zip(*played.samples, strict=True)
    return Counter((planes[:2].tobytes(), float(score), float(left)) for planes, _, score, _, left, _ in rows)


def played_with(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> tuple[Counter[Sample], Counter[Sample]]:
    """The samples of self-play, and those of the contract."""
    player, search = playing(resign_below=-1.0, **changes)
    moves = recorded(search, monkeypatch)
    parts = [player.play(know_nothing, plies) for plies in (1, PLIES - 8, 7)]
    samples: Counter[Sample] = sum((samples_of(part) for part in parts), Counter())
    return samples, expected(moves)


def test_samples_are_those_of_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    samples, wanted = played_with(monkeypatch)
    assert sum(wanted.values()) > 80
    assert samples == wanted


def test_openings_by_chance_are_played_and_not_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    samples, wanted = played_with(monkeypatch, opening_plies=3)
    assert samples <= wanted
    left_out = Counter(int(np.frombuffer(planes, np.float16).sum()) for planes, _, _ in (wanted - samples).elements())
    games = sum(count for (planes, *_), count in wanted.items() if not np.frombuffer(planes, np.float16).any())
    # A game begins with none to three of them, each number about as often.
    assert sorted(left_out) == [0, 1, 2]
    assert games > left_out[0] > left_out[1] > left_out[2] > 0


def test_a_small_temperature_draws_among_the_best_moves() -> None:
    player, _ = playing(temperature=0.001)
    policy = np.tile([0.0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0], (GAMES, 1))
    policy[0] = [0.0, 0.1, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
    drawn = player._moves(np.zeros(GAMES), policy, np.ones(GAMES, np.bool_))
    assert drawn[0] == 2
    assert set(drawn.tolist()) <= {1, 2, 3, 4, 5}
    assert len(set(drawn[1:].tolist())) > 1


def despairing(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> Any:
    """A network by which whoever moves first in the game is lost."""
    stones = observations[:, :2].sum((1, 2, 3))
    return np.zeros(masks.shape, np.float32), np.where(stones % 2 == 0, -1.0, 1.0).astype(np.float32)


def test_a_side_that_expects_to_lose_gives_up() -> None:
    player, _ = playing(resign_below=-0.5, resign_turns=2, resign_exempt=0.0, temperature=0.0)
    played = player.play(despairing, 12)
    assert played.resigned > 0
    assert (played.results == -1.0).sum() >= played.resigned
    assert played.wrongly == (0, 0)
    # The first player's second turn is the third ply.
    assert played.lengths.min() == 3


def test_exempt_games_are_played_on_and_counted() -> None:
    player, _ = playing(resign_below=-0.5, resign_turns=2, resign_exempt=1.0, temperature=0.0)
    played = player.play(despairing, 12)
    assert played.resigned == 0
    assert played.wrongly[1] > 0


def test_a_restored_self_play_goes_on_alike() -> None:
    first, _ = playing(opening_plies=2)
    first.play(know_nothing, 11)
    saved = {name: np.array(array) for name, array in first.snapshot().items()}
    second, _ = playing(opening_plies=2)
    second.restore(saved)
    one, other = first.play(know_nothing, 15), second.play(know_nothing, 15)
    assert samples_of(one) == samples_of(other)
    for left, right in zip(one.samples, other.samples, strict=True):
        np.testing.assert_array_equal(left, right)
