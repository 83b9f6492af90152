"""The status of the server, its administrator and what the administrator did."""

from typing import Literal

from pydantic import Field

from ludex.store.database import AuditEntry
from ludex.web.schemas.base import Document, Request


class Health(Document):
    """The status of the server."""

    status: Literal["ok"]
    version: str
    ready: bool
    """Whether the last write to the database succeeded; `/api/health/ready` writes."""
    reason: str | None = None
    """Why it is not ready."""
    documentation: str | None = None
    """The address of the documentation, where this server has it."""


class Login(Request):
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
