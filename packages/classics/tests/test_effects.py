"""What moves do in words: planted positions, each with the effects that follow from its rules."""

from collections.abc import Callable
from typing import Any

import pytest
from ludex_classics.boxes.teaching import stand
from ludex_classics.einstein.teaching import ARRIVAL, TAKING, THINNING
from ludex_classics.einstein.teaching import stand as einstein

import ludex
from ludex.coach.analyst import PUBLIC_SEED, Analyst, hint_search
from ludex.coach.review import compose, positions_of
from ludex.core.decision import Candidate, Decision, JudgedMove
from ludex.core.explanation import advice, effect_reasons, first_reason
from ludex.core.game import Json, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, time_decision
from ludex.core.messages import LANGUAGES
from ludex.core.record import play_line
from ludex.core.registry import resolve, spec
from ludex.core.seeding import ANALYSIS, Rng, generator
from ludex.kit.effects import passed

GAMES = 5
"""Random games per game of which every sentence is checked."""


def effects_of(game: str, preset: str, moves: str | Json, text: str) -> dict[str, dict[str, Any]]:
    """By name, the parameters of the effects of a move after others, or in a dumped position."""
    match: Match[Any, Any] = Match(ludex.make(game, preset), 0)
    state = match.game.load(moves) if isinstance(moves, dict) else match.state
    if isinstance(moves, str):
        play_line(match, moves)
        state = match.state
    hook = spec(game).screen.effects
    assert hook is not None
    view = match.game.view(state, match.game.to_move(state))
    messages = [*resolve(hook)(match.game, view, match.game.parse_action(state, text))]
    assert all(message.text(language) for message in messages for language in LANGUAGES)
    return {message.id.removeprefix(f"{game}.effect_"): dict(message.parameters) for message in messages}


