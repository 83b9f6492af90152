"""Write docs/schemas/, the JSON schema of every file that people get, and docs/formats.md, the page that lists them.

Models of the code are taken where a file has one; the others are written here, and a test validates real files of each.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ludex.arena.saved_tournament import _Document as TournamentDocument
from ludex.coach.model import Review
from ludex.core.kept_agents import KeptAgent
from ludex.core.registry import available, game_points, is_ours, resolve
from ludex.games.minesweeper.env.config import EnvConfig, EnvRules
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.skirmish.rules.scenario_files import ScenarioConfig
from ludex.learn.trainings import GENERIC, trainings
from ludex.operations.description import OPERATIONS
from ludex.operations.requests import job_request_type
from ludex.store.backup import Header as BackupHeader
from ludex.store.personal import People

DOCS: Final = Path(__file__).parents[1] / "docs"
FOLDER: Final = DOCS / "schemas"
PAGE: Final = DOCS / "formats.md"
RESULT: Final = "result-"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
INTRODUCTION: Final = """# Files and their schemas

This page and the schemas are generated from the code by `python scripts/schemas.py`. Each schema is a document of
JSON Schema 2020-12 for one JSON document; a file of JSON Lines has one document per line, and a YAML file is read as
JSON. A `digest` seals the rest of its document: a file that was changed after it was written is refused.

| file | what it is | where people get it |
|---|---|---|
"""
Seed: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{1,39}$", description="up to 128 bits, as text")]
Digest: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="seals the rest of the document")]
Number: TypeAlias = Annotated[int, Field(ge=0)]
Times: TypeAlias = Annotated[list[Number], Field(description="microseconds of each decision of one agent")]


class Closed(BaseModel):
    """A document without further keys."""

    model_config = ConfigDict(extra="forbid")


class Scores(Closed):
    """How a match ended."""

    scores: list[float] = Field(description="by player, in -1..1")
    reason: str


class MatchDocument(Closed):
    """A match that can be replayed."""

    format: Literal["ludex-match"]
    formatVersion: Literal[1]  # noqa: N815 - the key of all our documents
    game: str
    version: int = Field(description="of the game's rules")
    preset: str = Field(description="the board")
    seed: Seed
    position: Any = Field(description="the dumped position that the match begins with; null: the first one of the seed")
    agents: list[str] = Field(description="who sat where; a person is `you`")
    moves: list[tuple[int, str]] = Field(description="the player and the move in the game's notation")
    outcome: Scores | None = Field(description="null while it is live or after an abort")
    aborted: str | None
    digest: Digest


class JournalHeader(Closed):
    """The first line of a journal of games: what determines them."""

    format: Literal["ludex-journal"]
    formatVersion: Literal[1]  # noqa: N815
    ludex: str
    game: str
    version: int
    preset: str
    agents: list[str]
    seed: Seed
    movetime: int | None
    depth: int | None
    nodes: int | None
    clock: tuple[float, float] | None = Field(
        description="milliseconds of each player, and those that a move gives back"
    )
    opening_plies: Number
    forfeits: bool = Field(description="whether a fault loses its game")
    digest: Digest


class LanguageModelAnswer(Closed):
    """One answer of a language model."""

    answer: str | None
    finish: str | None
    tokens: tuple[Number, Number] = Field(description="of the prompt and of the answer")
    ms: Number
    refused: tuple[str, str] | None = Field(description="kind and reason, if it was no legal move")


class LanguageModelMove(Closed):
    """What a language model was asked and answered for a move."""

    ply: Number
    prompt: list[dict[str, str]]
    answers: list[LanguageModelAnswer]
    move: str | None


class JournalGame(Closed):
    """One game of a pair."""

    moves: list[int] = Field(description="actions, those of a random opening included")
    scores: list[float]
    reason: str
    micros: list[Times] = Field(description="by agent, in the order of `agents` of the line")
    fault: tuple[str, str] | None = Field(description="code and message of the loser's fault")
    transcripts: list[list[LanguageModelMove]] = Field(default_factory=list)


class JournalPair(Closed):
    """A further line: two games with swapped seats, in a game for one a single one."""

    agents: list[int] = Field(description="which agents of the header")
    pair: Number
    seed: Seed
    games: list[JournalGame] = Field(min_length=1, max_length=2)
    digest: Digest


class QuestionsHeader(Closed):
    """The first line of a journal of questions to a language model."""

    format: Literal["ludex-questions"]
    formatVersion: Literal[1]  # noqa: N815
    ludex: str
    game: str
    version: int
    preset: str
    agent: str
    seed: Seed
    positions: Number
    limit: tuple[int | None, int | None, int | None] = Field(description="movetime, depth and nodes")
    digest: Digest


class Judgement(Closed):
    """What the game's analyst says of a move."""

    loss: float = Field(description="win probability that it gave away")
    expected: float
    class_: str = Field(alias="class")
    forced: bool
    best: str | None
    theme: str | None


