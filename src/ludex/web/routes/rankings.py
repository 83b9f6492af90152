"""Tables of learned values, in and out as the files the command line knows."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query

from ludex.core.ranking import ranking_of
from ludex.web.errors import Forbidden, problems
from ludex.web.house import House, InHouse
from ludex.web.schemas import RankingLine, Rankings

router = APIRouter(tags=["rankings"])

GameId = Annotated[str, Path(max_length=64)]
Preset = Annotated[str, Path(max_length=256)]
SUBJECT = ("unknown_game", "unknown_preset", "bad_request", "usage")


@router.get("/api/rankings", responses=problems())
async def list_rankings(house: InHouse) -> Rankings:
    """Every table of learned values in the database."""
    found = await asyncio.to_thread(house.database.list_rankings)
    return Rankings(
        rankings=[RankingLine(game=one.game, preset=one.preset, entries=one.entries) for one in found],
    )


@router.get("/api/rankings/{game}/{preset}", responses=problems(*SUBJECT))
async def export_ranking(
    house: InHouse,
    game: GameId,
    preset: Preset,
    shipped: Annotated[bool, Query(description="the table that comes with Ludex instead of the database's")] = False,
) -> dict[str, Any]:
    """A table as a rankings file, every bit of every number kept."""
    return await asyncio.to_thread(_exported, house, game, preset, shipped)


@router.put("/api/rankings/{game}/{preset}", responses=problems(*SUBJECT, "data", "forbidden", "too_large", "not_json"))
async def import_ranking(
    house: InHouse,
    game: GameId,
    preset: Preset,
    document: Annotated[dict[str, Any], Body(description="a rankings file")],
) -> RankingLine:
    """Check a rankings file as a whole, then put it in place of the database's table."""
    if not house.settings.loopback and not house.settings.shared_rankings:
        raise Forbidden("visitors may not replace rankings here; LUDEX_SHARED_RANKINGS=true lets them")
    line = await asyncio.to_thread(_imported, house, game, preset, document)
    house.pool.forget(line.game)
    house.metrics.ranking_updates(line.game, line.entries)
    return line


def _exported(house: House, game: str, preset: str, shipped: bool) -> dict[str, Any]:
    board, codec = ranking_of(game, preset)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    if shipped:
        entries = list(codec.shipped())
    else:
        entries = list(house.database.rankings(board.info.id, board.info.preset).entries())
        for one in house.database.list_rankings():
            if (one.game, one.preset) == (board.info.id, board.info.preset):
                created = one.created_utc
    document: Any = codec.export(entries, created)
    return dict(document)


def _imported(house: House, game: str, preset: str, document: dict[str, Any]) -> RankingLine:
    board, codec = ranking_of(game, preset)
    entries = codec.parse(document)
    house.database.rankings(board.info.id, board.info.preset).replace(entries)
    return RankingLine(game=board.info.id, preset=board.info.preset, entries=len(entries))
