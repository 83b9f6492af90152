"""The rules of EinStein würfelt nicht! against OpenSpiel, and its positions against exact values of endings."""

import re
from collections import Counter
from typing import Any

import pyspiel
import pytest
from ludex_classics.einstein.game import GOALS, EinStein

import ludex
from benchmarks.dice_games import einstein_endings
from ludex.core.game import legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.seeding import generator
from ludex.kit.game import Position

GAMES = 1000
STEPS = {(1, 0): "up", (0, 1): "left", (1, 1): "diag", (-1, 0): "down", (0, -1): "right", (-1, -1): "diag"}
"""What OpenSpiel calls a step of so many rows and columns: its board is ours, turned by half."""


def stones_of(spiel: Any) -> tuple[int, ...]:
    """The stones of OpenSpiel, cell by cell as ours: its White, who begins below on the right, is Red."""
    squares = re.findall(r"\|(..)\|", str(spiel))
    return tuple(0 if square == "__" else int(square[1]) * (-1) ** (square[0] == "b") for square in reversed(squares))


def spiel_move(game: EinStein, state: Position, action: int) -> str:
    """A move as OpenSpiel writes it, without its mark of a capture: a stone and a direction."""
    start, end = (divmod(site, 5) for site in game.notation.choices[action].sites)
    number = [*game.pieces(state)][5 * start[0] + start[1]]
    return f"{'BW'[number > 0]}{abs(number)}-{STEPS[end[0] - start[0], end[1] - start[1]]}"


@pytest.fixture(scope="module")
def game() -> EinStein:
    made = ludex.make("einstein")
    assert isinstance(made, EinStein)
    return made


def test_it_agrees_with_open_spiel(game: EinStein) -> None:
    empty = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    black = {stones_of(empty.child(action)): action for action in empty.legal_actions()}
    one = empty.child(0)
    white = {tuple(max(0, n) for n in stones_of(one.child(action))): action for action in one.legal_actions()}
    reasons: Counter[str] = Counter()
    for number in range(GAMES):
        rng = generator(6, number)
        state, spiel = game.initial(rng), empty.clone()
        spiel.apply_action(black[tuple(min(0, n) for n in game.pieces(state))])
        spiel.apply_action(white[tuple(max(0, n) for n in game.pieces(state))])
        while (outcome := game.outcome(state)) is None:
            spiel.apply_action(state[1] - 1)
            assert spiel.current_player() == 1 - game.to_move(state)
            theirs = {spiel.action_to_string(a).strip("*"): a for a in spiel.legal_actions()}
            ours = {spiel_move(game, state, action): action for action in legal_actions(game.legal(state))}
            assert ours.keys() == theirs.keys()
            text = rng.choice(sorted(ours))
            state = game.apply(state, ours[text], rng)
            spiel.apply_action(theirs[text])
            assert stones_of(spiel) == tuple(game.pieces(state))
        assert spiel.is_terminal()
        assert spiel.returns() == [*reversed(outcome.scores)]
        reasons[outcome.reason] += 1
    assert reasons.keys() == {*game.reasons}


def near(game: EinStein, state: Position) -> bool:
    """Whether no stone is further than three steps from its goal."""
    return all(
        max(abs(goal // 5 - cell // 5), abs(goal % 5 - cell % 5)) <= 3
        for player, goal in enumerate(GOALS)
        for cell in game.stones(state, player).values()
    )


def test_expectimax_finds_the_exact_values_of_endings(game: EinStein) -> None:
    exact = einstein_endings.Exact(game)
    states = [state for state in exact.positions(game, 60, generator(2, 0)) if near(game, state)]
    assert len(states) > 10
    for state in states[:12]:
        decision = decide(Match(game, 0, position=game.dump(state)), ludex.make_agent(game, "minimax"), Limit(depth=12))
        assert decision.stats["solved"] is True
        assert decision.value == pytest.approx(exact.value(state), abs=1e-9)
        worth = exact.actions(state)
        assert worth.keys() == {*legal_actions(game.legal(state))}
        assert worth[decision.action] == pytest.approx(max(worth.values()), abs=1e-9)