class Question(Closed):
    """A further line: a position, and what was answered."""

    question: Number
    move: str | None
    fault: tuple[str, str] | None
    judged: Judgement | None
    ms: float | None = None
    transcript: list[LanguageModelMove] = Field(default_factory=list)
    digest: Digest


class PuzzleDocument(Closed):
    """A proven puzzle; keys without a value are left out."""

    board: str
    position: Any = None
    moves: list[str] = Field(default_factory=list)
    seed: Seed = "0"
    accept: list[str] = Field(min_length=1, description="the right moves")
    difficulty: int
    why: list[tuple[str, dict[str, Any], list[int]]] = Field(description="entries of the game's catalogue")
    wrong: list[tuple[str, dict[str, Any], list[int], list[str]]] = Field(default_factory=list)
    turns: list[tuple[str, list[str], list[tuple[str, dict[str, Any], list[int], list[str]]]]] = Field(
        default_factory=list
    )
    line: list[str] = Field(default_factory=list)
    task: dict[str, Any] = Field(default_factory=dict)


class Puzzles(Closed):
    """The puzzles of one theme."""

    format: Literal["ludex-puzzles"]
    formatVersion: Literal[1]  # noqa: N815
    game: str
    version: int
    theme: str
    seed: Seed
    puzzles: list[PuzzleDocument]
    digest: Digest


class PuzzlePrompt(Closed):
    """A puzzle as a question to a language model."""

    id: str
    game: str
    theme: str
    board: str
    difficulty: int
    names: int | None = Field(description="the seed of its other names")
    messages: list[dict[str, str]]
    answers: list[str] = Field(min_length=1, description="every right move, as the messages call it")


class RankedMove(Closed):
    """A learned value."""

    state: str
    moveIndex: Number  # noqa: N815 - the key of the document
    q: float


class Ranking(Closed):
    """A table of learned values."""

    version: str | int
    createdUtc: str  # noqa: N815
    qValues: list[RankedMove]  # noqa: N815


class NetworkCard(BaseModel):
    """How a network was made; further keys say more."""

    name: str
    game: str
    version: int | None = None
    presets: list[str] = Field(min_length=1)
    plays_as: str = Field(description="the agent that plays it")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    bytes: int = Field(ge=1)
    architecture: str
    trained_on: str
    training: dict[str, Any] = Field(default_factory=dict)
    how: str | list[str] = Field(description="commands that make it again")
    strength: Any = None


class JobDocument(Closed):
    """A job of the laboratory: what is asked for."""

    format: Literal["ludex-job"]
    formatVersion: Literal[1]  # noqa: N815
    createdUtc: str  # noqa: N815
    title: str
    request: job_request_type()  # type: ignore[valid-type]


class RunDocument(BaseModel):
    """A training run; its configuration lies beside it."""

    game: str
    config: str
    createdUtc: str  # noqa: N815
    group: str | None = None
    changes: dict[str, Any] | None = None


class PersonMatch(Closed):
    """A match of a person."""

    id: str
    created_utc: str
    updated_utc: str
    game: str
    game_version: int
    preset: str
    seed: Seed | None = Field(description="null while it is live")
    position: Any
    agents: list[str]
    yours: list[int] = Field(description="the person's seats")
    practice: bool
    scores: list[float] | None
    reason: str | None
    aborted: str | None
    actions: list[int]


class PersonPuzzles(Closed):
    """A person's puzzles."""

    standing: dict[str, Any] | None
    attempts: list[dict[str, Any]]
    rounds: list[dict[str, Any]]


