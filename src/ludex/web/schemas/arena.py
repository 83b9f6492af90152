"""The documents of the API about strength: tournaments, the leaderboard of shipped agents, and personal ratings."""

from typing import Literal

from ludex.arena.standings import MeetingRow, StandingRow, TournamentRow
from ludex.web.schemas.base import Document, Texts


class TournamentLine(Document):
    """A tournament in a list."""

    name: str
    game: str
    title: str
    preset: str
    format: str
    agents: list[str]
    games: int
    planned: int
    finished: bool
    created_utc: str
    updated_utc: str
    """When the last pair was finished."""
    fault: str | None = None
    """Why the tournament cannot be shown, if it is damaged."""


class TournamentList(Document):
    """Every tournament that was given a name."""

    tournaments: list[TournamentLine]


class CurvePoint(Document):
    """The ratings of all agents after so many games."""

    games: int
    values: list[float | None]
    """In the order of the agents: ratings, in a game for one scores."""


class GameFault(Document):
    """The forfeiting agent and its fault."""

    agent: str
    code: str
    message: str


class GameLine(Document):
    """A game of a tournament in a list."""

    number: int
    """From 1, in the order in which pairs were finished; it never changes."""
    match: str
    """The id under which every address of a match knows this game."""
    agents: list[str]
    """The agent of each seat."""
    scores: list[float]
    reason: str
    plies: int
    seed: str
    """As text: it may be longer than JavaScript's numbers."""
    fault: GameFault | None


class GameList(Document):
    """A page of a tournament's games, newest first."""

    games: list[GameLine]
    before: int | None
    """Ask with this for the next page; None at the end."""


class TournamentDetail(Document):
    """A tournament as it stands."""

    name: str
    game: str
    title: str
    preset: str
    players: int
    format: str
    agents: list[str]
    seed: str
    movetime: int | None
    depth: int | None
    nodes: int | None
    clock: tuple[float, float] | None
    """Milliseconds, and those that each move gives back."""
    opening_plies: int
    games: int
    planned: int
    finished: bool
    created_utc: str
    updated_utc: str
    prior_pairs: int | None
    """Imaginary drawn pairs in each meeting, if an agent won or lost every game; None in a game for one."""
    standings: list[TournamentRow]
    superiority: list[list[float | None]]
    """The likelihood that the agent of a row is stronger than that of a column, in the order of the standings."""
    meetings: list[MeetingRow]
    curve: list[CurvePoint]
    forfeits: list[GameLine]
    """The newest of them."""


class Board(Document):
    """The results of the shipped agents on one board."""

    preset: str
    format: str
    games: int
    """In all."""
    seed: int
    measured: str
    """The day."""
    commands: list[str]
    """The commands that were run."""
    note: str
    """A remark for readers; often empty."""
    prior_pairs: int | None
    standings: list[StandingRow]
    meetings: list[MeetingRow]


class GameBoards(Document):
    """A game's part of the leaderboard."""

    game: str
    title: str
    machine: Texts
    """The machine on which the games were played."""
    board_titles: dict[str, Texts]
    agent_titles: dict[str, Texts]
    notes: dict[str, Texts]
    """By preset, the remarks for readers."""
    boards: list[Board]


class Leaderboard(Document):
    """The strength of the agents that ship with their games."""

    games: list[GameBoards]
    broken: list[str]
    """Games whose results cannot be read, and why."""


Verdict = Literal["counted", "people", "practice", "unrated", "altered", "helped"]
"""Whether a finished match counts for a person's rating, or why not: see `LeftOut`."""


class LeftOut(Document):
    """The numbers of a person's finished matches that do not count, by reason."""

    people: int
    """Another person took part, or this one held both seats."""
    practice: int
    unrated: int
    """The leaderboard has no such board, or no such agent, or its time per move was set."""
    altered: int
    """Moves were taken back, or the match was forked or read from a file."""
    helped: int
    """Hints, analyses or overlays were used, or the live match was forked."""


class PersonalBoard(Document):
    """A person's result on one board, from the matches that count."""

    game: str
    preset: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float | None
    """The share of points won, 0..1, in a game for one the share of games won; None without games."""
    ci95: tuple[float, float] | None
    """Of the share, in a game for one only: else the rating has the interval."""
    elo: float | None
    """None also if every game was won, or every game lost: only the interval is known then."""
    elo_ci95: tuple[float | None, float | None] | None
    """An end is None where it is unbounded; None in a game for one and without games."""
    estimate: float | None
    """The rating as one number: `elo`, else that of the same games and one imaginary draw. None as `elo_ci95`."""
    provisional: bool
    """Whether the interval is open or too wide for the rating to say much."""
    next_level: Texts | None
    """The level that the person has not reached yet; None above the highest, and where levels have no ratings."""
    progress: float | None
    """The share of the way from the last level to the next one, 0..1."""
    sentence: Texts | None
    """How the person stands, with one number; None without games."""
    details: Texts | None
    """How sure that number is, and how it was found; None without games."""
    left_out: LeftOut


class PersonalRatings(Document):
    """The caller's strength on every board on which they have finished a match."""

    boards: list[PersonalBoard]
    match: Verdict | None
    """Whether the requested match counts; None if there is none, or it is not a finished match of the caller."""


class LevelOffer(Document):
    """The results of a person at the difficulty that they played last in a game."""

    game: str
    level: str
    """The level of the machine; in a game for one the board."""
    streak: int
    """Wins in a row at this difficulty; losses in a row are negative."""
    offer: str | None
    """The difficulty that the results suggest: above after two wins, below after three losses."""
    text: Texts | None
    """The suggestion in words."""


class LevelOffers(Document):
    """By game, the last difficulty of a person and the next one."""

    offers: list[LevelOffer]
