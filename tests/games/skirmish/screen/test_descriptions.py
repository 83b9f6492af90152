"""What is said and drawn of moves and of training: orders that stand for several, reports, reviews, titles, figures."""

import re
from statistics import fmean, stdev
from typing import Any, TypeAlias

import pytest

import ludex
from ludex.arena.entrants import make_entrant
from ludex.core.decision import JudgedMove
from ludex.core.errors import BadOption, IllegalAction
from ludex.core.game import legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, play
from ludex.core.messages import LANGUAGES, Message, catalogue
from ludex.core.registry import make, make_agent, resolve, spec
from ludex.core.seeding import Rng, generator
from ludex.core.web_files import web_folder
from ludex.games.skirmish.agents.situation import Field, Situation
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.evaluation import ground_of
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.rules.scenario import name_title
from ludex.games.skirmish.screen.descriptions import move_words, report
from ludex.games.skirmish.screen.effects import fire_on
from ludex.games.skirmish.screen.orders import expand
from ludex.games.skirmish.screen.review import dice_text, dice_units, reasons
from ludex.games.skirmish.screen.run_figures import figures
from ludex.games.skirmish.screen.scene import history, stage
from ludex.learn.figures import BarsFigure, MapFigure, TableFigure
from ludex.learn.runs import Row
from tests.games.skirmish.support import shipped

SkirmishMatch: TypeAlias = Match[Position, View]


@pytest.fixture
def match() -> SkirmishMatch:
    return Match(ludex.make("skirmish", "small"), 1)


def ordered(match: SkirmishMatch, text: str) -> list[str]:
    game = match.game
    assert isinstance(game, Skirmish)
    moves = expand(game, game.view(match.state, match.to_move), text)
    assert moves is not None
    return moves


def placed(match: SkirmishMatch) -> None:
    while match.state.phase == "deployment":
        for text in ordered(match, "place_force"):
            match.play_text(text)


def test_the_machine_places_a_force_up_to_the_other_players_turn(match: SkirmishMatch) -> None:
    mover, texts = match.to_move, ordered(match, "place_force")
    assert texts
    assert all(text.startswith("deploy/") for text in texts)
    for text in texts:
        assert match.to_move == mover
        match.play_text(text)
    placed(match)
    with pytest.raises(IllegalAction, match="no unit is to be placed"):
        ordered(match, "place_force")


def test_a_phase_ends_at_once(match: SkirmishMatch) -> None:
    with pytest.raises(IllegalAction, match="Deployment ends by itself once every unit is placed"):
        ordered(match, "end_phase")
    placed(match)
    while match.state.phase != "move":
        match.play(int(match.legal().argmax()))
    mover = match.to_move
    for text in ordered(match, "end_phase"):
        assert (match.state.phase, match.to_move) == ("move", mover)
        match.play_text(text)
    assert (match.state.phase, match.to_move) != ("move", mover)


PLACEMENTS = ("deploy/01/0.0", "deploy/04/9.0", "deploy/02/0.1", "deploy/05/9.1", "deploy/03/0.2", "deploy/06/9.2")
TURN = (
    *("activate/01", "move/4.4", "activate/02", "move/3.6", "activate/03", "move/7.2"),
    *("activate/01", "shoot/06", "activate/02", "shoot/06", "activate/03", "shoot/06"),
    *("activate/03", "charge/06", "land/8.3", "activate/02", "charge/06", "land/9.3", "activate/01", "charge/06"),
    *("land/8.2", "activate/03", "fight/06", "activate/02", "fight/06", "activate/01", "fight/05"),
)


@pytest.fixture(scope="module")
def battle() -> SkirmishMatch:
    """A match after the first player's first turn."""
    match: SkirmishMatch = Match(make("skirmish", "small"), seed=3)
    for text in (*PLACEMENTS, *TURN):
        match.play_text(text)
    return match


def test_a_move_names_its_unit_what_it_does_and_to_whom(battle: SkirmishMatch) -> None:
    game = battle.game
    assert isinstance(game, Skirmish)
    moves = list(zip(battle.positions, battle.moves, strict=False))
    words = [move_words(game, position, move.action) for position, move in moves]
    assert [words[ply].text() for ply in (0, 6, 7, 13, 19, 20, 28)] == [
        "Line Guard 01 → 0.0",
        "Line Guard 01 acts",
        "Line Guard 01 → 4.4",
        "Line Guard 01 shoots at Reaver 06",
        "Reaver 03 charges Reaver 06",
        "Reaver 03 → 8.3",
        "Reaver 03 strikes Reaver 06",
    ]
    assert words[13].text("fr") == "Garde de ligne 01 tire sur Pillard 06"


