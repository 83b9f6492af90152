"""The documents of the API. The OpenAPI document and the browser's types are generated from these."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ludex.learn.run_state import RunState

SeatKind = Literal["person", "machine"]
Texts = dict[Literal["en", "fr"], str]
"""A text in every language of the screens."""
Seed = Annotated[str, Field(pattern=r"^[0-9]{1,39}$")] | Annotated[int, Field(strict=True, ge=0, lt=1 << 53)]
"""Up to 128 bits in decimal digits, or a number that JavaScript holds exactly."""


Emote = Literal["hello", "nice", "oops", "thanks"]
"""The signs that two people can give each other."""


class Document(BaseModel):
    """A response of the API."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(BaseModel):
    """A request to the API; an unknown key is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GamePreparation(Document):
    """How far the kernels of a game are compiled: it can be played once it is `ready`."""

    game: str
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


class Health(Document):
    """The status of the server."""

    status: Literal["ok"]
    version: str
    ready: bool
    """Whether the last write to the database succeeded; `/api/health/ready` writes."""
    reason: str | None = None
    """Why it is not ready."""


class Login(Request):
    """A token of a login link, or the server's own."""

    token: str = Field(min_length=1, max_length=1024)


class AdministratorStatus(Document):
    """Whether the caller is the administrator of the server."""

    administrator: bool
    token: bool
    """Whether the server has a token to log in with."""


class AuditEntry(Document):
    """What an administrator did."""

    at_utc: str
    login: str
    address: str
    action: str
    subject: str


class AuditLog(Document):
    """What administrators did, the newest first."""

    entries: list[AuditEntry]


class LevelCard(Document):
    """One difficulty that a person can choose."""

    name: str
    """What stands in the seats of a new match."""
    title: Texts
    description: Texts
    """The machine's character in a sentence."""
    agent: str
    """The agent and its options, such as `easy:mistakes=0.3`."""
    presets: list[str] | None
    """The presets it supports; None means all."""
    rating: float | None
    """Elo points on the board that people begin on; None: not measured."""


class AgentCard(Document):
    """One agent of a game."""

    name: str
    title: Texts
    """What people call it."""
    summary: str
    presets: list[str] | None
    """The presets it supports without options; None means all."""
    options: dict[str, Any]
    """The JSON schema of what can be set, written `name:key=value`."""


class GameCard(Document):
    """One game as the registry knows it."""

    id: str
    title: str
    summary: str
    players: Literal[1, 2]
    chance: Literal["none", "sampled"]
    information: Literal["perfect", "hidden"]
    presets: list[str]
    """Those offered to people; they begin on the first."""
    boards: dict[str, Texts]
    """By preset, what people call its board."""
    options: dict[str, Any]
    """The JSON schema of a board's options, written `preset:key=value`."""
    option_titles: dict[str, Texts]
    """By option of a board, what people call it."""
    levels: list[LevelCard]
    """The difficulties, the weakest first."""
    default_level: str | None
    """The level that a new player meets on the first board; None if no level plays it."""
    agents: list[AgentCard]
    """The first that supports a board analyses it by default, and plays it where no level does."""
    rankings: bool
    """Whether its boards may have tables of learned values."""
    analyst: str
    """The default agent for hints on the default board."""
    renderer: str | None
    """The name of the folder `/static/games/NAME/` that draws it; None: the generic board."""
    pictured: bool
    """Whether `preview.js` of `/static/games/ID/` draws its picture on the home page."""
    sketch: dict[str, Any] | None
    """A moment of the game as a scene of the generic board; None for games without one, or with a picture."""
    translated: bool
    """Whether `card.fr.js` of `/static/games/ID/` has its French texts."""
    rules: bool
    """Whether it brings its rules in words and pictures."""
    tutorial: int
    """How many steps its tutorial has; 0 without one."""
    preparation: GamePreparation
    """Whether it can be played already."""


class Games(Document):
    """Every game there is."""

    games: list[GameCard]
    broken: list[Problem]
    """Games that cannot be loaded, and why."""


