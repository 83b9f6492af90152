"""The accuracy of a player."""

from ludex.coach.accuracy import Kept, accuracy, move_accuracy


def test_greater_losses_are_less_accurate() -> None:
    found = [move_accuracy(loss / 20) for loss in range(21)]
    assert found == sorted(found, reverse=True)
    assert (found[0], found[-1] < 1.0) == (100.0, True)


def test_moves_of_a_decided_game_hardly_count() -> None:
    blunder = Kept(0.6, 0.5)
    quick = accuracy([blunder, blunder])
    long = accuracy([blunder, blunder, *[Kept(0.0, 0.0)] * 10])
    assert quick is not None
    assert long is not None
    assert quick < long < 50


def test_giving_away_a_won_game_counts_in_full() -> None:
    found = accuracy([Kept(1.0, 0.9), Kept(0.99, 0.0)])
    assert found is not None
    assert found < 15