def test_a_report_sums_up_the_other_players_turn(battle: SkirmishMatch) -> None:
    summary = report(battle, battle.ply)
    assert summary is not None
    assert summary.text.text() == (
        "Player 1 moved 3 units, shot at Reaver 06, charged Reaver 06, struck Reaver 06 and Outrider 05, "
        "dealt 5 wounds and destroyed Reaver 06."
    )
    assert summary.text.text("fr").startswith("Le joueur 1 a déplacé 3 unités, tiré sur Pillard 06")
    # Player 1 reads it too, while player 2 is to move.
    assert summary.own.text().startswith("You moved 3 units, shot at Reaver 06")
    assert summary.own.text("fr").endswith("infligé 5 blessures et détruit Pillard 06.")
    assert history(battle, battle.ply)["report"] == {
        "player": 0,
        "text": summary.text.texts(),
        "own": summary.own.texts(),
    }


def test_there_is_no_report_before_and_during_ones_own_turn(battle: SkirmishMatch) -> None:
    assert report(battle, 0) is None
    assert report(battle, len(PLACEMENTS) + 1) is None
    placed = report(battle, 1)
    assert placed is not None
    assert placed.text.text() == "Player 1 placed 1 unit."


@pytest.mark.parametrize("name", ["objective", "aggressive", "defensive", "greedy"])
def test_every_term_of_a_candidate_has_a_title(battle: SkirmishMatch, name: str) -> None:
    game, titles = battle.game, catalogue("skirmish", "fr")
    agent, terms = make_agent(game, name), set[str]()
    for position in battle.positions:
        view, legal = game.view(position, game.to_move(position)), game.legal(position)
        decision = agent.decide(view, legal, rng=Rng(0), limit=Limit())
        terms |= {term for candidate in decision.candidates for term in candidate.terms}
    assert len(terms) > 3
    assert {term for term in terms if f"figure_{term}" not in titles} == set()


@pytest.fixture(scope="module")
def finished() -> SkirmishMatch:
    game = shipped("small")
    return play(game, [make_entrant(game, "greedy"), make_entrant(game, "greedy")], seed=3)


def test_every_pair_of_actions_has_its_reasons_in_both_languages(finished: SkirmishMatch) -> None:
    messages: list[Message] = []
    for ply, move in enumerate(finished.moves):
        before = finished.positions[ply]
        for best in legal_actions(finished.game.legal(before))[:3]:
            played, after = move.action, finished.positions[ply + 1]
            judged = JudgedMove(finished.game, before, after, move.player, played, best, (best,), (), 0.6, 0.4)
            messages += reasons(judged)
    assert {message.id.partition(".")[2] for message in messages} >= {"effects_words", "review_dice", "review_roll"}
    assert all(message.text(language) for message in messages for language in LANGUAGES)


def test_units_are_called_by_their_names(finished: SkirmishMatch) -> None:
    game = finished.game
    assert isinstance(game, Skirmish)
    names = {language: {name_title(unit.name).text(language) for unit in game.units} for language in LANGUAGES}
    for ply, move in enumerate(finished.moves):
        if not move.text.startswith("shoot/"):
            continue
        others = [item for item in legal_actions(finished.game.legal(finished.positions[ply])) if item != move.action]
        before, after = finished.positions[ply], finished.positions[ply + 1]
        judged = JudgedMove(finished.game, before, after, move.player, move.action, others[0], (), (), 0.6, 0.4)
        messages = reasons(judged)
        better = next(item for item in messages if item.id == "ludex.effects_words")
        for language in LANGUAGES:
            assert any(better.text(language).startswith(name) for name in names[language])


def test_what_the_dice_gave_in_units_is_zero_on_average(finished: SkirmishMatch) -> None:
    """The same shot, rolled many times."""
    game = finished.game
    ply, move = next((ply, move) for ply, move in enumerate(finished.moves) if move.text.startswith("shoot/"))
    before = finished.positions[ply]

    def rolled(seed: int) -> float:
        after = game.apply(before, move.action, generator(seed, 0))
        amounts = dice_units(JudgedMove(game, before, after, move.player, move.action, move.action, (), (), 0.5, 0.5))
        assert amounts is not None
        return amounts

    amounts = [rolled(seed) for seed in range(2000)]
    assert max(amounts) > 0 > min(amounts)
    assert abs(fmean(amounts)) < 4 * stdev(amounts) / len(amounts) ** 0.5
    assert dice_text(-1.23).text() == "the dice lost what 1.2 units are worth"
    assert dice_text(1.0).text("fr") == "la valeur de 1,0 unité gagnée aux dés"


