"""Every planted bug is found under its name, and every check has a bug that it finds."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from ludex.core.compiled import CompiledRules, Vector, compiled_rules
from ludex.core.conformance import (
    ConformanceError,
    agent,
    batch,
    check_agent,
    check_batch,
    check_compiled,
    check_game,
    compiled,
    game,
)
from ludex.core.conformance.walk import Visit
from ludex.core.errors import BadPosition, LudexError
from ludex.core.game import Json, Outcome
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.options import BoardOptions
from ludex.games.tictactoe.rules.position import Position
from tests.core.conformance.planted_agents import AGENTS, AgentPlant
from tests.core.conformance.planted_batches import BATCHES, BatchPlant
from tests.core.conformance.planted_compiled import COMPILED, CompiledPlant, nim_rules, pig_rules, planted
from tests.core.conformance.planted_positions import POSITIONS, VIEWS
from tests.core.conformance.planted_rules import CHANCE, RULES, TEXTS, Plant
from tests.core.conformance.toy_games import Heap, Nim, Pig

GAMES = RULES | CHANCE | TEXTS | POSITIONS | VIEWS


def names(error: ConformanceError) -> set[str]:
    return {fault.check for fault in error.faults}


@pytest.mark.parametrize("plant", GAMES.values(), ids=GAMES.keys())
def test_bug_of_a_game_is_found(plant: Plant) -> None:
    with pytest.raises(ConformanceError) as error:
        check_game(plant.make(), plays=plant.plays, vary_secret=plant.vary_secret)
    assert names(error.value) == plant.checks, str(error.value)


class Generous(Nim):
    """Gives more than a whole point to the first player, who does not win the first play."""

    def outcome(self, state: Heap) -> Outcome | None:
        outcome = super().outcome(state)
        return Outcome((1.5, -1.5), "won") if outcome is not None and outcome.scores[0] > 0 else outcome


def test_the_ends_of_further_plays_are_checked() -> None:
    game = Generous()
    check_game(game, plays=1)
    with pytest.raises(ConformanceError, match=r"outcome_form: seed .*the score of player 0 is 1.5"):
        check_game(game, plays=1, ends=20)


@pytest.mark.parametrize("plant", AGENTS.values(), ids=AGENTS.keys())
def test_bug_of_an_agent_is_found(plant: AgentPlant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "PATIENCE", plant.patience)
    with pytest.raises(ConformanceError) as error:
        check_agent(plant.game(), plant.make, plays=2, limit=Limit(depth=3))
    assert names(error.value) == plant.checks, str(error.value)


@pytest.mark.parametrize("plant", BATCHES.values(), ids=BATCHES.keys())
def test_bug_of_a_batch_is_found(plant: BatchPlant) -> None:
    single = plant.game()
    with pytest.raises(ConformanceError) as error:
        check_batch(plant.make(single, 3), single, steps=60)
    assert names(error.value) == plant.checks, str(error.value)


def test_rules_without_a_bug_pass() -> None:
    check_compiled(nim_rules(), Nim())
    check_compiled(pig_rules(), Pig())


@pytest.mark.parametrize("plant", COMPILED.values(), ids=COMPILED.keys())
def test_bug_of_compiled_rules_is_found(plant: CompiledPlant) -> None:
    with pytest.raises(ConformanceError) as error:
        check_compiled(planted(plant), Pig() if plant.dice else Nim())
    assert names(error.value) == plant.checks, str(error.value)


class Opened(TicTacToe):
    """Tic-tac-toe from a position that most symmetries move."""

    def initial(self, rng: Rng) -> Position:
        return self.apply(self.apply(super().initial(rng), 0, rng), 1, rng)


def opened_rules(game: TicTacToe, image: Callable[[Position, int], Position] | None) -> CompiledRules:
    rules = compiled_rules(game)
    assert rules is not None
    assert rules.symmetries is not None

    def reset(constants: Vector, state: Vector) -> None:
        state[:] = rules.pack(game.initial(Rng(0)))

    return replace(rules, reset=reset, symmetries=replace(rules.symmetries, image=image))


def test_symmetries_that_move_the_first_position_are_judged_on_positions() -> None:
    game = Opened(BoardOptions(rows=3, cols=3, k=3), "3x3x3")
    rules = compiled_rules(game)
    assert rules is not None
    assert rules.symmetries is not None
    images = rules.symmetries.actions

    def image(position: Position, number: int) -> Position:
        marks = [sum(1 << int(images[number, cell]) for cell in range(9) if m >> cell & 1) for m in position[:2]]
        return Position(marks[0], marks[1], position.won)

    check_compiled(opened_rules(game, image), game)
    with pytest.raises(ConformanceError, match="expected one that leaves the first position as it is, or"):
        check_compiled(opened_rules(game, None), game)
    with pytest.raises(ConformanceError, match="symmetry 1: the image of the"):
        check_compiled(opened_rules(game, lambda position, number: position), game)


def test_every_check_has_a_planted_bug() -> None:
    assert {check.__name__ for check in game.CHECKS} == set().union(*(plant.checks for plant in GAMES.values()))
    assert {check.__name__ for check in agent.CHECKS} == set().union(*(plant.checks for plant in AGENTS.values()))
    rules = set().union(*(plant.checks for plant in COMPILED.values()))
    assert {check.__name__ for check in compiled.CHECKS} == rules
    planted_checks = set().union(*(plant.checks for plant in BATCHES.values()))
    assert {check.__name__ for check in batch.CHECKS} | {batch.UNMOVED} == planted_checks


def test_a_fault_says_where_and_what() -> None:
    with pytest.raises(ConformanceError) as error:
        check_game(GAMES["false zero sum"].make(), plays=1, seed=3)
    assert isinstance(error.value, LudexError)
    assert isinstance(error.value, AssertionError)
    assert str(error.value) == (
        "game nim 7 breaks the contract in 1 way\n"
        "  zero_sum: seed 3 ply 4: scores [1.0, 1.0] add up to 2.0, declared zero_sum"
    )


def test_some_positions_are_the_first_the_last_and_some_between(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, bool]] = []

    def look(visit: Visit) -> Iterator[str]:
        """Remember where a check was asked."""
        calls.append((visit.ply, visit.live))
        yield from ()

    monkeypatch.setattr(game, "EVERYWHERE", (look,))
    check_game(Nim(), plays=1, seed=3)
    everywhere = list(calls)
    calls.clear()
    check_game(Nim(), plays=1, seed=3, positions=2)
    assert 2 <= len(calls) < len(everywhere)
    assert calls[0] == everywhere[0]
    assert calls[-1] == everywhere[-1] == (everywhere[-1][0], False)
    with pytest.raises(ValueError, match="positions must be at least 1, got 0"):
        check_game(Nim(), positions=0)


@pytest.mark.parametrize("name", ["mask after the end", "false zero sum"])
def test_a_bug_of_the_end_is_found_at_some_positions_too(name: str) -> None:
    with pytest.raises(ConformanceError) as error:
        check_game(GAMES[name].make(), plays=4, positions=1)
    assert names(error.value) == GAMES[name].checks


def test_a_position_that_cannot_be_loaded_is_found_between_the_checked_ones() -> None:
    class Forgetful(Nim):
        def load(self, data: Json) -> Heap:
            heap = super().load(data)
            if heap.pile in (2, 3):
                raise BadPosition("planted")
            return heap

    with pytest.raises(ConformanceError, match=r"load of the position at ply \d raised BadPosition: planted"):
        check_game(Forgetful(), plays=3, positions=2)
