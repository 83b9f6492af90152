"""One WebSocket per client and match: it sends the state and the searches, and takes requests to stop a search."""

import asyncio
from contextlib import suppress
from typing import Final, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnected

from ludex.core.documents import strict_json
from ludex.core.errors import LudexError
from ludex.web.errors import problem_of
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Document, Problem, RequestBody
from ludex.web.schemas.matches import MatchView
from ludex.web.schemas.requests import Emote
from ludex.web.schemas.reviews import ReviewView
from ludex.web.state import Address, AppState, Person, State
from ludex.web.subscriptions import Subscription
from ludex.web.workers.preparation import GamePreparing

router = APIRouter()
REFUSED: Final = 4000
"""The close code after a fault that a retry does not fix: an unknown or deleted match, too many sockets."""
TRY_AGAIN: Final = 1013
"""The close code while the game of the match is being prepared: the client connects again."""
FAREWELL: Final = 1.0
"""Seconds to wait for the disconnect of a client whose connection the server closed."""
GONE: Final = (WebSocketDisconnect, WebSocketDisconnected)
"""Raised on a send to a client that has left: the first time, and from then on."""


class StateMessage(Document):
    """The match has changed, or a client has just connected."""

    type: Literal["state"]
    match: MatchView

    @staticmethod
    def text_of(match: MatchView) -> str:
        """The message as it is sent: a match that was written for an answer is not written again."""
        return f'{{"type":"state","match":{match.json_text()}}}'


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


class ClientMessage(RequestBody):
    """A message from a client: `cancel` stops the search of this match, `ping` keeps the connection alive."""

    type: Literal["cancel", "ping"]


MESSAGES: Final = (StateMessage, AnalysisMessage, EmoteMessage, ReviewMessage, FaultMessage, PongMessage, ClientMessage)
"""OpenAPI has no WebSockets, but the browser's types need their messages."""


@router.websocket("/api/matches/{match_id}/live")
async def live(socket: WebSocket, match_id: str, state: State, person: Person, address: Address) -> None:
    """Send the match to a client whenever it changes, and receive the client's messages."""
    await socket.accept()
    try:
        failure = await state.matches.wake(match_id)
        subscription = state.hub.join(match_id, person, address)
    except LudexError as error:
        with suppress(*GONE):
            await _send(socket, FaultMessage(type="fault", problem=problem_of(error)))
            await socket.close(TRY_AGAIN if isinstance(error, GamePreparing) else REFUSED, error.code)
        return
    if failure is not None:
        subscription.add_fault(failure)
    sending = asyncio.create_task(_send_updates(socket, state, subscription))
    receiving = asyncio.create_task(_receive(socket, state, subscription))
    tasks = {sending, receiving}
    left = False
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if sending.done() and sending.exception() is not None:
            # After a broken frame uvicorn refuses sends before it reports the disconnect to the receiver.
            await asyncio.wait({receiving}, timeout=FAREWELL)
        left = receiving.done()
    finally:
        state.hub.leave(subscription)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    for end in ends:
        refused = left and isinstance(end, RuntimeError)
        if isinstance(end, Exception) and not isinstance(end, GONE) and not refused:
            raise end


async def _send_updates(socket: WebSocket, state: AppState, subscription: Subscription) -> None:
    """Send every update; updates that became outdated while the client was slow are left out."""
    while True:
        await subscription.next_update()
        if subscription.gone is not None:
            problem = problem_of(subscription.gone)
            await _send(socket, FaultMessage(type="fault", problem=problem))
            await socket.close(REFUSED, problem.code)
            return
        if subscription.state_due:
            subscription.state_due = False
            try:
                view = await state.matches.latest_view(subscription.match_id, subscription.person)
            except LudexError as error:
                subscription.add_fault(problem_of(error))
            else:
                subscription.version = view.version
                await socket.send_text(StateMessage.text_of(view))
        while subscription.faults:
            await _send(socket, FaultMessage(type="fault", problem=subscription.faults.popleft()))
        while subscription.emotes:
            player, emote = subscription.emotes.popleft()
            await _send(socket, EmoteMessage(type="emote", player=player, emote=emote))
        if subscription.analysis is not None:
            analysis, subscription.analysis = subscription.analysis, None
            await _send(socket, AnalysisMessage(type="analysis", analysis=analysis))
        if subscription.review is not None:
            review, subscription.review = subscription.review, None
            await _send(socket, ReviewMessage(type="review", review=review))


async def _receive(socket: WebSocket, state: AppState, subscription: Subscription) -> None:
    """Handle a client's messages; an invalid one is answered with a fault and keeps the connection open."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            request = ClientMessage.model_validate(strict_json(message.get("text") or message.get("bytes") or ""))
            if request.type == "cancel":
                await state.matches.cancel(subscription.match_id, subscription.person)
            else:
                await state.matches.wake(subscription.match_id)
                await _send(socket, PongMessage(type="pong"))
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
            subscription.add_fault(Problem(code="bad_request", message=faults))
        except (ValueError, RecursionError) as error:
            subscription.add_fault(Problem(code="bad_request", message=f"not valid JSON: {error}"))
        except LudexError as error:
            subscription.add_fault(problem_of(error))


async def _send(socket: WebSocket, message: Document) -> None:
    await socket.send_text(message.model_dump_json(by_alias=True))