class Person(Closed):
    """Everything that a server has of a person."""

    format: Literal["ludex-person"]
    formatVersion: Literal[1]  # noqa: N815
    exported_utc: str
    nickname: str | None
    matches: list[PersonMatch]
    puzzles: PersonPuzzles
    times: list[dict[str, Any]]


class Sealed(People):
    """The people of exported matches: keep it to yourself."""

    digest: Digest


class MinesweeperDocument(MinesweeperConfig):
    """Without `boards` the environment names the board too."""

    env: EnvConfig | EnvRules


class File(NamedTuple):
    """A published schema."""

    name: str
    model: Any
    about: str
    origin: str


FILES: Final = (
    File(
        "match",
        MatchDocument,
        "a match",
        "`ludex replay ID --export FILE`, `ludex matches export`, the button of a match",
    ),
    File("people", Sealed, "`people.json` beside exported matches", "`ludex matches export FOLDER`"),
    File("person", Person, "all that a server has of a person", "the page `/me`"),
    File("review", Review, "a review", "`ludex review MATCH --json`"),
    File(
        "journal",
        JournalHeader | JournalPair,
        "JSON Lines: a journal of games",
        "`--journal FILE`, `journal.jsonl` of a tournament, `NAMES-games.jsonl` of `eval-llm`",
    ),
    File(
        "questions",
        QuestionsHeader | Question,
        "JSON Lines: a journal of questions",
        "`NAMES-questions.jsonl` of `eval-llm`",
    ),
    File("tournament", TournamentDocument, "`tournament.json`", "the folder of a tournament with a name"),
    File("puzzles", Puzzles, "the puzzles of a theme", "`ludex puzzles make`"),
    File("prompt", PuzzlePrompt, "JSON Lines: puzzles as questions", "`ludex puzzles export`"),
    File("ranking", Ranking, "a table of learned values", "`ludex rankings export`"),
    File("card", NetworkCard, "the card of a network", "`net.json` of a run, and beside each network that ships"),
    File("kept", KeptAgent, "the card of a kept agent", "`agents/` in the data folder"),
    File("run", RunDocument, "`run.json`", "the folder of a training run"),
    File("job", JobDocument, "`job.json`", "the folder of a job"),
    File("backup", BackupHeader, "the first line of a backup", "`ludex backup`"),
    File("scenario", ScenarioConfig, "`scenario.json` of Skirmish", "`--scenario FOLDER`"),
)


def configurations() -> list[File]:
    """`config.yaml` of the runs of each kind of training."""
    models: dict[str, Any] = {}
    for game in available()[0]:
        if is_ours(game_points()[game.id]):
            for training in trainings(game):
                name = game.id if training is game.learning.training else GENERIC
                models[name] = MinesweeperDocument if training.config is MinesweeperConfig else training.config
    about = "`config.yaml` of a run of {}; a file of your own may name others by `extends` and leave keys out"
    return [
        File(f"config-{name}", model, about.format(name), "the folder of a training run")
        for name, model in sorted(models.items())
    ]


def results() -> list[File]:
    """What commands print by `--json`; a training prints what it measured of itself."""
    models = {
        name: get_type_hints(resolve(reference).run)["return"]
        for name, reference in OPERATIONS.items()
        if name != "train"
    }
    return [
        File(RESULT + name, model, f"the result of `{name}`", "`--json`, and the result of such a job")
        for name, model in sorted(models.items())
    ]


def documents() -> dict[Path, str]:
    """The content of every generated file."""
    files = [*FILES, *configurations(), *results()]
    texts = {FOLDER / f"{file.name}.json": _schema(file) for file in files}
    rows = [f"| [`{file.name}`](schemas/{file.name}.json) | {file.about} | {file.origin} |" for file in files]
    return {**texts, PAGE: INTRODUCTION + "\n".join(rows) + "\n"}


def _schema(file: File) -> str:
    written = file.name.startswith(RESULT)
    schema = TypeAdapter(file.model).json_schema(mode="serialization" if written else "validation")
    return json.dumps({"$schema": DIALECT, **schema}, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write all of them, and delete those that are none any more."""
    FOLDER.mkdir(exist_ok=True)
    texts = documents()
    for path in {*FOLDER.glob("*.json")} - texts.keys():
        path.unlink()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
