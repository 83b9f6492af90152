"""The data of a battle for the browser: legal actions, exact odds, line of sight, the contract's names."""

import json
from collections import Counter
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core.errors import IllegalAction
from ludex.core.match import Match, play
from ludex.core.registry import make_agent
from ludex.games.skirmish.game import Skirmish, counters
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.odds import strike
from ludex.games.skirmish.rules.position import Position, deployment_state, unit_states
from ludex.games.skirmish.screen.descriptions import event_lines, event_texts
from ludex.games.skirmish.screen.orders import expand
from ludex.games.skirmish.screen.scene import history, scene, stage
from tests.games.skirmish.support import GAME, random_play, shipped, texts, variant
from tests.sizes import sampled

pytestmark = pytest.mark.slow


def drawn(game: Skirmish, position: Position) -> dict[str, Any]:
    document = scene(game, game.view(position, 0), game.legal(position))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    return document


def battle(name: str, seed: int, agents: tuple[str, str] = ("aggressive", "greedy")) -> Match[Any, Any]:
    game = shipped(name)
    return play(game, [make_agent(game, agent) for agent in agents], seed=seed)


def test_a_deadlock_is_shown_with_its_details_and_only_at_the_end() -> None:
    *_, match = random_play(shipped("cramped"), 0)
    assert match.aborted == "deployment_deadlock"
    assert "pool sizes {1: 3, 2: 4}" in str(match.abort_message)
    left = deployment_state(match.game.scenario, match.state).deployable_units_by_player  # type: ignore[attr-defined]
    assert (len(left[1]), left[2]) == (1, [])
    assert history(match, match.ply)["deadlock"] == {
        "player": 1,
        "units_left": {"1": left[1], "2": []},
        "pool_sizes": {"1": 3, "2": 4},
        "free_hexes": {"1": 0, "2": 0},
        "occupied_hexes": 7,
        "cause": "finished",
    }
    assert history(match, match.ply - 1)["deadlock"] is None


def texts_of(game: Skirmish, legal: dict[str, Any]) -> set[str]:
    """The texts that a renderer builds from the lists of a scene."""
    name = game.scenario.grid.name
    built = {f"deploy/{unit}/{name(h)}" for unit, hexes in legal["deploy"].items() for h in hexes}
    built |= {f"{kind}/{unit}" for kind in ("undeploy", "activate") for unit in legal[kind]}
    built |= {f"{kind}/{name(h)}" for kind in ("move", "land") for h in legal[kind]}
    built |= {f"{kind}/{entry['id']}" for kind in ("shoot", "charge", "fight") for entry in legal[kind]}
    return built | set(legal["words"])


def test_the_stage_is_the_scenario() -> None:
    game = shipped("default")
    shown_stage, grid = stage(game), game.scenario.grid
    assert json.loads(json.dumps(shown_stage, allow_nan=False)) == shown_stage
    hexes: Any = shown_stage["hexes"]
    assert len(hexes) == 513
    assert all(
        grid.index(entry["col"], entry["row"]) == entry["hex"] and grid.name(entry["hex"]) == entry["name"]
        for entry in hexes
    )
    assert shown_stage["walls"] == np.flatnonzero(game.scenario.walls).tolist()
    assert shown_stage["objectives"] == [{"hex": h, "name": grid.name(h)} for h in game.scenario.objectives]
    zones: Any = shown_stage["zones"]
    for zone, pool in zip(zones, game.scenario.pools, strict=True):
        assert set(pool) == set(zone) - set(shown_stage["walls"]) - set(shown_stage["forbidden"])  # type: ignore[arg-type]
    units: Any = shown_stage["units"]
    assert [(entry["unit"], entry["id"], entry["player"]) for entry in units] == [
        (number, unit.id, unit.player) for number, unit in enumerate(game.units)
    ]
    assert [len(entry["weapons"]) for entry in units] == [len(unit.ranged) + 1 for unit in game.units]
    assert all(0 < entry["x"] < shown_stage["width"] and 0 < entry["y"] < shown_stage["height"] for entry in hexes)


@pytest.mark.parametrize("name", ["small", "people", "mirror", "cramped"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 2))])
def test_a_scene_says_every_legal_action_and_no_other(name: str, seed: int) -> None:
    game = shipped(name)
    for match in random_play(game, seed, plies=150):
        document = drawn(game, match.state)
        assert texts_of(game, document["legal"]) == texts(game, match.state)


