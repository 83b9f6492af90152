"""Log in and out as administrator, and read what administrators did."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from ludex.store.database import AuditEntry
from ludex.web.administrators import give_cookie, record_action
from ludex.web.answers import StrictRoute
from ludex.web.errors import problems
from ludex.web.schemas.base import Document, RequestBody
from ludex.web.state import Administrator, State

router = APIRouter(prefix="/api/administrator", tags=["administrator"], route_class=StrictRoute)


class Login(RequestBody):
    """A token of a login link, or the server's own."""

    token: str = Field(min_length=1, max_length=1024)


class AdministratorStatus(Document):
    """Whether the caller is the administrator of the server."""

    administrator: bool
    token: bool
    """Whether the server has a token to log in with."""


class AuditLog(Document):
    """What administrators did, the newest first."""

    entries: list[AuditEntry]


@router.get("", responses=problems())
async def status(state: State, request: Request) -> AdministratorStatus:
    """Whether the caller is the administrator, and whether this server has a token to log in with."""
    administrator = state.administrators.find(request)
    return AdministratorStatus(administrator=administrator is not None, token=state.settings.admin_token is not None)


@router.post(
    "/login",
    responses=problems("wrong_token", "too_many_logins", "bad_request", "wrong_origin", "too_large", "not_json"),
)
async def log_in(state: State, request: Request, response: Response, login: Login) -> AdministratorStatus:
    """Become the administrator of this server, by the token of a login link or by the server's own."""
    administrator, cookie = state.administrators.log_in(login.token, request)
    await record_action(state.database, administrator, "log in")
    give_cookie(response, cookie, request)
    return AdministratorStatus(administrator=True, token=state.settings.admin_token is not None)


@router.post("/logout", responses=problems("wrong_origin"))
async def log_out(state: State, request: Request, response: Response) -> AdministratorStatus:
    """End the login on the server, and remove its cookie from this browser."""
    administrator = state.administrators.find(request)
    try:
        if administrator is not None:
            await record_action(state.database, administrator, "log out")
    finally:
        # Also where it cannot be recorded: a login that cannot be ended is worse than an entry that is missing.
        state.administrators.log_out(request)
    give_cookie(response, "", request)
    return AdministratorStatus(administrator=False, token=state.settings.admin_token is not None)


@router.get("/audit", responses=problems("administrator_only", "bad_request"))
async def audit(state: State, _: Administrator, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> AuditLog:
    """What administrators did, the newest first."""
    return AuditLog(entries=await asyncio.to_thread(state.database.audit.newest, limit))
