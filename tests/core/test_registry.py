"""Games and agents by name: what exists, and how a wrong name is refused."""

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import get_args

import pytest

import ludex
from ludex.core import registry
from ludex.core.errors import BadOption, BrokenGame, NotInstalled, UnknownAgent, UnknownGame, UnknownPreset, Unsupported
from ludex.core.game import CONTRACT
from ludex.core.options import NoOptions, join_reference, split_reference
from ludex.core.registry import AGENT_GROUP, GAME_GROUP
from ludex.core.spec import AgentSpec


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GAME_GROUP)


def test_unknown_names_are_told_what_exists() -> None:
    with pytest.raises(UnknownGame, match=r"'tictactoo' \(did you mean 'tictactoe'\?\); known: minesweeper"):
        ludex.make("tictactoo")
    with pytest.raises(UnknownPreset, match="unknown preset of tictactoe: '5x5'; known: 3x3x3, 3x4x3, 4x4x4"):
        ludex.make("tictactoe", "5x5")
    with pytest.raises(UnknownAgent, match="'hell'; known: ranking, perfect, tactical, flawless, mcts"):
        ludex.make_agent("tictactoe", "hell")


@pytest.mark.parametrize(
    ("preset", "complaint"),
    [
        ("3x3x3:size=4", "unknown key 'size'; known keys: cols, k, rows"),
        ("3x3x3:rows=many", "key 'rows': Input should be a valid integer"),
        ("3x3x3:rows=1", "key 'rows': Input should be greater than or equal to 2"),
        ("3x3x3:k=5", "5 marks in a row do not fit a 3×3 board"),
        ("3x3x3:rows=9:cols=9", "more than 60 cells"),
        ("3x3x3:rows", "expected name:key=value"),
        ("3x3x3:rows=4:rows=5", "key 'rows' is given twice"),
    ],
)
def test_a_bad_option_is_named(preset: str, complaint: str) -> None:
    with pytest.raises(BadOption) as error:
        ludex.make("tictactoe", preset)
    assert complaint in error.value.message


def test_a_preset_text_names_the_board_completely() -> None:
    game = ludex.make("tictactoe", rows=5, cols=3)
    assert game.info.preset == "3x3x3:rows=5"
    assert ludex.make("tictactoe", game.info.preset).info == game.info


def test_one_board_has_one_name() -> None:
    assert ludex.make("tictactoe", cols=4).info.preset == "3x4x3"
    assert ludex.make("tictactoe", "3x4x3:cols=3").info.preset == "3x3x3"


def test_an_empty_name_is_not_the_default() -> None:
    with pytest.raises(UnknownPreset, match="''"):
        ludex.make("tictactoe", "")
    with pytest.raises(UnknownAgent, match="''"):
        ludex.make_agent("tictactoe", "")


def test_a_broken_package_hides_no_other_game(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {**registry.game_points(), "broken": point("broken", "nowhere.spec:SPEC")}
    monkeypatch.setattr(registry, "game_points", lambda: points)
    specs, (error,) = registry.available()
    assert [spec.id for spec in specs] == ["tictactoe", "quoridor", "minesweeper", "skirmish"]
    assert "'broken'" in error.message


def test_no_package_takes_the_name_of_a_game_of_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = point("tictactoe", "ludex.games.tictactoe.spec:SPEC")
    others = [point("tictactoe", "elsewhere.spec:SPEC"), point("pile", "ludexpile.spec:SPEC")]
    for entry_points in ([ours, *others], [*others, ours]):
        monkeypatch.setattr(registry, "entry_points", lambda entry_points=entry_points, **_: entry_points)
        points = registry.game_points.__wrapped__()
        monkeypatch.setattr(registry, "game_points", lambda points=points: points)
        assert registry.names() == ["pile", "tictactoe"]
        assert points["tictactoe"] is ours
        monkeypatch.undo()


def test_packages_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, other = (
        SimpleNamespace(name=name, module=name, dist=SimpleNamespace(name=name)) for name in ("ludex", "pile")
    )
    monkeypatch.setattr(registry, "entry_points", lambda **_: [ours, other])
    for ignored, names in (("", {"ludex", "pile"}), ("else,pile", {"ludex"})):
        monkeypatch.setenv(registry.IGNORE, ignored)
        assert registry.game_points.__wrapped__().keys() == names


def test_a_package_without_its_metadata_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda **_: [point("pile", "pile.spec:SPEC")])
    with pytest.raises(NotInstalled, match=r"no entry points 'ludex\.games'.* run `pip install ludex`"):
        registry.game_points.__wrapped__()


