"""Names of boards and machines that come from visitors: they may set options, but name no file of the server."""

from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from ludex.core.errors import BadOption
from ludex.core.game import AnyGame
from ludex.core.options import split_reference
from ludex.core.registry import agent_spec, make, spec


def public_game(game: str, preset: str | None) -> AnyGame:
    """The board a visitor asks for. Raises what is wrong with it."""
    if preset is not None:
        _require_public(preset, spec(game).options)
    return make(game, preset)


def require_public_machine(game: str, reference: str) -> None:
    """Raise `BadOption` if a machine's reference names a file."""
    name, _ = split_reference(reference)
    _require_public(reference, agent_spec(spec(game), name).options)


def _require_public(reference: str, options: type[BaseModel]) -> None:
    for key, value in split_reference(reference)[1].items():
        field = options.model_fields.get(key)
        typed = field is not None and _holds_path(field.annotation)
        if typed or "/" in value or "\\" in value or value == "..":
            raise BadOption(f"{key}: a file of the server cannot be named from the web")


def _holds_path(annotation: Any) -> bool:
    """Whether a value of this type may be a path.

    >>> _holds_path(Path | None), _holds_path(str)
    (True, False)
    """
    if isinstance(annotation, type):
        return issubclass(annotation, Path)
    return any(map(_holds_path, get_args(annotation)))
