from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludex.core.game import Outcome
from ludex.core.record import Record
from ludex.store.database import Database


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
def record() -> Callable[..., Record]:
    """Records that differ by their number."""
    return _record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ludex.db"


@pytest.fixture
def url(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with Database.open(url) as opened:
        yield opened


@pytest.fixture(scope="module")
def memory() -> Iterator[Database]:
    """A database in memory that examples of a property share."""
    with Database.open("sqlite://") as opened:
        yield opened
