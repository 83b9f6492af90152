"""Nets that ship with the package: weights beside a card that holds their hash."""

import hashlib
import json
from importlib.resources import files

from ludex.core.errors import BadNet

PACKAGE = "ludex.nets"


def shipped_net(name: str) -> bytes:
    """The bytes of a shipped file such as `quoridor-9x9.npz`. Raises `BadNet` if they are not what the card says."""
    folder = files(PACKAGE)
    card = folder.joinpath(f"{name.rpartition('.')[0]}.json")
    if not card.is_file() or not folder.joinpath(name).is_file():
        raise BadNet(f"no net {name} is shipped: is the installation complete?")
    data = folder.joinpath(name).read_bytes()
    found, expected = hashlib.sha256(data).hexdigest(), json.loads(card.read_text(encoding="utf-8"))["sha256"]
    if found != expected:
        raise BadNet(f"{name} is damaged: its SHA-256 is {found}, the card says {expected}")
    return data
