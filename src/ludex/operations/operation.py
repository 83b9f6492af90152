"""What an operation is: a request that carries its options, a function that runs it, and a result.

An option is a field of the request: its type, bounds and default, and an `Option`; its sentences are in catalogues.
Flags, jobs, HTTP bodies, journals and forms are made from these: a new option is one field of one model.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from ludex.core.errors import BadOption
from ludex.core.executor import Executor, InProcess
from ludex.core.messages import LANGUAGES, Language, Texts
from ludex.core.record import Record
from ludex.core.spec import Ref
from ludex.core.verb import silent
from ludex.operations.description import Description, Kind, Option, OptionField

if TYPE_CHECKING:
    from ludex.operations.permissions import Permissions

DATABASE_SERVICES: Final = "ludex.store.services:lazy_services"
"""What agents get from the application; opened in each worker on the first use by an agent."""
COMMON_TEXTS: Final = "ludex.operations:texts"
Progress: TypeAlias = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]
"""`with progress(label, total) as advance: advance(amount)`; a total that is unknown is None."""
_TYPES: Final[dict[str, Kind]] = {"integer": "integer", "number": "number", "boolean": "boolean", "string": "text"}


def option(default: Any, **keywords: Any) -> Any:
    """A field of a request: its default (`...` if it is required), then what `Option` and `Field` take, as `ge=1`."""
    words = {part.name: keywords.pop(part.name) for part in fields(Option) if part.name in keywords}
    info: FieldInfo = Field(default, **keywords)
    info.metadata.append(Option(**words))
    return info


class Limits(Protocol):
    """How much a job may use."""

    @property
    def job_workers(self) -> int: ...


class Request(BaseModel):
    """The base of every request."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def checked(self, limits: Limits | None, *, remote: "Permissions | None") -> Self:
        """The request with the names of its defaults; raises what is wrong with it, and makes nothing.

        `limits` are those of jobs; a command has none. `remote` is what a request from a browser may name; None is one
        of a terminal.
        """
        return self

    @property
    def players(self) -> Sequence[str]:
        """Every agent that it names."""
        return ()

    @property
    def subjects(self) -> Sequence[str]:
        """The agents that it is about."""
        return self.players

    @property
    def title(self) -> str:
        """What it is about, without words of any language."""
        return ", ".join(self.subjects)

    def make_executor(self, *, isolated: bool) -> Executor:
        """Where its tasks run; `isolated` tasks never run in this process."""
        return InProcess()


class Result(BaseModel):
    """The base of every result: what `--json` prints and a job keeps."""

    model_config = ConfigDict(frozen=True)

    @property
    def is_partial(self) -> bool:
        """Whether it holds only what was finished before an interruption, as its field `interrupted` says."""
        return bool(getattr(self, "interrupted", False))

    @property
    def pause_reason(self) -> str | None:
        """Why it stopped at a checkpoint, if it did."""
        return None

    @property
    def failure(self) -> str | None:
        """Why it holds only what was finished before an error, if it does: a job fails by it, and can be resumed."""
        return None


class Interrupted(KeyboardInterrupt):
    """An interruption of which there is nothing to report but this sentence."""


