"""The tables of the database, and the versions of their schema with the migration of an older one."""

from typing import Final, TypeAlias

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    insert,
    inspect,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from ludex.core.errors import StoreTooNew, StoreUnavailable
from ludex.store.backends import Backend
from ludex.store.transactions import Transactions

METADATA: Final = MetaData()

SCHEMA: Final = Table("ludex_schema", METADATA, Column("version", Integer, nullable=False))

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("created_utc", Text, nullable=False),
    Column("updated_utc", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("game_version", Integer, nullable=False),
    Column("preset", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("actions", Text, nullable=False),
    Column("agents", Text, nullable=False),
    Column("scores", Text),
    Column("reason", Text),
    Column("aborted", Text),
    Index("matches_by_age", "created_utc", "id"),
    Index("matches_by_game_and_age", "game", "created_utc", "id"),
)

RANKINGS: Final = Table(
    "rankings",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("preset", Text, primary_key=True),
    Column("created_utc", Text, nullable=False),
)

RANKING_VALUES: Final = Table(
    "ranking_values",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("preset", Text, primary_key=True),
    Column("state", Text, primary_key=True),
    Column("move", Integer, primary_key=True, autoincrement=False),
    Column("q", Double, nullable=False),
    ForeignKeyConstraint(["game", "preset"], ["rankings.game", "rankings.preset"], ondelete="CASCADE"),
)

HOSTINGS: Final = Table(
    "hostings",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("creator", Text, nullable=False),
    Column("practice", Integer, nullable=False),
    Column("movetime_ms", Integer),
    Column("rematch", Text),
    Column("paused", Integer, nullable=False),
    Column("pace_ms", Integer),
    Column("draw_player", Integer),
    Column("draw_ply", Integer),
    Column("draw_version", Integer),
    ForeignKeyConstraint(["match_id"], ["matches.id"], ondelete="CASCADE"),
    Index("hostings_by_creator", "creator"),
)

ENGINE_HELP: Final = Table(
    "engine_help",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("at_utc", Text, nullable=False),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
)
"""Hints, analyses and overlays that the players of live matches have used."""

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("holder", Text),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
    Index("seats_by_holder", "holder"),
)

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("nickname", Text, nullable=False),
    Column("changed_utc", Text, nullable=False),
)
"""The nicknames of those people who have chosen one."""

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("made_utc", Text, nullable=False),
    Column("document", Text, nullable=False),
    ForeignKeyConstraint(["match_id"], ["matches.id"], ondelete="CASCADE"),
)
"""Reviews of finished matches; the fingerprint is of the moves and the analyst."""

CLOCKS: Final = Table(
    "clocks",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("initial_ms", Integer, nullable=False),
    Column("increment_ms", Integer, nullable=False),
    Column("left_ms", Text, nullable=False),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
)

PUZZLE_PEOPLE: Final = Table(
    "puzzle_people",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("points", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best_streak", Integer, nullable=False),
    Column("changed_utc", Text, nullable=False),
)
"""The puzzle ratings of people."""

PUZZLE_ATTEMPTS: Final = Table(
    "puzzle_attempts",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("at_utc", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("theme", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("move", Text),
    Column("solved", Integer, nullable=False),
    Column("counted", Integer, nullable=False),
    Column("points", Double, nullable=False),
    Index("puzzle_attempts_by_person", "person", "at_utc"),
)

PUZZLE_RATINGS: Final = Table(
    "puzzle_ratings",
    METADATA,
    Column("puzzle", Text, primary_key=True),
    Column("points", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""The ratings of the puzzles that were tried."""

GHOSTS: Final = Table(
    "ghosts",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("match_id", Text, nullable=False),
    Column("player", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("created_utc", Text, nullable=False),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
    Index("ghosts_by_match", "match_id"),
)
"""Positions of finished matches that others play from."""

GHOST_MATCHES: Final = Table(
    "ghost_matches",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("ghost_id", Text, nullable=False),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["ghost_id"], ["ghosts.id"], ondelete="CASCADE"),
    Index("ghost_matches_by_ghost", "ghost_id"),
)
"""The matches that were begun from ghosts."""

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("at_utc", Text, nullable=False),
    Column("login", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Index("audit_by_age", "at_utc"),
)

PROBES: Final = Table(
    "probes",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at_utc", Text, nullable=False),
)
"""One row, which the check of readiness writes."""


Step: TypeAlias = tuple[str, ...]
"""Statements, for every database, that migrate one version to the next."""


def _creation() -> Step:
    """The statements that make every table but `ludex_schema`, with its indexes."""
    # SQLite accepts all types of PostgreSQL, but not the reverse.
    dialect = make_url("postgresql://").get_dialect()()
    statements: list[str] = []
    for table in METADATA.sorted_tables:
        if table is not SCHEMA:
            parts: list[ExecutableDDLElement] = [CreateTable(table)]
            parts += [CreateIndex(index) for index in sorted(table.indexes, key=lambda index: str(index.name))]
            statements += [str(part.compile(dialect=dialect)).strip() for part in parts]
    return tuple(statements)


MIGRATIONS: Final[tuple[Step, ...]] = (_creation(),)
"""Step i migrates version i to i + 1; version 0 has no tables. From the first release on, a step never changes: the
first change of a table writes the statements of version 1 out here as they were, and adds a step."""


def require_known(transactions: Transactions, migrations: tuple[Step, ...] = MIGRATIONS) -> None:
    """Raise `StoreTooNew` if a newer Ludex wrote the database; nothing is changed either way."""
    with transactions.reading() as connection:
        _read_version(connection, transactions.name, len(migrations))


def migrate(transactions: Transactions, backend: Backend, migrations: tuple[Step, ...] = MIGRATIONS) -> None:
    """Migrate the database to the last version in one transaction, if needed."""
    with transactions.reading() as connection:
        if _read_version(connection, transactions.name, len(migrations)) == len(migrations):
            return
    with transactions.writing() as connection:
        backend.hold_schema(connection)
        # Another process may have done it while this one waited.
        advance(connection, _read_version(connection, transactions.name, len(migrations)), migrations)


def advance(connection: Connection, version: int, migrations: tuple[Step, ...]) -> None:
    """Execute the steps from a version to the last one, and write that version."""
    if version == 0:
        connection.execute(text("CREATE TABLE ludex_schema (version INTEGER NOT NULL)"))
        connection.execute(insert(SCHEMA).values(version=0))
    for step in migrations[version:]:
        for statement in step:
            connection.execute(text(statement))
    connection.execute(update(SCHEMA).values(version=len(migrations)))


def _read_version(connection: Connection, name: str, supported: int) -> int:
    if not inspect(connection).has_table(SCHEMA.name):
        return 0
    versions = connection.execute(select(SCHEMA.c.version)).scalars().all()
    if len(versions) != 1:
        raise StoreUnavailable(f"{name}: table {SCHEMA.name} has {len(versions)} rows, expected 1; restore a copy")
    version = int(versions[0])
    if version > supported:
        raise StoreTooNew(
            f"{name} has schema version {version}, this Ludex knows versions up to {supported}; nothing was changed, "
            "upgrade Ludex or set LUDEX_DB to another database"
        )
    return version