class BoardCard(Document):
    """One board of a game, of a preset or with options of its own."""

    preset: str
    """Its one name: that of a preset, with the options that differ from it."""
    title: Texts
    """What people call it."""
    agents: list[str]
    """The agents that support it without options."""
    levels: list[str]
    """The levels that support it, the weakest first."""


class Preparations(Document):
    """How far the kernels of every game are compiled."""

    games: list[GamePreparation]


class NewClock(Request):
    """Time for the whole game, the same for each player."""

    seconds: int = Field(strict=True, ge=1, le=86_400)
    """The initial time of a player."""
    increment: int = Field(default=0, strict=True, ge=0, le=3_600)
    """Seconds that each of the player's moves gives back."""


class NewMatch(Request):
    """A match to begin."""

    game: str = Field(max_length=64)
    preset: str | None = Field(default=None, max_length=256)
    """A preset with options, such as `expert:mines=80`; the game's default if None."""
    seats: list[str] = Field(min_length=1, max_length=2)
    """One per player: `you` (this person), `open` (for an invitation), or an agent such as `hard:depth=3`."""
    practice: bool = False
    """Dice and secrets stay, but moves may be taken back and forked while the match is live, and engine help is open to
    both people of a match. Practice is never rated."""
    movetime_ms: int | None = Field(default=None, ge=10, le=600_000)
    """The time limit of agents per move; their own limits if None."""
    clock: NewClock | None = None
    """A player out of time loses the match; refused in games for one player. None: no time control."""
    seed: Seed | None = None
    """Of all randomness; drawn in secret if None. A caller who sets the seed knows it, so a game with dice or secrets
    allows it in practice only."""


class Seat(Document):
    """One seat of a match."""

    player: int
    kind: SeatKind
    name: str
    """`you` for a person, else the agent's reference."""
    title: Texts | None
    """What people call the level or agent; None for a person."""
    you: bool
    """Whether the caller holds the seat."""
    open: bool
    """Whether a person's seat is not taken yet."""
    nickname: str | None = None
    """The name that the person has chosen; None without one, and for agents."""


class PlayedMove(Document):
    """One ply."""

    player: int
    action: int
    text: str


class MatchOutcome(Document):
    """How a match ended."""

    scores: list[float]
    reason: str


class HelpUsed(Document):
    """Engine help that a player has used while the match was live; everybody who sees the match sees it."""

    player: int
    ply: int
    """The number of plies that were played then."""
    kind: Literal["hint", "analysis", "fork"]
    """Overlays that need an analysis are analyses; in a fork every help is open."""


class Rematch(Document):
    """The match with swapped seats that one of two people has offered."""

    id: str
    yours: bool
    """Whether the caller holds a seat of it already: has offered it, or accepted."""


class DrawOffered(Document):
    """An offer of a draw that stands until it is answered or the match changes."""

    player: int
    yours: bool
    """Whether the caller has made it."""


class Permissions(Document):
    """The actions that the caller may take now."""

    move: bool
    undo: bool
    resign: bool
    fork: bool
    download: bool
    analyse: bool
    delete: bool
    rematch: bool
    """Offer a rematch to the other person, or accept theirs."""
    pace: bool
    """Pause a match between agents, play one move of it, set its speed."""
    draw: bool
    """Offer the other person a draw, or accept theirs."""


class ThoughtCandidate(Document):
    """One move that an agent considered."""

    action: int
    text: str
    score: float | None
    prob: float | None
    line: list[int]
    line_text: list[str]
    terms: dict[str, float]


class ThoughtReason(Document):
    """One sentence of an explanation."""

    id: str
    """The message's; its parameters are as the game's catalogues name them."""
    parameters: dict[str, Any]
    cells: list[int]
    """The cells of the board that it is about."""
    text: Texts


