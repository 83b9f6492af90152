"""The node count of fixed searches."""

import pytest

from ludex.core.record import match_of
from ludex.games.quoridor.tools.bench import POSITIONS, signature

pytestmark = pytest.mark.slow


def test_the_positions_are_live_and_different() -> None:
    matches = [match_of(f"quoridor 9x9: {line}") for line in POSITIONS]
    assert not any(match.over for match in matches)
    assert len({match.state for match in matches}) == len(POSITIONS) == 10


def test_the_search_is_the_one_that_was_measured() -> None:
    """A change of this number is a change of the search: say why, and show a match."""
    assert signature().nodes == 287977
