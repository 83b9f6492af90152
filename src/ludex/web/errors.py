"""Errors of the API: one table of codes and statuses, for the responses and for the OpenAPI document."""

import json
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ludex.core.errors import LudexError, MoveError, Sentence, StoreError, UsageError
from ludex.core.log import logger
from ludex.core.messages import COMMON, LANGUAGES, Language, Message, catalogue
from ludex.core.options import fault_message
from ludex.web.budget import Overloaded, RetryLater
from ludex.web.routes.pages import not_found_page
from ludex.web.schemas.base import Problem, Texts
from ludex.web.workers.preparation import GameNotPrepared, GamePreparing
from ludex.web.workers.task import Abandoned

log = logger("web")


class BadRequest(UsageError):
    """A request that cannot be understood: a missing, unknown or ill-typed value."""


class NotYourSeat(LudexError): ...


class Secret(LudexError): ...


class NoHelp(LudexError): ...


class MatchLive(LudexError): ...


class DrawAlreadyOffered(LudexError):
    code = "draw_offered"


class NoDrawOffer(LudexError): ...


class NoRematch(LudexError): ...


class RematchDeclined(LudexError): ...


class Clocked(LudexError): ...


class BadInvitation(LudexError): ...


class TooManyMatches(LudexError): ...


class TooManyEmotes(RetryLater):
    code = "too_many_requests"


class TooManySockets(LudexError): ...


class UnknownRun(LudexError): ...


class UnknownOperation(LudexError): ...


class UnknownTournament(LudexError): ...


class UnknownTutorial(LudexError): ...


class DamagedMatch(LudexError): ...


class ServerFault(LudexError):
    """A fault of the server itself; only its log says more."""

    code = "internal"

    def __init__(self, error: Exception) -> None:
        super().__init__(f"the server failed ({type(error).__name__}); its log says why")


class Refused(MoveError):
    """A refused move together with moves that would have been accepted."""

    code = MoveError.code

    def __init__(self, reason: MoveError, legal: Sequence[str]) -> None:
        super().__init__(reason.message)
        self.reason = reason
        self.legal = legal


CODES: Final = {
    403: "administrator_only bad_invitation clocked no_help not_your_seat secret wrong_host wrong_origin wrong_token",
    404: "not_found unknown_agent unknown_game unknown_ghost unknown_job unknown_match unknown_operation "
    "unknown_preset unknown_puzzle unknown_round unknown_run unknown_tournament unknown_tutorial",
    405: "method_not_allowed",
    409: "disk_quota draw_offered job_conflict match_live no_draw_offer no_rematch rematch_declined seat_taken "
    "stale_match stale_round too_many_jobs",
    413: "too_large",
    415: "not_json",
    422: "bad_nickname bad_request broken_game data move usage",
    429: "too_busy too_many_logins too_many_matches too_many_requests too_many_sockets",
    500: "agent_fault damaged_match internal",
    503: "abandoned kernels_failed overloaded preparing store",
}
"""By HTTP status, the codes that have it. What is not here has the status of the kind that it belongs to."""
STATUSES: Final = {code: status for status, codes in CODES.items() for code in codes.split()}

RESPOND_ASYNC: Final = "respond-async"
"""The preference of RFC 7240 with which `preparing` is answered by 202, not by 503."""
WAITS: Final = {"preparing": 1, "too_busy": 2, "too_many_matches": 600}
"""Seconds for Retry-After, where the error does not define them."""


def status_of(error: LudexError) -> int:
    """The HTTP status of an error."""
    return next((STATUSES[code] for code in _codes(error) if code in STATUSES), 500)


def problem_of(error: LudexError) -> Problem:
    """An error as a document of the API."""
    if isinstance(error, StoreError) and status_of(error) == HTTPStatus.SERVICE_UNAVAILABLE:
        # Messages of the database name files and servers.
        message = "the database cannot be used now; the server's log says why"
        return Problem(code=error.code, message=message, text=code_texts("store", message))
    code, legal = (error.reason.code, [*error.legal]) if isinstance(error, Refused) else (error.code, None)
    preparation = error.preparation if isinstance(error, GamePreparing | GameNotPrepared) else None
    return Problem(code=code, message=error.message, text=error_texts(error), legal=legal, preparation=preparation)