def check(game: str, preset: str, moves: str | Json, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    """A move has an effect with these parameters, or has it not where they are None."""
    parameters_of_effect = effects_of(game, preset, moves, text).get(name)
    if parameters is None or parameters_of_effect is None:
        assert parameters_of_effect is parameters
    else:
        assert parameters_of_effect | parameters == parameters_of_effect


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("a a b b c c", "d", "wins", {}),
        ("a c a c e c", "c", "stops", {"moves": ("c",)}),
        ("a c a c e c", "d", "late", {"moves": ("c",)}),
        ("a b a b", "a", "threatens", {"moves": ("a",)}),
        ("c c d d", "e", "forks", {"moves": ("b", "f")}),
        ("c g d", "e", "prevents", {"columns": ("b", "e")}),
        ("d", "d", "opens", {"count": 9}),
        ("a g b", "g", "gathers", {"count": 2}),
        ("a g b", "g", "opens", None),
    ],
)
def test_connect_four(moves: str, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    check("connect_four", "7x6", moves, text, name, parameters)


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("e4 e5 d5 e3", "f6", "corner", {"corner": "f6"}),
        ("b3 b2 c2 b4 a1 c1 b1 e2", "d1", "silences", {}),
        ("b3 b2 c2 b4 a1 c1 b1 e2 d1", "pass", "passes", {}),
        ("e4 e3 f2 f5 f4 e5 b3 f3", "f6", "wins", {"own": 13, "other": 0}),
        ("e4 e5 d5 e3", "f6", "keeps", None),
        ("e4 e5 d5 e3", "f4", "leaves", {"count": 4}),
        ("e4 e5 d5 e3", "c2", "leaves", None),
        ("b3 b2 c2 b4 a1 c1 b1 e2", "a4", "quietly", {"count": 6, "most": 7}),
        ("e4 e5 d5 e3", "f6", "settles", None),
        ("", "c2", "leaves", None),
    ],
)
def test_othello(moves: str, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    check("othello", "6x6", moves, text, name, parameters)


@pytest.mark.parametrize(
    ("position", "text", "name", "parameters"),
    [
        (ARRIVAL, "d4e5", "wins", {}),
        (einstein(3, "3c3", "2d4"), "c3d4", "takes", {"number": 2}),
        (THINNING, "b2c2", "thins", {"number": 3}),
        (THINNING, "b2c2", "hopes", {"count": 5}),
        (THINNING, "b2c3", "hopes", {"count": 2}),
        (einstein(3, "3a1 5e1", "1b2 5c3 6b1"), "a1b2", "lowers", {"count": 1}),
        (einstein(3, "3a1 5e1", "2b2 6d3"), "a1b2", "stops", {}),
        (einstein(5, "3a1 5c3", "2d4 6b2 1e5"), "c3d4", "risks", {"count": 5}),
        (einstein(3, "3b3", "2c3"), "b3c4", "escapes", {}),
        (einstein(3, "3a1 5e1", "2b2 6d3"), "a1b2", "takes_close", {"number": 2}),
        (einstein(3, "3b2", "2d4"), "b2c3", "exposes", {"count": 6}),
        (TAKING, "c3c4", "walks", {"square": "c4", "count": 2}),
    ],
)
def test_einstein(position: Json, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    check("einstein", "5x5", position, text, name, parameters)


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("b2b3 b5b4", "e2e3", "safely", {"square": "e3", "count": 3}),
        ("b2b3 b5b4", "c2c3", "exchanges", {"square": "c3", "squares": ("b4",)}),
        (
            {"turn": 0, "white": ["c4", "a1"], "black": ["f6", "c6"]},
            "c4d5",
            "risks",
            {"square": "d5", "squares": ("c6",)},
        ),
        ({"turn": 0, "white": ["c4", "a1"], "black": ["f6", "c6"]}, "c4d5", "forks", None),
        (
            {"turn": 0, "white": ["c4", "a1"], "black": ["d5", "c6", "f6"]},
            "c4d5",
            "retaken",
            {"square": "d5", "squares": ("c6",)},
        ),
        ("b2b3 f5f4 b3b4 f4f3", "c2c3", "guards", {"squares": ("b4",)}),
        ("a2b3 b5a4", "b3a4", "captures", {"square": "a4"}),
        ({"turn": 0, "white": ["c3"], "black": ["f6"]}, "c3c4", "runs", {"count": 2}),
        ({"turn": 0, "white": ["c3"], "black": ["e6"]}, "c3c4", "runs", None),
        ({"turn": 0, "white": ["c3"], "black": ["f6", "f3"]}, "c3c4", "runs", None),
        ({"turn": 0, "white": ["c5"], "black": ["f2"]}, "c5c6", "wins", {}),
        ({"turn": 0, "white": ["c4", "e1"], "black": ["f2"]}, "e1f2", "captures", {"square": "f2"}),
        ({"turn": 0, "white": ["c4", "a1"], "black": ["f2"]}, "c4c5", "late", {"moves": ("f2e1", "f2f1")}),
        ({"turn": 0, "white": ["c4", "a1"], "black": ["f2"]}, "c4c5", "safely", None),
        ({"turn": 0, "white": ["c4"], "black": ["f6", "b6"]}, "c4d5", "forks", {"moves": ("d5c6", "d5d6", "d5e6")}),
    ],
)
def test_breakthrough(moves: str, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    check("breakthrough", "6x6", moves, text, name, parameters)


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("", "b2n", "gives_nothing", {"count": 24, "left": 23}),
        ("", "b2n", "parity", None),
        ("b2n b2w", "b3n", "least", None),
        ("b2n b2w", "b3n", "gives", {"count": 1}),
        ("b2n b2w b3n", "c2w", "takes", {"count": 1}),
        ("b2n b2w b3n", "c2w", "goes_on", {"count": 20}),
        ("a1n a2n b1n b2n c1n c2n a3s a1w", "b1w", "follows", {"count": 2}),
        (stand("c3e c3s", blue="a1 b1 c1 a2", orange="b2 c2 a3 b3"), "c3e", "least", {"count": 1}),
        (
            stand("a1w b1w c1w c1e c3e c3s", blue="a2 b2", orange="c2 a3 b3"),
            "c3e",
            "forces_after",
            {"given": 1, "count": 3},
        ),
    ],
)
def test_boxes(moves: str | Json, text: str, name: str, parameters: dict[str, Any]) -> None:
    check("boxes", "3x3", moves, text, name, parameters)


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("c3", "swap", "swaps", {}),
        ("", "c3", "nears", {"count": 4}),
        ("c2 a5 b4 b3", "c3", "joins", {"count": 2}),
        ("c2 a5", "b4", "bridges", {"cells": ("c2",)}),
        ("c1 a1 c2 a2 b3 a3 b4 a4", "b5", "wins", {}),
        ("c1 a1 c2 a2 b3 a3 b4 a4", "e5", "forks", {"moves": ("a5", "b5")}),
        ("c1 a1 c2 a2 b3 a3 d5 a4", "b4", "nears", None),
        ("c1 a1 c2 a2 b3 a3 b4", "a5", "stops", None),
        ("c1 a1 c2 a2 b3 a3 b4", "a5", "late", {"moves": ("b5",)}),
        ("c1 b5 c2 a5 c3 a1 c4", "c5", "stops", {"moves": ("c5",)}),
        ("c1 b5 c2 a5 c3 a1 c4", "c5", "blocks", {"count": 1, "left": 2}),
    ],
)
def test_hex(moves: str, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    check("hex", "5x5", moves, text, name, parameters)


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("c4 d4 d5 a1 e4 a7", "d3", "captures", {"count": 1}),
        ("d4 c4 a1 d5 g1 e4", "d3", "saves", {"count": 1}),
        ("c4 d4 d5 a1", "e4", "chases", {"count": 1}),
        ("c4 a1 e4 a2", "d4", "joins", {"count": 2}),
        ("d4", "g4", "claims", {"count": 13}),
        ("d4", "g7", "corner", {"count": 1}),
        ("d4", "g4", "corner", None),
        ("f6", "g7", "corner", None),
        ("c3", "d5", "corner", None),
        ("d4 d5", "c3", "room", {"count": 4}),
        ("d4 d5", "e5", "leads", {"count": 2, "own": 3}),
        ("a2 b1", "a1", "presses", {"count": 2}),
        ("d4 e5", "e4", "leads", {"count": 3, "own": 5}),
        ("d4 d5", "e5", "extends", None),
        ("d4 d5", "d3", "extends", {"count": 5}),
        ("c4 a1 e4", "d4", "splits", {"count": 2}),
        ("a2", "a1", "exposes", {"count": 1}),
        ("", "a1", "begins", {"count": 15}),
        ("c4 pass", "pass", "ends", {"black": 49, "white": "8.5"}),
    ],
)
def test_go(moves: str, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    check("go", "7x7", moves, text, name, parameters)


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("a1 b2 d1 f4", "g1", "mill", {"mills": ("a1-d1-g1",)}),
        ("a1 b2 d1 f4 g1", "xb2", "takes", {"point": "b2", "mills": ("b2",)}),
        ("a1 b2 d1 d2 g1", "xb2", "disarms", {"point": "b2", "mills": ("f2",)}),
        ("d2 a7 f4 d7", "g7", "prevents", {"mills": ("a7-d7-g7",)}),
        ("a1 b2", "d1", "prepares", {"points": ("g1",)}),
        ("a1 b2 d1 f4", "a7", "prepares", {"points": ("a4",)}),
        ("a1 b2 d1 d3 f4 f2 a4 c5 a7", "xd3", "opens", {"point": "d3", "mills": ("d1-d2-d3",)}),
        ("a1 b2 d1 g1 a4 f4 a7", "xg1", "frees", {"point": "g1", "mills": ("a1-d1-g1",)}),
        ("a1 b2 g7 f4", "g1", "forks", {"points": ("d1", "g4")}),
        ("a1 b2 d1 f4", "b4", "prepares", None),
        ("a1 b2", "d1", "reaches", None),
        ("a1 b2", "f4", "reaches", {"count": 4}),
        ("a1 b2", "g7", "reaches", None),
    ],
)
def test_morris(moves: str, text: str, name: str, parameters: dict[str, Any] | None) -> None:
    check("morris", "classic", moves, text, name, parameters)