@pytest.mark.parametrize("seed", range(2))
def test_a_scene_is_the_position(seed: int) -> None:
    match = battle("small", seed)
    game = shipped("small")
    for position in match.positions:
        data = drawn(game, position)
        words = position.words
        assert (data["phase"], data["turn"], data["active"]) == (
            position.phase,
            words[layout.TURN],
            position.active,
        )
        assert (data["player"], data["points"]) == (
            words[layout.PLAYER] + 1,
            words[layout.POINTS :][:2].tolist(),
        )
        for unit, unit_state in zip(data["units"], unit_states(position, len(game.units)), strict=True):
            place = (-1, -1) if unit_state.hex is None else game.scenario.grid.col_row(unit_state.hex)
            assert unit == {**asdict(unit_state), "alive": unit_state.alive, "col": place[0], "row": place[1]}
        assert data["events"] == [line.document() for line in event_lines(game, position)]
        state = json.loads(json.dumps(asdict(deployment_state(game.scenario, position)), default=bool))
        del state["deployment_pools_by_player"]
        assert data["deployment"] == state


@pytest.mark.parametrize("seed", sampled(0, 1))
def test_objectives_are_held_by_the_player_with_more_units_at_them(seed: int) -> None:
    game, holders = shipped("default"), set()
    radius = game.scenario.game.objective_radius
    for position in battle("default", seed).positions:
        at = [Counter[int](), Counter[int]()]
        for state in unit_states(position, len(game.units)):
            for objective, where in enumerate(game.scenario.objectives):
                if state.hex is not None and game.scenario.grid.distance[state.hex, where] <= radius:
                    at[game.units[state.unit].player - 1][objective] += 1
        first, second = at
        expected = [
            None if first[number] == second[number] else 1 if first[number] > second[number] else 2
            for number in range(len(game.scenario.objectives))
        ]
        assert drawn(game, position)["held"] == expected
        holders |= set(expected)
    assert holders == {None, 1, 2}


@pytest.mark.parametrize("seed", sampled(0, 1))
def test_sight_and_the_odds_of_shots_and_blows_are_exact(seed: int) -> None:
    game, shots, blows = shipped("default"), 0, 0
    grid = game.scenario.grid
    for position in battle("default", seed).positions:
        document = drawn(game, position)
        if position.active is None:
            assert document["sight"] == []
            continue
        states = list(unit_states(position, len(game.units)))
        unit, me = game.units[position.active], states[position.active]
        usable = [] if me.fled else [item for item in unit.ranged if not me.advanced or "assault" in item.keywords]
        sights = [
            h
            for h in range(grid.size)
            if h != me.hex and game.sees[me.hex, h] and any(grid.distance[me.hex, h] <= item.range for item in usable)
        ]
        assert document["sight"] == sights
        for entry in document["legal"]["shoot"]:
            target = next(item for item in states if game.units[item.unit].id == entry["id"])
            friends = [item for item in states if game.units[item.unit].player == unit.player and item.hex is not None]
            engaged = any(grid.distance[item.hex, target.hex] == 1 for item in friends)
            weapons = [
                item
                for item in usable
                if grid.distance[me.hex, target.hex] <= item.range and ("pistol" in item.keywords or not engaged)
            ]
            expected = strike(weapons, game.units[target.unit].type, target.wounds)
            assert (entry["wounds"], entry["kill"]) == (expected.wounds, expected.kill)
            assert target.hex in sights
            shots += 1
        for entry in document["legal"]["fight"]:
            target = next(item for item in states if game.units[item.unit].id == entry["id"])
            expected = strike([unit.melee], game.units[target.unit].type, target.wounds)
            assert (entry["wounds"], entry["kill"]) == (expected.wounds, expected.kill)
            blows += 1
    assert shots > 20
    assert blows > 5


def test_the_chance_of_a_charge_is_the_share_of_rolls_that_have_a_place_to_land() -> None:
    game, chances = shipped("small"), set()
    numbers = {unit.id: number for number, unit in enumerate(game.units)}
    for seed in range(4):
        for position in battle("small", seed).positions:
            for entry in drawn(game, position)["legal"]["charge"]:
                arrived = 0
                for first, second in product(range(1, 7), repeat=2):
                    words = position.words.copy()
                    words[layout.DOING], words[layout.ROLLED] = layout.CHARGING, first + second
                    words[layout.TARGET] = numbers[entry["id"]]
                    arrived += bool(game.legal(Position(words.tobytes())).any())
                assert entry["chance"] == arrived / 36
                chances.add(entry["chance"])
    assert len(chances) > 3


