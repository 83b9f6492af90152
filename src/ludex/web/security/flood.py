"""The rate limit of one WebSocket. `ludex serve` sets the maximum length of a message."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludex.web.security.bucket import Bucket
from ludex.web.security.refusal import POLICY_VIOLATION


class FloodLimit:
    """Closes the WebSocket of a client that sends too many messages."""

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self._app = app
        self._per_minute = per_minute

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        bucket = Bucket(self._per_minute, burst=self._per_minute)
        hung_up = False

        async def receive_limited() -> Message:
            nonlocal hung_up
            message = await receive()
            if message["type"] != "websocket.receive" or not bucket.take():
                return message
            hung_up = True
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": "too_many_messages"})
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION, "reason": "too_many_messages"}

        async def send_open(message: Message) -> None:
            # The app may still send messages to the closed connection.
            if not hung_up:
                await send(message)

        await self._app(scope, receive_limited, send_open)
