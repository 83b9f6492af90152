"""The same store on a real PostgreSQL."""

import pytest

from ludex.core.errors import StoreLocked, StoreUnavailable
from ludex.store.database import Database
from tests.postgres import Cluster
from tests.store.conftest import Records


@pytest.fixture
def url(postgres: Cluster) -> str:
    return postgres.new_database()


def test_another_writer_is_waited_for_but_not_for_ever(postgres: Cluster, url: str, record: Records) -> None:
    with Database.open(url, busy_seconds=0.2) as database:
        match_id = database.matches.create(record(1))
        with postgres.connect(url.partition("?")[0].rpartition("/")[2]) as holder, holder.transaction():
            holder.execute("SELECT * FROM matches FOR UPDATE")
            with pytest.raises(StoreLocked, match="another writer holds it"):
                database.matches.update(match_id, record(2), expected_version=1)
        database.matches.update(match_id, record(2), expected_version=1)


def test_an_unreachable_server_is_reported(postgres: Cluster) -> None:
    for url in (postgres.url("no_such_database"), "postgresql://ludex:hunter2@127.0.0.1:1/ludex"):
        with pytest.raises(StoreUnavailable) as error:
            Database.open(url)
        assert "hunter2" not in error.value.message


def test_a_server_that_comes_back_is_used_again(postgres: Cluster, url: str, record: Records) -> None:
    with Database.open(url) as database:
        match_id = database.matches.create(record(1))
        with postgres.connect() as administrator:
            administrator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                (url.partition("?")[0].rpartition("/")[2],),
            )
        assert database.matches.get(match_id).record == record(1)