@pytest.mark.slow
def test_the_names_are_listed_without_loading_a_game() -> None:
    program = (
        "import sys; from ludex.core import registry; print(*registry.names());"
        "print([name for name in sys.modules if name.startswith(('ludex.games', 'pydantic', 'numpy'))])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["minesweeper quoridor skirmish tictactoe", "[]"]


def test_references_split_and_join() -> None:
    assert join_reference(*split_reference("hard:noise=2:depth=3")) == "hard:depth=3:noise=2"


def test_agents_carry_their_options_in_their_name() -> None:
    assert ludex.make_agent("tictactoe", "perfect:ties=random").name == "perfect:ties=random"
    with pytest.raises(BadOption, match="agent 'perfect' of tictactoe: unknown key 'tie'"):
        ludex.make_agent("tictactoe", "perfect:tie=random")


def test_an_agent_is_checked_without_being_made(monkeypatch: pytest.MonkeyPatch) -> None:
    board = ludex.make("tictactoe", rows=5, cols=5)
    for agent in registry.spec("tictactoe").agents.values():
        monkeypatch.setattr(agent.factory.replace(":", "."), None)
    with pytest.raises(Unsupported, match="too large to solve"):
        registry.choose_agent(board, "perfect")
    with pytest.raises(BadOption, match="no ranking ships for tictactoe"):
        registry.choose_agent(board, "ranking", ranking="shipped")
    assert registry.choose_agent(board, "ranking", ranking="empty").name == "ranking:ranking=empty"
    with pytest.raises(TypeError, match="not callable"):
        ludex.make_agent(board, "ranking", ranking="empty")


def test_an_agent_says_which_boards_it_plays_as_it_comes() -> None:
    with pytest.raises(BadOption, match="supports 3x3x3 only, not 4x4x4"):
        ludex.make_agent(ludex.make("tictactoe", "4x4x4"), "ranking")


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("ludex.core.registry:GAME_GROUP", "registered as str"),
        ("ludex.games.tictactoe.spec:SPEC", "another name than its"),
        ("nowhere.spec:SPEC", "cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_a_broken_registration_is_named(monkeypatch: pytest.MonkeyPatch, value: str, complaint: str) -> None:
    monkeypatch.setattr(registry, "game_points", lambda: {"broken": point("broken", value)})
    with pytest.raises(BrokenGame, match=complaint):
        registry.spec.__wrapped__("broken")


def test_every_number_of_an_agent_has_bounds() -> None:
    unbounded = []
    for game in registry.available()[0]:
        for agent in game.agents:
            model = game.agents[agent].options
            for name, field in model.model_fields.items():
                if not {int, float} & {field.annotation, *get_args(field.annotation)}:
                    continue
                low = any(
                    getattr(constraint, "ge", getattr(constraint, "gt", None)) is not None
                    for constraint in field.metadata
                )
                high = any(
                    getattr(constraint, "le", getattr(constraint, "lt", None)) is not None
                    for constraint in field.metadata
                )
                if not (low and high):
                    unbounded.append(f"{game.id} {agent}:{name}")
    assert unbounded == []


def registered(monkeypatch: pytest.MonkeyPatch, **others: str) -> None:
    """Let packages register these agents beside ours."""
    ours = registry.agent_points()
    points = {name: EntryPoint(name, value, AGENT_GROUP) for name, value in others.items()}
    monkeypatch.setattr(registry, "agent_points", lambda: {**ours, **points})
    monkeypatch.setattr(registry, "load_agents", registry.load_agents.__wrapped__)


SOMEWHERE = AgentSpec(summary="only there", factory="elsewhere:agent", options=NoOptions, games=("tictactoe",))
EVERYWHERE = replace(SOMEWHERE, games="*")
NOWHERE = replace(SOMEWHERE, games=())


def test_every_game_has_the_generic_agents_behind_its_own() -> None:
    for game in registry.names():
        generic = list(registry.spec(game).agents)[-4:]
        assert generic in (["mcts", "minimax", "random", "zero"], ["random", "mcts", "minimax", "zero"])
    assert registry.spec("minesweeper").agents["random"].factory.startswith("ludex.games.minesweeper")


def test_packages_offer_agents_for_games_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    registered(monkeypatch, there=f"{__name__}:SOMEWHERE", everywhere=f"{__name__}:EVERYWHERE")
    assert {"there", "everywhere"} <= registry.spec.__wrapped__("tictactoe").agents.keys()
    quoridor = registry.spec.__wrapped__("quoridor")
    assert "there" not in quoridor.agents
    assert "everywhere" in quoridor.agents
    only = replace(quoridor, agents={}, generic_agents=("mcts",))
    assert list(registry.with_registered_agents(only).agents) == ["mcts"]
    assert registry.with_registered_agents(replace(only, generic_agents=())).agents == {}


def test_a_broken_agent_of_a_package_hides_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    registered(monkeypatch, lost="nowhere.spec:AGENT", useless=f"{__name__}:NOWHERE", mcts="elsewhere.spec:MCTS")
    specs, broken = registry.available()
    assert len(specs) == 4
    assert [error.message.partition(":")[0] for error in broken] == [
        "agent 'lost' of an unknown package cannot be loaded",
        "agent 'mcts' of an unknown package cannot be loaded",
        "agent 'useless' is registered as AgentSpec(summary='only there', factory='elsewhere",
    ]
    with pytest.raises(BrokenGame, match=r"agent 'lost' .* No module named 'nowhere'"):
        ludex.make_agent("tictactoe", "lost")


def test_metadata_without_agents_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda **_: [])
    with pytest.raises(NotInstalled, match=r"no entry points 'ludex\.agents', so its agents are unknown"):
        registry.agent_points.__wrapped__()


@pytest.mark.parametrize(("version", "advice"), [(0, "older"), (2, "newer")])
def test_a_game_of_another_contract_is_refused_with_both_versions(
    monkeypatch: pytest.MonkeyPatch, version: int, advice: str
) -> None:
    other = replace(registry.spec("tictactoe"), contract=version)
    monkeypatch.setattr(registry, "load_point", lambda point: other)
    message = f"written for version {version} of the contract, this Ludex has version {CONTRACT}: install a {advice}"
    with pytest.raises(BrokenGame, match=message):
        registry.spec.__wrapped__("tictactoe")
