"""Refusals by middleware, over HTTP and before a WebSocket is open."""

from collections.abc import Mapping

from starlette.types import Receive, Scope, Send

from ludex.web.errors import STATUSES, code_texts, problem_response
from ludex.web.schemas.base import Problem

POLICY_VIOLATION = 1008


async def refuse(
    scope: Scope,
    receive: Receive,
    send: Send,
    problem: Problem,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Answer with a problem. A WebSocket is not accepted; its client sees 403, or the status where the server can."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": problem.code})
        return
    status, _ = STATUSES[problem.code]
    spoken = problem.model_copy(update={"text": code_texts(problem.code, problem.message)})
    await problem_response(status, spoken, dict(headers or {}))(scope, receive, send)
