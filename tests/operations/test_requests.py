"""What operations share: the seed of games, typed, zero, or drawn where code of others could guess it."""

import json
from pathlib import Path

import pytest

import ludex
from ludex.arena.journal import open_journal, seed_in
from ludex.arena.terms import Terms
from ludex.core.errors import BadJournal
from ludex.operations.requests import seed_for

ENGINE = 'ugi:"other-engine"'


@pytest.mark.parametrize(
    ("game", "entrants", "drawn"),
    [
        ("minesweeper", ["exact", "random"], False),
        ("minesweeper", ["exact", ENGINE], True),
        ("skirmish", [ENGINE, "objective"], True),
        ("quoridor", ["hard", ENGINE], False),
    ],
)
def test_a_seed_is_drawn_where_others_could_guess_dice_or_secrets(game: str, entrants: list[str], drawn: bool) -> None:
    board = ludex.make(game)
    seeds = {seed_for(board, entrants, None, None) for _ in range(3)}
    assert len(seeds) == (3 if drawn else 1)
    assert (max(seeds) > 1 << 100) == drawn
    assert seed_for(board, entrants, 7, None) == 7


def test_a_journal_that_is_resumed_keeps_the_seed_that_was_drawn(tmp_path: Path) -> None:
    board, path = ludex.make("minesweeper"), tmp_path / "games.jsonl"
    assert seed_in(path) is None
    with open_journal(path, Terms.of(board, ("exact", ENGINE), seed=1 << 90)) as journal:
        journal.append({})
    assert json.loads(path.read_text())["seed"] == str(1 << 90)
    assert seed_for(board, ["exact", ENGINE], None, path) == 1 << 90
    path.write_text("no journal\n")
    with pytest.raises(BadJournal, match="line 1: not a journal"):
        seed_for(board, ["exact", ENGINE], None, path)
