"""Errors of the API: one table of codes and statuses, for the responses and for the OpenAPI document.

What a code means stands in the table, beside its status.
"""

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


STATUSES: Final[dict[str, tuple[int, str]]] = {
    "bad_request": (422, "A value is missing, unknown, ill-typed or impossible."),
    "usage": (422, "A name, option or combination that does not exist."),
    "data": (422, "A document that is not what it claims to be."),
    "move": (422, "The move is refused; `legal` names some that would be accepted."),
    "unknown_game": (404, "No game has this name."),
    "unknown_agent": (404, "No agent of the game has this name."),
    "unknown_preset": (404, "No preset of the game has this name."),
    "unknown_ghost": (404, "No ghost has this id: its match may have been deleted."),
    "unknown_puzzle": (404, "No puzzle has this id, or there is none of this kind."),
    "unknown_round": (404, "The caller has no round of puzzles with this id."),
    "stale_round": (409, "The puzzle of the round has its answer already: read the round again."),
    "broken_game": (422, "A third party's game that cannot be loaded."),
    "unknown_match": (404, "No match has this id."),
    "unknown_run": (404, "No run has this name."),
    "unknown_operation": (404, "No operation has this name."),
    "unknown_tournament": (404, "No tournament has this name."),
    "unknown_job": (404, "No job has this id."),
    "job_conflict": (409, "The job is not in a state in which this can be done."),
    "too_many_jobs": (409, "As many jobs wait as the server allows."),
    "disk_quota": (409, "Matches, or runs, tournaments and jobs, fill as much of the disk as they may."),
    "unknown_tutorial": (404, "The game has no tutorial, or the tutorial no such step."),
    "not_found": (404, "There is nothing at this address."),
    "method_not_allowed": (405, "The address does not know this method."),
    "stale_match": (409, "The match has moved on since it was read."),
    "seat_taken": (409, "No seat of the match is open, or another person was faster."),
    "not_your_seat": (403, "Another person holds the seat, or began the match."),
    "bad_invitation": (403, "The invitation is not one of this server for this match."),
    "secret": (403, "It would show dice or secrets of a match that is still live."),
    "no_help": (403, "A live match between two people is no practice: engines help neither of them."),
    "match_live": (409, "The match is not over yet."),
    "bad_nickname": (422, "The nickname is too long or short, or has characters that nicknames have not."),
    "draw_offered": (409, "You have offered a draw, or asked for a move, in this position already."),
    "no_draw_offer": (409, "Nothing is offered now."),
    "no_rematch": (409, "The other person offers no rematch."),
    "rematch_declined": (409, "The other person has declined the rematch."),
    "clocked": (403, "The match is played with clocks: no move is taken back."),
    "administrator_only": (403, "Only the administrator of the server may do it."),
    "wrong_token": (403, "The token is neither the server's nor that of a login link that can still be used."),
    "wrong_origin": (403, "Another site may not send this request."),
    "wrong_host": (403, "The server answers to this machine only."),
    "too_large": (413, "The body is longer than the server allows."),
    "not_json": (415, "The body is not application/json."),
    "too_many_requests": (429, "More requests than the server allows; see Retry-After."),
    "too_many_logins": (429, "Too many attempts to log in from one address; see Retry-After."),
    "too_busy": (429, "More searches than the server allows; see Retry-After."),
    "too_many_matches": (429, "More matches than the server allows one person; see Retry-After."),
    "too_many_sockets": (429, "More open WebSockets than the server allows."),
    "agent_fault": (500, "The agent crashed, moved illegally or broke its protocol."),
    "damaged_match": (500, "The stored match does not replay."),
    "internal": (500, "A fault of the server; its log says more."),
    "abandoned": (503, "The server is closing."),
    "preparing": (503, "The game's kernels are still being compiled; `preparation` says how far, see Retry-After."),
    "kernels_failed": (503, "The game's kernels cannot be compiled; `preparation` says why."),
    "overloaded": (503, "As much work of this kind is under way as the server does at once; see Retry-After."),
    "store": (503, "The database cannot be used now."),
}
"""By code: the HTTP status and what it means. A code that is not here has the status of the kind it belongs to."""

WAITS: Final = {"preparing": 1, "too_busy": 2, "too_many_matches": 600}
"""Seconds for Retry-After, where the error does not define them."""


def status_of(error: LudexError) -> int:
    """The HTTP status of an error."""
    return next((STATUSES[code][0] for code in _codes(error) if code in STATUSES), 500)


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
        status, meaning = STATUSES[code]
        statuses.setdefault(status, []).append(f"`{code}`: {meaning}")
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
    app.add_exception_handler(LudexError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


async def _ours(_request: Request, error: Exception) -> Response:
    assert isinstance(error, LudexError)
    status = status_of(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, Abandoned | GamePreparing | Overloaded):
        log.error("failed", code=error.code, message=error.message)
    headers = {}
    if status == HTTPStatus.TOO_MANY_REQUESTS or isinstance(error, GamePreparing | Overloaded):
        headers["Retry-After"] = str(getattr(error, "retry_after", WAITS.get(error.code, 1)))
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
    status, _ = STATUSES[problem.code]
    spoken = problem.model_copy(update={"text": code_texts(problem.code, problem.message)})
    await problem_response(status, spoken, dict(headers or {}))(scope, receive, send)
