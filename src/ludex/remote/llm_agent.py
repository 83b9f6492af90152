"""A language model as an agent: `llm:MODEL:url="http://127.0.0.1:8080/v1"`.

The prompt is made of what the game says of itself and of the view. The whole answer must be a move. What is none is
refused with a reason that the model hears, a bounded number of times; then the agent is at fault.
"""

import time
from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import Field

from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, AgentTimeout, IllegalChoice
from ludex.core.game import AnyGame, Json, Mask
from ludex.core.limit import Limit
from ludex.core.options import LOCAL, Options, quote_value
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.core.spec import AgentSpec, GameSpec
from ludex.core.text import game_text
from ludex.remote.address import LONGEST_SHOWN, check_url
from ludex.remote.chat import Chat, ChatFaultError, Completion, Refusal
from ludex.remote.prompt import MovePrompt, correction, message_of

DEFAULT_URL: Final = "http://127.0.0.1:8080/v1"
LONGEST_REPEATED: Final = 1000
"""Characters of a refused answer that the model is shown again."""
_OF_SERVER: Final = ("unreachable", "status", "not_json", "no_choice")
_BACKOFF_SECONDS: Final = 0.25


class LlmOptions(Options):
    """What a language model is called with."""

    model: str = Field("", min_length=1, max_length=256, json_schema_extra=LOCAL)
    url: str = Field(DEFAULT_URL, max_length=512, json_schema_extra=LOCAL, description="address of the server")
    api_key_env: str | None = Field(
        None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", json_schema_extra=LOCAL, description="variable that holds the key"
    )
    temperature: float = Field(0.0, ge=0, le=2, allow_inf_nan=False)
    max_tokens: int = Field(1024, ge=1, le=1 << 20, description="tokens of one answer")
    retries: int = Field(2, ge=0, le=20, description="further answers after one that is no legal move")
    seconds: float = Field(60.0, gt=0, le=3600, description="time for a move, retries included")
    game_seconds: float = Field(3600.0, gt=0, le=10**6, description="time for all moves of a game")
    game_tokens: int = Field(1_000_000, ge=1, le=10**12, description="tokens of a game, those of prompts included")
    legal: Literal["hidden", "listed"] = Field("hidden", description="whether the prompt lists the legal moves")
    history: int = Field(40, ge=0, le=10_000, description="how many of the last moves the prompt lists")
    board: Literal["text", "json"] = Field("text", description="how the prompt shows the position")
    names: int | None = Field(None, ge=0, le=2**63, description="seed of other names and a turned board")
    seed: int | None = Field(0, ge=0, le=2**31, description="seed that the server samples with")


