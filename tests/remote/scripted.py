"""Agents of Ludex behind the chat-completions protocol: they read the moves of the prompt."""

import re
from typing import Any

from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make_agent
from ludex.core.text import game_text


def scripted(game: AnyGame, agent: str, naming: int | None = None) -> Any:
    """Answers a prompt with the agent's move in the position that its moves lead to."""
    player, text = make_agent(game, agent), game_text(game, naming)

    def answer(request: dict[str, Any]) -> str:
        moves_line = re.search(r"^Moves so far: (.*)$", request["messages"][-1]["content"], re.MULTILINE)
        assert moves_line is not None
        match = Match(game, 0)
        for move in moves_line[1].split() if moves_line[1] != "none" else []:
            match.play_text(text.read(move))
        return text.write(game.action_text(match.state, decide(match, player, Limit()).action))

    return answer
