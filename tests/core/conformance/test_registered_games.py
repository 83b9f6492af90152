"""Every registered game, agent and batch environment keeps the contract. No game is named here."""

from functools import cache, partial

import pytest
from _pytest.mark import ParameterSet

from ludex.core.compiled import compiled_rules
from ludex.core.conformance import check_agent, check_batch, check_compiled, check_game
from ludex.core.conformance.walk import PROBE
from ludex.core.game import AnyGame, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.ranking import MemoryRankings
from ludex.core.registry import make, make_agent, names, resolve, spec
from ludex.core.services import Services

pytestmark = pytest.mark.slow

LIMIT = Limit(depth=2, nodes=2000, simulations=32)
"""Bounds for whatever an agent counts; none in time, so that decisions repeat."""
SERVICES = Services(rankings=lambda game, preset: MemoryRankings())


LONG = 40_000
"""Actions times plies from which the plays of a board are long."""
VERY_LONG = 1_000_000
"""Actions times plies from which a single play of a board is long and wide."""


@cache
def size(game_id: str, preset: str) -> int:
    """Actions times plies of a board."""
    info = make(game_id, preset).info
    return info.num_actions * info.max_plies


def boards() -> list[tuple[str, str]]:
    return [(game_id, preset) for game_id in names() for preset in spec(game_id).presets]


def unless_long(*row: str, least: str, long: int = LONG) -> ParameterSet:
    """Arguments of a test; on a long board, except the least that every run must check, a full test."""
    full = size(row[0], row[1]) > long and row[1] != least
    return pytest.param(*row, marks=[pytest.mark.full] if full else [])


def least(game_id: str) -> str:
    """The board that every run must check: the game's default, or the first whose plays are not very long."""
    presets = (spec(game_id).default_preset, *spec(game_id).presets)
    return next((preset for preset in presets if size(game_id, preset) <= VERY_LONG), presets[0])


def games() -> list[ParameterSet]:
    return [unless_long(*board, least=least(board[0])) for board in boards()]


def batches() -> list[ParameterSet]:
    batched = [(game_id, preset) for game_id, preset in boards() if spec(game_id).learning.batch is not None]
    return [unless_long(*board, least=least(board[0])) for board in batched]


def players() -> list[ParameterSet]:
    cases = []
    for game_id in names():
        for name, agent in spec(game_id).agents.items():
            played = sorted(filter(agent.plays, spec(game_id).presets), key=partial(size, game_id))
            # An agent is one code for all boards: every run checks it on the smallest.
            cases += [unless_long(game_id, preset, name, least=played[0], long=0) for preset in played]
    return cases


def share(game: AnyGame, most: int) -> int:
    """Fewer plays on boards whose plays are long and wide."""
    return max(1, min(most, most * 256 // (game.info.num_actions * game.info.max_plies)))


def positions(game: AnyGame) -> int | None:
    """All of a play's, but for boards where plays are long and wide."""
    size = game.info.num_actions * game.info.max_plies
    return 20 if size > VERY_LONG else 60 if size > LONG else None


def repeated(game: AnyGame) -> int | None:
    """All decisions of a play, but for boards where there are many, and each of them among many actions."""
    return 20 if game.info.num_actions * game.info.max_plies > 10_000 else None


def turns(game: AnyGame, agent: str) -> int:
    """An agent takes one in so many of its turns: all but where plays are long, and all where chance may end a play.

    Where plays are long, a level of code that is tried already takes fewer still.
    """
    if game.info.players == 1 or game.info.num_actions * game.info.max_plies <= LONG:
        return 1
    agents = spec(game.info.id).agents
    first = next(name for name in agents if agents[name].factory == agents[agent].factory)
    return 3 if agent == first else 9


@pytest.mark.parametrize(("game_id", "preset"), games())
def test_game(game_id: str, preset: str) -> None:
    game, vary_secret = make(game_id, preset), spec(game_id).vary_secret
    assert (game.info.id, game.info.preset) == (game_id, preset)
    vary = resolve(vary_secret) if vary_secret else None
    check_game(game, plays=share(game, 8), positions=positions(game), vary_secret=vary)


@pytest.mark.parametrize(("game_id", "preset", "agent"), players())
def test_agent(game_id: str, preset: str, agent: str) -> None:
    game = make(game_id, preset)
    check_agent(
        game,
        lambda: make_agent(game, agent, SERVICES),
        plays=share(game, 2),
        limit=LIMIT,
        again=repeated(game),
        every=turns(game, agent),
    )


@pytest.mark.parametrize("game_id", [game_id for game_id in names() if spec(game_id).evaluation is not None])
def test_evaluation(game_id: str) -> None:
    """A score in -1..1 for every player, whose sum is zero where the game's is."""
    reference = spec(game_id).evaluation
    assert reference is not None
    game, evaluation = make(game_id), resolve(reference)
    match = Match(game, seed=1)
    declared = set()
    while not match.over:
        scores = [evaluation(game, match.state, player) for player in range(game.info.players)]
        assert all(-1.0 <= score <= 1.0 for score in scores)
        assert not game.info.zero_sum or abs(sum(scores)) < 1e-9
        declared.add(scores[0])
        match.play(match.rng(PROBE).choice(legal_actions(match.legal())))
    assert len(declared) > 1


@pytest.mark.parametrize(("game_id", "preset"), batches())
def test_batch(game_id: str, preset: str) -> None:
    game, batch = make(game_id, preset), spec(game_id).learning.batch
    assert batch is not None
    check_batch(resolve(batch)(game, 4), game, steps=50 + share(game, 100))


@pytest.mark.parametrize(("game_id", "preset"), [board for board in boards() if spec(board[0]).compiled is not None])
def test_compiled_rules(game_id: str, preset: str) -> None:
    game, evaluation = make(game_id, preset), spec(game_id).evaluation
    rules = compiled_rules(game)
    if rules is None:
        assert preset in spec(game_id).screen.hidden_presets, "only boards that people do not play may be without"
        return
    check_compiled(rules, game, evaluation=resolve(evaluation) if evaluation else None, plays=1 + share(game, 10))
