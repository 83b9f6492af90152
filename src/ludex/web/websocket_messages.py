"""The messages of a match's WebSocket, in both directions."""

from typing import Literal

from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Document, Problem, Request
from ludex.web.schemas.matches import MatchView
from ludex.web.schemas.requests import Emote
from ludex.web.schemas.reviews import ReviewView


class StateMessage(Document):
    """The match has changed, or a client has just connected."""

    type: Literal["state"]
    match: MatchView

    @staticmethod
    def text_of(match: MatchView) -> str:
        """The message as it is sent: a match that was written for an answer is not written again."""
        return f'{{"type":"state","match":{match.json_text}}}'


class AnalysisMessage(Document):
    """An agent's best move so far."""

    type: Literal["analysis"]
    analysis: Analysis


class ReviewMessage(Document):
    """The review of the match, so far."""

    type: Literal["review"]
    review: ReviewView


class FaultMessage(Document):
    """A problem that concerns this client."""

    type: Literal["fault"]
    problem: Problem


class EmoteMessage(Document):
    """A sign from one player of a match to the other; both see it once, and it is not stored."""

    type: Literal["emote"]
    player: int
    emote: Emote


class PongMessage(Document):
    """The answer to a ping."""

    type: Literal["pong"]


class ClientMessage(Request):
    """A message from a client: `cancel` stops the search of this match, `ping` keeps the connection alive."""

    type: Literal["cancel", "ping"]
