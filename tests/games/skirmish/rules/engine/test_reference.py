"""The engine and the reference play the same random games side by side, and every roll is in the log."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from ludex.core.match import Match
from ludex.core.seeding import CHANCE, OPENING, Rng, generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from tests.games.skirmish.support import dice, places, points, random_play, shipped, texts, units_of
from tests.reference.skirmish import Battle, Fighter
from tests.sizes import sampled

MARKS = ("ready", "advanced", "fled", "charged")


def battle_of(game: Skirmish, match: Match[Any, Any]) -> Battle:
    """The reference's battle from where a deployment ended."""
    scenario, grid = game.scenario, game.scenario.grid
    config = scenario.game.model_dump()
    board = {
        "cols": grid.cols,
        "rows": grid.rows,
        "walls": [grid.col_row(int(where)) for where in scenario.walls.nonzero()[0]],
        "objectives": [grid.col_row(where) for where in scenario.objectives],
    }
    where = places(game, match.state)
    fighters = [
        Fighter(
            id=unit.id,
            player=unit.player,
            stats=unit.type.model_dump(),
            ranged=[weapon.model_dump() for weapon in unit.ranged],
            melee=unit.melee.model_dump(),
            hex=where[unit.id],
            wounds=unit.type.wounds,
        )
        for unit in game.units
    ]
    return Battle(board, {**config, "start": config["post_deployment_start_phase"]}, fighters)


def check_same(game: Skirmish, match: Match[Any, Any], battle: Battle) -> None:
    position = match.state
    assert position.phase == battle.phase
    assert texts(game, position) == battle.legal()
    assert points(position) == (battle.points[1], battle.points[2])
    assert position.words[layout.TURN] == battle.turn
    assert (None if position.active is None else game.units[position.active].id) == (
        None if battle.active is None else battle.active.id
    )
    where = places(game, position)
    for name, unit in units_of(game, position).items():
        expected = battle.units[name]
        assert (name, where[name], unit.wounds) == (name, expected.hex, expected.wounds)
        if not match.over:
            assert {mark for mark in MARKS if getattr(unit, mark)} == expected.marks, name
    if battle.result is None:
        assert match.outcome is None
        assert position.to_move + 1 == battle.mover
        assert position.words[layout.PLAYER] + 1 == battle.player
    else:
        reason, winner = battle.result
        assert match.outcome is not None
        assert match.outcome.reason == reason
        assert match.outcome.scores == {None: (0.0, 0.0), 1: (1.0, -1.0), 2: (-1.0, 1.0)}[winner]


def choose(words: list[str], rng: Rng, by_kind: bool) -> str:
    """Any action; or any kind of action, and then one of it, which charges and fights more."""
    kinds = defaultdict(list)
    for word in sorted(words):
        kinds[word.split("/")[0] if by_kind else ""].append(word)
    return rng.choice(rng.choice(list(kinds.values())))


def die(rng: Rng) -> int:
    return rng.below(6) + 1


def side_by_side(game: Skirmish, seed: int) -> Counter[str]:
    """One game; how often each kind of action was played."""
    for match in random_play(game, seed):
        if match.state.phase != "deployment":
            break
    battle = battle_of(game, match)
    check_same(game, match, battle)
    kinds: Counter[str] = Counter()
    while not match.over:
        text = choose(list(battle.legal()), match.rng(OPENING), by_kind=seed % 3 > 0)
        dice = match.rng(CHANCE)
        match.play_text(text)
        battle.play(text, partial(die, dice))
        check_same(game, match, battle)
        kinds[text.split("/")[0]] += 1
    assert match.outcome is not None
    kinds[match.outcome.reason] += 1
    return kinds


@pytest.mark.slow
@pytest.mark.parametrize("seeds", sampled([*range(8), 21], range(36)))
def test_small_games_agree_with_the_reference(seeds: Sequence[int]) -> None:
    game = shipped("small")
    kinds: Counter[str] = Counter()
    for seed in seeds:
        kinds += side_by_side(game, seed)
    assert set(kinds) >= {"move", "advance", "shoot", "charge", "land", "fight", "wait", "annihilation", "points"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3, 4, 5, 7))])
def test_default_games_agree_with_the_reference(seed: int) -> None:
    kinds = side_by_side(shipped("default"), seed)
    assert set(kinds) >= {"move", "shoot", "wait"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), [("small", 25), ("default", 2)])
def test_every_roll_is_in_the_events_and_in_order(name: str, seeds: int) -> None:
    game = shipped(name)
    rolled = 0
    for seed in range(seeds):
        for match in random_play(game, seed):
            if match.ply == 0:
                continue
            ply = generator(seed, match.ply, CHANCE)
            game.apply(match.positions[-2], match.moves[-1].action, ply)
            mine = generator(seed, match.ply, CHANCE)
            rolls = dice(match.state)
            assert rolls == [mine.below(6) + 1 for _ in rolls]
            # The generator stands where these rolls leave it: no roll is missing from the log.
            assert ply.state == mine.state
            rolled += len(rolls)
    assert rolled > 500
