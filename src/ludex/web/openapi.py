"""The OpenAPI document: every address, and what goes over the WebSocket beside it."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from ludex.web.schemas import ClientMessage, FaultMessage, PongMessage, StateMessage, ThinkingMessage

MESSAGES: Final = (StateMessage, ThinkingMessage, FaultMessage, PongMessage, ClientMessage)
"""OpenAPI knows no WebSockets; a browser's types are made of their messages all the same."""


def install(app: FastAPI) -> None:
    """Have the app's document tell the messages of its WebSocket as well."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    template = "#/components/schemas/{model}"
    _, told = models_json_schema([(message, "serialization") for message in MESSAGES], ref_template=template)
    schemas = document["components"]["schemas"]
    for name, schema in told["$defs"].items():
        schemas.setdefault(name, schema)
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    return document
