"""What a batched search does with its games, its network and its options."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import ludex
from ludex.core.errors import BadNet, BadOption, BadPosition, IllegalAction, Unsupported
from ludex.core.game import Action, AnyGame, Mask, Observation, Outcome, Player
from ludex.core.seeding import Rng
from ludex.search.batched import (
    BatchedSearch,
    Handle,
    NetAnswer,
    PlainPositions,
    SearchOptions,
    SearchResult,
    positions_of,
)
from ludex.search.batched.layout import NODES
from tests.core.conformance.toy_games import Guess, Heap, Nim
from tests.search.batched.networks import Scattered, opened

LINES = ["", "b2", "a1 b2 c3", "a1 b2 a3 a2", "a1 a2 b1 b2"]
GAMES = len(LINES)


def make_search(game: AnyGame | None = None, seed: int = 3, games: int = GAMES, **options: Any) -> BatchedSearch:
    """A search of tic-tac-toe by compiled rules, or of another game by the contract."""
    positions = positions_of(ludex.make("tictactoe"), games) if game is None else PlainPositions(game, games)
    return BatchedSearch(positions, games, SearchOptions(**{"simulations": 20} | options), seed)


def searched(network: Any = None, **options: Any) -> SearchResult:
    search = make_search(**options)
    opened(search, ludex.make("tictactoe"), LINES)
    return search.run(network or Scattered(search.positions))


def assert_same(one: SearchResult, other: SearchResult) -> None:
    for name in ("actions", "policy", "targets", "values", "visits", "q", "observations", "masks"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
@pytest.mark.parametrize(
    "options",
    [{"cache_size": 8}, {"cache_size": 4096}, {"double_buffer": True}, {"fixed_batches": True}],
    ids=lambda options: next(iter(options)),
)
def test_how_batches_are_made_changes_no_result(options: dict[str, Any], rule: str) -> None:
    assert_same(searched(rule=rule), searched(rule=rule, **options))


class InPlace:
    """A network that writes its answers where the search reads them, if it may."""

    def __init__(self, network: Scattered) -> None:
        self._network = network
        self.written = 0

    def submit(self, observations: NDArray[np.float32], masks: NDArray[np.uint8], into: NetAnswer | None) -> Handle:
        answer = self._network(observations, masks)
        if into is not None:
            into[0][:], into[1][:] = answer
            self.written += 1
            answer = into
        return Ready(answer)


class Ready(NamedTuple):
    """An evaluation that is over."""

    answer: NetAnswer

    def result(self) -> NetAnswer:
        return self.answer


@pytest.mark.parametrize("options", [{}, {"fixed_batches": True, "double_buffer": True}], ids=["some", "all"])
def test_answers_that_are_written_in_place_change_no_result(options: dict[str, Any]) -> None:
    network = InPlace(Scattered(positions_of(ludex.make("tictactoe"), GAMES)))
    assert_same(searched(), searched(network, **options))
    assert network.written


def test_values_that_hardly_differ_leave_the_policy_broad() -> None:
    def undecided(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        cells = observations.reshape(len(observations), -1) @ np.arange(observations[0].size)
        return np.zeros(masks.shape, np.float32), (np.sin(cells) / 1000).astype(np.float32)

    usual, stretched = (searched(undecided, simulations=60, **options) for options in ({}, {"least_range": 1e-6}))
    assert usual.policy[0].min() > 0.8 / 9
    assert stretched.policy[0].min() < 0.001


@pytest.mark.full
def test_threads_change_no_result() -> None:
    assert_same(searched(), searched(threads=2))


def test_a_game_does_not_depend_on_the_games_beside_it() -> None:
    whole = searched()
    alone = make_search(games=1)
    result = alone.run(Scattered(alone.positions))
    assert result.visits[0].tolist() == whole.visits[0].tolist()


def test_the_cache_spares_evaluations() -> None:
    search = make_search(cache_size=4096)
    network = Scattered(search.positions)
    search.run(network)
    calls, leaves = sum(network.batches), search.leaves
    # All games begin in the same position.
    assert calls < leaves + GAMES
    search.run(network)
    assert (sum(network.batches), search.leaves) == (calls, leaves)
    search.clear_cache()
    search.run(network)
    assert search.leaves == 2 * leaves


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
@pytest.mark.parametrize(
    ("line", "best"), [("a1 a2 b1 b2", "c1"), ("a1 a2 b1 b2 a3", "c2"), ("a1 b2 c1", "b1")], ids=["X", "O", "block"]
)
def test_both_players_see_wins_and_blocks(line: str, best: str, rule: str) -> None:
    """Without any knowledge of the network: values of finished games have the right sign for either player."""
    game, search = ludex.make("tictactoe"), make_search(games=1, simulations=200, rule=rule, gumbel_scale=0.0)
    opened(search, game, [line])

    def know_nothing(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        return np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)

    result = search.run(know_nothing)
    assert game.action_text(search.position(0), int(result.actions[0])) == best
    assert search.line(0)[0] == result.visits[0].argmax()
    assert -1.0 <= result.values[0] <= 1.0


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("of", ["logits", "values"])
def test_an_answer_that_is_no_number_is_an_error(bad: float, of: str) -> None:
    search = make_search()
    network = Scattered(search.positions)

    def broken(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        logits, values = network(observations, masks)
        if len(network.batches) == 4:
            (logits if of == "logits" else values)[2] = bad
        return logits, values

    with pytest.raises(BadNet, match=r"answer for game 2 is no number: .*(nan|inf).*; 1 of 5 games"):
        search.run(broken)
    search.run(network)


def test_logits_of_illegal_actions_do_not_matter() -> None:
    network = Scattered(make_search().positions)

    def masked(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        logits, values = network(observations, masks)
        logits[masks == 0] = -np.inf
        return logits, values

    assert_same(searched(network), searched(masked))


def test_answers_of_other_shapes_are_refused() -> None:
    search = make_search()
    with pytest.raises(BadNet, match=r"shapes \[5, 8\] and \[5\], expected \[5, 9\] and \[5\]"):
        search.run(lambda observations, masks: (np.zeros((5, 8), np.float32), np.zeros(5, np.float32)))


class Stopped(Exception):
    """The time of a move is up."""


def test_a_search_that_is_broken_off_has_a_result() -> None:
    search = make_search(rule="puct")
    network = Scattered(search.positions)

    def impatient(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        if len(network.batches) == 8:
            raise Stopped
        return network(observations, masks)

    with pytest.raises(Stopped):
        search.run(impatient)
    result = search.result()
    assert result.visits.sum(axis=1).tolist() == [7] * GAMES
    assert result.policy.sum(axis=1) == pytest.approx(1.0)
    whole = search.run(network)
    assert whole.visits.sum(axis=1).tolist() == [20] * GAMES


def never(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
    raise Stopped


@pytest.mark.parametrize("game", [None, Nim()], ids=["compiled", "plain"])
def test_a_root_that_was_never_evaluated_is_evaluated_by_the_next_run(game: AnyGame | None) -> None:
    search = make_search(game, rule="puct", games=2)
    with pytest.raises(Stopped):
        search.run(never)
    assert search.result().visits.sum() == 0
    # A search below a root without moves would never end.
    assert search.tree.game[:, NODES].tolist() == [0, 0]
    assert search.run(Scattered(search.positions)).visits.sum(axis=1).tolist() == [20, 20]


def test_without_an_evaluation_every_move_is_as_good() -> None:
    search = make_search(games=1)
    with pytest.raises(Stopped):
        search.run(never)
    assert search.result().policy[0].tolist() == pytest.approx([1 / 9] * 9)


def test_games_end_begin_anew_and_are_counted() -> None:
    search = make_search(games=2)
    ends = []
    for first, second in [(0, 0), (3, 4), (1, 8), (4, 3), (2, 2), (0, 1)]:
        advanced = search.advance(np.array([first, second]))
        ends.append((advanced.finished.tolist(), advanced.outcomes.tolist()))
    assert [finished for finished, _ in ends[:4]] == [[False, False]] * 4
    assert ends[4] == ([True, False], [1.0, 0.0])
    assert search.episodes.tolist() == [1, 0]
    assert search.plies.tolist() == [1, 6]
    assert search.players.tolist() == [1, 0]


def test_an_illegal_action_moves_no_game() -> None:
    for search in (make_search(games=2), make_search(Nim(), games=2)):
        search.advance(np.array([0, 1]))
        with pytest.raises(IllegalAction, match=r"game 1: action 9 is illegal; no game has moved"):
            search.advance(np.array([1, 9]))
        assert search.plies.tolist() == [1, 1]


def test_an_illegal_action_after_a_search_moves_no_game() -> None:
    search = make_search(games=2)
    search.advance(np.array([0, 1]))
    search.run(Scattered(search.positions))
    for action in (1, 9, -1):
        with pytest.raises(IllegalAction, match=rf"game 1: action {action} is illegal; no game has moved"):
            search.advance(np.array([1, action]))
    assert search.plies.tolist() == [1, 1]


def test_a_finished_position_is_no_root() -> None:
    search = make_search(Nim(), games=1)
    with pytest.raises(BadPosition, match="game 0: the position is the end of a game"):
        search.put(0, Heap(0, 1))


def test_restarted_games_are_new_episodes_with_new_noise() -> None:
    search = make_search(games=2)
    network = Scattered(search.positions)
    before = search.run(network).policy.copy(), search.run(network).actions.copy()
    noise = search.tree.noise.copy()
    search.restart(np.array([False, True]))
    search.run(network)
    assert search.episodes.tolist() == [0, 1]
    assert np.array_equal(search.tree.noise[0], noise[0])
    assert not np.array_equal(search.tree.noise[1], noise[1])
    assert np.array_equal(search.run(network).actions[:1], before[1][:1])


@pytest.mark.parametrize("game", [None, Nim()], ids=["compiled", "plain"])
def test_a_search_resumes_from_a_snapshot(game: AnyGame | None) -> None:
    search, other = make_search(game, games=3), make_search(game, games=3)
    network = Scattered(search.positions)
    for _ in range(2):
        search.advance(search.run(network).actions)
    other.restore(search.snapshot())
    for _ in range(6):
        assert_same(search.run(network), other.run(network))
        actions = search.result().actions.copy()
        assert search.advance(actions).finished.tolist() == other.advance(actions).finished.tolist()


def test_root_noise_follows_its_share_and_sums_to_one() -> None:
    search = make_search(rule="puct", noise_share=0.25, noise_alpha=0.3, games=400, simulations=1)
    search.run(Scattered(search.positions))
    noise = search.tree.noise
    assert noise.sum(axis=1) == pytest.approx(1.0)
    assert noise.mean(axis=0) == pytest.approx(1 / 9, abs=0.03)
    # The variance of a Dirichlet distribution: (1/n)(1 - 1/n) / (n alpha + 1).
    assert noise.var() == pytest.approx((1 / 9) * (8 / 9) / (9 * 0.3 + 1), rel=0.1)


class Gamble(Nim):
    """One player: 0 takes a fifth of a point for sure, 1 throws a coin for a whole point or none, 2 loses."""

    info = replace(Nim.info, id="gamble", players=1, chance="sampled", zero_sum=False, max_plies=1)

    def initial(self, rng: Rng) -> Heap:
        return Heap(9, 0)

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        return Heap({0: 0, 1: 1 + rng.below(2), 2: 3}[action], 0)

    def legal(self, state: Heap) -> Mask:
        return np.full(3, state.pile == 9)

    def outcome(self, state: Heap) -> Outcome | None:
        return None if state.pile == 9 else Outcome(({0: 0.2, 1: 0.0, 2: 1.0, 3: -1.0}[state.pile],), "end")

    def observe(self, view: Heap) -> Observation:
        return {"pile": np.array([view.pile], np.float32)}

    def to_move(self, state: Heap) -> Player:
        return 0


def test_chance_is_drawn_again_and_again_inside_a_tree() -> None:
    search = BatchedSearch(PlainPositions(Gamble(), 1), 1, SearchOptions(simulations=600, rule="puct"), 1)
    result = search.run(lambda observations, masks: (np.zeros(masks.shape, np.float32), np.zeros(1, np.float32)))
    assert result.q[0, 0] == pytest.approx(0.2)
    assert result.q[0, 1] == pytest.approx(0.5, abs=0.2)
    assert result.actions[0] == 1


def test_what_cannot_be_searched_is_refused_by_name() -> None:
    with pytest.raises(Unsupported, match="guess hides information"):
        PlainPositions(Guess(2), 1)
    with pytest.raises(BadOption, match="the positions are those of 2 games"):
        BatchedSearch(PlainPositions(Nim(), 2), 3, SearchOptions())
    with pytest.raises(BadOption, match=r"noise_share must be in 0\.\.1, found 2"):
        SearchOptions(noise_share=2)


class Doubled(Nim):
    """Each player moves twice in a row."""

    START = 9
    info = replace(Nim.info, id="doubled", max_plies=9)

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        # The turn counts to three; its half is the player.
        return Heap(after.pile, (state.turn + 1) % 4)

    def to_move(self, state: Heap) -> Player:
        return state.turn // 2

    def outcome(self, state: Heap) -> Outcome | None:
        if state.pile:
            return None
        last = (state.turn + 3) % 4 // 2
        return Outcome((1.0, -1.0) if last == 0 else (-1.0, 1.0), "last taken")


def test_a_player_who_moves_twice_keeps_the_value() -> None:
    """With five left and two moves, a player who moves twice wins by taking three and two."""
    search = BatchedSearch(PlainPositions(Doubled(), 2), 2, SearchOptions(simulations=300, rule="puct"), 1)
    search.put(0, Heap(5, 0))
    search.put(1, Heap(5, 2))
    result = search.run(
        lambda observations, masks: (np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32))
    )
    assert (result.values > 0.5).all()
    assert search.line(0)[0] in (1, 2)
