"""The tables of the database."""

from typing import Final

from sqlalchemy import Column, Double, ForeignKeyConstraint, Index, Integer, MetaData, Table, Text

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
