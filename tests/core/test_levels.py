"""Levels: agents with options under a name of their own, and mistakes, which make strong agents beatable."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import ludex
from ludex.arena.entrants import make_entrant
from ludex.core import registry
from ludex.core.agent import MistakenAgent
from ludex.core.conformance import check_spec
from ludex.core.errors import BadOption, BrokenGame, UnknownAgent
from ludex.core.levels import generic_levels
from ludex.core.match import Match
from ludex.core.messages import LANGUAGES, Message
from ludex.core.options import split_reference
from ludex.core.seeding import generator
from ludex.core.spec import GameSpec, LevelSpec

MISTAKE = "a random move: at this level the machine makes mistakes"


def notes(agent: str, draws: int = 60) -> list[str]:
    """What an agent says about the first move, with other generators each time."""
    game = ludex.make("tictactoe")
    player, match = ludex.make_agent(game, agent), Match(game, 1)
    view, legal = game.view(match.state, 0), match.legal()
    return [player.decide(view, legal, rng=generator(1, ply), limit=ludex.Limit()).note for ply in range(draws)]


def test_mistakes_are_the_share_of_moves_that_are_played_by_chance() -> None:
    assert MISTAKE not in notes("perfect:mistakes=0")
    assert set(notes("perfect:mistakes=1")) == {MISTAKE}
    assert 15 <= notes("perfect:mistakes=0.5").count(MISTAKE) <= 45
    assert notes("perfect:mistakes=0.5") == notes("perfect:mistakes=0.5")


@pytest.mark.parametrize(("phases", "errs"), [(None, True), (("play",), True), ((), False)])
def test_mistakes_are_made_in_the_phases_that_the_game_allows(phases: tuple[str, ...] | None, *, errs: bool) -> None:
    game = ludex.make("tictactoe")
    assert game.info.phases == ("play",)
    player = MistakenAgent(ludex.make_agent(game, "perfect"), 1.0, "erring", game, phases)
    match = Match(game, 1)
    decision = player.decide(game.view(match.state, 0), match.legal(), rng=generator(1, 0), limit=ludex.Limit())
    assert (decision.note == MISTAKE) == errs


def test_the_lowest_derived_level_errs_where_it_may_and_nowhere_else() -> None:
    agents = registry.spec("quoridor").agents
    assert generic_levels(agents)["newcomer"].agent == "random"
    newcomer = generic_levels(agents, errs_everywhere=False)["newcomer"]
    assert (newcomer.agent, newcomer.options["mistakes"]) == ("mcts", 1.0)


@pytest.mark.parametrize("wrong", ["-0.1", "1.1", "nan", "often"])
def test_a_share_of_mistakes_is_a_number_from_0_to_1(wrong: str) -> None:
    with pytest.raises(BadOption, match=f"agent 'perfect' of tictactoe: key 'mistakes': .*found '{wrong}'"):
        ludex.make_agent("tictactoe", f"perfect:mistakes={wrong}")


def test_every_game_has_levels_that_stand_wherever_an_agent_is_named() -> None:
    for spec in registry.available()[0]:
        board = registry.make(spec.id, spec.offered_presets[0])
        levels = registry.levels(board)
        assert len(levels) >= 4, spec.id
        assert [*levels] == [*spec.levels], "every level plays the board that people begin on"
        assert registry.default_level(board) == [*levels][1]
        for name, level in levels.items():
            chosen = registry.choose_agent(board, name)
            assert chosen.spec.factory == spec.agents[level.agent].factory
            assert all(level.title.text(language) and level.description.text(language) for language in LANGUAGES)


def test_a_level_is_its_agent_with_its_options_and_takes_others() -> None:
    board = ludex.make("tictactoe")
    level = registry.spec("tictactoe").levels["beginner"]
    chosen = registry.choose_agent(board, "beginner")
    assert (chosen.name, chosen.mistakes) == ("beginner", level.options["mistakes"])
    assert registry.choose_agent(board, "beginner:mistakes=0").mistakes == 0
    assert make_entrant(board, "beginner").name == ludex.make_agent(board, "beginner").name == "beginner"


def test_an_unknown_name_is_answered_with_agents_and_levels() -> None:
    with pytest.raises(UnknownAgent, match=r"did you mean 'beginner'\?.*perfect.*newcomer"):
        ludex.make_agent("tictactoe", "beginer")


def test_a_game_that_declares_no_levels_has_those_of_the_agents_that_play_every_game() -> None:
    spec = registry.spec("quoridor")
    derived = generic_levels(spec.agents)
    assert [*derived] == ["newcomer", "beginner", "casual", "skilled", "strong"]
    assert {level.agent for level in derived.values()} == {"random", "mcts"}
    assert [*generic_levels({name: spec.agents[name] for name in ("random", "walker")})] == ["newcomer"]
    learned = generic_levels(spec.agents, networks=True)
    assert {name: level.agent for name, level in learned.items() if name not in derived} == {
        "expert": "zero",
        "champion": "zero",
    }
    taken = {**spec.agents, "casual": spec.agents["walker"]}
    assert "casual" not in generic_levels(taken)
    check_spec(replace(registry.spec("tictactoe"), levels=derived))


def levels_of(**changes: object) -> Callable[[GameSpec], GameSpec]:
    def change(spec: GameSpec) -> GameSpec:
        level = LevelSpec(title=Message.plain("A"), description=Message.plain("b"), agent="perfect")
        return replace(spec, levels={"one": replace(level, **changes)})  # type: ignore[arg-type]

    return change


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (levels_of(agent="perfekt"), "levels['one'].agent: unknown agent 'perfekt'; known: "),
        (levels_of(options={"mistakes": 2}), "levels['one'].options: level 'one' of tictactoe: key 'mistakes': "),
        (levels_of(options={"depth": 2}), "levels['one'].options: unknown keys depth; known: mistakes, ties"),
        (
            lambda spec: replace(spec, levels={}, mistake_phases=("play", "sleep")),
            "mistake_phases: '3x3x3' has no phase sleep; it has play",
        ),
        (
            lambda spec: replace(levels_of(agent="random")(spec), mistake_phases=("play",)),
            "levels['one']: 'random' errs in every phase, not only in mistake_phases; use an agent with mistakes=1",
        ),
        (levels_of(title=Message("tictactoe.gone")), "levels['one'].title: the en catalogue of tictactoe has no"),
        (
            lambda spec: replace(spec, levels={"ranking": levels_of()(spec).levels["one"]}),
            "levels['ranking']: 'ranking' is an agent, so this level must be that agent without options",
        ),
    ],
)
def test_a_broken_level_is_named(change: Callable[[GameSpec], GameSpec], problem: str) -> None:
    with pytest.raises(BrokenGame) as error:
        check_spec(change(registry.spec("tictactoe")))
    assert problem in error.value.message


def test_levels_of_a_game_use_names_that_references_can_hold() -> None:
    for spec in registry.available()[0]:
        assert all(split_reference(name) == (name, {}) and name.isidentifier() for name in spec.levels)
