"""Any game as an environment of OpenEnv, for reinforcement learning of language models: text in, move out, a reward.

`serve` offers it to trainers over HTTP and WebSocket; `GameEnvironment` needs no server.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from fastapi import FastAPI
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

from ludex.coach.analyst import Analyst, kernels_of_analyst
from ludex.coach.questions import judge_answer
from ludex.core.agent import Closes
from ludex.core.errors import BadOption, GameOver
from ludex.core.limit import Limit
from ludex.core.match import Match, decide, play_opening
from ludex.core.registry import default_level, make, make_agent
from ludex.core.seeding import generator
from ludex.core.text import game_text
from ludex.kernels.warmup import load_kernels
from ludex.remote.chat import ChatFaultError
from ludex.remote.prompt import MovePrompt, correction

Reward: TypeAlias = Literal["outcome", "regret", "legality"]
PROMPTS = 68
"""The stream that draws the positions that may be behind a view."""


class ModelAnswer(Action):  # type: ignore[misc]
    """What a model says."""

    text: str


class MoveQuestion(Observation):  # type: ignore[misc]
    """A question for a move, as messages of the chat-completions protocol; after a refused answer with the reason."""

    messages: list[dict[str, str]]
    refused: str | None = None
    """The kind of the refusal, as `ludex eval-llm` counts them."""


class GameEnvironment(Environment[ModelAnswer, MoveQuestion, State]):  # type: ignore[misc]
    """One game after the other, in which a model plays `player` and an agent the other seat.

    `reward`: "outcome" pays the score of the game, -1..1, at its end; "regret" takes the win probability that a move
    gives away by the game's analyst, and 1 for an answer that is no legal move; "legality" pays 1 for one that is and
    nothing else. After `refusals` answers in a row that are none the game is lost.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: str,
        preset: str | None = None,
        *,
        opponent: str | None = None,
        player: int = 0,
        reward: Reward = "outcome",
        refusals: int = 3,
        legal: Literal["hidden", "listed"] = "hidden",
        names: int | None = None,
        opening_plies: int = 0,
        **options: Any,
    ) -> None:
        super().__init__()
        if reward not in get_args(Reward):
            raise BadOption(f"reward must be one of {', '.join(get_args(Reward))}, found {reward!r}")
        if refusals < 1:
            raise BadOption(f"refusals must be at least 1, found {refusals}")
        self._game = make(game, preset, **options)
        alone = self._game.info.players == 1
        if not 0 <= player < self._game.info.players or (alone and opponent is not None):
            raise BadOption(
                f"{game} has {self._game.info.players} players: found player {player}, opponent {opponent!r}"
            )
        self._text = game_text(self._game, names)
        self._named, self._listed, self._opening = names is not None, legal == "listed", opening_plies
        self._player, self._reward, self._refusals = player, reward, refusals
        self._opponent = None if alone else make_agent(self._game, opponent or default_level(self._game) or "random")
        self._analyst = None
        if reward == "regret":
            load_kernels(game, through=kernels_of_analyst(self._game))
            self._analyst = Analyst(self._game, with_luck=False)
        self._random = np.random.default_rng()
        self._match: Match[Any, Any] | None = None
        self._prompt: MovePrompt
        self._refused = 0
        """Answers in a row."""
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> MoveQuestion:
        """Begin a game; the same seed begins the same one."""
        self._match = Match(self._game, int(self._random.integers(1 << 62)) if seed is None else seed)
        self._state, self._refused = State(episode_id=episode_id, step_count=0), 0
        play_opening(self._match, self._opening)
        self._let_opponent_move()
        return self._position(None)

    def step(self, action: ModelAnswer, timeout_s: float | None = None, **kwargs: Any) -> MoveQuestion:
        """Read an answer and play its move, then the opponent's."""
        match = self._match
        if match is None or match.over:
            raise GameOver("the game has ended or not begun: call reset() first")
        self._state.step_count += 1
        try:
            move = self._prompt.read(action.text)
        except ChatFaultError as refused:
            return self._refuse(match, refused)
        self._refused = 0
        reward = {"outcome": 0.0, "legality": 1.0, "regret": 0.0}[self._reward]
        if self._analyst is not None:
            verdict: Any = judge_answer(match, move, self._analyst)
            reward = 0.0 if verdict is None else -float(verdict["loss"])
        match.play(move)
        self._let_opponent_move()
        return self._position(reward)

    @property
    def state(self) -> State:
        return self._state

    def close(self) -> None:
        """Give back what agents hold."""
        for agent in (self._opponent, self._analyst):
            if isinstance(agent, Closes):
                agent.close()

    def _refuse(self, match: Match[Any, Any], refused: ChatFaultError) -> MoveQuestion:
        self._refused += 1
        reward = -1.0 if self._reward == "regret" else 0.0
        if self._refused == self._refusals:
            match.forfeit(self._player)
        position = self._position(reward)
        answer: MoveQuestion = position.model_copy(
            update={"refused": refused.kind, "messages": [*position.messages, correction(refused)]}
        )
        return answer

    def _let_opponent_move(self) -> None:
        match = self._match
        while match is not None and not match.over and match.to_move != self._player:
            assert self._opponent is not None
            match.carry_out(decide(match, self._opponent, Limit()))

    def _position(self, reward: float | None) -> MoveQuestion:
        match = self._match
        assert match is not None
        if match.over:
            scored = self._reward == "outcome" and match.outcome is not None
            score = float(match.outcome.scores[self._player]) if scored and match.outcome is not None else reward
            return MoveQuestion(messages=[], done=True, reward=score, metadata=_end(match))
        view, rng = self._game.view(match.state, self._player), generator(match.seed, match.ply, PROMPTS)
        moves = [move.text for move in match.moves]
        self._prompt = MovePrompt.of(
            self._game, self._text, view, match.legal(), rng, named=self._named, moves=moves, listed=self._listed
        )
        return MoveQuestion(messages=self._prompt.messages, reward=reward)


def _end(match: Match[Any, Any]) -> dict[str, Any]:
    if match.outcome is None:
        return {"reason": match.aborted}
    return {"scores": list(match.outcome.scores), "reason": match.outcome.reason}


def openenv_app(make_environment: Callable[[], GameEnvironment], sessions: int = 8) -> FastAPI:
    """The application that trainers call, for any server of ASGI: so many games at a time."""
    app: FastAPI = create_fastapi_app(make_environment, ModelAnswer, MoveQuestion, max_concurrent_envs=sessions)
    return app
