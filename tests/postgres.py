"""A PostgreSQL server of our own, thrown away after the tests."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

OWNER = "ludex"
PATIENCE = 60.0
MISSING = "no PostgreSQL server is installed: apt-get install postgresql, or `make test` as one who may"


class Cluster:
    """A running server that only this machine's files lead to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def url(self, database: str) -> str:
        return f"postgresql://{OWNER}@/{database}?host={self._folder}"

    def connect(self, database: str = "postgres") -> "psycopg.Connection[Any]":
        """A connection past Ludex, for what only an administrator does."""
        return psycopg.connect(host=str(self._folder), user=OWNER, dbname=database, autocommit=True)

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"test_{uuid4().hex}"
        with self.connect() as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.url(name)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A new server, started and stopped."""
    programs = _programs()
    # Apart from pytest's folders, which are closed to the user that the server runs as; and short, as a socket's name.
    folder = Path(tempfile.mkdtemp(prefix="ludex-pg-"))
    user = _user()
    if user:
        shutil.chown(folder, **user)
    identity: dict[str, Any] = {**user, "extra_groups": []} if user else {}
    log = (folder / "log").open("wb")
    data = str(folder / "data")
    initdb = [f"{programs}/initdb", "-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    command = [f"{programs}/postgres", "-D", data, "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off"]
    try:
        subprocess.run(initdb, check=True, stdout=log, stderr=log, cwd=folder, **identity)
        server: subprocess.Popen[bytes] = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **identity)
        try:
            running = Cluster(folder)
            _await(running, server, folder / "log")
            yield running
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)
    finally:
        log.close()
        shutil.rmtree(folder)


def _programs() -> Path:
    """Where the newest server is: Debian keeps it out of PATH."""
    if path := shutil.which("postgres"):
        return Path(path).parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if not installed:
        raise RuntimeError(MISSING)
    return installed[-1].parent


def _user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then as whom it does."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("postgres")
    return {"user": entry.pw_uid, "group": entry.pw_gid}


def _await(running: Cluster, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            running.connect().close()
        except psycopg.OperationalError:
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        else:
            return