def test_dark_hex_speaks_of_what_is_seen() -> None:
    assert effects_of("dark_hex", "3x3", "b1 b2", "a2") == {"narrows": {}, "nears": {"count": 1}}
    assert effects_of("dark_hex", "3x3", "b1 c2 b2 a1", "b3") == {"completes": {}}


def count_of(game: Any, state: Any) -> int:
    """How many moves a player has."""
    return int(game.legal(state).sum())


def ways_to_win(game: Any, state: Any) -> int:
    """How many moves of the player to move win at once."""
    player = game.to_move(state)
    outcomes = [game.outcome(game.apply(state, action, Rng(0))) for action in legal_actions(game.legal(state))]
    return sum(outcome is not None and outcome.scores[player] > 0 for outcome in outcomes)


def punished(game: Any, state: Any, square: str) -> bool:
    """Whether some man can step to a square and be taken there."""
    stepped = [
        game.apply(state, action, Rng(0))
        for action in legal_actions(game.legal(state))
        if game.grid.names[game.notation.choices[action].sites[1]] == square
    ]
    takers = [{game.action_text(then, action)[2:] for action in legal_actions(game.legal(then))} for then in stepped]
    return any(square in ends for ends in takers)


def pieces(game: Any, state: Any, player: int) -> int:
    return sum(value * (1 - 2 * player) > 0 for value in game.pieces(state))