def test_fire_is_counted_by_sight_and_range(finished: SkirmishMatch) -> None:
    game = finished.game
    assert isinstance(game, Skirmish)
    field = Field(game)
    position = next(state for state in finished.positions if state.phase == "shoot")
    situation = Situation(field, position)
    fires = [fire_on(situation, situation.own[0], where) for where in range(field.size)]
    assert max(fire.guns for fire in fires) >= 1
    assert all((fire.wounds > 0) == (fire.guns > 0) for fire in fires)


def test_every_unit_and_weapon_that_ships_has_a_french_name() -> None:
    game = shipped("default")
    names = {unit.name for unit in game.units} | {weapon.name for weapon in game.weapons}
    assert len(names) > 15
    assert all(name_title(name).id != "ludex.text" for name in names)
    units = stage(game)["units"]
    assert isinstance(units, list)
    assert {"en": "Line Guard", "fr": "Garde de ligne"} in [unit["names"] for unit in units if isinstance(unit, dict)]


def test_a_name_of_another_scenario_stays_as_it_is() -> None:
    assert name_title("Line guard").texts() == {"en": "Line guard", "fr": "Line guard"}
    assert "name_line_guard" in catalogue("skirmish", "en")


MARKED = re.compile(r"\[[^|\]]+\|(\w+)\]")


def test_every_marked_word_of_the_screen_is_a_term_of_the_rules() -> None:
    folder = web_folder(spec("skirmish"))
    assert folder is not None
    marked = [set(MARKED.findall(folder.joinpath(f"texts.{name}.json").read_text())) for name in ("en", "fr")]
    assert marked[0] == marked[1]
    assert {"ap", "save", "invulnerable", "advance", "assault", "pistol"} <= marked[0]
    terms = resolve("ludex.games.skirmish.screen.teaching:TERMS")
    assert marked[0] <= {*terms}
    assert len(terms) == len({*terms})


def evaluation(preset: str, **changes: Any) -> Row:
    game = shipped(preset)
    return {
        "stage": "ppo",
        "update": 3,
        "preset": preset,
        "opponent": "greedy",
        "hex_slots": list(range(game.table.hex_slots)),
        "unit_slots": [10 + slot for slot in range(game.table.unit_slots)],
        "placement_front_survival": 0.25,
        "placement_cover_damage_dealt": None,
        **changes,
    }


@pytest.mark.parametrize("preset", ["default", "small"])
def test_every_slot_is_drawn_where_it_is(preset: str) -> None:
    game = shipped(preset)
    rows: list[Row] = [{"loss": 1.0}, evaluation(preset)]
    heat, bars, table = figures(rows, None).figures
    assert isinstance(heat, MapFigure)
    assert isinstance(bars, BarsFigure)
    assert isinstance(table, TableFigure)
    pool = game.scenario.pools[0]
    drawn = {cell.label.partition(":")[0]: cell for cell in heat.cells}
    coloured = {name for name, cell in drawn.items() if cell.value is not None}
    assert coloured == {game.scenario.grid.name(where) for where in pool}
    # Both players' slots are the same hexes, each from its own end.
    assert ground_of(game).hexes[:, : len(pool)].tolist() == 2 * [list(pool)]
    last = drawn[game.scenario.grid.name(pool[-1])]
    assert last.value == pytest.approx((len(pool) - 1) / (game.table.hex_slots - 1))
    walls = {game.scenario.grid.name(where) for where in game.scenario.walls.nonzero()[0].tolist()}
    assert {name for name, cell in drawn.items() if cell.kind == "wall"} == walls & drawn.keys()
    assert [bar.value for bar in bars.bars] == [10.0 + slot for slot in range(len(game.scenario.forces[0]))]
    assert (table.rows[0].values[0], table.rows[2].values[2]) == (0.25, None)
    assert all(text["en"] and text["fr"] for text in (heat.title, bars.title, table.title, *table.columns))
    assert all(bar.label["en"] != bar.label["fr"] for bar in bars.bars), "units have French names"


def test_the_last_evaluation_is_shown_unless_another_is_chosen() -> None:
    rows: list[Row] = [evaluation("small"), {"loss": 1.0}, evaluation("small", opponent="objective")]
    result = figures(rows, None)
    assert ([entry.row for entry in result.rows], result.row) == ([0, 2], 2)
    assert result.rows[1].label["en"] == "After update 3, against Planner (Small map, 3 units each)"
    assert figures(rows, 0).row == 0
    with pytest.raises(BadOption, match="row: expected one of 0, 2, found 1"):
        figures(rows, 1)


def test_a_run_without_evaluations_has_no_figures() -> None:
    assert figures([{"loss": 1.0}], None).rows == []
