"""Learned values, exported and imported as the files of the command line."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query

from ludex.core import registry
from ludex.core.errors import BadOption
from ludex.core.game import GameInfo
from ludex.core.ranking import RankingCodec, RankingFile
from ludex.core.registry import ranking_of
from ludex.web.administrators import record_action
from ludex.web.errors import problems
from ludex.web.schemas.lab import RankedBoard, RankingLine, Rankings
from ludex.web.state import Administrator, AppState, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(tags=["rankings"], route_class=StrictRoute)

GameId = Annotated[str, Path(max_length=64)]
Preset = Annotated[str, Path(max_length=256)]
SUBJECT = ("unknown_game", "unknown_preset", "bad_request", "usage")


@router.get("/api/rankings", responses=problems())
async def list_rankings(state: State) -> Rankings:
    """Every table of learned values in the database, and the boards that may have one."""
    found, boards = await asyncio.gather(
        asyncio.to_thread(state.database.list_rankings), asyncio.to_thread(_ranked_boards)
    )
    return Rankings(rankings=[RankingLine(**asdict(one)) for one in found], boards=boards)


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
    board, file = await asyncio.to_thread(_parsed, game, preset, document)
    line = RankingLine(game=board.id, preset=board.preset, entries=len(file.entries), created_utc=file.created_utc)
    # First, so that no change is without its entry.
    await record_action(state.database, administrator, "replace ranking", f"{line.game} {line.preset}")
    await asyncio.to_thread(state.database.rankings(line.game, line.preset).replace, *file)
    state.pool.forget(line.game)
    state.metrics.ranking_updates(line.game, line.entries)
    return line


@router.delete(
    "/api/rankings/{game}/{preset}", status_code=204, responses=problems(*SUBJECT, "administrator_only", "wrong_origin")
)
async def reset_ranking(state: State, administrator: Administrator, game: GameId, preset: Preset) -> None:
    """Forget the database's table, for the administrator; the one that ships is untouched."""
    board, _ = await asyncio.to_thread(ranking_of, game, preset)
    await record_action(state.database, administrator, "reset ranking", f"{board.info.id} {board.info.preset}")
    await asyncio.to_thread(state.database.rankings(board.info.id, board.info.preset).reset)
    state.pool.forget(board.info.id)


@cache
def _ranked_boards() -> list[RankedBoard]:
    """Every preset of the games with rankings."""
    return [
        RankedBoard(game=spec.id, title=spec.title, preset=preset, shipped=_ships(codec), agent=codec.agent)
        for spec in registry.available()[0]
        if spec.learning.rankings is not None
        for preset in spec.presets
        for _, codec in [ranking_of(spec.id, preset)]
    ]


def _ships(codec: RankingCodec) -> bool:
    try:
        codec.shipped()
    except BadOption:
        return False
    return True


def _exported(state: AppState, game: str, preset: str, shipped: bool) -> dict[str, Any]:
    board, codec = ranking_of(game, preset)
    if shipped:
        entries, created = codec.shipped()
    else:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        entries = list(state.database.rankings(board.info.id, board.info.preset).entries())
        for one in state.database.list_rankings():
            if (one.game, one.preset) == (board.info.id, board.info.preset):
                created = one.created_utc
    document: Any = codec.export(entries, created)
    return dict(document)


def _parsed(game: str, preset: str, document: dict[str, Any]) -> tuple[GameInfo, RankingFile]:
    board, codec = ranking_of(game, preset)
    return board.info, codec.parse(document)
