"""A bot for Ludex in plain Python: in Quoridor it walks straight ahead, elsewhere it plays any legal move.

python bot.py PORT, then http:"http://127.0.0.1:PORT" wherever an agent is named.
"""

import json
import random
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


def choose(question: dict[str, Any]) -> str:
    """A legal move; the same question gets the same answer."""
    legal: list[str] = question["legal"]
    drawn = random.Random(question["random"])
    if question["game"] == "quoridor":
        steps = [move for move in legal if move[-1].isdigit()]
        return max(steps, key=lambda move: int(move[1:]) * (1 if question["player"] == 0 else -1))
    return drawn.choice(legal)


class Handler(BaseHTTPRequestHandler):
    """One question per request; nothing is kept."""

    def do_POST(self) -> None:
        """Answer a question with a move."""
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps({"move": choose(question)}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
