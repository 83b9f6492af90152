"""What all documents of the API share. The OpenAPI document and the browser's types are generated from them."""

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr

SeatKind = Literal["person", "machine"]
Texts = dict[Literal["en", "fr"], str]
"""A text in every language of the screens: `title` is what people call a thing, `names` its game, `board` its board."""
Seed = Annotated[str, Field(pattern=r"^[0-9]{1,39}$")] | Annotated[int, Field(strict=True, ge=0, lt=1 << 53)]
"""Up to 128 bits in decimal digits, or a number that JavaScript holds exactly."""


LARGE_ANSWER: Final = 64 << 10
"""Characters of JSON that are not written in the event loop."""


class Document(BaseModel):
    """A response of the API; it holds every field, whether or not that has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)

    def json_text(self) -> str:
        """As it is sent."""
        return self.model_dump_json(by_alias=True)

    def is_large(self) -> bool:
        """Whether its JSON is longer than `LARGE_ANSWER`, about, known without writing it."""
        return is_large(self)


def is_large(document: BaseModel) -> bool:
    """Whether the JSON of a document is longer than `LARGE_ANSWER`; it is read no further than that.

    >>> class Numbers(BaseModel):
    ...     values: list[int]
    >>> is_large(Numbers(values=[1, 2, 3])), is_large(Numbers(values=[1] * 100_000))
    (False, True)
    """
    size, values = 0, [document]
    while values and size <= LARGE_ANSWER:
        value: Any = values.pop()
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, BaseModel | dict):
            fields = value if isinstance(value, dict) else value.__dict__
            size += 10 * len(fields)
            values += fields.values()
        elif isinstance(value, list | tuple):
            size += 4 * len(value)
            values += value
    return size > LARGE_ANSWER


class WrittenDocument(Document):
    """A response that is written where it is made: away from the event loop, or once for several readers."""

    LONG: ClassVar[str]
    """Its list of many values, which is made empty and written with the JSON of its values."""

    _json_text: str = PrivateAttr("")

    def write(self, values: str) -> None:
        """Write the response with the values of its long list as JSON, which are not read and checked again."""
        before, empty, after = self.model_dump_json(by_alias=True).partition(f'"{self.LONG}":[]')
        self._json_text = f"{before}{empty[:-1]}{values}]{after}"

    def json_text(self) -> str:
        return self._json_text

    def is_large(self) -> bool:
        return len(self._json_text) > LARGE_ANSWER


class RequestBody(BaseModel):
    """A request to the API; an unknown key is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GamePreparation(Document):
    """How far kernels of a game are compiled: once they are `ready`, it can be played, by the agents they are of."""

    game: str
    kernels: Literal["player", "agents", "on_demand"] = "player"
    """Whose they are: "player" is what the game needs, "agents" what some of its agents need besides."""
    state: Literal["waiting", "compiling", "ready", "failed"]
    done: int
    """Kernels that are compiled."""
    total: int
    """Kernels in all; 0 before that is known."""
    reason: str | None = None


LONGEST_SENTENCE: Final = 2_000
"""Characters: errors quote what was sent, which may be megabytes."""


def shorten(text: str) -> str:
    """A sentence, cut at a readable length.

    >>> shorten("short"), len(shorten("x" * 1_000_000))
    ('short', 2000)
    """
    return text if len(text) <= LONGEST_SENTENCE else f"{text[: LONGEST_SENTENCE - 3]}..."


Sentence = Annotated[str, AfterValidator(shorten)]


class Problem(Document):
    """Every error: a stable code and a sentence for people."""

    code: str
    message: Sentence
    text: dict[Literal["en", "fr"], Sentence] | None = None
    """The sentence in every language; None where only the server's English is known."""
    legal: list[str] | None = None
    """After a refused move: some of the moves that would have been accepted."""
    preparation: GamePreparation | None = None
    """With `preparing` and `kernels_failed`: how far the game is."""
