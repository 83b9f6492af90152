import json
from itertools import pairwise
from pathlib import Path
from shutil import copy, copytree

import pytest

from ludex.core.decision import Decision
from ludex.core.match import Match, play
from ludex.core.registry import make_agent
from ludex.games.skirmish.agents.situation import FAR, Field, Situation
from ludex.games.skirmish.agents.tactic import MOST_CANDIDATES
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.options import SkirmishOptions
from ludex.games.skirmish.rules.actions import Activate, ConfirmDeployment, DeployUnit, Shoot, UndeployUnit
from ludex.games.skirmish.rules.position import Position, View
from tests.games.skirmish.support import shipped
from tests.sizes import sampled

NAMES = ("aggressive", "defensive", "greedy", "objective")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scenario", sampled("people", "default"))
def test_every_decision_is_legal_explained_and_never_takes_a_unit_back(name: str, scenario: str) -> None:
    game = shipped(scenario)
    meanings: list[object] = []

    def watch(match: Match[Position, View], decision: Decision) -> None:
        before = match.positions[-2]
        legal = game.legal(before)
        actions = [candidate.action for candidate in decision.candidates]
        scores = [candidate.score for candidate in decision.candidates if candidate.score is not None]
        assert decision.note
        assert all(legal[action] for action in actions)
        assert actions[0] == decision.action
        assert len(actions) <= MOST_CANDIDATES
        assert len(scores) == len(actions)
        assert all(better >= worse for better, worse in pairwise(scores))
        meanings.append(game.table.decode(before, decision.action))

    match = play(game, (make_agent(game, name), make_agent(game, name)), seed=3, watch=watch)
    assert match.outcome is not None
    assert not any(isinstance(meaning, UndeployUnit) for meaning in meanings)
    confirms = 2 if game.scenario.config.deployment_confirmation == "per_player" else 0
    assert sum(isinstance(meaning, ConfirmDeployment) for meaning in meanings) == confirms


@pytest.mark.slow
def test_deterministic_deployment_takes_units_by_id_and_the_first_free_hexes() -> None:
    game = shipped("default")
    placed: dict[int, list[DeployUnit]] = {0: [], 1: []}

    def watch(match: Match[Position, View], decision: Decision) -> None:
        before = match.positions[-2]
        meaning = game.table.decode(before, decision.action)
        if isinstance(meaning, DeployUnit):
            placed[before.to_move].append(meaning)

    play(game, (make_agent(game, "greedy"), make_agent(game, "greedy")), seed=0, watch=watch)
    for player, force in enumerate(game.scenario.forces):
        assert [meaning.unitId for meaning in placed[player]] == sorted(unit.id for unit in force)
        hexes = [(meaning.col, meaning.row) for meaning in placed[player]]
        pool = sorted(game.scenario.grid.col_row(where) for where in game.scenario.pools[player])
        assert hexes == pool[: len(force)]


@pytest.mark.slow
def test_a_shot_is_described_and_aims_where_most_value_falls() -> None:
    game = shipped("default")
    field, notes = Field(game), []

    def watch(match: Match[Position, View], decision: Decision) -> None:
        before = match.positions[-2]
        meaning = game.table.decode(before, decision.action)
        if isinstance(meaning, Shoot) and len(decision.candidates) > 2:
            situation = Situation(field, before)
            meanings = [game.table.decode(before, candidate.action) for candidate in decision.candidates]
            targets = [situation.number(other.targetId) for other in meanings if isinstance(other, Shoot)]
            values = [situation.fire(situation.active, target).value for target in targets]
            # What may be shot does something: the tables agree with the rules on range, sight and weapons.
            assert all(value > 0 for value in values)
            assert values[0] == max(values)
            notes.append(decision.note)

    play(game, (make_agent(game, "greedy"), make_agent(game, "greedy")), seed=0, watch=watch)
    assert notes
    assert all(" shoots " in note and " expected, " in note and "to destroy it" in note for note in notes)


def test_activations_are_weighed() -> None:
    game, notes = shipped("small"), []

    def watch(match: Match[Position, View], decision: Decision) -> None:
        if isinstance(game.table.decode(match.positions[-2], decision.action), Activate):
            notes.append(decision.note)

    play(game, (make_agent(game, "objective"), make_agent(game, "objective")), seed=0, watch=watch)
    assert any(note.endswith("goes first") for note in notes)


def test_ways_lead_around_walls() -> None:
    field = Field(shipped("default"))
    goal = field.objectives[0]
    assert field.ways[0, goal] == 0
    for where in range(field.size):
        if field.walls[where]:
            assert field.ways[0, where] == FAR
        else:
            assert field.distance[goal, where] <= field.ways[0, where] < FAR


@pytest.mark.parametrize("name", NAMES)
def test_a_board_without_objectives_can_be_played(name: str, tmp_path: Path) -> None:
    source = shipped("small").scenario.source
    copytree(source, tmp_path / "bare")
    for table in ("units.json", "weapons.json"):
        copy(source.parent / "config" / table, tmp_path / "bare" / "config" / table)
    file = tmp_path / "bare" / "scenario.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "objectives": []}))
    game = Skirmish(SkirmishOptions(scenario=str(tmp_path / "bare")), "bare")
    assert play(game, (make_agent(game, name), make_agent(game, name)), seed=0).outcome is not None


def _score(game: Skirmish, name: str, other: str, seeds: range) -> float:
    """The share of the points that `name` takes, from both seats."""
    scores = []
    for seed in seeds:
        for seat in (0, 1):
            agents = [make_agent(game, name), make_agent(game, other)]
            outcome = play(game, agents if seat == 0 else agents[::-1], seed=seed).outcome
            assert outcome is not None
            scores.append((outcome.scores[seat] + 1) / 2)
    return sum(scores) / len(scores)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_scripted_players_beat_chance(name: str) -> None:
    assert _score(shipped("small"), name, "random", range(5)) >= 0.8
