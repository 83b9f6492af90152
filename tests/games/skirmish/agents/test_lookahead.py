"""The search with the network: it prefers what pays, knows no dice of the match, and leaves the deployment alone."""

from collections.abc import Iterator

import numpy as np
import pytest

from ludex.core.limit import Limit
from ludex.core.registry import make_agent
from ludex.core.seeding import Rng
from ludex.games.skirmish.agents.lookahead import Logits, Lookahead, playable_actions
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Shoot, Wait
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import random_play, shipped

SIMULATIONS = 64


def improve(
    game: Skirmish, position: Position, limit: Limit, seed: int = 1, simulations: int = SIMULATIONS, most: int = 10_000
) -> tuple[list[int], Logits, int]:
    """The playable actions with their logits after a search whose network likes and expects nothing, and its calls.

    After `most` calls the limit is stopped.
    """
    actions = playable_actions(game, game.legal(position))
    search = Lookahead(game, SeatAdapter(game)).improve(
        position, actions, np.zeros(len(actions)), simulations, Rng(seed), limit
    )
    calls, answers = 0, None
    while True:
        try:
            questions = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            return actions, end.value, calls
        calls += 1
        limit.stop[0] = calls == most
        answers = np.zeros((len(questions), game.info.num_actions), np.float32), np.zeros(len(questions), np.float32)


def shots(game: Skirmish) -> Iterator[Position]:
    """Positions of random games in which a unit may shoot."""
    for seed in range(4):
        for match in random_play(game, seed):
            position = match.state
            if not match.over and position.phase == "shoot" and position.active is not None:
                yield position


def test_a_shot_is_worth_more_than_waiting() -> None:
    game = shipped("small")
    gains = []
    for position in shots(game):
        actions, improved, _ = improve(game, position, Limit())
        kinds = [type(game.table.decode(position, action)) for action in actions]
        waiting = improved[kinds.index(Wait)]
        gains += [value - waiting for kind, value in zip(kinds, improved, strict=True) if kind is Shoot]
    assert len(gains) > 5
    assert np.mean(gains) > 0.1


def test_a_seed_gives_the_same_values_and_another_seed_rolls_other_dice() -> None:
    game = shipped("small")
    position = next(shots(game))
    first, again, other = (improve(game, position, Limit(), seed)[1] for seed in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()


def test_a_stopped_search_leaves_the_networks_choice() -> None:
    game, limit = shipped("small"), Limit()
    limit.stop[0] = 1
    actions, improved, calls = improve(game, next(shots(game)), limit)
    assert (improved.tolist(), calls) == ([0.0] * len(actions), 0)


def test_a_search_that_is_stopped_counts_the_rounds_of_dice_that_have_ended() -> None:
    game = shipped("small")
    position = next(shots(game))
    _, once, calls = improve(game, position, Limit(), simulations=1)
    _, stopped, _ = improve(game, position, Limit(), most=calls + 1)
    _, whole, _ = improve(game, position, Limit())
    assert stopped.tolist() == once.tolist() != whole.tolist()


@pytest.mark.slow
def test_units_are_placed_as_without_search() -> None:
    game = shipped("small")
    plain, searching = (make_agent(game, name) for name in ("hard", "hard:simulations=8"))
    rng = Rng(3)
    position = game.initial(rng)
    while position.phase == "deployment":
        view, legal, before = game.view(position, position.to_move), game.legal(position), rng.state
        action = plain.decide(view, legal, rng=rng, limit=Limit()).action
        assert searching.decide(view, legal, rng=rng, limit=Limit()).action == action
        assert rng.state == before
        position = game.apply(position, action, Rng(1))
