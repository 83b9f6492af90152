"""The request of a job: one document per kind, the same in the browser, in the terminal and in a job's folder."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ludex.core.seeding import MAX_SEED

Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
"""A name that is also the name of a folder."""
GameName = Annotated[str, Field(min_length=1, max_length=64)]
Agent = Annotated[str, Field(min_length=1, max_length=512)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Key = Annotated[str, Field(min_length=1, max_length=128)]
Executor = Literal["local", "ray"]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    game: GameName
    name: Name | None = None
    """The name of what is made, and the first title of the job; None draws one."""
    executor: Executor = "local"
    """Processes of this machine, or a Ray cluster."""
    address: str = Field("auto", min_length=1, max_length=256)
    """Of the Ray cluster."""


class TrainRequest(_Request):
    """Train one run, or several that differ in seed or in swept values."""

    kind: Literal["train"]
    config: str | None = Field(None, min_length=1, max_length=256)
    """A configuration that ships; None is the game's default."""
    changes: dict[Key, Any] = Field(default_factory=dict, max_length=256)
    """Values by dotted key."""
    seeds: int = Field(1, ge=1, le=100)
    """Runs per combination of values, each with its own seed."""
    sweep: dict[Key, Annotated[list[Any], Field(min_length=1, max_length=100)]] = Field(
        default_factory=dict, max_length=16
    )
    """Values by dotted key, of which every combination is trained."""
    minutes: float | None = Field(None, gt=0, le=1e6)
    """Minutes of training per run, where the configuration has them; else every run pauses after so many."""
    log: list[Annotated[str, Field(max_length=64)]] = Field(default_factory=list, max_length=8)
    """Tools that get the metrics too, see `ludex.learn.loggers`."""


class _OnBoard(_Request):
    preset: str | None = Field(None, min_length=1, max_length=256)
    """None is the game's default."""
    options: dict[Key, Any] = Field(default_factory=dict, max_length=64)
    """Options of the game that differ from the preset's."""
    movetime: int | None = Field(None, ge=1, le=10**9)
    depth: int | None = Field(None, ge=1, le=10**6)
    nodes: int | None = Field(None, ge=1, le=10**12)
    opening_plies: int = Field(0, ge=0, le=1000)
    workers: int = Field(1, ge=1, le=256)


class TournamentRequest(_OnBoard):
    """Let many agents play each other."""

    kind: Literal["tournament"]
    agents: Annotated[list[Agent], Field(min_length=2, max_length=64)]
    format: Literal["round-robin", "gauntlet", "swiss", "league"] | None = None
    """None is a round robin, and in a game for one player a league."""
    games: int = Field(100, ge=1, le=10**6)
    """Per meeting, an even number; in a league per agent."""
    rounds: int | None = Field(None, ge=1, le=1000)
    """Of a Swiss tournament."""
    seed: Seed | None = None
    """None is 0; drawn where agents of other packages play with dice or secrets."""
    clock: str | None = Field(None, min_length=1, max_length=32)
    """Seconds of each player for a game, with an increment: 60+1."""


class EvaluationRequest(_OnBoard):
    """Measure one agent, in a game for two against opponents."""

    kind: Literal["evaluation"]
    agent: Agent | None = None
    """None is the board's default."""
    opponents: Annotated[list[Agent], Field(max_length=64)] = []
    games: int = Field(100, ge=1, le=10**6)
    """In a game for two per opponent, and even."""
    seed: Seed = 0


class PuzzlesRequest(_Request):
    """Make puzzles of a theme; the file is kept in the job's folder."""

    kind: Literal["puzzles"]
    theme: str = Field(min_length=1, max_length=64)
    count: int = Field(200, ge=1, le=10**5)
    seed: Seed = 0
    workers: int = Field(1, ge=1, le=256)


JobRequest: TypeAlias = Annotated[
    TrainRequest | TournamentRequest | EvaluationRequest | PuzzlesRequest, Field(discriminator="kind")
]
REQUESTS: Final[TypeAdapter[JobRequest]] = TypeAdapter(JobRequest)


def programs_of(request: JobRequest) -> list[str]:
    """The agents of a request that run a program or a class of this machine."""
    match request:
        case TournamentRequest():
            agents = request.agents
        case EvaluationRequest():
            agents = [request.agent or "", *request.opponents]
        case _:
            agents = []
    return [agent for agent in agents if agent.startswith(("py:", "ugi:"))]
