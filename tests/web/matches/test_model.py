"""A match of the web app at one version."""

import pytest

import ludex
from ludex.core.match import INTERVAL, NEWEST, Match
from ludex.core.record import Record
from ludex.games.minesweeper.game import Minesweeper
from ludex.store.matches import StoredMatch
from ludex.web.matches.model import MatchSnapshot


def test_the_texts_of_a_long_match_are_written_without_playing_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(ludex.make("minesweeper", "expert:rows=64:cols=64:mines=600"), seed=1)
    while match.ply < NEWEST + 2 * INTERVAL:
        match.play(match.game.info.num_actions - 1)
    snapshot = MatchSnapshot(StoredMatch("a" * 10, 1, "", "", Record.of(match, ("you",))), None, match)
    monkeypatch.setattr(Minesweeper, "apply", None)
    assert len(snapshot.move_texts) == match.ply
