"""A broken spec, and teaching that does not hold, are one clear error that names everything that is wrong."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core import registry
from ludex.core.conformance import check_spec, check_teaching
from ludex.core.conformance.hooks import TRIES
from ludex.core.errors import BrokenGame
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook, RuleSection
from ludex.core.scene import Board, Cell, Scene
from ludex.core.spec import AgentSpec, GameSpec
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.spec import SPEC

PLAIN = registry.spec("tictactoe")


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_every_registered_spec_is_whole(name: str) -> None:
    check_spec(registry.spec(name))


def test_levels_of_a_spec_that_is_not_registered_may_name_agents_that_play_every_game() -> None:
    level = replace(next(iter(SPEC.levels.values())), agent="mcts", options={"simulations": 5})
    assert "mcts" not in SPEC.agents
    check_spec(replace(SPEC, levels={"first": level}))
    with pytest.raises(BrokenGame, match=r"levels\['first'\]\.agent: unknown agent 'mtcs'; known: .*mcts"):
        check_spec(replace(SPEC, levels={"first": replace(level, agent="mtcs")}))


class Cubes(SPEC.options):  # type: ignore[misc,name-defined]
    """Boards with an option that no catalogue names."""

    height: int = 3


def agents(**changes: Any) -> dict[str, AgentSpec]:
    return {**PLAIN.agents, "random": replace(PLAIN.agents["random"], **changes)}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"factory": "ludex.games.tictactoe.game:TicTacTo"}, "has no 'TicTacTo' (did you mean 'TicTacToe'?)"),
        ({"factory": "tictactoe"}, "factory: 'tictactoe' is no reference, expected 'package.module:name'"),
        ({"factory": "nowhere.game:Game"}, "cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        (
            {"screen": replace(PLAIN.screen, terminal="ludex.games.tictactoe.screen.terminal:drew")},
            "screen.terminal: 'ludex.games.tictactoe.screen.terminal:drew'",
        ),
        ({"screen": replace(PLAIN.screen, web="web")}, "screen.web: 'web' is no folder of a package, expected"),
        ({"screen": replace(PLAIN.screen, web="nowhere.screen:web")}, "screen.web: No module named 'nowhere'"),
        (
            {"screen": replace(PLAIN.screen, web="ludex.games.tictactoe.screen:wen")},
            "screen.web: ludex.games.tictactoe.screen holds no folder 'wen'",
        ),
        (
            {"screen": replace(PLAIN.screen, web="ludex.web:static/shell")},
            "screen.web: ludex.web:static/shell holds no renderer.css",
        ),
        (
            {"screen": replace(PLAIN.screen, web="ludex.web:static/style")},
            "screen.web: ludex.web:static/style holds none of renderer.js, preview.js",
        ),
        ({"tools": replace(PLAIN.tools, verbs={"solve": "nowhere:solve"})}, "tools.verbs['solve']: 'nowhere:solve'"),
        ({"tools": replace(PLAIN.tools, leaderboard="ludex.games")}, "ludex.games holds no leaderboard.json"),
        (
            {"learning": replace(PLAIN.learning, example="ludex.games.tictactoe.data:none")},
            "ludex.games.tictactoe.data holds no none/run.json",
        ),
        ({"presets": {**PLAIN.presets, "3x3x3": {"rows": 99}}}, "presets['3x3x3'] cannot be built"),
        ({"presets": {}}, "presets: there is none"),
        ({"aliases": {"small": "2x2"}}, "aliases: unknown presets 2x2; known: 3x3x3, 3x4x3, 4x4x4"),
        (
            {"screen": replace(PLAIN.screen, hidden_presets=("2x2",))},
            "screen.hidden_presets: unknown 2x2; known",
        ),
        (
            {"summary": "Another game."},
            "screen.messages: 'summary' of en.json must be 'Another game.' as in the spec, found 'Three marks in a row",
        ),
        ({"options": Cubes}, "screen.messages: en.json has no option_height"),
        ({"analyst": "nobody"}, "analyst: unknown agent 'nobody'"),
        ({"agents": agents(defaults={"depth": 3})}, "agents['random'].defaults: "),
        ({"agents": agents(presets=("5x5",))}, "agents['random'].presets: unknown 5x5"),
    ],
)
def test_a_mistake_is_named(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(BrokenGame) as error:
        check_spec(replace(PLAIN, **changes))
    assert error.value.message.startswith("game 'tictactoe': ")
    assert problem in error.value.message


def test_a_missing_french_sentence_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "half_french" / "texts"
    folder.mkdir(parents=True)
    (tmp_path / "half_french" / "__init__.py").touch()
    (folder / "en.json").write_text(
        '{"title": "Half", "wins": "{move} wins", "plain": "as it is", "name": " ", '
        '"task": "Find the winning move at once"}'
    )
    (folder / "fr.json").write_text(
        '{"title": "Moitié", "wins": "{coup} gagne", "name": "Nom", "task": "Find the winning move at once"}'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BrokenGame) as error:
        check_spec(replace(PLAIN, screen=replace(PLAIN.screen, messages="half_french:texts")))
    assert "screen.messages: fr.json has no plain" in error.value.message
    assert "'wins': only one of en.json and fr.json names coup, move" in error.value.message
    assert "'name' of en.json is empty" in error.value.message
    assert "'task' of fr.json is the English text" in error.value.message


def test_every_mistake_is_in_one_error() -> None:
    with pytest.raises(BrokenGame, match=r"factory: .*; analyst: .*"):
        check_spec(replace(PLAIN, factory="nowhere:Game", analyst="nobody"))


PLAIN = registry.spec("tictactoe")
STEP: StepSpec = registry.resolve(str(PLAIN.screen.tutorial)).steps[1]
TAUGHT = [name for name in registry.names() if registry.spec(name).screen.tutorial is not None]


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.names())
def test_every_game_teaches_what_its_rules_accept(game: str) -> None:
    check_teaching(registry.spec(game))


@pytest.mark.parametrize("game", TAUGHT)
def test_a_tutorial_has_five_to_eight_steps_and_comes_with_rules_and_a_coach(game: str) -> None:
    screen = registry.spec(game).screen
    assert 5 <= len(registry.resolve(str(screen.tutorial)).steps) <= 8
    assert screen.rules is not None
    assert screen.coach is not None


PLANTED: Any = None
"""What the references of the planted specs lead to."""


def complaint(monkeypatch: pytest.MonkeyPatch, field: str, planted: object) -> str:
    """What the checker says of tic-tac-toe with something else in a field of its screen."""
    monkeypatch.setitem(globals(), "PLANTED", planted)
    reference: dict[str, Any] = {field: f"{__name__}:PLANTED"}
    screen = replace(PLAIN.screen, **reference)
    with pytest.raises(BrokenGame) as error:
        check_teaching(replace(PLAIN, screen=screen))
    return error.value.message


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (replace(STEP, name="unknown"), "the en catalogue of tictactoe has no message 'tutorial_unknown_title'"),
        (replace(STEP, turns=()), "it has no turn"),
        (replace(STEP, turns=(TurnSpec(accept=("a1",)),)), "no legal move is 'a1'; legal are b3"),
        (replace(STEP, turns=(TurnSpec(accept=("c1",), refuse={"a1": "wrong"}),)), "no legal move is 'a1'"),
        (replace(STEP, turns=(TurnSpec(accept=("*",)),)), "every legal move completes it"),
        (replace(STEP, turns=(TurnSpec(accept=("b2",), reply=("b2",)),)), "after b2 a reply fails"),
        (replace(STEP, turns=(*STEP.turns, TurnSpec(accept=("b2",)))), "turn 2: no legal move is 'b2'"),
        (replace(STEP, position=PositionSpec(board="3x3x3", moves=("a1", "a1"))), "the position cannot be built"),
        (replace(STEP, position=PositionSpec(board="3x3")), "the position cannot be built"),
        (replace(STEP, position=PositionSpec(board="3x3x3", position="X")), "the position cannot be built"),
    ],
)
def test_a_planted_fault_of_a_step_is_named(monkeypatch: pytest.MonkeyPatch, step: StepSpec, problem: str) -> None:
    assert problem in complaint(monkeypatch, "tutorial", Tutorial(steps=(step,)))


def test_a_forced_move_may_be_a_step() -> None:
    """Such as a pass: there is nothing to choose, but a person learns that it exists."""
    last_cell = PositionSpec(board="3x3x3", moves=("a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3"))
    step = replace(STEP, position=last_cell, turns=(TurnSpec(accept=("b3",)),))
    globals()["PLANTED"] = Tutorial(steps=(step,))
    check_teaching(replace(PLAIN, screen=replace(PLAIN.screen, tutorial=f"{__name__}:PLANTED")))


def test_steps_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "names of their own" in complaint(monkeypatch, "tutorial", Tutorial(steps=(STEP, STEP)))
    assert "names of their own" in complaint(monkeypatch, "tutorial", Tutorial(steps=()))


@pytest.mark.parametrize(
    ("sections", "problem"),
    [
        ((), "there is no section"),
        (
            (RuleSection(title=Message("tictactoe.none"), text=Message("tictactoe.title")),),
            "rules of 3x3x3: the en catalogue of tictactoe has no message 'none'",
        ),
        (
            (
                RuleSection(
                    title=Message("tictactoe.title"),
                    text=Message("tictactoe.title"),
                    picture=PositionSpec(board="3x3x3", moves=("z9",)),
                ),
            ),
            "tictactoe.title: the position cannot be built",
        ),
    ],
)
def test_a_planted_fault_of_the_rules_is_named(
    monkeypatch: pytest.MonkeyPatch, sections: tuple[RuleSection, ...], problem: str
) -> None:
    assert problem in complaint(monkeypatch, "rules", lambda game: Rulebook(sections=sections))


def test_rules_and_tutorials_that_are_none_or_raise_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "rules of 3x3x3: expected a Rulebook, found NoneType" in complaint(monkeypatch, "rules", lambda _: None)
    assert "screen.rules: raised ZeroDivisionError: planted" in complaint(monkeypatch, "rules", fail)
    assert "tutorial: expected a Tutorial, found list" in complaint(monkeypatch, "tutorial", [STEP])


def test_effects_mark_only_cells_of_the_board_that_ludex_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(label="board", cells=tuple(Cell(name=f"{col}", row=0, col=col) for col in range(2)))
    monkeypatch.setitem(globals(), "DRAWN", lambda *_: Scene(board=board, moves=()))
    monkeypatch.setitem(globals(), "MARKED", lambda *_: [Message("tictactoe.title", {}, (1, 2))])
    screen = replace(PLAIN.screen, scene=f"{__name__}:DRAWN", effects=f"{__name__}:MARKED")
    with pytest.raises(BrokenGame, match=r"screen.effects .*marks cells \[1, 2\], expected those of 0..1"):
        check_teaching(replace(PLAIN, screen=screen))


def test_a_text_that_cannot_be_read_is_named_once_with_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(owner: str, reference: str, language: str) -> dict[str, str]:
        return {"hand": "White: {count"} if language == "en" else {}

    monkeypatch.setattr("ludex.core.conformance.spec.read_catalogue", read)
    with pytest.raises(BrokenGame) as caught:
        check_spec(PLAIN)
    assert caught.value.message.count("/en.json: 'hand': the text 'White: {count' cannot be read") == 1
    assert ";" not in caught.value.message


def test_a_planted_fault_of_the_coach_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no message 'none'" in complaint(monkeypatch, "coach", lambda *_: Message("tictactoe.none"))
    assert "expected a Message, found str" in complaint(monkeypatch, "coach", lambda *_: "mark")
    assert "no message 'none'" in complaint(monkeypatch, "effects", lambda *_: [Message("tictactoe.none")])


def test_the_coach_is_heard_in_phases_that_come_late(monkeypatch: pytest.MonkeyPatch) -> None:
    skirmish = registry.spec("skirmish")
    missing = {"shoot": Message("skirmish.none")}
    monkeypatch.setattr("ludex.core.conformance.hooks.MOST_PLIES", 30)
    said = Message("skirmish.title")
    monkeypatch.setitem(globals(), "PLANTED", lambda game, view, _: missing.get(view.position.phase, said))
    with pytest.raises(BrokenGame, match="no message 'none'"):
        check_teaching(replace(skirmish, screen=replace(skirmish.screen, coach=f"{__name__}:PLANTED")))


def test_a_fault_of_the_last_plies_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.core.conformance.hooks.MOST_PLIES", 1)
    late = Message("tictactoe.none")

    def say(_game: object, view: Position, *_: object) -> Message:
        return late if (view.x | view.o).bit_count() >= 6 else Message("tictactoe.title")

    assert "no message 'none'" in complaint(monkeypatch, "coach", say)


def fail(*_: object) -> None:
    raise ZeroDivisionError("planted")


BLANK = Message("ludex.text", {"text": " "})
LONG = Message("ludex.text", {"text": "x" * 10_001})
UNSENDABLE = Message("ludex.text", {"text": np.float64("nan")})
FAULTS: list[tuple[str, object, str]] = [
    ("slow_start", lambda _: "no", "expected True or False, found 'no'"),
    ("screen.terminal", lambda *_: None, "expected what rich can print, found None"),
    ("screen.board_title", lambda *_: "small", "expected a Message, found str"),
    ("screen.board_model", lambda _: {"cells": {1}}, "it cannot be sent as JSON: Object of type set"),
    ("screen.shelf", {"en": "Classics"}, "expected a text for each of en, fr, found {'en': 'Classics'}"),
    ("screen.coach", lambda *_: BLANK, "message 'ludex.text' is empty in en"),
    (
        "screen.effects",
        lambda *_: [Message("ludex.text", {"text": "x" * 10_001})],
        "message 'ludex.text' has 10,001 characters in en",
    ),
    ("screen.reason", lambda *_: UNSENDABLE, "message 'ludex.text' cannot be sent: Out of range float values"),
    ("screen.describe_move", lambda *_: None, "expected a Message, found NoneType"),
    ("screen.describe_ply", lambda *_: "rolled 3", "expected a list of texts, found 'rolled 3'"),
    ("screen.history", lambda *_: [], "expected a dict, found list"),
    ("screen.explain", lambda *_: Message("ludex.yes"), "expected a Decision, found Message"),
    ("screen.composite", lambda *_: ["a1", 2], "expected a list of texts, found ['a1', 2]"),
    ("screen.composite", lambda *_: ["z9"], "raised MalformedAction"),
    ("screen.facts", lambda *_: {"luck": float("inf")}, "it cannot be sent as JSON: Out of range float values"),
    ("screen.timing", lambda *_: {"pace": 1.5}, "the en catalogue of tictactoe has no message 'timing_pace'"),
    ("tools.metrics", lambda *_: {"moves": -1}, "expected counts by name, found {'moves': -1}"),
    ("review.is_mark", lambda *_: None, "expected True or False, found None"),
    ("review.reasons", lambda _: [Message("tictactoe.none")], "the en catalogue of tictactoe has no message"),
    ("review.reasons", lambda _: ["worse"], "expected a Message, found str"),
    ("review.luck", lambda _: float("nan"), "expected a finite number or None, found nan"),
    ("review.dice", lambda _: "2", "expected a finite number or None, found '2'"),
    ("review.dice_text", lambda _: "lucky", "expected a Message, found str"),
]


def plant(monkeypatch: pytest.MonkeyPatch, name: str, planted: object) -> GameSpec:
    """The spec of tic-tac-toe with something else as a hook."""
    monkeypatch.setitem(globals(), "PLANTED", planted)
    group, _, field = name.rpartition(".")
    change: dict[str, Any] = {field: f"{__name__}:PLANTED"}
    return replace(PLAIN, **{group: replace(getattr(PLAIN, group), **change)} if group else change)


@pytest.mark.parametrize(("name", "planted", "problem"), FAULTS)
def test_a_hook_that_gives_something_else_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, planted: object, problem: str
) -> None:
    with pytest.raises(BrokenGame) as caught:
        check_teaching(plant(monkeypatch, name, planted))
    assert f"{name} at ply 0 of 3x3x3, seed 1: {problem}" in caught.value.message


@pytest.mark.parametrize("name", sorted({*TRIES} - {"screen.shelf"}))
def test_a_hook_that_raises_is_named_with_its_place(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(BrokenGame) as caught:
        check_teaching(plant(monkeypatch, name, fail))
    assert (
        f"{name} at ply 0 of 3x3x3, seed 1: raised ZeroDivisionError: planted (conformance/test_spec.py"
        in caught.value.message
    )


def test_every_hook_has_a_planted_fault() -> None:
    assert {name for name, *_ in FAULTS} == {*TRIES}


def test_an_unknown_option_of_a_level_is_named_with_those_of_its_agent() -> None:
    level = replace(next(iter(SPEC.levels.values())), agent="minimax", options={"dpth": 4})
    with pytest.raises(BrokenGame, match=r"unknown keys dpth; known: depth, mistakes, samples, tt"):
        check_spec(replace(SPEC, levels={"first": level}))
