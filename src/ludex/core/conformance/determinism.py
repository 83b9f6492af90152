"""Checks that positions are values, that seed and actions replay a match, and that chance comes from the argument."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.randomness import AmbientChance, DrawnError, Trap
from ludex.core.conformance.report import BlockedError
from ludex.core.conformance.walk import SAMPLE, Play, Trial, Visit, answer_of
from ludex.core.match import Match
from ludex.core.record import MatchFile, Record, match_file, replay


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


def replay_equal(play: Play) -> Iterator[str]:
    """A record of the match is replayed to the same positions."""
    match = _match(play)
    yield from _differences(play, match, "played again")
    record = Record.of(match, _seats(play))
    yield from _differences(play, replay(play.game, record), "replayed from its record")


def file_equal(play: Play) -> Iterator[str]:
    """A match file is replayed to the same positions."""
    written = match_file(_match(play), _seats(play))
    match = MatchFile.parse(json.loads(written), "the match file").replay(play.game)
    yield from _differences(play, match, "replayed from its file")


def _match(play: Play) -> Match[Any, Any]:
    play.require_finished()
    match: Match[Any, Any] = Match(play.game, play.seed)
    for action in play.actions:
        match.play(action)
    return match


def _differences(play: Play, match: Match[Any, Any], how: str) -> Iterator[str]:
    for visit, state in zip(play.visits, match.positions, strict=False):
        if fingerprint(play.game.dump(state)) != fingerprint(visit.dump):
            yield f"{how}, the match has another position at ply {visit.ply}"
    if match.actions != tuple(play.actions) or not match.over:
        yield f"{how}, the match has actions {list(match.actions)}, expected {play.actions} and its end"


def _seats(play: Play) -> tuple[str, ...]:
    return ("random",) * play.game.info.players


def initial_made(play: Play) -> Iterator[str]:
    """There is a first position."""
    play.game.initial(play.chance())
    yield from ()


def initial_deterministic(play: Play) -> Iterator[str]:
    """The same words give the same first position."""
    dumps = []
    for ambient_seed in (1, 2):
        with AmbientChance(ambient_seed):
            dumps.append(fingerprint(answer_of(play.game.dump, answer_of(play.game.initial, play.chance()))))
    if dumps[0] != dumps[1]:
        yield "initial gave two positions for the same generator"


def initial_undrawn(play: Play) -> Iterator[str]:
    """The first position needs no chance where none is declared."""
    if play.game.info.chance == "none":
        try:
            play.game.initial(Trap())
        except DrawnError as error:
            yield f"initial: {error}, declared chance is 'none'"
        except Exception as error:
            raise BlockedError("there is no first position") from error


def apply_deterministic(visit: Visit) -> Iterator[str]:
    """The same position, action and generator give the same next position."""
    for name in visit.repetition.changed(visit.repetition.moves):
        yield f"{name} gave two positions for the same generator"


def apply_undrawn(visit: Visit) -> Iterator[str]:
    """A move needs no chance where none is declared."""
    if visit.info.chance != "none":
        return
    for action in visit.some_legal:
        try:
            visit.game.apply(visit.state, action, Trap())
        except DrawnError as error:
            yield f"apply of action {action}: {error}, declared chance is 'none'"
        except Exception:
            # Owned by `legal_accepted`.
            continue


def answers_deterministic(visit: Visit) -> Iterator[str]:
    """The same question gets the same answer."""
    for name in visit.repetition.changed(visit.repetition.answers):
        yield f"{name} gave two answers for the same position"


def global_chance(visit: Visit) -> Iterator[str]:
    """Nothing draws from the generators of the process."""
    if visit.repetition.drew:
        drawers = visit.repetition.drawers()
        yield f"{', '.join(drawers)} drew from random or numpy.random, expected draws from the argument only"


def chance_sampled(trial: Trial) -> Iterator[str]:
    """A game that declares chance uses it."""
    if trial.game.info.chance == "sampled" and not trial.drawn:
        yield "no draw in any play, declared chance is 'sampled'"
