"""Every question about a position, asked twice."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from ludex.core.conformance.instruments.ambient import AmbientChance
from ludex.core.conformance.instruments.fingerprint import fingerprint

if TYPE_CHECKING:
    from ludex.core.conformance.walk.visit import Visit

Questions: TypeAlias = dict[str, Callable[[], Any]]
"""Calls by the name under which a fault tells of them."""


class Repetition:
    """What the game answers twice, while the generators of the process stand at different places."""

    def __init__(self, visit: "Visit") -> None:
        self.answers = _answers(visit)
        self.moves = _moves(visit)
        self._all = self.answers | self.moves
        with AmbientChance(1) as ambient:
            once = {name: _print(question) for name, question in self._all.items()}
            self.drew = ambient.used
            """Someone used the generators of the process."""
        with AmbientChance(2):
            again = {name: _print(question) for name, question in self._all.items()}
        self._changed = {name for name in self._all if once[name] != again[name]}

    def changed(self, questions: Questions) -> list[str]:
        """Those of the questions that got two answers."""
        return [name for name in questions if name in self._changed]

    def drawers(self) -> list[str]:
        """The questions that use the generators of the process, found one by one."""
        found = []
        for name, question in self._all.items():
            with AmbientChance(1) as ambient:
                _print(question)
                if ambient.used:
                    found.append(name)
        return found


def _print(question: Callable[[], Any]) -> bytes:
    """The answer's fingerprint; an error is an answer too, and must come again."""
    try:
        return fingerprint(question())
    except Exception as error:
        return type(error).__name__.encode()


def _answers(visit: "Visit") -> Questions:
    game, state = visit.game, visit.state
    questions: Questions = {name: partial(getattr(game, name), state) for name in ("legal", "outcome", "phase", "dump")}
    for player in visit.players:
        questions[f"view of player {player}"] = partial(game.view, state, player)
        questions[f"observe of player {player}"] = partial(_observe, visit, player)
    if visit.live:
        questions["to_move"] = partial(game.to_move, state)
    for action in visit.some_legal:
        questions[f"action_text of action {action}"] = partial(game.action_text, state, action)
    return questions


def _moves(visit: "Visit") -> Questions:
    return {f"apply of action {action}": partial(_dump_after, visit, action) for action in visit.some_legal}


def _observe(visit: "Visit", player: int) -> Any:
    return visit.game.observe(visit.game.view(visit.state, player))


def _dump_after(visit: "Visit", action: int) -> Any:
    return visit.game.dump(visit.game.apply(visit.state, action, visit.chance()))
