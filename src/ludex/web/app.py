"""The web application: its routes, middleware and state."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.middleware.gzip import GZipMiddleware

from ludex import __version__
from ludex.coach.puzzles.rounds import RoundService
from ludex.core.folders import tournaments_folder
from ludex.lab.supervisor import Supervisor
from ludex.store.database import Database
from ludex.web import errors
from ludex.web.administrators import Administrators
from ludex.web.budget import Budgets
from ludex.web.cards import Cards
from ludex.web.ladders import Ladders
from ludex.web.leaderboard import Leaderboards
from ludex.web.matches.cache import MatchCache
from ludex.web.matches.clocks import MatchClocks, watch_clocks
from ludex.web.matches.service import MatchService
from ludex.web.matches.writer import MatchWriter
from ludex.web.metrics import Metrics
from ludex.web.offload import Offload, cancel_all
from ludex.web.people import KnownNicknames, People
from ludex.web.requestlog import RequestLog
from ludex.web.routes import (
    administrator,
    checkpoints,
    documentation,
    games,
    ghosts,
    health,
    jobs,
    learned,
    live,
    matches,
    me,
    pages,
    puzzles,
    qr,
    reviews,
    rounds,
    runs,
    times,
    tournaments,
    trainings,
)
from ludex.web.schemas.base import LARGE_ANSWER
from ludex.web.seats import PersonCookie, Seats, secret_of
from ludex.web.security.headers import OriginCheck, SecurityHeaders
from ludex.web.security.rate import BodyLimit, Buckets, FloodLimit, RateLimit
from ludex.web.settings import Settings
from ludex.web.state import AppState, Readiness
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
    first = (matches, reviews, live, health, games, times, me, ghosts, qr, rounds, puzzles)
    of_the_lab = (runs, trainings, checkpoints, learned, tournaments, jobs, administrator)
    for routes in (*first, *of_the_lab):
        app.include_router(routes.router)
    pages.install(app)
    documentation.install(app, settings)
    app.openapi = partial(_describe, app)  # type: ignore[method-assign]
    app.add_middleware(PersonCookie)
    # The default, 9, takes forty times as long as 1 for the moves of a long match, and the event loop waits.
    app.add_middleware(GZipMiddleware, minimum_size=SMALL_ANSWER, compresslevel=4, thread_minimum_size=LARGE_ANSWER)
    # The last one added runs first: it checks and counts every request, and adds headers to every response.
    buckets = Buckets(settings.requests_per_minute, settings.burst)
    app.add_middleware(BodyLimit, longest=settings.body_bytes, buckets=buckets)
    app.add_middleware(FloodLimit, per_minute=settings.messages_per_minute)
    app.add_middleware(OriginCheck, origins=settings.origins, loopback=settings.loopback)
    app.add_middleware(RateLimit, buckets=buckets)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog, metrics=metrics)
    return app


@asynccontextmanager
async def open_state(
    settings: Settings,
    metrics: Metrics,
    prepare: Callable[[], None] | None = None,
    on_prepared: OnPrepared | None = None,
) -> AsyncIterator[AppState]:
    """Everything a server needs while it runs, closed in the opposite order."""
    token = None if settings.admin_token is None else settings.admin_token.get_secret_value()
    async with AsyncExitStack() as stack:
        database = stack.enter_context(await asyncio.to_thread(Database.open, settings.database))
        offload = stack.enter_context(closing(Offload()))
        hub = SubscriptionHub(metrics, settings)
        preparation = Preparation(prepare)
        for listener in (on_prepared, lambda *_: hub.refresh()):
            if listener is not None:
                preparation.listen(listener)
        pool = WorkerPool(settings, prepare)
        for part in (preparation, pool):
            await part.start()
            stack.push_async_callback(part.close)
        tournaments, budgets = Tournaments(tournaments_folder), Budgets()
        cache = stack.enter_context(closing(MatchCache(database, tournaments, offload, preparation, budgets, settings)))
        writer = MatchWriter(cache, hub, metrics, MatchClocks(settings.grace_ms))
        leaderboards, seats = Leaderboards(), Seats(secret_of(settings))
        nicknames = KnownNicknames(database.nicknames, offload)
        matches = MatchService(
            settings, database, writer, pool, offload, preparation, leaderboards, nicknames=nicknames
        )
        stack.push_async_callback(matches.close)
        ladders, supervisor = Ladders(tournaments_folder, preparation), Supervisor(settings)
        stack.push_async_callback(ladders.close)
        supervisor.start()
        stack.push_async_callback(asyncio.to_thread, supervisor.close)
        state = AppState(
            settings=settings,
            database=database,
            pool=pool,
            preparation=preparation,
            metrics=metrics,
            seats=seats,
            cards=Cards(preparation),
            hub=hub,
            matches=matches,
            tournaments=tournaments,
            ladders=ladders,
            leaderboard=leaderboards,
            people=People(database, leaderboards),
            administrators=Administrators(token, count_failure=metrics.login_failed),
            readiness=Readiness(database),
            nicknames=nicknames,
            rounds=RoundService(database),
            supervisor=supervisor,
            budgets=budgets,
        )
        # Time in which no server ran is not charged.
        restarted = await cache.restart_turns()
        preparation.listen(lambda *_: matches.first_positions.fill())
        work = [hub.poll(cache.versions), watch_clocks(writer.clocks, writer.load, restarted), state.cards.games()]
        if settings.preload:
            work.append(matches.first_positions.prepare())
        stack.push_async_callback(cancel_all, [asyncio.create_task(each) for each in work])
        yield state


def _describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the messages of the WebSocket, which it has no words for."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        _, described = models_json_schema(
            [(message, "serialization") for message in live.MESSAGES], ref_template="#/components/schemas/{model}"
        )
        schemas = {**described["$defs"], **document["components"]["schemas"]}
        document["components"]["schemas"] = dict(sorted(schemas.items()))
        app.openapi_schema = document
    return app.openapi_schema
