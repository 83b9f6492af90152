"""Board and agent references from visitors, who may not set options that are local to the server."""

from pydantic import BaseModel

from ludex.core.errors import BadOption
from ludex.core.game import AnyGame
from ludex.core.options import is_local, split_reference
from ludex.core.registry import agent_spec, spec
from ludex.web.boards import board


def public_game(game: str, preset: str | None) -> AnyGame:
    """The board of a visitor's request. Raises `LudexError` if it is invalid."""
    if preset is not None:
        _require_public(preset, spec(game).options)
    return board(game, preset)


def require_public_agent(game: str, reference: str) -> None:
    """Raise `BadOption` if an agent's reference sets an option that visitors may not set."""
    name, _ = split_reference(reference)
    _require_public(reference, agent_spec(spec(game), name).options)


def _require_public(reference: str, options: type[BaseModel]) -> None:
    for key in split_reference(reference)[1]:
        field = options.model_fields.get(key)
        if field is not None and is_local(field):
            raise BadOption(f"{key}: it names a file or takes memory of the server, and cannot be set from the web")
