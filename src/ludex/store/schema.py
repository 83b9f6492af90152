"""The tables of the database, and the versions of their schema with the migration of an older one."""

from typing import Any, Final, TypeAlias

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
Kind: TypeAlias = type[Text | Integer | Double[Any]]


def _columns(kind: Kind, *names: str, nullable: bool = False) -> list[Column[Any]]:
    return [Column(name, kind, nullable=nullable) for name in names]


def _keys(*names: str, kind: Kind = Text) -> list[Column[Any]]:
    """Columns of the primary key, whose values the database never chooses."""
    return [Column(name, kind, primary_key=True, autoincrement=False) for name in names]


SCHEMA: Final = Table("ludex_schema", METADATA, *_columns(Integer, "version"))

MATCHES: Final = Table(
    "matches",
    METADATA,
    *_keys("id"),
    *_columns(Integer, "version"),
    *_columns(Text, "created_utc", "updated_utc", "game"),
    *_columns(Integer, "game_version"),
    *_columns(Text, "preset", "seed"),
    *_columns(Integer, "plies", "bytes"),
    *_columns(Text, "agents"),
    *_columns(Text, "scores", "reason", "aborted", "begun_utc", "position", nullable=True),
    # The last one: what comes behind a long value takes as long to read.
    *_columns(Text, "actions"),
    Index("matches_by_age", "created_utc", "id"),
    Index("matches_by_game_and_age", "game", "created_utc", "id"),
)

RANKINGS: Final = Table("rankings", METADATA, *_keys("game", "preset"), *_columns(Text, "created_utc"))

RANKING_VALUES: Final = Table(
    "ranking_values",
    METADATA,
    *_keys("game", "preset", "state"),
    *_keys("move", kind=Integer),
    *_columns(Double, "q"),
    ForeignKeyConstraint(["game", "preset"], ["rankings.game", "rankings.preset"], ondelete="CASCADE"),
)

HOSTINGS: Final = Table(
    "hostings",
    METADATA,
    *_keys("match_id"),
    *_columns(Text, "creator"),
    *_columns(Integer, "practice"),
    *_columns(Integer, "movetime_ms", nullable=True),
    *_columns(Text, "rematch", nullable=True),
    *_columns(Integer, "paused"),
    *_columns(Integer, "pace_ms", "draw_player", "draw_ply", "draw_version", nullable=True),
    ForeignKeyConstraint(["match_id"], ["matches.id"], ondelete="CASCADE"),
    Index("hostings_by_creator", "creator"),
)

ENGINE_HELP: Final = Table(
    "engine_help",
    METADATA,
    *_keys("match_id"),
    *_keys("player", "ply", kind=Integer),
    *_keys("kind"),
    *_columns(Text, "at_utc"),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
)
"""Hints, analyses and overlays that the players of live matches have used."""

SEATS: Final = Table(
    "seats",
    METADATA,
    *_keys("match_id"),
    *_keys("player", kind=Integer),
    *_columns(Text, "holder", nullable=True),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
    Index("seats_by_holder", "holder"),
)

PEOPLE: Final = Table("people", METADATA, *_keys("person"), *_columns(Text, "nickname", "changed_utc"))
"""The nicknames of those people who have chosen one."""

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    *_keys("match_id"),
    *_columns(Text, "fingerprint", "made_utc", "document"),
    ForeignKeyConstraint(["match_id"], ["matches.id"], ondelete="CASCADE"),
)
"""Reviews of finished matches; the fingerprint is of the moves and the analyst."""

CLOCKS: Final = Table(
    "clocks",
    METADATA,
    *_keys("match_id"),
    *_columns(Integer, "initial_ms", "increment_ms"),
    *_columns(Text, "left_ms"),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
)

PUZZLE_PEOPLE: Final = Table(
    "puzzle_people",
    METADATA,
    *_keys("person"),
    *_columns(Double, "points", "deviation"),
    *_columns(Integer, "attempts", "solved", "streak", "best_streak"),
    *_columns(Text, "changed_utc"),
)
"""The puzzle ratings of people."""

PUZZLE_ATTEMPTS: Final = Table(
    "puzzle_attempts",
    METADATA,
    *_keys("id"),
    *_columns(Text, "person", "at_utc", "game", "theme", "puzzle"),
    *_columns(Text, "move", nullable=True),
    *_columns(Integer, "solved", "counted"),
    *_columns(Double, "points"),
    Index("puzzle_attempts_by_person", "person", "at_utc"),
)

PUZZLE_RATINGS: Final = Table(
    "puzzle_ratings",
    METADATA,
    *_keys("puzzle"),
    *_columns(Double, "points", "deviation"),
    *_columns(Integer, "attempts"),
)
"""The ratings of the puzzles that were tried."""

PUZZLE_ROUNDS: Final = Table(
    "puzzle_rounds",
    METADATA,
    *_keys("id"),
    *_columns(Text, "person", "game", "mode", "day", "begun_utc"),
    *_columns(Integer, "answers", "solved", "spent_ms", "over"),
    *_columns(Text, "puzzles", "missed"),
    Index("puzzle_rounds_by_person", "person"),
    Index("puzzle_rounds_by_day", "day", "game", "mode"),
)
"""Rushes and streaks: what became of each puzzle, and how long it took."""

MATCH_TIMES: Final = Table(
    "match_times",
    METADATA,
    *_keys("person", "game", "preset", "seed"),
    *_columns(Text, "match_id", "at_utc"),
    *_columns(Integer, "ms", "counts"),
    *_columns(Text, "figures"),
    Index("match_times_by_board", "game", "preset", "counts", "ms"),
)
"""The first end of each person on each layout of a timed board: a layout that a person knows is not timed again."""

GHOSTS: Final = Table(
    "ghosts",
    METADATA,
    *_keys("id"),
    *_columns(Text, "match_id"),
    *_columns(Integer, "player", "ply"),
    *_columns(Text, "created_utc"),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
    Index("ghosts_by_match", "match_id"),
)
"""Positions of finished matches that others play from."""

GHOST_MATCHES: Final = Table(
    "ghost_matches",
    METADATA,
    *_keys("match_id"),
    *_columns(Text, "ghost_id"),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["ghost_id"], ["ghosts.id"], ondelete="CASCADE"),
    Index("ghost_matches_by_ghost", "ghost_id"),
)
"""The matches that were begun from ghosts."""

AUDIT: Final = Table(
    "audit",
    METADATA,
    *_keys("id"),
    *_columns(Text, "at_utc", "login", "address", "action", "subject"),
    Index("audit_by_age", "at_utc"),
)

PROBES: Final = Table("probes", METADATA, *_keys("id", kind=Integer), *_columns(Text, "at_utc"))
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


def require_known(transactions: Transactions) -> None:
    """Raise `StoreTooNew` if a newer Ludex wrote the database; nothing is changed either way."""
    with transactions.reading() as connection:
        _read_version(connection, transactions.name, len(MIGRATIONS))


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
