"""Nets that ship with the package: weights beside a card that holds their hash."""

import hashlib
import json
from importlib.resources import files
from importlib.resources.abc import Traversable

from ludex.core.errors import BadNet

PACKAGE = "ludex.nets"


def shipped_net(name: str) -> bytes:
    """The bytes of a shipped file such as `quoridor-9x9.npz`. Raises `BadNet` if they are not what the card says."""
    require_shipped(name)
    data, card = files(PACKAGE).joinpath(name).read_bytes(), _card(name)
    found, expected = hashlib.sha256(data).hexdigest(), json.loads(card.read_text(encoding="utf-8"))["sha256"]
    if found != expected:
        raise BadNet(f"{name} is damaged: its SHA-256 is {found}, the card says {expected}")
    return data


def require_shipped(name: str) -> None:
    """Raise `BadNet` if there is no such file, or no card beside it. Neither is read."""
    if not _card(name).is_file() or not files(PACKAGE).joinpath(name).is_file():
        raise BadNet(f"no net {name} is shipped: is the installation complete?")


def _card(name: str) -> Traversable:
    return files(PACKAGE).joinpath(f"{name.rpartition('.')[0]}.json")
