"""What a request from a browser may name: no file, program or network address of the server but those its owner listed.

One rule for matches, jobs and tournaments. Who runs Ludex in a terminal names what they like, and needs no permission.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from ludex.arena.entrants import ENGINES, FOREIGN, check_reference
from ludex.core.errors import BadOption
from ludex.core.game import AnyGame
from ludex.core.options import NETWORK, PY, is_local, split_reference
from ludex.core.registry import agent_spec, spec


@dataclass(frozen=True, slots=True)
class Permissions:
    """What a caller may name besides the boards and agents of games: nothing, unless the owner allowed it at start."""

    engines: bool = False
    """Whether programs may be started by `ugi:` and `gtp:`."""
    agents_from: tuple[str, ...] = ()
    """Files and packages whose classes may be named by `py:`."""
    network: bool = False
    """Whether agents may be named that the server calls over its network: `llm:` and `http:`."""

    def check_board(self, game: str, preset: str | None, options: Mapping[str, Any] | None = None) -> None:
        """Raise `BadOption` if a board is set to a file or to memory of the server."""
        named = {} if preset is None else split_reference(preset)[1]
        _check_options([*named, *(options or {})], spec(game).options)

    def check_agent(self, board: AnyGame, reference: str) -> None:
        """Raise what is wrong with a reference, or `BadOption` for one that names what the caller may not."""
        self._check_name(board.info.id, reference)
        if not reference.startswith(ENGINES):
            check_reference(board, reference, classes=True)

    def check_address(self, address: str) -> None:
        """Raise `BadOption` for a cluster at an address of the caller's."""
        if address != "auto":
            raise BadOption(f"address: it is an address of the server's network, found {address!r}; from the web: auto")

    def check_config(self, game: str, config: BaseModel, shipped: BaseModel) -> None:
        """Raise `BadOption` if a configuration names other files, programs or boards than the shipped one and may not.

        Boards and agents are the keys that are marked `BOARD` and `AGENTS`; a program is one under any key.
        """
        from ludex.learn.config import AGENTS, BOARD, all_leaves

        before = {key: getattr(section, name) for key, section, name in all_leaves(shipped)}
        for key, section, name in all_leaves(config):
            field, value = type(section).model_fields[name], getattr(section, name)
            if value == before.get(key):
                continue
            if is_local(field):
                raise BadOption(f"{key}: it names files of the server or its network, and cannot be set from the web")
            for text in texts_in(value):
                if field.json_schema_extra == BOARD:
                    self.check_board(game, text)
                elif field.json_schema_extra == AGENTS or text.startswith(FOREIGN):
                    self._check_name(game, text)

    def _check_name(self, game: str, reference: str) -> None:
        """Raise `BadOption` for an agent that the caller may not name, whatever the board is."""
        if reference.startswith(ENGINES):
            if not self.engines:
                raise BadOption(f"{reference!r} runs a program of the server: its owner has not allowed --engines")
        elif reference.startswith(NETWORK):
            if not self.network:
                raise BadOption(
                    f"{reference!r} calls an address of the server's network: only the administrator's browser may "
                    "name it, where the server was started with --network-agents"
                )
        elif reference.startswith(PY):
            self._check_class(reference)
        else:
            name, values = split_reference(reference)
            _check_options(values, agent_spec(spec(game), name).options)

    def _check_class(self, reference: str) -> None:
        where = split_reference(reference)[0].removeprefix(PY).rpartition(":")[0]
        if not any(_contains(listed, where) for listed in self.agents_from):
            raise BadOption(f"{where} runs code of the server: its owner has not listed it with --agents-from")


VISITOR: Final = Permissions()


def _check_options(keys: Iterable[str], options: type[BaseModel]) -> None:
    for key in keys:
        field = options.model_fields.get(key)
        if field is not None and is_local(field):
            raise BadOption(f"{key}: it names a file or takes memory of the server, and cannot be set from the web")


def texts_in(value: object) -> list[str]:
    """The texts of a key: its value, or those of a list or mapping.

    >>> texts_in(("easy", "hard")), texts_in({"a": ["b"]}), texts_in(3)
    (['easy', 'hard'], ['b'], [])
    """
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = [*value.values()]
    return [text for inner in value for text in texts_in(inner)] if isinstance(value, list | tuple) else []


def _contains(listed: str, where: str) -> bool:
    """Whether a listed file or package is or holds a module.

    >>> [_contains("mine.agents", where) for where in ("mine.agents", "mine.agents.fast", "mine", "mine.agents2")]
    [True, True, False, False]
    """
    if listed.endswith(".py"):
        return where.endswith(".py") and Path(where).expanduser().resolve() == Path(listed).expanduser().resolve()
    return not where.endswith(".py") and f"{where}.".startswith(f"{listed}.")
