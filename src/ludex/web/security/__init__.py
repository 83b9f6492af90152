"""Middleware that protects the app: it checks and counts every request, and adds headers to every response."""

from fastapi import FastAPI

from ludex.web.metrics import Metrics
from ludex.web.requestlog import RequestLog
from ludex.web.security.body import BodyLimit
from ludex.web.security.headers import OriginCheck, SecurityHeaders
from ludex.web.security.rate import Buckets, FloodLimit, RateLimit
from ludex.web.settings import Settings


def protect(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    """Add all protecting middleware. The last one added runs first."""
    buckets = Buckets(settings.requests_per_minute, settings.burst)
    app.add_middleware(BodyLimit, longest=settings.body_bytes, buckets=buckets)
    app.add_middleware(FloodLimit, per_minute=settings.messages_per_minute)
    app.add_middleware(OriginCheck, origins=settings.origins, loopback=settings.loopback)
    app.add_middleware(RateLimit, buckets=buckets)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog, metrics=metrics)