def error_texts(error: LudexError) -> Texts:
    """An error in every language: as its message has it, else by the sentence that stands for its code."""
    reason = error.reason if isinstance(error, Refused) else error
    if reason.explanation is not None:
        return {language: _sentence(reason.explanation, language) for language in LANGUAGES}
    code = next((code for code in _codes(reason) if f"error_{code}" in catalogue(reason.owner, "en")), reason.code)
    texts = code_texts(code, error.message, reason.owner)
    # Why a game without catalogues refuses a move is a sentence of its own.
    own = reason.owner == COMMON and isinstance(reason, MoveError) and code in ("move", "illegal_action")
    return {**texts, "en": error.message} if own else texts


def _sentence(message: Sentence, language: Language) -> str:
    """With a capital, where it does not begin with a move, a key or another name."""
    owner, _, name = message.id.partition(".")
    text, template = message.text(language), catalogue(owner, language)[name]
    return text[:1].upper() + text[1:] if isinstance(template, str) and not template.startswith("{") else text


def code_texts(code: str, message: str, owner: str = COMMON) -> Texts:
    """The sentence of a code in every language; the message where it has none."""
    name = f"error_{code}"
    if name not in catalogue(owner, "en"):
        return {"en": message, "fr": message}
    return Message(f"{owner}.{name}").texts()


def problems(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may fail with these codes, and with those common to all routes."""
    everywhere = ("too_many_requests", "internal", "overloaded", "store")
    statuses: dict[int | str, list[str]] = {}
    for code in (*codes, *everywhere):
        statuses.setdefault(STATUSES[code], []).append(f"`{code}`: {catalogue(COMMON, 'en')[f'error_{code}']}")
    # Not as a model, which FastAPI would document in the media type of the route's own responses.
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    described = {status: "\n\n".join(lines) for status, lines in sorted(statuses.items())}
    return {status: {"content": content, "description": text} for status, text in described.items()}


def problem_response(status: int, problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """A problem as the body of a response."""
    # ASCII only: a message may quote text that cannot be encoded.
    body = json.dumps(problem.model_dump(mode="python"))
    return Response(body, status, headers, media_type="application/json")


def install(app: FastAPI) -> None:
    """Have the app send every expected error as a `Problem`; the request log handles the others."""
    app.add_exception_handler(LudexError, _answer_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


async def _answer_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, LudexError)
    status = status_of(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, Abandoned | GamePreparing | Overloaded):
        log.error("failed", code=error.code, message=error.message)
    headers = {}
    if status == HTTPStatus.TOO_MANY_REQUESTS or isinstance(error, GamePreparing | Overloaded):
        headers["Retry-After"] = str(getattr(error, "retry_after", WAITS.get(error.code, 1)))
    if isinstance(error, GamePreparing) and request.headers.get("Prefer") == RESPOND_ASYNC:
        # To the page it is no error, and a browser would report one on its console at every question.
        status, headers["Preference-Applied"] = HTTPStatus.ACCEPTED, RESPOND_ASYNC
    return problem_response(status, problem_of(error), headers)


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = error.errors()
    message = "; ".join(map(_fault, faults))
    spoken = code_texts("bad_request", message)
    if all(fault["type"] != "json_invalid" for fault in faults):
        # Without the part of the request that it is in, which only programs know.
        explanation = fault_message([{**fault, "loc": fault["loc"][1:] or fault["loc"]} for fault in faults])
        spoken = {language: _sentence(explanation, language) for language in LANGUAGES}
    return problem_response(422, Problem(code="bad_request", message=message, text=spoken))


def _fault(fault: dict[str, Any]) -> str:
    """One fault of a request in words."""
    if fault["type"] == "json_invalid":
        return f"the body is not JSON: {fault['ctx']['error']} at character {fault['loc'][-1]}"
    return f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status, message, headers = error.status_code, str(error.detail), dict(error.headers or {})
    if status == HTTPStatus.NOT_FOUND and (page := not_found_page(request)) is not None:
        return page
    code = {400: "bad_request", 404: "not_found", 405: "method_not_allowed"}.get(status, "internal")
    if code == "not_found":
        message = f"there is nothing at {request.url.path}"
    elif code == "method_not_allowed":
        message = f"{request.url.path} does not know {request.method}; it knows {headers.get('Allow', 'others')}"
    problem = Problem(code=code, message=message, text=code_texts(code, message))
    return problem_response(422 if code == "bad_request" else status, problem, headers)


def _codes(error: LudexError) -> Iterator[str]:
    """The error's own code, then those of the kinds it belongs to."""
    kind = type(error.reason if isinstance(error, Refused) else error)
    for ancestor in kind.__mro__:
        if issubclass(ancestor, LudexError):
            yield ancestor.code


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
    spoken = problem.model_copy(update={"text": code_texts(problem.code, problem.message)})
    await problem_response(STATUSES[problem.code], spoken, dict(headers or {}))(scope, receive, send)
