"""Kept agents in a backup: each is a row of its card and its file, and comes back under the same name."""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from ludex.core.documents import parse_json
from ludex.core.errors import BadBackup, BadNet, DataError
from ludex.core.kept_agents import KeptAgent, kept_agents, parse_card, put, remove

KEPT_AGENTS: Final = "kept_agents"
COLUMNS: Final = ("card", "file")


def rows(left_out: Callable[[BadNet], None]) -> Iterator[tuple[str, str]]:
    """Each agent's card as JSON and its file in base64; damaged ones are reported instead, and hide no other."""
    agents, broken = kept_agents()
    for error in broken:
        left_out(error)
    for agent in agents:
        try:
            data = agent.path.read_bytes()
            _require_digest(agent, data, agent.reference, BadNet)
        except OSError as error:
            left_out(BadNet(f"{agent.reference}: cannot read {agent.path.name}: {error.strerror}"))
        except BadNet as error:
            left_out(error)
        else:
            yield agent.model_dump_json(), base64.b64encode(data).decode()


def check_row(values: Sequence[object], source: Path) -> tuple[KeptAgent, bytes]:
    """The agent and the file of a row. Raises `BadBackup`, also if they do not belong together."""
    match values:
        case [str(card), str(file)]:
            where = f"{source}: a kept agent"
            kept = parse_card(parse_json(card, where, BadBackup), where, BadBackup)
            try:
                data = base64.b64decode(file, validate=True)
            except binascii.Error as error:
                raise BadBackup(f"{where}: {kept.name}: {error}; nothing was changed") from error
            _require_digest(kept, data, f"{where}: {kept.name}", BadBackup)
            return kept, data
    raise BadBackup(f"{source}: a kept agent is no card and file; nothing was changed")


def put_back(agents: Iterable[tuple[KeptAgent, bytes]]) -> None:
    """Keep exactly these agents, under the names of their cards."""
    for agent in kept_agents()[0]:
        remove(agent.name)
    for kept, data in agents:
        put(kept, data)


def _require_digest(kept: KeptAgent, data: bytes, source: str, fault: type[DataError]) -> None:
    if hashlib.sha256(data).hexdigest() != kept.sha256:
        raise fault(f"{source}: its file is not the one that its card describes")
