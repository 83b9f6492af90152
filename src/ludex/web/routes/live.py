"""One WebSocket a match: its state, the machines' thinking, and a word to stop it."""

import asyncio
from contextlib import suppress
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError
from starlette.websockets import WebSocketDisconnected

from ludex.core.errors import LudexError
from ludex.web.errors import problem_of
from ludex.web.live import Watcher
from ludex.web.schemas import ClientMessage, FaultMessage, PongMessage, Problem, StateMessage, ThinkingMessage
from ludex.web.state import AppState, Person, State
from ludex.web.workers.preparation import GamePreparing

router = APIRouter()

REFUSED: Final = 4000
"""The close code after a fault that waiting does not mend: an unknown or deleted match, too many sockets."""

TRY_AGAIN: Final = 1013
"""The close code while the game of the match is being prepared: the client connects again."""
FAREWELL: Final = 1.0
"""Seconds within which it is heard that a client was hung up on."""
GONE: Final = (WebSocketDisconnect, WebSocketDisconnected)
"""What is raised to whoever speaks to a client that has left: the first time, and from then on."""


@router.websocket("/api/matches/{match_id}/live")
async def live(socket: WebSocket, match_id: str, state: State, person: Person) -> None:
    """Tell a client how the match is, whenever it changes, and hear it."""
    await socket.accept()
    try:
        trouble = await state.matches.wake(match_id)
        watcher = state.hub.join(match_id, person)
    except LudexError as error:
        with suppress(*GONE):
            await _send(socket, FaultMessage(type="fault", problem=problem_of(error)))
            await socket.close(TRY_AGAIN if isinstance(error, GamePreparing) else REFUSED, error.code)
        return
    if trouble is not None:
        watcher.complain(trouble)
    sending = asyncio.create_task(_send_updates(socket, state, watcher))
    receiving = asyncio.create_task(_receive(socket, state, watcher))
    tasks = {sending, receiving}
    left = False
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if sending.done() and sending.exception() is not None:
            # A server that hangs up on a broken frame refuses what is said before it tells who listens.
            await asyncio.wait({receiving}, timeout=FAREWELL)
        left = receiving.done()
    finally:
        state.hub.leave(watcher)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    for end in ends:
        refused = left and isinstance(end, RuntimeError)
        if isinstance(end, Exception) and not isinstance(end, GONE) and not refused:
            raise end


async def _send_updates(socket: WebSocket, state: AppState, watcher: Watcher) -> None:
    """Say whatever there is to say; what was overtaken while the client was slow is left out."""
    while True:
        await watcher.news()
        if watcher.gone:
            problem = Problem(code="unknown_match", message="the match was deleted")
            await _send(socket, FaultMessage(type="fault", problem=problem))
            await socket.close(REFUSED, problem.code)
            return
        if watcher.state_due:
            watcher.state_due = False
            try:
                view = await state.matches.latest_view(watcher.match_id, watcher.person)
            except LudexError as error:
                watcher.complain(problem_of(error))
            else:
                watcher.version = view.version
                await _send(socket, StateMessage(type="state", match=view))
        while watcher.faults:
            await _send(socket, FaultMessage(type="fault", problem=watcher.faults.popleft()))
        if watcher.thought is not None:
            thought, watcher.thought = watcher.thought, None
            await _send(socket, ThinkingMessage(type="thinking", thought=thought))


async def _receive(socket: WebSocket, state: AppState, watcher: Watcher) -> None:
    """Do what a client asks for; what cannot be understood is answered, not punished."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            asked = ClientMessage.model_validate_json(message.get("text") or message.get("bytes") or "")
            if asked.type == "cancel":
                await state.matches.cancel(watcher.match_id, watcher.person)
            else:
                await state.matches.wake(watcher.match_id)
                await _send(socket, PongMessage(type="pong"))
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
            watcher.complain(Problem(code="bad_request", message=faults))
        except LudexError as error:
            watcher.complain(problem_of(error))


async def _send(socket: WebSocket, message: BaseModel) -> None:
    await socket.send_text(message.model_dump_json())