def nearer(game: Any, state: Any, player: int) -> set[int]:
    """The free points with fewer steps to a player's stones than to the other's."""
    places, sides = game.grid.places, [[*game.layout.members(state, name)] for name in ("black", "white")]

    def steps(point: int, side: int) -> int:
        row, col = places[point]
        return min((abs(row - places[stone][0]) + abs(col - places[stone][1]) for stone in sides[side]), default=99)

    taken = {*sides[0], *sides[1]}
    return {p for p in range(game.grid.sites) if p not in taken and steps(p, player) < steps(p, 1 - player)}


Values = dict[str, Any]
TRUTHS: dict[str, Callable[[Any, Any, Any, Values], bool]] = {
    "go captures": lambda game, before, after, values: (
        values["count"]
        == pieces(game, before, 1 - game.to_move(before)) - pieces(game, after, 1 - game.to_move(before))
    ),
    "go joins": lambda game, before, after, values: (
        values["count"]
        == 1 + len(game.groups(before, game.to_move(before))) - len(game.groups(after, game.to_move(before)))
    ),
    "go claims": lambda game, before, after, values: (
        values["count"] == len(nearer(game, after, game.to_move(before)) - nearer(game, before, game.to_move(before)))
    ),
    "boxes takes": lambda game, before, after, values: (
        game.to_move(after) == game.to_move(before) or game.outcome(after) is not None
    ),
    "boxes gives_nothing": lambda game, before, after, values: all(
        game.to_move(game.apply(after, action, Rng(0))) == game.to_move(before)
        for action in legal_actions(game.legal(after))
    ),
    "othello leaves": lambda game, before, after, values: values["count"] == count_of(game, after) <= values["most"],
    "othello silences": lambda game, before, after, values: [*legal_actions(game.legal(after))] == [game.grid.sites],
    "connect_four threatens": lambda game, before, after, values: ways_to_win(game, passed(after)) == 1,
    "connect_four forks": lambda game, before, after, values: ways_to_win(game, passed(after)) > 1,
    "connect_four late": lambda game, before, after, values: ways_to_win(game, after) == len(values["moves"]),
    "hex wins": lambda game, before, after, values: game.outcome(after) is not None,
    "hex late": lambda game, before, after, values: ways_to_win(game, after) == len(values["moves"]),
    "hex threatens": lambda game, before, after, values: ways_to_win(game, passed(after)) == 1,
    "breakthrough captures": lambda game, before, after, values: (
        pieces(game, after, game.to_move(after)) == pieces(game, before, game.to_move(after)) - 1
    ),
    "breakthrough late": lambda game, before, after, values: ways_to_win(game, after) == len(values["moves"]),
    "breakthrough covers": lambda game, before, after, values: all(
        punished(game, after, square) and not punished(game, passed(before), square) for square in values["squares"]
    ),
    "morris hems": lambda game, before, after, values: values["count"] == count_of(game, after) < values["before"],
    "morris mill": lambda game, before, after, values: game.to_move(after) == game.to_move(before),
    "einstein takes": lambda game, before, after, values: (
        pieces(game, after, 1 - game.to_move(before)) == pieces(game, before, 1 - game.to_move(before)) - 1
    ),
}


