"""An operation with one option of each type, declared as every operation is."""

from typing import Any, Literal

from ludex.operations.operation import Context, Operation, Result, option
from ludex.operations.requests import JobRequest, Key


class ToyRequest(JobRequest):
    """Repeat some words."""

    kind: Literal["toy"]
    count: int = option(2, "how often", "combien de fois", ge=1, le=100)
    share: float = option(0.5, "how much", "combien", ge=0, le=1)
    loud: bool = option(False, "in capitals", "en majuscules")
    mode: Literal["fast", "slow"] = option("fast", "how", "comment")
    word: str | None = option(None, "the first word", "le premier mot", max_length=8)
    words: list[str] = option([], "more words", "autres mots", max_length=4, repeated=True)
    values: dict[Key, Any] = option(
        {}, "values", "valeurs", max_length=4, flag="set", parse="ludex.learn.config:parse_changes", repeated=True
    )

    @property
    def title(self) -> str:
        return self.word or "toy"


class ChangedRequest(ToyRequest):
    """The same with one option changed."""

    count: int = option(5, "how many times", "combien de fois au juste", ge=1, le=9, order=-1)


class ToyResult(Result):
    """What was repeated."""

    words: list[str]
    interrupted: bool = False


def run(request: ToyRequest, context: Context) -> ToyResult:
    with context.progress("words", request.count) as advance:
        advance(request.count)
    words = [request.word or "", *request.words] * request.count
    return ToyResult(words=[word.upper() for word in words] if request.loud else words)


HELP: Any = {"en": "Repeat some words.", "fr": "Répéter des mots."}
TOY = Operation(id="toy", help=HELP, request=ToyRequest, run=run)
CHANGED = Operation(id="toy", help=HELP, request=ChangedRequest, run=run)
