"""An operation with one option of each type, declared as every operation is."""

from typing import Any, Literal

from ludex.operations.operation import Context, Operation, Result, option
from ludex.operations.requests import JobRequest, Key


class ToyRequest(JobRequest):
    """Repeat some words."""

    kind: Literal["toy"]
    count: int = option(2, ge=1, le=100)
    share: float = option(0.5, ge=0, le=1, suggestion=0.75)
    loud: bool = option(False)
    mode: Literal["fast", "slow"] = option("fast")
    word: str | None = option(None, max_length=8)
    words: list[str] = option([], max_length=4, repeated=True)
    values: dict[Key, Any] = option(
        {}, max_length=4, flag="set", parse="ludex.learn.config:parse_changes", repeated=True
    )

    @property
    def title(self) -> str:
        return self.word or "toy"


class ChangedRequest(ToyRequest):
    """The same with one option changed."""

    count: int = option(5, ge=1, le=9, order=-1)


class ToyResult(Result):
    """What was repeated."""

    words: list[str]
    interrupted: bool = False


def run(request: ToyRequest, context: Context) -> ToyResult:
    with context.progress("words", request.count) as advance:
        advance(request.count)
    words = [request.word or "", *request.words] * request.count
    return ToyResult(words=[word.upper() for word in words] if request.loud else words)


TOY = Operation(id="toy", request=ToyRequest, run=run, texts="tests.operations:texts")
CHANGED = Operation(id="toy", request=ChangedRequest, run=run, texts="tests.operations:texts")
