"""The web application: its routes, middleware and state."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.middleware.gzip import GZipMiddleware

from ludex import __version__
from ludex.core.folders import tournaments_folder
from ludex.lab.supervisor import Supervisor
from ludex.store.database import Database
from ludex.web import errors
from ludex.web.administrators import Administrators
from ludex.web.cards import Cards
from ludex.web.leaderboard import Leaderboards
from ludex.web.matches.cache import MatchCache
from ludex.web.matches.clocks import MatchClocks, watch_clocks
from ludex.web.matches.engine_turns import EngineTurns
from ludex.web.matches.reviews import MatchReviews
from ludex.web.matches.service import MatchDependencies, MatchService
from ludex.web.matches.writer import MatchWriter
from ludex.web.metrics import Metrics
from ludex.web.nicknames import KnownNicknames
from ludex.web.offload import Offload
from ludex.web.routes import (
    administrator,
    checkpoints,
    documentation,
    games,
    ghosts,
    health,
    jobs,
    live,
    me,
    operations,
    pages,
    puzzles,
    runs,
    teaching,
    trainings,
)
from ludex.web.routes import matches as match_routes
from ludex.web.routes import reviews as review_routes
from ludex.web.routes import tournaments as tournament_routes
from ludex.web.seats import PersonCookie, Seats, secret_of
from ludex.web.security import protect
from ludex.web.security.address import AddressBook
from ludex.web.settings import Settings
from ludex.web.state import AppState, Readiness
from ludex.web.subscriptions import SubscriptionHub
from ludex.web.tournaments import Tournaments
from ludex.web.websocket_messages import (
    AnalysisMessage,
    ClientMessage,
    EmoteMessage,
    FaultMessage,
    PongMessage,
    ReviewMessage,
    StateMessage,
)
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.preparation import OnPrepared, Preparation

SMALL_ANSWER: Final = 8_192
"""Bytes. A shorter answer is sent as it is: to compress a few packets costs more CPU than the rules of a move."""


def create_app(
    settings: Settings, prepare: Callable[[], None] | None = None, on_prepared: OnPrepared | None = None
) -> FastAPI:
    """The app of these settings.

    `prepare` is called first in each worker process, `on_prepared` with each game whose kernels had to be compiled.
    """
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_state(settings, metrics, prepare, on_prepared) as app.state.ludex:
            yield

    app = FastAPI(
        title="Ludex",
        version=__version__,
        summary="Play grid games against agents, and see their analysis.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    errors.install(app)
    # Routes are tried in turn: those of a move come first.
    for routes in (
        match_routes,
        review_routes,
        live,
        health,
        games,
        teaching,
        me,
        ghosts,
        puzzles,
        runs,
        trainings,
        checkpoints,
        tournament_routes,
        jobs,
        operations,
        administrator,
    ):
        app.include_router(routes.router)
    pages.install(app)
    documentation.install(app, settings)
    _describe_messages(app)
    app.add_middleware(PersonCookie)
    # The default, 9, takes forty times as long as 1 for the moves of a long match, and the event loop waits.
    app.add_middleware(GZipMiddleware, minimum_size=SMALL_ANSWER, compresslevel=4)
    protect(app, settings, metrics)
    return app


@asynccontextmanager
async def open_state(
    settings: Settings,
    metrics: Metrics,
    prepare: Callable[[], None] | None = None,
    on_prepared: OnPrepared | None = None,
) -> AsyncIterator[AppState]:
    """Everything a server needs while it runs, closed in the opposite order."""
    async with AsyncExitStack() as closing:
        database = await asyncio.to_thread(Database.open, settings.database)
        closing.callback(database.close)
        preparation = Preparation(prepare)
        if on_prepared is not None:
            preparation.listen(on_prepared)
        await preparation.start()
        closing.push_async_callback(preparation.close)
        tournaments, cards = Tournaments(tournaments_folder), Cards(preparation)
        hub = SubscriptionHub(metrics, settings)
        preparation.listen(lambda *_: hub.refresh())
        offload = Offload()
        closing.callback(offload.close)
        cache = MatchCache(
            *(database, tournaments, offload, preparation),
            most=settings.cached_matches,
            most_bytes=settings.cached_bytes,
        )
        closing.callback(cache.close)
        pool = WorkerPool(settings, prepare)
        await pool.start()
        closing.push_async_callback(pool.close)
        writer = MatchWriter(cache, hub, metrics, MatchClocks(settings.grace_ms))
        parts = _match_dependencies(settings, database, preparation, offload, pool, writer)
        closing.push_async_callback(parts.engine_turns.close)
        closing.push_async_callback(parts.reviews.close)
        supervisor = Supervisor(settings)
        supervisor.start()
        closing.push_async_callback(asyncio.to_thread, supervisor.close)
        # Time in which no server ran is not charged.
        restarted = await cache.restart_turns()
        background = [
            asyncio.create_task(hub.poll(cache.versions)),
            asyncio.create_task(watch_clocks(writer.clocks, writer.load, restarted)),
            asyncio.create_task(cards.games()),
        ]
        closing.push_async_callback(_end, background)
        yield _app_state(database, metrics, cards, tournaments, supervisor, parts)


def _match_dependencies(
    settings: Settings,
    database: Database,
    preparation: Preparation,
    offload: Offload,
    pool: WorkerPool,
    writer: MatchWriter,
) -> MatchDependencies:
    addresses, leaderboards = AddressBook(), Leaderboards()
    engine_turns = EngineTurns(pool, writer, offload, writer.hub, settings.pace_ms, addresses, leaderboards)
    writer.listen(engine_turns.moved_on)
    return MatchDependencies(
        settings=settings,
        writer=writer,
        engine_turns=engine_turns,
        pool=pool,
        offload=offload,
        seats=Seats(secret_of(settings)),
        preparation=preparation,
        addresses=addresses,
        leaderboards=leaderboards,
        nicknames=KnownNicknames(database.nicknames, offload),
        reviews=MatchReviews(pool, addresses, database, writer.hub, offload),
    )


def _app_state(
    database: Database,
    metrics: Metrics,
    cards: Cards,
    tournaments: Tournaments,
    supervisor: Supervisor,
    parts: MatchDependencies,
) -> AppState:
    settings, token = parts.settings, parts.settings.admin_token
    return AppState(
        settings=settings,
        database=database,
        pool=parts.pool,
        preparation=parts.preparation,
        metrics=metrics,
        seats=parts.seats,
        cards=cards,
        hub=parts.writer.hub,
        matches=MatchService(parts),
        tournaments=tournaments,
        leaderboard=parts.leaderboards,
        administrators=Administrators(secret_of(settings), None if token is None else token.get_secret_value()),
        readiness=Readiness(database),
        addresses=parts.addresses,
        nicknames=parts.nicknames,
        supervisor=supervisor,
    )


async def _end(tasks: "Sequence[asyncio.Task[object]]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


MESSAGES: Final = (StateMessage, AnalysisMessage, EmoteMessage, ReviewMessage, FaultMessage, PongMessage, ClientMessage)
"""OpenAPI has no WebSockets, but the browser's types need their messages."""


def _describe_messages(app: FastAPI) -> None:
    """Add the messages of the WebSocket to the app's document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    template = "#/components/schemas/{model}"
    _, messages = models_json_schema([(message, "serialization") for message in MESSAGES], ref_template=template)
    schemas = document["components"]["schemas"]
    for name, schema in messages["$defs"].items():
        schemas.setdefault(name, schema)
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    return document
