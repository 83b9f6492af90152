"""The caller."""

from pydantic import Field

from ludex.web.schemas.base import Document, Request


class Me(Document):
    """The caller."""

    nickname: str | None
    """None until one is chosen."""


class NicknameRequest(Request):
    """A nickname for the caller."""

    nickname: str | None = Field(max_length=100)
    """2 to 20 letters, digits, spaces or `-_.'`, at least one of them a letter; None takes it away."""