@pytest.mark.parametrize("game_id", sorted({name.partition(" ")[0] for name in TRUTHS}))
def test_what_is_said_holds_on_the_board(game_id: str) -> None:
    """Random games: what a sentence counts is counted again by the rules alone."""
    screen = spec(game_id).screen
    game, kinds = ludex.make(game_id, next(iter(screen.first_presets), None)), set()
    assert screen.effects is not None
    hook = resolve(screen.effects)
    for seed in range(GAMES):
        rng, state = Rng(seed), game.initial(Rng(seed))
        while game.outcome(state) is None:
            action = rng.choice(legal_actions(game.legal(state)))
            after = game.apply(state, action, rng)
            for message in hook(game, game.view(state, game.to_move(state)), action):
                name = message.id.replace(".effect_", " ")
                if name in TRUTHS:
                    kinds.add(name)
                    assert TRUTHS[name](game, state, after, dict(message.parameters)), (name, message.text())
            state = after
    assert kinds == {name for name in TRUTHS if name.startswith(game_id)}


def test_hints_and_reviews_say_what_moves_do() -> None:
    match: Match[Any, Any] = Match(ludex.make("connect_four", "7x6"), 0)
    play_line(match, "a c a c e c")
    game, state = match.game, match.state
    block, other = (game.parse_action(state, text) for text in "cd")
    decision = Decision(block, value=0.1, candidates=(Candidate(block, score=0.1),))
    assert first_reason(game, state, decision) == "It stops four in a row in column c."
    after = game.apply(state, other, Rng(0))
    judged = JudgedMove(game, state, after, 0, other, block, (block,), (block,), 0.5, 0.0)
    answer, better = effect_reasons(judged)
    assert answer.text() == "The answer c makes four in a row and wins."
    assert better.text("fr") == "c empêche quatre alignés en colonne c."
    assert better.cells == ()


def test_what_a_worse_move_does_is_not_praised() -> None:
    match: Match[Any, Any] = Match(ludex.make("connect_four", "7x6"), 0)
    play_line(match, "a c a c a d")
    game, state = match.game, match.state
    wins, stops = (game.parse_action(state, text) for text in "ae")
    after = game.apply(state, stops, Rng(0))
    worse, better = effect_reasons(JudgedMove(game, state, after, 0, stops, wins, (wins,), (), 1.0, 0.5))
    assert worse.text().endswith(", but there is better.")
    assert worse.text("fr").endswith(", mais il y a mieux.")
    assert better.text() == "a makes four in a row and wins."


def test_a_review_finds_no_fault_with_what_hints_advised() -> None:
    game = ludex.make("connect_four", "5x4")
    reference, nodes = hint_search(game)
    adviser, analyst = ludex.make_agent(game, reference), Analyst(game)
    match: Match[Any, Any] = Match(game, 0)
    while match.outcome is None:
        rng = generator(PUBLIC_SEED, match.ply + 1, ANALYSIS)
        decision, _ = time_decision(match.branch(), adviser, Limit(nodes=nodes), rng)
        match.play(advice(game, match.state, decision).action)
    review = compose(match, {ply: analyst.assess(match, ply) for ply in positions_of(match)})
    assert {move.loss for move in review.moves} == {0.0}


def test_the_last_cell_of_a_word_has_effects() -> None:
    assert effects_of("hex", "11x11", "a1 a2", "i6")["nears"] == {"count": 10}
