"""An operation with one option of each type, declared as every operation is."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ludex.operations.fields import JobRequest, Key
from ludex.operations.operation import Context, Operation, Option, Result


class ToyRequest(JobRequest):
    """Repeat some words."""

    kind: Literal["toy"]
    count: Annotated[int, Field(ge=1, le=100), Option("how often", "combien de fois")] = 2
    share: Annotated[float, Field(ge=0, le=1), Option("how much", "combien")] = 0.5
    loud: Annotated[bool, Option("in capitals", "en majuscules")] = False
    mode: Annotated[Literal["fast", "slow"], Option("how", "comment")] = "fast"
    word: Annotated[str | None, Field(max_length=8), Option("the first word", "le premier mot")] = None
    words: Annotated[
        list[str], Field(default_factory=list, max_length=4), Option("more words", "autres mots", repeated=True)
    ]
    values: Annotated[
        dict[Key, Any],
        Field(default_factory=dict, max_length=4),
        Option("values", "valeurs", flag="set", parse="ludex.learn.config:parse_changes", repeated=True),
    ]

    @property
    def title(self) -> str:
        return self.word or "toy"


class ChangedRequest(ToyRequest):
    """The same with one option changed."""

    count: Annotated[int, Field(ge=1, le=9), Option("how many times", "combien de fois au juste", order=-1)] = 5


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
