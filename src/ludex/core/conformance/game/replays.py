"""Checks that seed and actions are the whole match."""

import json
from collections.abc import Iterator
from typing import Any

from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.walk.play import Play
from ludex.core.match import Match
from ludex.core.record import MatchFile, Record, match_file, replay


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