class Thought(Document):
    """A decision and its reasons, or the best so far."""

    player: int
    ply: int
    """The number of plies of the analysed position."""
    agent: str
    final: bool
    action: int
    text: str
    value: float | None
    """In -1..1 for `player`; in a game for one the probability to win."""
    candidates: list[ThoughtCandidate]
    stats: dict[str, Any]
    note: str
    """The first reason in English."""
    explanation: list[ThoughtReason]
    """The first says it all, the others are its steps."""
    overlay: dict[str, list[float | None]]
    resigns: bool
    ms: float
    """The duration so far."""


class TournamentGame(Document):
    """Which game of a tournament a match is."""

    tournament: str
    number: int
    fault: str | None
    """What the loser did, if the game was forfeited."""


class MatchClock(Document):
    """Time for the whole game, as it is at the moment of the answer."""

    seconds: int
    increment: int
    left_ms: list[int]
    """The remaining time of each player, now or at the ply shown."""
    running: int | None
    """The player whose time runs; None while a seat is open, while an agent waits for a worker, and in the past."""


class MatchPace(Document):
    """How fast two agents play each other."""

    paused: bool
    ms: int
    """The shortest time between two moves."""
    least_ms: int
    """The shortest that this server allows."""


class MatchView(Document):
    """A match as one person may see it, at one ply."""

    id: str
    version: int
    """Changes with every change; a move names the one it was decided on."""
    game: str
    title: str
    preset: str
    names: Texts
    """The game's name."""
    board: Texts
    """What people call the board."""
    seats: list[Seat]
    practice: bool
    rated: bool
    """Whether the match may still count for the caller's rating: help, forks and moves taken back end that."""
    help: list[HelpUsed]
    """By ply."""
    rematch: Rematch | None
    """None until one of its people has offered one."""
    draw: DrawOffered | None
    """None unless one of its people offers a draw now."""
    created_utc: str
    updated_utc: str
    ply: int
    """The ply shown: `scene` is the position after so many moves."""
    plies: int
    """How many moves were played."""
    moves: list[PlayedMove]
    live: bool
    to_move: int | None
    """None once the match is over."""
    phase: str
    outcome: MatchOutcome | None
    aborted: str | None
    """The code of the abort that ended the match without a score."""
    abort_message: str | None
    """What the abort says of its position, in English; a game's renderer may say it in the reader's language."""
    status: str
    """One sentence on how the match stands."""
    scene: dict[str, Any] | None
    """What the game's renderer draws, or a scene of the generic board; None where the game has none."""
    scene_fault: str | None
    """Why the game could not draw its scene; `picture` is there instead."""
    picture: str
    """The board as text, as the terminal draws it: always for games without a scene, else on request, else empty."""
    can: Permissions
    why: dict[str, str]
    """For each of `can` that is refused, the code of the reason."""
    coach: Texts | None
    """What the viewer can do now, in words, where it is their turn and the game has a coach."""
    thinking: bool
    """Whether an agent searches the next move."""
    waiting: int | None
    """The place in line of that search while it waits for a worker, 1 for the next."""
    thought: Thought | None
    """The decision of the agent that made the last move, while this server remembers it; None for everybody in a rated
    match before its end."""
    seed: str | None
    """As text: it may be longer than JavaScript's numbers. None while it is a secret."""
    game_of: TournamentGame | None
    """None for a match of the database."""
    clock: MatchClock | None
    """None without time control."""
    pace: MatchPace | None
    """None unless agents play each other and the match is live."""


class MatchFactsView(Document):
    """The facts of a finished match."""

    facts: dict[str, Any] | None
    """As the game's slice computes them; None while the match is live, and where the game has none."""


class MatchLine(Document):
    """A match in a list."""

    id: str
    game: str
    title: str
    preset: str
    names: Texts
    """The game's name."""
    board: Texts
    """What people call the board."""
    agents: list[str]
    agent_titles: list[Texts | None]
    """What people call the levels or agents; None for a person."""
    nicknames: list[str | None]
    """One per player; None without one."""
    plies: int
    live: bool
    status: str
    yours: bool
    created_utc: str
    updated_utc: str
    fault: str | None = None
    """Why the match cannot be shown, if it is damaged."""


