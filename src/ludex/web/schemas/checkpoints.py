"""The agents that runs keep, what they would do, and those that were kept as levels."""

from pydantic import Field

from ludex.core.kept_agents import LONGEST_TITLE
from ludex.core.spec import AgentFormat
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Document, Request, Texts
from ludex.web.schemas.teaching import ShownPosition


class CheckpointLine(Document):
    """An agent that a run keeps."""

    step: int
    """How far training was: updates, iterations, epochs or games."""
    row: int
    """How many rows of metrics the run had."""
    agent: str
    """What stands in the seats of a new match."""
    bytes: int


class RunCheckpoints(Document):
    """The agents that a run keeps, by step; none where its training keeps none."""

    name: str
    game: str
    players: int
    """0 if there are none."""
    preset: str | None
    """The board that they have learned; None if there are none."""
    board: Texts | None
    """What people call it."""
    renderer: str | None
    """The folder that draws the game; None: the generic board."""
    checkpoints: list[CheckpointLine]


class CheckpointView(Document):
    """What an agent of a run would do in a position."""

    agent: str
    step: int
    plies: int
    """How many moves were played on the way to the position."""
    position: ShownPosition
    analysis: Analysis


class KeptAgentLine(Document):
    """A trained agent that was kept as a level."""

    name: str
    agent: str
    """What stands in the seats of a new match."""
    title: str
    game: str
    names: Texts
    """The game's name."""
    preset: str
    board: Texts
    """What people call the board that it has learned."""
    players: int
    format: AgentFormat
    bytes: int
    origin: str
    """Where it comes from: an agent of a run, or an imported file."""
    created_utc: str


class KeptAgents(Document):
    """Every trained agent that was kept, the oldest first."""

    agents: list[KeptAgentLine]
    broken: list[str]
    """Why others cannot be read."""


class KeepRequest(Request):
    """An agent of a run to keep as a level."""

    run: str = Field(min_length=1, max_length=256)
    step: int = Field(ge=0, le=1 << 53)
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)


class ImportRequest(Request):
    """A file of a trained agent to keep as a level."""

    game: str = Field(min_length=1, max_length=64)
    preset: str = Field(min_length=1, max_length=256)
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    file_name: str = Field(min_length=1, max_length=128)
    content: str = Field(min_length=1)
    """The file's bytes in Base64."""
