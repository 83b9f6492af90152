"""What an agent considers in a position, and why."""

from typing import Any

from ludex.web.schemas.base import Document, Texts


class AnalysisCandidate(Document):
    """One move that an agent considered."""

    action: int
    text: str
    words: Texts | None = None
    """The move in words, where the game describes its moves."""
    score: float | None
    prob: float | None
    line: list[int]
    line_text: list[str]
    terms: dict[str, float]


class AnalysisReason(Document):
    """One sentence of an explanation."""

    id: str
    """The message's; its parameters are as the game's catalogues name them."""
    parameters: dict[str, Any]
    cells: list[int]
    """The cells of the board that it is about."""
    text: Texts


class Analysis(Document):
    """A decision and its reasons, or the best so far."""

    player: int
    ply: int
    """The number of plies of the analysed position."""
    agent: str
    final: bool
    action: int
    text: str
    value: float | None
    """In -1..1 for `player`; in a game for one the win probability."""
    candidates: list[AnalysisCandidate]
    stats: dict[str, Any]
    titles: dict[str, Texts]
    """What people call names and values of `stats` and of the candidates' `terms`, as far as a catalogue names them."""
    note: str
    """The first reason in English."""
    explanation: list[AnalysisReason]
    """The first says it all, the others are its steps."""
    overlay: dict[str, list[float | None]]
    resigns: bool
    ms: float
    """The duration so far."""