class LlmAgent:
    """Asks a model for each move, and keeps every question and answer."""

    def __init__(self, game: AnyGame, options: LlmOptions, name: str) -> None:
        self.name = name
        self._game = game
        self._options = options
        self._text = game_text(game, options.names)
        self._chat = Chat(
            model=options.model,
            url=options.url,
            api_key_env=options.api_key_env,
            temperature=options.temperature,
            max_tokens=options.max_tokens,
            seed=options.seed,
        )
        self._moves: Sequence[str] = ()
        self._transcript: list[Json] = []
        self._tokens, self._seconds = 0, 0.0

    def follow(self, moves: Sequence[str]) -> None:
        """Note the moves so far; fewer than before are those of a new game."""
        if len(moves) <= len(self._moves):
            self._tokens, self._seconds = 0, 0.0
        self._moves = list(moves)

    def take_transcript(self) -> list[Json]:
        """What was asked and answered since the last call: one entry per move, refused answers and faults included."""
        transcript, self._transcript = self._transcript, []
        return transcript

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        options = self._options
        prompt = MovePrompt.of(
            self._game,
            self._text,
            view,
            legal,
            Rng(rng.state),
            named=options.names is not None,
            moves=self._moves[-options.history :] if options.history else (),
            listed=options.legal == "listed",
            as_document=options.board == "json",
        )
        messages = prompt.messages
        answers: list[Json] = []
        entry: dict[str, Json] = {
            "ply": len(self._moves),
            "prompt": [dict[str, Json](message) for message in messages],
            "answers": answers,
            "move": None,
        }
        self._transcript.append(entry)
        allowed = [self._options.seconds, self._options.game_seconds - self._seconds]
        if limit.longest_ms is not None:
            allowed.append(limit.longest_ms / 1000)
        deadline = time.monotonic() + min(allowed)
        for attempt in range(self._options.retries + 1):
            begin = time.monotonic()
            answer: Completion | None = None
            refused: ChatFaultError | None = None
            try:
                self._require_tokens()
                answer = self._chat.ask(messages, seconds=max(0.001, deadline - begin), limit=limit)
                self._tokens += answer.prompt_tokens + answer.completion_tokens
                if answer.finish == "content_filter":
                    raise ChatFaultError("refusal", "the server's filter refused the answer")
                if answer.finish == "length":
                    start = ascii(answer.text.strip()[:LONGEST_SHOWN])
                    raise ChatFaultError("too_long", f"the answer is longer than a move: {start}")
                action = prompt.read(answer.text)
                entry["move"] = self._game.action_text(prompt.state, action)
            except ChatFaultError as fault:
                refused = fault
            spent = time.monotonic() - begin
            self._seconds += spent
            answers.append(_answer_entry(answer, refused, spent))
            if refused is None:
                return Decision(action, stats={"answers": attempt + 1, "tokens": self._tokens})
            if refused.kind == "timeout" or attempt == self._options.retries:
                raise self._fault(refused, attempt + 1)
            if refused.kind in _OF_SERVER:
                # A server that restarts or is busy gets a moment; the number of attempts and the time bound it.
                time.sleep(max(0.0, min(_BACKOFF_SECONDS * 2**attempt, deadline - time.monotonic())))
            else:
                messages = [*messages, *_correction(answer, refused)]
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """End the connection."""
        self._chat.close()

    def _require_tokens(self) -> None:
        if self._tokens >= self._options.game_tokens:
            raise ChatFaultError("too_long", f"the game has used its {self._options.game_tokens:,} tokens")

    def _fault(self, refused: ChatFaultError, attempts: int) -> AgentFault:
        kind: type[AgentFault] = IllegalChoice
        if refused.kind in _OF_SERVER:
            kind = AgentFault
        elif refused.kind == "timeout":
            kind = AgentTimeout
        tries = f"{attempts} {'try' if attempts == 1 else 'tries'}"
        return kind(f"{self.name}: no move after {tries}: {refused.kind}: {refused.reason}")


def llm_agent(game: AnyGame, options: LlmOptions, services: Services, name: str) -> LlmAgent:
    """The factory."""
    return LlmAgent(game, options, name)


def check_llm(game: AnyGame, options: LlmOptions) -> None:
    """Raise what is wrong with the options, without calling the model."""
    check_url(options.url, "llm")
    game_text(game, options.names)


def llm_spec(game_spec: GameSpec, name: str) -> AgentSpec:
    """What `llm:NAME` plays as."""
    return AgentSpec(
        summary="a language model behind a server of the chat-completions protocol",
        factory="ludex.remote.llm_agent:llm_agent",
        options=LlmOptions,
        defaults={"model": name.strip('"')},
        check="ludex.remote.llm_agent:check_llm",
    )


def reference_of(model: str, **options: object) -> str:
    """The reference of a model with options that differ from the defaults.

    >>> reference_of("a/model", url="http://127.0.0.1:1/v1", names=3)
    'llm:a/model:names=3:url="http://127.0.0.1:1/v1"'
    """
    values = [f":{key}={quote_value(str(value))}" for key, value in sorted(options.items())]
    return f"llm:{quote_value(model)}{''.join(values)}"


def _correction(answer: Completion | None, refused: ChatFaultError) -> list[dict[str, str]]:
    """What was said and what is wrong with it."""
    messages = [] if answer is None or not answer.text else [message_of("assistant", answer.text[:LONGEST_REPEATED])]
    return [*messages, correction(refused)]


def _answer_entry(answer: Completion | None, refused: ChatFaultError | None, seconds: float) -> dict[str, Json]:
    kind: Refusal | None = None if refused is None else refused.kind
    return {
        "answer": None if answer is None else answer.text,
        "finish": None if answer is None else answer.finish,
        "tokens": [0, 0] if answer is None else [answer.prompt_tokens, answer.completion_tokens],
        "ms": round(1000 * seconds),
        "refused": None if refused is None else [kind, refused.reason],
    }
