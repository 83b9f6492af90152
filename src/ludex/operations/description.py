"""The options of every operation as data: what `--help`, `ludex jobs start`, the API and the browser's forms read.

`description.json` is written from the models by `python scripts/describe_operations.py`, so that a command line needs
no pydantic. An operation that it does not hold is described from its model.
"""

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Final, Literal

from ludex.core.messages import Texts
from ludex.core.registry import resolve

Kind = Literal["integer", "number", "boolean", "choice", "text", "json"]

DOCUMENT: Final = "description.json"
OPERATIONS: dict[str, str] = {
    "duel": "ludex.operations.duel:DUEL",
    "tournament": "ludex.operations.tournament:TOURNAMENT",
    "evaluation": "ludex.operations.evaluation:EVALUATION",
    "eval-llm": "ludex.operations.model_evaluation:MODEL_EVALUATION",
    "train": "ludex.operations.training:TRAINING",
    "tuning": "ludex.operations.tuning:TUNING",
    "puzzles": "ludex.operations.puzzles:PUZZLES",
    "review": "ludex.operations.review:REVIEW",
    "analysis": "ludex.operations.analysis:ANALYSIS",
}
"""By id, where each is declared."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """What a field of a request is for people."""

    order: int = 0
    """Its place among the options: the smallest first."""
    flag: str | None = None
    """None is the field's name."""
    argument: bool = False
    """Whether the command line has it as an argument instead of a flag."""
    metavar: str | None = None
    default_text: str | None = None
    """What the help says instead of the default."""
    parse: str | None = None
    """Reads the text of the flag, or of all if it is `repeated`, where that is no plain value."""
    repeated: bool = False
    """Whether the flag may be given several times."""
    completion: str | None = None
    """The function of `ludex.cli.completion` that offers values."""
    job_only: bool = False
    """Whether only jobs have it, and no command that runs the operation at once."""
    suggestion: Any = None
    """What a form holds at first, where that is not the default."""
    advanced: bool = False
    """Whether a form shows it only among all settings."""


@dataclass(frozen=True, kw_only=True)
class OptionField(Option):
    """One option of an operation: the same, and what follows from the type of its field."""

    __pydantic_config__: ClassVar = {"json_schema_serialization_defaults_required": True}

    name: str
    flag: str = field()
    kind: Kind
    many: bool
    """Whether it is a list of these."""
    optional: bool
    """Whether it may be null."""
    required: bool
    default: Any
    choices: list[str]
    titles: dict[str, Texts]
    """What people call the choices."""
    least: int | float | None
    """The smallest number; of a list, the smallest length."""
    most: int | float | None
    help: Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """One operation."""

    id: str
    help: Texts
    job: bool
    """Whether it may be a job."""
    fields: list[OptionField]


def describe(operation: str) -> Description:
    """An operation by its id. Raises `KeyError`."""
    committed = _committed_description().get(operation)
    if committed is None:
        return resolve(OPERATIONS[operation]).describe()  # type: ignore[no-any-return]
    return Description(**{**committed, "fields": [OptionField(**field) for field in committed["fields"]]})


def job_names() -> list[str]:
    """The ids of the operations that may be jobs."""
    return [name for name in OPERATIONS if describe(name).job]


@cache
def _committed_description() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(files(__package__).joinpath(DOCUMENT).read_text(encoding="utf-8"))
    return document
