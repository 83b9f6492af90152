"""Parts of reviews, computed in a worker."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from ludex.coach.accuracy import INACCURACY, class_of
from ludex.coach.analyst import Analyst, Assessment
from ludex.coach.review import explained
from ludex.core.errors import AgentFault, IllegalAction, Unsupported
from ludex.core.explanation import move_words
from ludex.core.game import AnyGame
from ludex.core.match import Match
from ludex.core.services import Services
from ludex.web.workers.task import ReviewPart

ANALYSTS_KEPT: Final = 2
"""A search may hold a large table."""
ASSESSMENTS: Final = TypeAdapter(list[Assessment])


class Reviewing:
    """The analysts of one worker."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._analysts: OrderedDict[tuple[str, str, int], Analyst] = OrderedDict()

    def compute(
        self,
        match: Match[Any, Any],
        part: ReviewPart,
        stop: NDArray[np.uint8],
        edition: int,
        begins: Callable[[], None],
    ) -> dict[str, Any]:
        """A part of the review of a match, as JSON; `begins` is called before each position."""
        begins()
        if part.kind == "explain":
            assessments = ASSESSMENTS.validate_python(part.assessments)
            return explained(match, {assessment.ply: assessment for assessment in assessments}).document()
        analyst = self._analyst(match.game, edition)
        analyst.stop = stop
        if part.kind == "judge":
            return _judge_move(match, analyst, part)
        look = analyst.glance if part.kind == "glance" else analyst.assess
        positions = []
        for ply in part.plies:
            begins()
            positions.append(asdict(look(match, ply)))
            if stop[0]:
                # What a stopped search says is shallow.
                raise AgentFault(f"the review of the position at ply {ply} took longer than LUDEX_SEARCH_MS allows")
        return {"positions": positions}

    def _analyst(self, game: AnyGame, edition: int) -> Analyst:
        key = (game.info.id, game.info.preset, edition)
        if key not in self._analysts:
            self._analysts[key] = Analyst(game, self._services)
            if len(self._analysts) > ANALYSTS_KEPT:
                self._analysts.popitem(last=False)[1].close()
        self._analysts.move_to_end(key)
        return self._analysts[key]


def _judge_move(match: Match[Any, Any], analyst: Analyst, part: ReviewPart) -> dict[str, Any]:
    """What another move in a position of the match gives away. Raises `MoveError` if the rules refuse it."""
    (ply,), game = part.plies, match.game
    state = match.positions[ply]
    action = game.parse_action(state, part.text)
    if not game.legal(state)[action]:
        raise IllegalAction(f"{part.text} cannot be played here")
    if analyst.is_mark(action):
        raise Unsupported(f"{part.text} decides nothing: try another move")
    loss = analyst.judge(match, ply, action)
    return {
        "ply": ply,
        "text": game.action_text(state, action),
        "words": move_words(game, state, action),
        "loss": loss,
        "class": class_of(loss),
        "accepted": loss < INACCURACY,
    }
