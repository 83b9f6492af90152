"""Rules and tutorials over HTTP."""

import time
from typing import Any

import pytest

from ludex.core import registry
from ludex.core.tutorial import Tutorial, judge
from tests.waiting import PATIENCE
from tests.web.playing import Visitor

TAUGHT = [name for name in registry.names() if registry.spec(name).screen.tutorial is not None]


def read(visitor: Visitor, path: str, method: str = "GET", body: Any = None, **query: Any) -> Any:
    """A document, once its game is prepared."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = visitor.ask(method, path, body, **query)
        if answer.json().get("code") != "preparing" or time.monotonic() > deadline:
            assert answer.status_code == 200, answer.text
            return answer.json()
        time.sleep(0.05)


@pytest.mark.parametrize("game", TAUGHT)
def test_a_tutorial_is_completed_by_accepted_moves_alone(ann: Visitor, game: str) -> None:
    tutorial: Tutorial = registry.resolve(str(registry.spec(game).screen.tutorial))
    shown = read(ann, f"/api/games/{game}/tutorial")
    assert [step["name"] for step in shown["steps"]] == [step.name for step in tutorial.steps]
    for step in tutorial.steps:
        path = f"/api/games/{game}/tutorial/{step.name}"
        assert read(ann, path)["position"]["to_move"] is not None
        position, played = step.position.build(game), list[str]()
        for turn in step.turns:
            legal = position.legal_texts()
            # Where a charge lands, every hex will do.
            for wrong in [text for text in legal if not turn.accepts(text)][:1]:
                refused = read(ann, path, "POST", {"moves": [*played, wrong]})
                assert (refused["legal"], refused["accepted"], refused["position"]) == (True, False, None)
                assert refused["text"]["en"] != refused["text"]["fr"]
            played.append(next(text for text in legal if turn.accepts(text)))
            position = judge(game, step, played).position
            verdict = read(ann, path, "POST", {"moves": played})
            assert (verdict["accepted"], verdict["done"]) == (True, len(played) == len(step.turns))


def test_a_move_that_the_rules_refuse_gets_their_reason(ann: Visitor) -> None:
    verdict = read(ann, "/api/games/tictactoe/tutorial/win", "POST", {"moves": ["a1"]})
    assert (verdict["legal"], verdict["accepted"]) == (False, False)
    assert "a1" in verdict["text"]["en"]


def test_what_does_not_exist_is_refused(ann: Visitor) -> None:
    ann.refused(404, "unknown_tutorial", "GET", "/api/games/tictactoe/tutorial/nothing")
    ann.refused(404, "unknown_game", "GET", "/api/games/nothing/tutorial")
    ann.refused(422, "usage", "POST", "/api/games/tictactoe/tutorial/win", {"moves": ["a2", "c1"]})
    ann.refused(422, "bad_request", "POST", "/api/games/tictactoe/tutorial/win", {"moves": []})


def test_the_coach_speaks_to_the_player_to_move_alone(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    assert match["coach"]["en"].startswith("You begin, with X")
    assert match["coach"]["fr"].startswith("Vous commencez, avec X")
    assert bob.view(match)["coach"] is None
    for move in ("a1", "a3", "b1"):
        match = ann.move(match, move)
    assert match["coach"]["en"].startswith("Put your O on any free square")
    assert ann.view(match, 0)["coach"] is None
