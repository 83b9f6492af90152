"""`ludex engine`: an agent for other programs, over UGI."""

import io
import sys
from typing import Annotated, Any

import typer

from ludex.cli import completion, parameters
from ludex.cli.gameverb import board_verb
from ludex.core.registry import default_analyst


def engine(
    board: Any,
    *,
    agent: Annotated[
        str | None,
        typer.Option(help="the agent that plays; the game's default if none is named", autocompletion=completion.agent),
    ] = None,
    seed: parameters.Seed = 0,
) -> None:
    """Speak UGI on standard input and output, for other engines and user interfaces."""
    from ludex.arena.ugi_engine import UgiEngine
    from ludex.store.services import lazy_services

    def say(line: str) -> None:
        print(line, flush=True)

    # Bytes that are not text are handled as a bad line.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    name = default_analyst(board) if agent is None else agent
    conversation = UgiEngine(board, name, lazy_services(), say, seed)
    for line in sys.stdin:
        if not conversation.handle(line):
            return
    conversation.close()


command = board_verb(engine)
