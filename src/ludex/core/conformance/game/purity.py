"""Checks that positions are values: no function changes what it is given."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.walk.visit import SAMPLE, Visit


def arguments_unchanged(visit: Visit) -> Iterator[str]:
    """No function of the game changes the position or the view it is given."""
    before = fingerprint(visit.state)
    for name, calls in _questions(visit):
        for call in calls:
            # What a call raises is for its own check; here only its traces count.
            with suppress(Exception):
                call()
        if fingerprint(visit.state) != before:
            yield f"{name} changed the position it was given"
            return
    for player in visit.players:
        with suppress(Exception):
            view = visit.game.view(visit.state, player)
            seen = fingerprint(view)
            visit.game.observe(view)
            if fingerprint(view) != seen or fingerprint(visit.state) != before:
                yield f"observe changed the view of player {player} that it was given"


def refusal_unchanged(visit: Visit) -> Iterator[str]:
    """A refused action leaves the position as it was."""
    before, dumped = fingerprint(visit.state), fingerprint(visit.dump)
    actions = [*visit.some_illegal, *out_of_range(visit.info.num_actions)]
    for action in actions:
        with suppress(Exception):
            visit.game.apply(visit.state, action, visit.chance())
    if fingerprint(visit.state) != before or fingerprint(visit.game.dump(visit.state)) != dumped:
        yield f"apply changed the position when it was given illegal actions {actions}"


def out_of_range(num_actions: int) -> list[int]:
    """Indices that are no actions, among them those that Python would count from the end."""
    return [-1, -num_actions, num_actions, num_actions + 7, 1 << 64]


def _questions(visit: Visit) -> Iterator[tuple[str, list[Callable[[], Any]]]]:
    game, state = visit.game, visit.state
    for name in ("outcome", "legal", "phase", "dump"):
        yield name, [partial(getattr(game, name), state)]
    yield "view", [partial(game.view, state, player) for player in visit.players]
    if visit.live:
        yield "to_move", [partial(game.to_move, state)]
        yield "action_text", [partial(game.action_text, state, action) for action in visit.some_legal]
        texts = ["??", *sorted(visit.earlier_texts)[:SAMPLE]]
        yield "parse_action", [partial(game.parse_action, state, text) for text in texts]
        yield "apply", [partial(game.apply, state, action, visit.chance()) for action in visit.some_legal]