class MatchList(Document):
    """A page of matches, newest first."""

    matches: list[MatchLine]
    before: str | None
    """Ask with this for the next page; None at the end."""


class Stage(Document):
    """What never changes during a match: the board, its names, the forces."""

    game: str
    preset: str
    stage: dict[str, Any] | None
    agents: list[str]
    """The agents that support its board without options."""


class LegalMove(Document):
    """A move that would be accepted."""

    action: int
    text: str


class LegalMoves(Document):
    """Every legal move of a position, for the player to move."""

    version: int
    moves: list[LegalMove]


class MoveRequest(Request):
    """A move by text or by index, decided on the match as it was at `version`."""

    version: int = Field(ge=1)
    text: str | None = Field(default=None, min_length=1, max_length=64)
    action: int | None = Field(default=None, ge=0, lt=1 << 31)


class VersionRequest(Request):
    """An undo, a resignation or an answer to a draw, decided on the match as it was at `version`."""

    version: int = Field(ge=1)


class Me(Document):
    """The caller."""

    nickname: str | None
    """None until one is chosen."""


class NicknameRequest(Request):
    """A nickname for the caller."""

    nickname: str | None = Field(max_length=100)
    """2 to 20 letters, digits, spaces or `-_.'`, at least one of them a letter; None takes it away."""


class EmoteRequest(Request):
    """A sign to the other person of a match."""

    emote: Emote


class PaceRequest(Request):
    """A pause, or the speed at which agents play each other."""

    paused: bool = Field(strict=True)
    ms: int | None = Field(default=None, strict=True, ge=0, le=10_000)
    """The shortest time between two moves; the server's if None."""


class TrialRequest(Request):
    """A move to be judged, not played."""

    text: str = Field(min_length=1, max_length=64)


class Trial(Document):
    """Whether a move would be accepted, and if not, why."""

    legal: bool
    code: str | None
    message: str | None
    text: Texts | None = None
    """The message in every language."""


class ForkRequest(Request):
    """A new match from a ply of this one."""

    ply: int = Field(ge=0)
    seats: list[str] = Field(min_length=1, max_length=2)


class AnalysisRequest(Request):
    """A request for an agent's analysis of a ply."""

    agent: str | None = Field(default=None, max_length=256)
    """The game's analyst if None."""
    ply: int | None = Field(default=None, ge=0)
    """The last if None."""
    movetime_ms: int | None = Field(default=None, ge=10, le=60_000)
    kind: Literal["hint", "analysis"] = "analysis"
    """What it is recorded as, where a player of a live match asks."""


class Invitation(Document):
    """A link that gives an open seat to the first person who follows it."""

    path: str
    player: int


class JoinRequest(Request):
    """Taking a seat."""

    invitation: str = Field(max_length=512)


class RankingLine(Document):
    """A table of learned values."""

    game: str
    preset: str
    entries: int
    created_utc: str


class RankedBoard(Document):
    """A board that may have a table of learned values."""

    game: str
    title: str
    preset: str
    shipped: bool
    """Whether a table comes with Ludex."""
    agent: str
    """The agent that plays by the database's table."""


class Rankings(Document):
    """Every table of learned values in the database, and the presets that may have one."""

    rankings: list[RankingLine]
    boards: list[RankedBoard]


class RunLine(Document):
    """A training run in a list."""

    name: str
    game: str
    config: str
    created_utc: str
    rows: int
    finished: bool
    state: RunState | None
    """None if the run is damaged."""
    reason: str | None
    """Why it failed."""
    fault: str | None = None


class Runs(Document):
    """Every training run."""

    runs: list[RunLine]


class RunDetail(Document):
    """One training run."""

    name: str
    game: str
    config_name: str
    config: str
    created_utc: str
    summary: dict[str, Any] | None
    state: RunState
    reason: str | None


class RunMetrics(Document):
    """Rows of a run's metrics from `after` on."""

    name: str
    after: int
    rows: list[dict[str, Any]]
    finished: bool
