"""The OpenAPI document: every route, and the messages of the WebSocket."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from ludex.web.websocket_messages import (
    AnalysisMessage,
    ClientMessage,
    EmoteMessage,
    FaultMessage,
    PongMessage,
    ReviewMessage,
    StateMessage,
)

MESSAGES: Final = (StateMessage, AnalysisMessage, EmoteMessage, ReviewMessage, FaultMessage, PongMessage, ClientMessage)
"""OpenAPI has no WebSockets, but the browser's types need their messages."""


def install(app: FastAPI) -> None:
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
