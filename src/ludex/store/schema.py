"""The tables, and the migration steps from older schema versions."""

from typing import Final, TypeAlias

from sqlalchemy import Column, Double, ForeignKeyConstraint, Integer, MetaData, Table, Text

Step: TypeAlias = tuple[str, ...]
"""Statements that migrate one version to the next."""

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
    Column("seeding", Integer, nullable=False),
    Column("actions", Text, nullable=False),
    Column("agents", Text, nullable=False),
    Column("scores", Text),
    Column("reason", Text),
    Column("aborted", Text),
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
)
"""Positions of finished matches that others play from."""

GHOST_MATCHES: Final = Table(
    "ghost_matches",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("ghost_id", Text, nullable=False),
    ForeignKeyConstraint(["match_id"], ["hostings.match_id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["ghost_id"], ["ghosts.id"], ondelete="CASCADE"),
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
)

PROBES: Final = Table(
    "probes",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at_utc", Text, nullable=False),
)
"""One row, which the check of readiness writes."""

MIGRATIONS: Final[tuple[Step, ...]] = (
    (
        """
        CREATE TABLE matches (
            id TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL,
            created_utc TEXT NOT NULL,
            updated_utc TEXT NOT NULL,
            game TEXT NOT NULL,
            game_version INTEGER NOT NULL,
            preset TEXT NOT NULL,
            seed TEXT NOT NULL,
            actions TEXT NOT NULL,
            agents TEXT NOT NULL,
            scores TEXT,
            reason TEXT,
            aborted TEXT
        )
        """,
        "CREATE INDEX matches_by_age ON matches (created_utc, id)",
        "CREATE INDEX matches_by_game_and_age ON matches (game, created_utc, id)",
    ),
    (
        """
        CREATE TABLE rankings (
            game TEXT NOT NULL,
            preset TEXT NOT NULL,
            created_utc TEXT NOT NULL,
            PRIMARY KEY (game, preset)
        )
        """,
        """
        CREATE TABLE ranking_values (
            game TEXT NOT NULL,
            preset TEXT NOT NULL,
            state TEXT NOT NULL,
            move INTEGER NOT NULL,
            q DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (game, preset, state, move),
            FOREIGN KEY (game, preset) REFERENCES rankings (game, preset) ON DELETE CASCADE
        )
        """,
    ),
    (
        """
        CREATE TABLE hostings (
            match_id TEXT NOT NULL PRIMARY KEY,
            creator TEXT NOT NULL,
            practice INTEGER NOT NULL,
            movetime_ms INTEGER,
            FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX hostings_by_creator ON hostings (creator)",
        """
        CREATE TABLE seats (
            match_id TEXT NOT NULL,
            player INTEGER NOT NULL,
            holder TEXT,
            PRIMARY KEY (match_id, player),
            FOREIGN KEY (match_id) REFERENCES hostings (match_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX seats_by_holder ON seats (holder)",
    ),
    (
        """
        CREATE TABLE clocks (
            match_id TEXT NOT NULL PRIMARY KEY,
            initial_ms INTEGER NOT NULL,
            increment_ms INTEGER NOT NULL,
            left_ms TEXT NOT NULL,
            FOREIGN KEY (match_id) REFERENCES hostings (match_id) ON DELETE CASCADE
        )
        """,
    ),
    # Every match of before has the derivation of generators of Ludex 0.1.
    ("ALTER TABLE matches ADD COLUMN seeding INTEGER NOT NULL DEFAULT 1",),
    (
        """
        CREATE TABLE audit (
            id TEXT NOT NULL PRIMARY KEY,
            at_utc TEXT NOT NULL,
            login TEXT NOT NULL,
            address TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL
        )
        """,
        "CREATE INDEX audit_by_age ON audit (at_utc)",
        "CREATE TABLE probes (id INTEGER NOT NULL PRIMARY KEY, at_utc TEXT NOT NULL)",
    ),
    (
        "ALTER TABLE hostings ADD COLUMN rematch TEXT",
        """
        CREATE TABLE engine_help (
            match_id TEXT NOT NULL,
            player INTEGER NOT NULL,
            ply INTEGER NOT NULL,
            kind TEXT NOT NULL,
            at_utc TEXT NOT NULL,
            PRIMARY KEY (match_id, player, ply, kind),
            FOREIGN KEY (match_id) REFERENCES hostings (match_id) ON DELETE CASCADE
        )
        """,
    ),
    (
        "ALTER TABLE hostings ADD COLUMN paused INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE hostings ADD COLUMN pace_ms INTEGER",
    ),
    (
        "ALTER TABLE hostings ADD COLUMN draw_player INTEGER",
        "ALTER TABLE hostings ADD COLUMN draw_ply INTEGER",
        "ALTER TABLE hostings ADD COLUMN draw_version INTEGER",
    ),
    (
        """
        CREATE TABLE people (
            person TEXT NOT NULL PRIMARY KEY,
            nickname TEXT NOT NULL,
            changed_utc TEXT NOT NULL
        )
        """,
    ),
    (
        """
        CREATE TABLE reviews (
            match_id TEXT NOT NULL PRIMARY KEY,
            fingerprint TEXT NOT NULL,
            made_utc TEXT NOT NULL,
            document TEXT NOT NULL,
            FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
        )
        """,
    ),
    (
        """
        CREATE TABLE puzzle_people (
            person TEXT NOT NULL PRIMARY KEY,
            points DOUBLE PRECISION NOT NULL,
            deviation DOUBLE PRECISION NOT NULL,
            attempts INTEGER NOT NULL,
            solved INTEGER NOT NULL,
            streak INTEGER NOT NULL,
            best_streak INTEGER NOT NULL,
            changed_utc TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE puzzle_attempts (
            id TEXT NOT NULL PRIMARY KEY,
            person TEXT NOT NULL,
            at_utc TEXT NOT NULL,
            game TEXT NOT NULL,
            theme TEXT NOT NULL,
            puzzle TEXT NOT NULL,
            move TEXT,
            solved INTEGER NOT NULL,
            counted INTEGER NOT NULL,
            points DOUBLE PRECISION NOT NULL
        )
        """,
        "CREATE INDEX puzzle_attempts_by_person ON puzzle_attempts (person, at_utc)",
        """
        CREATE TABLE puzzle_ratings (
            puzzle TEXT NOT NULL PRIMARY KEY,
            points DOUBLE PRECISION NOT NULL,
            deviation DOUBLE PRECISION NOT NULL,
            attempts INTEGER NOT NULL
        )
        """,
        """
        CREATE TABLE ghosts (
            id TEXT NOT NULL PRIMARY KEY,
            match_id TEXT NOT NULL,
            player INTEGER NOT NULL,
            ply INTEGER NOT NULL,
            created_utc TEXT NOT NULL,
            FOREIGN KEY (match_id) REFERENCES hostings (match_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX ghosts_by_match ON ghosts (match_id)",
        """
        CREATE TABLE ghost_matches (
            match_id TEXT NOT NULL PRIMARY KEY,
            ghost_id TEXT NOT NULL,
            FOREIGN KEY (match_id) REFERENCES hostings (match_id) ON DELETE CASCADE,
            FOREIGN KEY (ghost_id) REFERENCES ghosts (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX ghost_matches_by_ghost ON ghost_matches (ghost_id)",
    ),
)
"""Step i migrates version i to i + 1. A released step never changes, so it is written out instead of being made from
the tables above; a test holds the two together."""
