"""A real server of the chat-completions protocol on loopback, whose answers a test writes."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, str, bytes]
"""Status, content type and body."""
Answer = Callable[[dict[str, Any]], Reply | str]
"""What is answered to a request: the text of a message, or a whole reply."""


class ChatServer:
    """Answers each request with what `answer` gives, and keeps the requests."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.released = threading.Event()
        """Ends what a handler waits for."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                reply = answer(body)
                status, kind, content = completion(reply) if isinstance(reply, str) else reply
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except (BrokenPipeError, ConnectionResetError):
                    # The caller went away, as it may.
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """A caller who goes away, as one whose time is up does, is no fault."""
                if not isinstance(sys.exception(), ConnectionError):
                    super().handle_error(request, client_address)

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def serve_chat(answer: Answer) -> Iterator[ChatServer]:
    """A server for the time of a test."""
    server = ChatServer(answer)
    try:
        yield server
    finally:
        server.close()


def completion(text: str | None, **changes: Any) -> Reply:
    """The reply with one choice; `changes` are of the choice's message, `finish_reason` of the choice."""
    finish = changes.pop("finish_reason", "stop")
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **changes}, "finish_reason": finish}
    document = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 3, "total_tokens": 103},
    }
    return 200, "application/json", json.dumps(document).encode()