class Pausable(Protocol):
    """Work that stops by itself at its next checkpoint if that is requested, such as a run."""

    def request_pause(self) -> None: ...

    def withdraw_pause(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What an operation gets from who runs it: a command, a job or a test."""

    executor: Executor = field(default_factory=InProcess)
    services: Ref = DATABASE_SERVICES
    progress: Progress = silent
    note: Callable[[str], None] = lambda text: None
    """Says a sentence on the way."""
    name: str | None = None
    """Names what is made, where the request does not: the job's id."""
    folder: Path | None = None
    """Where files are made; None makes none, or where the operation says."""
    journal: Path | None = None
    """A file that keeps what is finished, from which the operation is resumed."""
    is_stopped: Callable[[], bool] = lambda: False
    """Whether the operation was asked to stop at its next checkpoint."""
    stops: Callable[[Sequence[Pausable]], None] = lambda pausable: None
    """Hears what can be asked to stop at its next checkpoint."""
    works_on: Callable[[Mapping[str, Any]], None] | None = None
    """Hears the `runs` and the `tournament` that it works on; None where the caller needs no names ahead of time."""
    keep: Callable[[Record], None] | None = None
    """Gets every finished game of a duel."""
    began: float = field(default_factory=time.perf_counter)
    """When the command began, which minutes are counted from."""


R = TypeVar("R", bound=Request)
T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[R, T]):
    """The declaration of one operation."""

    id: str
    request: type[R]
    run: Callable[[R, Context], T]
    """Returns a `Result` where the operation may be a job."""
    job: bool = True
    """Whether it may be a job; the request then has a `kind`, this id."""
    isolated: bool = False
    """Whether its tasks run in processes of their own: an agent may end its process."""
    texts: Ref = COMMON_TEXTS
    """A folder with a catalogue per language, beside the common ones: what the request and its fields are."""

    def describe(self) -> Description:
        """The operation as data."""
        schemas = self.request.model_json_schema(by_alias=False)["properties"]
        options = [
            self._option(name, info, schemas[name])
            for name, info in self.request.model_fields.items()
            if any(isinstance(part, Option) for part in info.metadata)
        ]
        texts = self._texts(*(model.__name__ for model in self.request.__mro__))
        ordered = sorted(options, key=lambda option: option.order)
        return Description(id=self.id, help=texts, job=self.job, fields=ordered)

    def _option(self, name: str, info: FieldInfo, whole: Mapping[str, Any]) -> OptionField:
        # The outermost annotation counts.
        *_, option = (part for part in info.metadata if isinstance(part, Option))
        variants = whole.get("anyOf", [whole])
        schema, *_ = (variant for variant in variants if variant.get("type") != "null")
        many = schema.get("type") == "array"
        item = schema["items"] if many else schema
        smallest, largest = ("minItems", "maxItems") if many else ("minimum", "maximum")
        choices = item.get("enum", [])
        titles = {choice: self._field_texts(f"{name}.{choice}") for choice in choices}
        return OptionField(
            **{**vars(option), "flag": f"--{(option.flag or name).replace('_', '-')}"},
            name=name,
            kind="choice" if choices else _TYPES.get(item.get("type", ""), "json"),
            many=many,
            optional=len(variants) > 1,
            required=info.is_required(),
            default=None if info.is_required() else info.get_default(call_default_factory=True),
            choices=choices,
            titles={choice: texts for choice, texts in titles.items() if texts},
            least=schema.get(smallest, schema.get("exclusiveMinimum")),
            most=schema.get(largest),
            help=self._field_texts(name),
        )

    def _texts(self, *keys: str) -> Texts:
        """The sentences of the first of these keys that the catalogues have."""
        catalogues = {
            language: {**_catalogue(COMMON_TEXTS, language), **_catalogue(self.texts, language)}
            for language in LANGUAGES
        }
        known = next((key for key in keys if key in catalogues["en"]), None)
        return {} if known is None else {language: entries[known] for language, entries in catalogues.items()}

    def _field_texts(self, name: str) -> Texts:
        """The sentences of `MODEL.name`, for the model or one that it inherits from, else those of `name`."""
        return self._texts(*(f"{model.__name__}.{name}" for model in self.request.__mro__), name)

    def parse(self, values: Mapping[str, Any]) -> R:
        """The request of these values. Raises `BadOption` with the first fault."""
        try:
            return self.request.model_validate({"kind": self.id, **values} if self.job else dict(values))
        except ValidationError as error:
            raise BadOption(_fault(error.errors()[0])) from error


def _fault(error: Any) -> str:
    """The fault of a validation in words, with the option and what was found."""
    words, limits = error["msg"], error.get("ctx", {})
    match error["type"]:
        case "string_pattern_mismatch":
            words = "expected a name of letters, digits, '.', '_' and '-' that begins with a letter or digit"
        case "too_short":
            words = f"expected at least {limits['min_length']}"
        case "too_long":
            words = f"expected at most {limits['max_length']}"
    return f"{error['loc'][0]}: {words}, found {error['input']!r}"


@cache
def _catalogue(reference: Ref, language: Language) -> dict[str, str]:
    package, _, folder = reference.partition(":")
    text = (files(package) / folder / f"{language}.json").read_text(encoding="utf-8")
    entries: dict[str, str] = json.loads(text)
    return entries
