"""Login links at any time: a running server keeps a key in the data folder, and `ludex login` signs links with it.

A user who may read the folder's private files may be the administrator of the servers that use it. A link names its end
and is used once; every server draws a key of its own and deletes it when it ends.
"""

import hmac
import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ludex.core.documents import read_json
from ludex.core.errors import DataError, UsageError
from ludex.core.folders import data_folder, make_folder
from ludex.web.administrators import LINK_SECONDS

FOLDER: Final = "servers"
LISTENS_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class LinkSigner:
    """Signs the tokens of login links, and checks them: `END.NONCE.SIGNATURE`."""

    key: bytes
    clock: Callable[[], float] = time.time

    def sign(self) -> str:
        """A token that ends after the time of a login link."""
        body = f"{int(self.clock()) + LINK_SECONDS}.{secrets.token_urlsafe(16)}"
        return f"{body}.{self._signature(body)}"

    def is_valid(self, token: str) -> bool:
        """Whether this key signed the token, and its time is not over."""
        body, _, signature = token.rpartition(".")
        end = body.partition(".")[0]
        signed = hmac.compare_digest(self._signature(body).encode(), signature.encode())
        return signed and self.clock() < int(end)

    def _signature(self, body: str) -> str:
        return hmac.digest(self.key, body.encode(), "sha256").hex()


@contextmanager
def announced_server(port: int, address: str, signer: LinkSigner) -> Iterator[None]:
    """Keep the address and the key of a server in the data folder while it runs."""
    folder = make_folder(make_folder(data_folder(), "LUDEX_DATA", private=True) / FOLDER, "LUDEX_DATA", private=True)
    file = folder / f"{port}.json"
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        json.dump({"address": address, "port": port, "key": signer.key.hex()}, opened)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def new_login_link(port: int | None) -> str:
    """A fresh login link of the server that runs on the data folder. Raises `UsageError` if it is not one."""
    running = [server for server in _servers() if port in (None, server[1]) and _listens(server[1])]
    if len(running) != 1:
        ports = ", ".join(str(server[1]) for server in running)
        problem = f"several servers run, on the ports {ports}: choose one with --port" if running else "no server runs"
        raise UsageError(f"{problem}; looked in {data_folder() / FOLDER}, set LUDEX_DATA to a server's data folder")
    [(address, _, key)] = running
    return f"{address}/administrator#{LinkSigner(key).sign()}"


def _servers() -> Iterator[tuple[str, int, bytes]]:
    for file in sorted((data_folder() / FOLDER).glob("*.json")):
        yield _read(file)


def _read(file: Path) -> tuple[str, int, bytes]:
    document = read_json(file, DataError)
    try:
        return str(document["address"]), int(document["port"]), bytes.fromhex(document["key"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{file}: expected address, port and key of a server: {error}") from error


def _listens(port: int) -> bool:
    """Whether something answers there: the file of a server that was killed stays."""
    for host in ("127.0.0.1", "::1"):
        try:
            socket.create_connection((host, port), LISTENS_SECONDS).close()
        except OSError:
            continue
        return True
    return False