def test_history_has_the_last_plies_and_where_each_phase_began() -> None:
    match = battle("small", 1)
    game = shipped("small")
    ply = match.ply // 2
    data: Any = history(match, ply)
    assert [entry["ply"] for entry in data["log"]] == sorted((entry["ply"] for entry in data["log"]), reverse=True)
    assert data["log"][0]["ply"] <= ply
    for entry in data["log"]:
        position = match.positions[entry["ply"]]
        assert [" · ".join(part["text"]["en"] for part in line["parts"]) for line in entry["events"]] == [
            text.strip() for text in event_texts(game, position)
        ]
    phases = data["phases"]
    assert phases[0] == {"ply": 0, "phase": "deployment", "turn": 0, "player": None}
    assert phases[-1]["phase"] == "over"
    for at, position in enumerate(match.positions):
        current = [entry for entry in phases if entry["ply"] <= at][-1]
        assert current["phase"] == position.phase
        assert current["turn"] == position.words[layout.TURN]
    decided = [entry for entry in phases if entry["phase"] != "command"]
    assert len({entry["ply"] for entry in decided}) == len(decided)


@pytest.mark.parametrize("begins", ["command", "move"])
def test_the_command_phase_is_an_event_though_nobody_decides_in_it(begins: str, tmp_path: Path) -> None:
    """The first position of the battle is in the move phase; the command phase before it is logged and can be seen."""
    game = variant(tmp_path, {(GAME, "post_deployment_start_phase"): begins})
    match = Match(game, 1)
    while game.phase(match.state) == "deployment":
        match.play(int(match.legal().argmax()))
    assert game.phase(match.state) == "move"
    data: Any = history(match, match.ply)
    events = [part["text"]["en"] for line in data["log"][0]["events"] for part in line["parts"]]
    phases = ["command", "move"] if begins == "command" else ["move"]
    assert events[-len(phases) :] == [f"turn 1, player 1: {phase} phase" for phase in phases]
    entries = [(entry["ply"], entry["phase"]) for entry in data["phases"]]
    assert entries == [(0, "deployment"), *((match.ply, phase) for phase in phases)]


def test_counters_name_what_was_done() -> None:
    game, counted = shipped("people"), Counter[str]()
    for match in random_play(game, 3, plies=200):
        if match.over:
            break
        legal = np.flatnonzero(match.legal())
        for action in legal[:: max(1, len(legal) // 5)].tolist():
            counted.update(counters(game, match.state, action, {}))
    assert {"deploy_unit", "undeploy_unit", "confirm_deployment", "activate", "move", "advance", "wait"} <= set(counted)
    cramped = shipped("cramped")
    *_, last = random_play(cramped, 0)
    stuck = last.positions[-2]
    assert last.aborted is not None
    assert counters(cramped, stuck, last.moves[-1].action, {}) == {"deployment_pass": 1}


def test_the_effects_of_a_ply_are_its_events_at_their_hexes() -> None:
    game, match = shipped("small"), battle("small", 1)
    kinds = Counter[str]()
    for before, position in zip(match.positions, match.positions[1:], strict=False):
        document = drawn(game, position)
        rolled = position.events[np.isin(position.events[:, 0], (events.HIT_ROLL, events.WOUND_ROLL, events.SAVE_ROLL))]
        dice = [die for effect in document["effects"] if effect["kind"] == "attack" for _, die, _ in effect["rolls"]]
        assert dice == rolled[:, 1].tolist()
        states = [list(unit_states(where, len(game.units))) for where in (before, position)]
        for effect in document["effects"]:
            kinds[effect["kind"]] += 1
            if effect["kind"] == "move":
                assert [state[effect["unit"]].hex for state in states] == [effect["from"], effect["at"]]
            if effect["kind"] == "attack":
                old, new = (state[effect["target"]] for state in states)
                assert (effect["at"], effect["lost"]) == (old.hex, old.wounds - new.wounds)
                assert effect["destroyed"] == (not new.alive)
        # What a person has to look at takes its time.
        assert (document["pace_ms"] > 0) >= bool(document["effects"])
    assert kinds.keys() == {"move", "charge", "attack"}


def test_the_end_of_a_phase_is_refused_with_the_reason_that_the_order_gives() -> None:
    refused = set()
    game = shipped("small")
    for match in random_play(game, 0):
        if match.over:
            break
        if match.ply % 3:
            continue
        reason = drawn(game, match.state)["end_phase"]
        view = game.view(match.state, match.to_move)
        if reason is None:
            assert expand(game, view, "end_phase")
        else:
            refused.add(match.state.phase)
            with pytest.raises(IllegalAction) as refusal:
                expand(game, view, "end_phase")
            assert refusal.value.message == reason["en"]
    assert refused >= {"deployment", "fight"}
