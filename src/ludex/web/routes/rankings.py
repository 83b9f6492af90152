"""Learned values, exported and imported as the files of the command line."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query

from ludex.core.game import GameInfo
from ludex.core.ranking import Entry
from ludex.core.registry import ranking_of
from ludex.web.audit import record
from ludex.web.errors import problems
from ludex.web.schemas import RankingLine, Rankings
from ludex.web.state import Administrator, AppState, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(tags=["rankings"], route_class=StrictRoute)

GameId = Annotated[str, Path(max_length=64)]
Preset = Annotated[str, Path(max_length=256)]
SUBJECT = ("unknown_game", "unknown_preset", "bad_request", "usage")


@router.get("/api/rankings", responses=problems())
async def list_rankings(state: State) -> Rankings:
    """Every table of learned values in the database."""
    found = await asyncio.to_thread(state.database.list_rankings)
    return Rankings(
        rankings=[RankingLine(game=one.game, preset=one.preset, entries=one.entries) for one in found],
    )


@router.get("/api/rankings/{game}/{preset}", responses=problems(*SUBJECT))
async def export_ranking(
    state: State,
    game: GameId,
    preset: Preset,
    shipped: Annotated[bool, Query(description="the table that comes with Ludex instead of the database's")] = False,
) -> dict[str, Any]:
    """A table as a rankings file, without loss of precision."""
    return await asyncio.to_thread(_exported, state, game, preset, shipped)


@router.put(
    "/api/rankings/{game}/{preset}",
    responses=problems(*SUBJECT, "data", "administrator_only", "wrong_origin", "too_large", "not_json"),
)
async def import_ranking(
    state: State,
    administrator: Administrator,
    game: GameId,
    preset: Preset,
    document: Annotated[dict[str, Any], Body(description="a rankings file")],
) -> RankingLine:
    """Check a rankings file as a whole, then put it in place of the database's table; for the administrator."""
    board, entries = await asyncio.to_thread(_parsed, game, preset, document)
    line = RankingLine(game=board.id, preset=board.preset, entries=len(entries))
    # First, so that no change is without its entry.
    await record(state.database, administrator, "replace ranking", f"{line.game} {line.preset}")
    await asyncio.to_thread(state.database.rankings(line.game, line.preset).replace, entries)
    state.pool.forget(line.game)
    state.metrics.ranking_updates(line.game, line.entries)
    return line


def _exported(state: AppState, game: str, preset: str, shipped: bool) -> dict[str, Any]:
    board, codec = ranking_of(game, preset)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    if shipped:
        entries = list(codec.shipped())
    else:
        entries = list(state.database.rankings(board.info.id, board.info.preset).entries())
        for one in state.database.list_rankings():
            if (one.game, one.preset) == (board.info.id, board.info.preset):
                created = one.created_utc
    document: Any = codec.export(entries, created)
    return dict(document)


def _parsed(game: str, preset: str, document: dict[str, Any]) -> tuple[GameInfo, list[Entry]]:
    board, codec = ranking_of(game, preset)
    return board.info, codec.parse(document)
