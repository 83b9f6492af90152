"""Matches as people see them: seats, moves, permissions and lists."""

from typing import Any

from ludex.core.game import Outcome
from ludex.store.hosting import EngineHelp
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Document, SeatKind, Texts, WrittenDocument


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
    words: Texts | None = None
    """The move in words, where the game describes its moves."""


class Rematch(Document):
    """The match with swapped seats that one of two people has offered."""

    id: str
    yours: bool
    """Whether the caller holds a seat of it already: has offered it, or accepted."""


class StandingOffer(Document):
    """An offer that stands until it is answered or the match changes."""

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


class TournamentGame(Document):
    """Which game of a tournament a match is."""

    tournament: str
    """Or the job, if it is a game of a language model's evaluation."""
    page: str
    """The address of its page."""
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
    least_ms: int
    """The shortest that this server allows."""


class MatchView(WrittenDocument):
    """A match as one person may see it, at one ply."""

    LONG = "moves"

    id: str
    version: int
    """Changes with every change; a move names the one it was decided on."""
    game: str
    title: str
    preset: str
    names: Texts
    board: Texts
    seats: list[Seat]
    practice: bool
    positioned: bool
    """Whether it begins with a given position; it is not rated then."""
    rated: bool
    """Whether the match may still count for the caller's rating: help, forks and moves taken back end that."""
    help: list[EngineHelp]
    """By ply; all who see the match see it."""
    rematch: Rematch | None
    """None until one of its people has offered one."""
    draw: StandingOffer | None
    """None unless one of its people offers a draw now."""
    takeback: StandingOffer | None
    """None unless one of its people asks to take a move back."""
    created_utc: str
    begun_utc: str | None
    """The time of its first move; None before that."""
    updated_utc: str
    ply: int
    """The ply shown: `scene` is the position after so many moves."""
    plies: int
    """How many moves were played."""
    moves: list[PlayedMove]
    live: bool
    to_move: int | None
    """Of the position shown; None once the match is over."""
    phase: str
    outcome: Outcome | None
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
    searching: bool
    waiting: int | None
    """The place in line of that search while it waits for a worker, 1 for the next."""
    analysis: Analysis | None
    """The decision of the agent that made the last move, while this server remembers it; None for all viewers of a
    rated match before its end."""
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
    board: Texts
    agents: list[str]
    agent_titles: list[Texts | None]
    """What people call the levels or agents; None for a person."""
    nicknames: list[str | None]
    """One per player; None without one."""
    you: list[bool]
    """One per player: whether the caller holds the seat."""
    open: list[bool]
    """One per player: whether an invitation can give the seat."""
    plies: int
    live: bool
    status: str
    result: Texts
    """The status in a few words for the reader."""
    yours: bool
    created_utc: str
    updated_utc: str
    fault: str | None = None
    """Why the match cannot be shown, if it is damaged."""


class MatchList(WrittenDocument):
    """A page of matches, newest first."""

    LONG = "matches"

    matches: list[MatchLine]
    before: str | None
    """Ask with this for the next page; None at the end."""


class BoardModel(Document):
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


class Trial(Document):
    """Whether a move would be accepted, and if not, why."""

    legal: bool
    code: str | None
    message: str | None
    text: Texts | None = None
    """The message in every language."""


class Invitation(Document):
    """A link that gives an open seat to the first person who follows it."""

    path: str
    player: int
