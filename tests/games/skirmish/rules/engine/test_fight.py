"""The order of fights: chargers, then both sides in turns from the player whose turn it is not."""

from ludex.games.skirmish.rules.engine import layout
from tests.games.skirmish.support import arranged, play, shipped, texts

AT = {"01": (2, 1), "04": (2, 2), "02": (5, 4), "05": (5, 5), "03": (8, 6), "06": (8, 7)}
"""Three pairs, apart from each other."""


def test_chargers_fight_first_then_alternating_from_the_player_whose_turn_it_is_not() -> None:
    game = shipped("small")
    position = arranged(game, layout.FIGHT, AT, ready=("01",), marks={"01": layout.CHARGED})
    assert (position.to_move, texts(game, position)) == (0, {"activate/01"})
    position = play(game, position, "activate/01", "wait")
    order = []
    while position.phase == "fight":
        known = texts(game, position)
        order.append((position.to_move + 1, known))
        position = play(game, position, min(known), "wait")
    assert order == [
        (2, {"activate/04", "activate/05", "activate/06"}),
        (1, {"activate/02", "activate/03"}),
        (2, {"activate/05", "activate/06"}),
        (1, {"activate/03"}),
        (2, {"activate/06"}),
    ]
    assert (position.phase, position.to_move) == ("move", 1)


def test_the_other_side_continues_when_one_has_no_unit_left_to_fight() -> None:
    game = shipped("small")
    at = {"01": (5, 4), "04": (5, 5), "05": (5, 3), "06": (6, 4)}
    words = {layout.FIGHT_STAGE: layout.ALTERNATING, layout.TO_MOVE: 1}
    position = arranged(game, layout.FIGHT, at, ready=tuple(at), words=words)
    movers = []
    while position.phase == "fight":
        movers.append(position.to_move + 1)
        position = play(game, position, min(texts(game, position)), "wait")
    assert movers == [2, 1, 2, 2]


def test_only_neighbours_are_fought() -> None:
    game = shipped("small")
    position = arranged(game, layout.FIGHT, AT, words={layout.ACTIVE: 1})
    assert texts(game, position) == {"wait", "fight/05"}


def test_enemies_that_charged_in_their_own_turn_fight_back() -> None:
    """The mark of a charge lasts until its player's next turn, but makes no unit a charger in the other's."""
    game = shipped("small")
    at = {"01": (5, 4), "04": (5, 5)}
    position = arranged(game, layout.CHARGE, {**at, "02": (5, 8)}, ready=("02",), marks={"04": layout.CHARGED})
    position = play(game, position, "activate/02", "wait")
    assert (position.phase, position.to_move, texts(game, position)) == ("fight", 1, {"activate/04"})
