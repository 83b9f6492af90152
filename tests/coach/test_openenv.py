"""Games as environments for training language models: rollouts with scripted clients, with and without a server."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from openenv.core import GenericEnvClient

from ludex.coach.openenv import GameEnvironment, ModelAnswer, MoveQuestion, openenv_app
from ludex.core.errors import BadOption, GameOver
from tests.remote.scripted import scripted

Say = Callable[[list[dict[str, str]]], str]


def rollout(environment: GameEnvironment, say: Say, seed: int = 3) -> list[MoveQuestion]:
    """Every observation of a game in which a client answers."""
    positions = [environment.reset(seed=seed)]
    while not positions[-1].done:
        positions.append(environment.step(ModelAnswer(text=say(positions[-1].messages))))
    return positions


def client(environment: GameEnvironment, agent: str) -> Say:
    answer = scripted(environment._game, agent)
    return lambda messages: str(answer({"messages": messages}))


@contextmanager
def environment(*arguments: Any, **options: Any) -> Iterator[GameEnvironment]:
    made = GameEnvironment(*arguments, **options)
    try:
        yield made
    finally:
        made.close()


def test_a_rollout_is_paid_by_its_outcome_alone() -> None:
    with environment("tictactoe", opponent="random", player=1, opening_plies=1) as made:
        positions = rollout(made, client(made, "perfect"))
        again = rollout(made, client(made, "perfect"))
    assert positions == again
    *before, last = positions
    assert before[0].reward is None
    assert {position.reward for position in before[1:]} <= {0.0}
    assert last.reward == last.metadata["scores"][1] >= 0
    assert "You play tictactoe" in before[0].messages[0]["content"]


def test_regret_is_that_of_the_judge_for_every_move() -> None:
    with environment("tictactoe", opponent="perfect", reward="regret") as made:
        assert [position.reward for position in rollout(made, client(made, "perfect"))[1:]] == [0.0] * 5
        made.reset(seed=1)
        # Two moves lose nothing against perfect play; the third leaves the line c1, b2, a3 open: a draw becomes a loss.
        rewards = [made.step(ModelAnswer(text=move)).reward for move in ("a1", "b1", "c3")]
    assert rewards == [0.0, 0.0, -0.5]


def test_a_bad_answer_costs_what_the_reward_says_and_too_many_lose_the_game() -> None:
    with environment("tictactoe", opponent="random", reward="legality", refusals=2) as made:
        made.reset(seed=1)
        refused = made.step(ModelAnswer(text="I play b2."))
        assert (refused.reward, refused.refused, refused.done) == (0.0, "prose", False)
        assert "more than one word" in refused.messages[-1]["content"]
        assert made.step(ModelAnswer(text="b2")).reward == 1.0
        made.step(ModelAnswer(text=""))
        last = made.step(ModelAnswer(text="\N{CYRILLIC SMALL LETTER A}1"))
        assert (last.refused, last.done, last.metadata["scores"]) == ("look_alike", True, [-1.0, 1.0])
        with pytest.raises(GameOver):
            made.step(ModelAnswer(text="a1"))
    with environment("tictactoe", opponent="random", refusals=1) as made:
        made.reset(seed=1)
        assert made.step(ModelAnswer(text="z9")).reward == -1.0


@pytest.mark.parametrize(
    ("game", "preset"), [("quoridor", "5x5"), ("minesweeper", "small_8x8_10"), ("skirmish", "small")]
)
def test_every_game_is_an_environment(game: str, preset: str) -> None:
    with environment(game, preset, legal="listed", reward="legality") as made:
        position = made.reset(seed=2)
        for _ in range(6):
            first = position.messages[1]["content"].split("Legal moves: ")[1].split()[0]
            position = made.step(ModelAnswer(text=first))
            assert position.reward == 1.0
            if position.done:
                break
        assert made.state.step_count is not None
        assert made.state.step_count > 0


def test_a_trainer_plays_over_the_network() -> None:
    """The client of OpenEnv itself, against a real server."""
    app = openenv_app(lambda: GameEnvironment("tictactoe", opponent="random"))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive()
        port = server.servers[0].sockets[0].getsockname()[1]
        say = client(GameEnvironment("tictactoe", opponent="random"), "perfect")
        with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as trainer:
            result = trainer.reset(seed=4)
            while not result.done:
                result = trainer.step({"text": say(result.observation["messages"])})
        assert result.reward in (0.0, 1.0)
    finally:
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"reward": "fun"}, "reward must be one of"),
        ({"refusals": 0}, "at least 1"),
        ({"player": 2}, "2 players"),
    ],
)
def test_a_setting_that_is_none_is_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        GameEnvironment("tictactoe", **options)


@pytest.mark.slow
def test_nothing_else_imports_the_library() -> None:
    program = "import sys, ludex.cli.main, ludex.web.app, ludex.envs; sys.exit('openenv' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
