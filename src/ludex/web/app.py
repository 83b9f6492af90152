"""The web app, put together."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from ludex import __version__
from ludex.core.folders import tournaments_folder
from ludex.store.database import Database
from ludex.web import errors, openapi
from ludex.web.cards import Cards
from ludex.web.house import House
from ludex.web.leaderboard import Leaderboards
from ludex.web.live import Hub
from ludex.web.matches.keeping import Keeper
from ludex.web.matches.library import Library
from ludex.web.matches.tables import Tables
from ludex.web.matches.thinkers import Thinkers
from ludex.web.matches.turns import Turns
from ludex.web.matches.watching import watch_clocks
from ludex.web.metrics import Metrics
from ludex.web.routes import games, health, live, matches, me, pages, rankings, runs
from ludex.web.routes import metrics as metrics_routes
from ludex.web.routes import tournaments as tournament_routes
from ludex.web.seats import PersonCookie, Seats, secret_of
from ludex.web.security import protect
from ludex.web.settings import Settings
from ludex.web.thinking.pool import ThinkingPool
from ludex.web.tournaments import Tournaments


def create_app(settings: Settings, prepare: Callable[[], None] | None = None) -> FastAPI:
    """The app of these settings. `prepare` is called first in each process that thinks."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_house(settings, metrics, prepare) as app.state.house:
            yield

    app = FastAPI(
        title="Ludex",
        version=__version__,
        summary="Play grid games against machines, and see them think.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    errors.install(app)
    for routes in (health, games, matches, me, live, rankings, runs, tournament_routes, metrics_routes):
        app.include_router(routes.router)
    pages.install(app)
    openapi.install(app)
    app.add_middleware(PersonCookie)
    app.add_middleware(GZipMiddleware)
    protect(app, settings, metrics)
    return app


@asynccontextmanager
async def open_house(
    settings: Settings, metrics: Metrics, prepare: Callable[[], None] | None = None
) -> AsyncIterator[House]:
    """Everything a server needs while it runs, closed in the opposite order."""
    async with AsyncExitStack() as closing:
        database = await asyncio.to_thread(Database.open, settings.database)
        closing.callback(database.close)
        tournaments = Tournaments(tournaments_folder)
        library = Library(database, tournaments, settings.cached_matches)
        closing.callback(library.close)
        pool = ThinkingPool(settings, prepare)
        await pool.start()
        closing.push_async_callback(pool.close)
        hub = Hub(metrics, settings.poll_ms, settings.sockets, settings.sockets_per_person)
        keeper = Keeper(library, hub, metrics, Turns(settings.grace_ms))
        thinkers = Thinkers(pool, keeper, hub, settings.pace_ms)
        keeper.listen(thinkers.moved_on)
        closing.push_async_callback(thinkers.close)
        seats, cards = Seats(secret_of(settings)), Cards()
        tables = Tables(settings, keeper, thinkers, pool, seats)
        # Time in which no server ran is not charged.
        renewed = await library.renew_turns()
        chores = [
            asyncio.create_task(hub.look_out(library.versions)),
            asyncio.create_task(watch_clocks(keeper, renewed)),
            asyncio.create_task(cards.games()),
        ]
        closing.push_async_callback(_end, chores)
        yield House(settings, database, pool, metrics, seats, cards, hub, tables, tournaments, Leaderboards())


async def _end(tasks: "Sequence[asyncio.Task[object]]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
