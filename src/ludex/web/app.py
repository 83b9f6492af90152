"""The web application: its routes, middleware and state."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from ludex import __version__
from ludex.core.folders import tournaments_folder
from ludex.lab.supervisor import Supervisor
from ludex.store.database import Database
from ludex.web import errors, openapi
from ludex.web.administrators import Administrators
from ludex.web.cards import Cards
from ludex.web.leaderboard import Leaderboards
from ludex.web.matches.cache import MatchCache
from ludex.web.matches.clocks import MatchClocks, watch_clocks
from ludex.web.matches.engine_turns import EngineTurns
from ludex.web.matches.reviews import MatchReviews
from ludex.web.matches.service import MatchService
from ludex.web.matches.writer import MatchWriter
from ludex.web.metrics import Metrics
from ludex.web.nicknames import KnownNicknames
from ludex.web.offload import Offload
from ludex.web.readiness import Readiness
from ludex.web.routes import (
    administrator,
    checkpoints,
    comparison,
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
    rankings,
    runs,
    teaching,
    trainings,
)
from ludex.web.routes import matches as match_routes
from ludex.web.routes import metrics as metrics_routes
from ludex.web.routes import reviews as review_routes
from ludex.web.routes import tournaments as tournament_routes
from ludex.web.seats import PersonCookie, Seats, secret_of
from ludex.web.security import protect
from ludex.web.security.address import AddressBook
from ludex.web.settings import Settings
from ludex.web.state import AppState
from ludex.web.subscriptions import SubscriptionHub
from ludex.web.tournaments import Tournaments
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
        rankings,
        # Before the run that could be called so.
        comparison,
        runs,
        trainings,
        checkpoints,
        tournament_routes,
        jobs,
        operations,
        metrics_routes,
        administrator,
    ):
        app.include_router(routes.router)
    pages.install(app)
    documentation.install(app, settings)
    openapi.install(app)
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
        tournaments = Tournaments(tournaments_folder)
        preparation = Preparation(prepare)
        if on_prepared is not None:
            preparation.listen(on_prepared)
        await preparation.start()
        closing.push_async_callback(preparation.close)
        offload = Offload()
        closing.callback(offload.close)
        cache = MatchCache(
            database,
            tournaments,
            offload,
            preparation,
            most=settings.cached_matches,
            most_bytes=settings.cached_bytes,
        )
        closing.callback(cache.close)
        pool = WorkerPool(settings, prepare)
        await pool.start()
        closing.push_async_callback(pool.close)
        hub = SubscriptionHub(metrics, settings)
        addresses, leaderboards = AddressBook(), Leaderboards()
        preparation.listen(lambda *_: hub.refresh())
        writer = MatchWriter(cache, hub, metrics, MatchClocks(settings.grace_ms))
        engine_turns = EngineTurns(pool, writer, offload, hub, settings.pace_ms, addresses, leaderboards)
        writer.listen(engine_turns.moved_on)
        closing.push_async_callback(engine_turns.close)
        secret, token = secret_of(settings), settings.admin_token
        seats, cards = Seats(secret), Cards(preparation)
        administrators = Administrators(secret, None if token is None else token.get_secret_value())
        nicknames = KnownNicknames(database.nicknames, offload)
        reviews = MatchReviews(pool, addresses, database, hub, offload)
        closing.push_async_callback(reviews.close)
        matches = MatchService(
            *(settings, writer, engine_turns, pool, offload, seats, preparation, addresses, leaderboards),
            nicknames,
            reviews,
        )
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
        yield AppState(
            *(settings, database, pool, preparation, metrics, seats, cards, hub, matches, tournaments),
            leaderboard=leaderboards,
            administrators=administrators,
            readiness=Readiness(database),
            addresses=addresses,
            nicknames=nicknames,
            supervisor=supervisor,
        )


async def _end(tasks: "Sequence[asyncio.Task[object]]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
