"""Positions as documents: what is written reads back, and what no play reaches is refused by name."""

from typing import Any

import pytest

from ludex.core.errors import BadPosition
from ludex.core.seeding import generator
from ludex.games.minesweeper.game import vary_secret
from tests.games.minesweeper.support import cells_of, drawn, field_of, game_and_position, game_of, played


def refused(text: str, plies: Any = 5, start: str = "none", mines: int | None = None, random: bool = False) -> str:
    rows = text.split()
    count = sum(character in "*FX" for row in rows for character in row) if mines is None else mines
    game = game_of(len(rows), len(rows[0]), count, start, random)
    with pytest.raises(BadPosition) as error:
        game.load({"cells": "".join(rows), "plies": plies})
    return error.value.message


def test_a_dump_has_a_character_a_cell() -> None:
    game, state = game_and_position("1*. ... ...")
    state = played(game, state, "b1!", "c3!", "c2")
    assert drawn(game, state) == ["1F.", "..1", "..f"]
    assert game.load(game.dump(state)) == state


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1*.. ....", "expected 9 characters, found 8"),
        ("1*? ... ...", "expected characters of .*fFX012345678, found '?'"),
        ("2*. ... ...", "cell 0 says 2 and has 1 mines around it"),
        ("1*. ..* ...", "expected 1 mines once something is revealed, found 2"),
        ("... ..* ...", "expected 0 mines before anything is revealed, found 1"),
        ("0.. ... ...", "expected 1 mines once something is revealed, found 0"),
        ("X.X ... ...", "expected 1 mines"),
        ("1X1 111 000", "a mine went off after every safe cell was revealed"),
    ],
)
def test_cells_that_no_play_reaches_are_refused(text: str, said: str) -> None:
    game = game_of(3, 3, 1, "none")
    with pytest.raises(BadPosition) as error:
        game.load({"cells": text.replace(" ", ""), "plies": 5})
    assert said in error.value.message


def test_the_first_mine_ends_the_game_and_the_start_rule_holds() -> None:
    assert "2 mines went off, the first ends the game" in refused("X.X ... ...")
    assert "with start=safe it cannot" in refused("X.. ... ...", start="safe")
    assert "with start=zero the first reveal is one" in refused("1*.... ......", start="zero")
    game = game_of(3, 3, 1, "none")
    assert game.load({"cells": "X........", "plies": 1}).exploded == 0


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("... ... ...", 0),
        ("f.. .f. ...", 2),
        ("1*. ... ...", 1),
        ("1X. ... ...", 2),
        ("X.. ... ...", 1),
        ("1F. f.. ...", 3),
        # Two cells stay closed beside a zero: they had flags when the flood came, and lost them.
        ("1*1 1.1 0.0", 5),
        ("1*1 1f1 000", 2),
    ],
)
def test_plies_cannot_be_fewer_than_it_takes(text: str, least: int) -> None:
    game = game_of(3, 3, 1, "none")
    cells = text.replace(" ", "")
    assert game.load({"cells": cells, "plies": least}).plies == least
    for plies in (least - 1, game.info.max_plies + 1, 1 << 70):
        with pytest.raises(BadPosition, match=rf"'plies': expected {least}\.\.36 for these cells, found {plies}"):
            game.load({"cells": cells, "plies": plies})


def test_with_a_random_first_click_something_may_be_revealed_without_a_ply() -> None:
    game = game_of(3, 3, 1, "none", True)
    assert game.load({"cells": "1*.......", "plies": 0}).opened == 1
    assert "expected 1..36" in refused("1*1 111 000", plies=0, random=True)


@pytest.mark.parametrize("plies", [True, 1.0, "1", None, float("nan")])
def test_plies_are_a_whole_number(plies: Any) -> None:
    assert "a whole number 'plies'" in refused("1*. ... ...", plies)


@pytest.mark.slow
def test_another_secret_is_another_field_that_shows_the_same() -> None:
    game = game_of(8, 8, 10, "zero")
    differ = 0
    for seed in range(50):
        state = played(game, game.initial(generator(seed, 0)), "d4")
        other = vary_secret(game, state, 0, generator(seed, 9))
        here, there = field_of(cells_of(game, state)), field_of(cells_of(game, other))
        assert here.shown == there.shown
        assert len(there.mines) == 10
        assert game.load(game.dump(other)) == other
        differ += here.mines != there.mines
    assert differ > 40
