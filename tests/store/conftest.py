import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.core.game import Outcome
from ludex.core.record import Record
from ludex.store.database import Database
from tests.postgres import Cluster

Records = Callable[..., Record]
Raw = Callable[..., list[Any]]


def _record(number: int = 0) -> Record:
    over = number % 2 == 0
    return Record(
        game="tictactoe",
        version=1,
        preset="3x3x3",
        seed=number,
        actions=tuple(range(number % 10)),
        agents=("perfect", f"player {number}"),
        outcome=Outcome((1.0, -1.0), "line") if over else None,
    )


@pytest.fixture
def record() -> Records:
    """Records that differ by their number."""
    return _record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ludex.db"


@pytest.fixture
def url(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture
def raw(file: Path) -> Raw:
    """Executes a statement in the file, past Ludex, and gives its rows."""

    def execute(statement: str, *values: str) -> list[Any]:
        connection = sqlite3.connect(file, isolation_level=None)
        rows = connection.execute(statement, values).fetchall()
        connection.close()
        return rows

    return execute


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def both(request: pytest.FixtureRequest, url: str) -> str:
    """The URL of a new database of either kind."""
    if request.param == "sqlite":
        return url
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.new_database()


@pytest.fixture
def either(both: str) -> Iterator[Database]:
    with Database.open(both) as opened:
        yield opened


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with Database.open(url) as opened:
        yield opened


@pytest.fixture(scope="module")
def memory() -> Iterator[Database]:
    """A database in memory that examples of a property share."""
    with Database.open("sqlite://") as opened:
        yield opened
