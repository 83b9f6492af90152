"""Questions to a server of the chat-completions protocol, and its answers, checked."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ludex.core.documents import strict_json
from ludex.core.errors import AgentTimeout, MissingDependency
from ludex.core.limit import Limit
from ludex.remote.address import LARGEST_ANSWER, LONGEST_SHOWN, REDACTED, call_in_time, read_key

Messages: TypeAlias = Sequence[dict[str, str]]
Refusal: TypeAlias = Literal[
    "unreachable",
    "timeout",
    "status",
    "not_json",
    "no_choice",
    "empty",
    "refusal",
    "too_long",
    "look_alike",
    "prose",
    "malformed",
    "illegal",
]
"""Why an answer was no move: of the server, of the answer's form, and of the move."""


class ChatFaultError(Exception):
    """There is no answer, for this reason."""

    def __init__(self, kind: Refusal, reason: str) -> None:
        super().__init__(reason)
        self.kind: Refusal = kind
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said."""

    text: str
    finish: str
    """Why it ended there, in the server's word, such as `stop` or `length`."""
    prompt_tokens: int
    completion_tokens: int


class Chat:
    """A model of a server. The key is read from the environment and is nowhere but in the client."""

    def __init__(
        self, *, model: str, url: str, api_key_env: str | None, temperature: float, max_tokens: int, seed: int | None
    ) -> None:
        self._key = read_key(api_key_env)
        self._owner = f"llm:{model}"
        self._options: dict[str, Any] = {"model": model, "temperature": temperature, "max_tokens": max_tokens}
        if seed is not None:
            self._options["seed"] = seed
        try:
            import httpx2
            import openai
        except ImportError as error:
            raise MissingDependency("agents llm: need the package openai: pip install 'ludex[llm]'") from error
        self._openai, self._url, self._client = openai, url, self._connect(openai, url)
        # It is imported on the first use, which must not count as time of a move.
        _ = self._client.chat.completions
        self._timeout = httpx2.TimeoutException
        self._broken: tuple[type[Exception], ...] = (openai.OpenAIError, httpx2.HTTPError, OSError)

    def _connect(self, openai: Any, url: str) -> Any:
        # What stands in variables of the environment for another server must not be sent to this one. A redirection
        # would lead to a server that the user did not name.
        return openai.OpenAI(
            api_key=self._key or "none",
            admin_api_key="",
            organization="",
            project="",
            base_url=url,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def ask(self, messages: Messages, *, seconds: float, limit: Limit) -> Completion:
        """The answer. Raises `ChatFaultError`; nothing is asked twice."""
        deadline = time.monotonic() + seconds

        def work() -> bytes:
            create = self._client.chat.completions.with_streaming_response.create
            with create(messages=messages, timeout=seconds, **self._options) as response:
                body = b""
                for part in response.iter_bytes():
                    body += part
                    if len(body) > LARGEST_ANSWER or time.monotonic() > deadline:
                        break
                return body

        openai = self._openai
        if self._client.is_closed():
            # A connection was broken off.
            self._client = self._connect(openai, self._url)
        try:
            body = call_in_time(work, seconds=seconds, limit=limit, owner=self._owner, abort=self.close)
        except (AgentTimeout, openai.APITimeoutError, self._timeout) as error:
            raise ChatFaultError("timeout", f"no answer within {seconds:.1f} s") from error
        except openai.APIStatusError as error:
            reason = f"the server answered {error.status_code}: {self.redact(error.message)[:LONGEST_SHOWN]}"
            raise ChatFaultError("status", reason) from error
        except self._broken as error:
            reason = f"the server cannot be reached: {self.redact(str(error.__cause__ or error))[:LONGEST_SHOWN]}"
            raise ChatFaultError("unreachable", reason) from error
        if len(body) > LARGEST_ANSWER:
            raise ChatFaultError("too_long", f"the server answered more than {LARGEST_ANSWER:,} bytes")
        return self._answer(body)

    def close(self) -> None:
        """End every connection."""
        self._client.close()

    def redact(self, text: str) -> str:
        """A text of the server without the key, which it may repeat."""
        return text.replace(self._key, REDACTED) if self._key else text

    def _answer(self, body: bytes) -> Completion:
        text = self.redact(body.decode("utf-8", "backslashreplace"))
        try:
            document = strict_json(text)
        except (ValueError, RecursionError) as error:
            raise ChatFaultError("not_json", f"the server answered no JSON: {text[:LONGEST_SHOWN]!r}") from error
        choices = document.get("choices") if isinstance(document, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        if not isinstance(first, dict) or not isinstance(message, dict):
            raise ChatFaultError("no_choice", f"the server answered without a choice: {text[:LONGEST_SHOWN]!r}")
        if isinstance(message.get("refusal"), str) and message["refusal"]:
            raise ChatFaultError("refusal", f"the model refused: {message['refusal'][:LONGEST_SHOWN]!r}")
        usage = document.get("usage")
        tokens = usage if isinstance(usage, dict) else {}
        content = message.get("content")
        return Completion(
            text=content if isinstance(content, str) else "" if content is None else json.dumps(content),
            finish=str(first.get("finish_reason")),
            prompt_tokens=_count(tokens.get("prompt_tokens")),
            completion_tokens=_count(tokens.get("completion_tokens")),
        )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else 0
