"""What all documents of the API share. The OpenAPI document and the browser's types are generated from them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SeatKind = Literal["person", "machine"]
Texts = dict[Literal["en", "fr"], str]
"""A text in every language of the screens."""
Seed = Annotated[str, Field(pattern=r"^[0-9]{1,39}$")] | Annotated[int, Field(strict=True, ge=0, lt=1 << 53)]
"""Up to 128 bits in decimal digits, or a number that JavaScript holds exactly."""


class Document(BaseModel):
    """A response of the API."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(BaseModel):
    """A request to the API; an unknown key is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GamePreparation(Document):
    """How far kernels of a game are compiled: once they are `ready`, it can be played, by the agents they are of."""

    game: str
    kernels: Literal["player", "agents", "on_demand"] = "player"
    """Whose they are: "player" is what the game needs, "agents" what some of its agents need besides."""
    state: Literal["waiting", "compiling", "ready", "failed"]
    done: int
    """Kernels that are compiled."""
    total: int
    """Kernels in all; 0 before that is known."""
    reason: str | None = None
    """Why it failed."""


class Problem(Document):
    """Every error: a stable code and a sentence for people."""

    code: str
    message: str
    text: Texts | None = None
    """The sentence in every language; None where only the server's English is known."""
    legal: list[str] | None = None
    """After a refused move: some of the moves that would have been accepted."""
    preparation: GamePreparation | None = None
    """With `preparing` and `kernels_failed`: how far the game is."""
