"""The luck of a game: exact safeties, the guesses among them and their product."""

from pathlib import Path

import pytest

from ludex.core.errors import BadRecord
from ludex.core.match import Match, play
from ludex.core.record import match_file
from ludex.core.registry import make, make_agent
from ludex.games.minesweeper.agents.luck import Luck, luck_of
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import HIDDEN, MINE
from ludex.games.minesweeper.tools.board_verbs import luck
from tests.games.minesweeper.support import game_of


def test_a_guess_between_two_cells() -> None:
    # One mine on a row of three, the middle revealed first: either end.
    match = Match(game_of(1, 3, 1, "safe"), seed=3)
    for text in ("b1", "c1!", "c1!"):
        match.play_text(text)
    assert luck_of(match).spent == 1.0
    mine = int(match.state.cells[2] & MINE == 0)
    match.play_text("ca"[mine] + "1")
    match_luck = luck_of(match)
    assert [(reveal.ply, reveal.text, reveal.safety, reveal.best) for reveal in match_luck.reveals] == [
        (0, "b1", 1.0, 1.0),
        (3, "ca"[mine] + "1", 0.5, 0.5),
    ]
    assert (match_luck.spent, len(match_luck.guesses), match_luck.needless) == (0.5, 1, ())
    assert [reveal.survived for reveal in match_luck.reveals] == [
        True,
        match.outcome is not None and match.outcome.scores[0] > 0,
    ]


def test_a_needless_guess_is_marked() -> None:
    # The corner shows 1, so that its one neighbour is the mine: the rest of the row is certain, the neighbour lost.
    match = next(
        match
        for match in (_opened(seed) for seed in range(100))
        if match.game.view(match.state, 0).numbers.flat[0] == 1
    )
    match.play_text("b1")
    lost = luck_of(match).reveals[-1]
    assert (lost.safety, lost.best, lost.guess, lost.needless, lost.survived) == (0.0, 1.0, True, True, False)
    assert luck_of(match).spent == 0.0


def _opened(seed: int) -> Match:  # type: ignore[type-arg]
    match: Match = Match(game_of(1, 6, 1, "safe"), seed)  # type: ignore[type-arg]
    match.play_text("a1")
    return match


@pytest.mark.parametrize("start", ["none", "safe", "zero"])
def test_safeties_are_the_exact_probabilities(start: str) -> None:
    game = game_of(8, 8, 10, start)
    for seed in range(5):
        match = play(game, [make_agent(game, "random")], seed=seed)
        match_luck = luck_of(match)
        assert [reveal.text for reveal in match_luck.reveals] == [move.text for move in match.moves]
        product = 1.0
        for ply, one in enumerate(match_luck.reveals):
            numbers = game.view(match.positions[ply], 0).numbers
            promised = start != "none" and (numbers == HIDDEN).all()
            chance = 0.0 if promised else mine_probabilities(numbers, 10).flat[match.moves[ply].action]
            assert one.safety == 1.0 - chance
            product *= one.safety
        assert match_luck.spent == pytest.approx(product, rel=1e-12)


@pytest.mark.slow
def test_the_expert_guesses_only_where_it_must() -> None:
    game = make("minesweeper", "beginner")
    for seed in range(20):
        match_luck = luck_of(play(game, [make_agent(game, "expert")], seed=seed))
        assert match_luck.needless == ()


def test_no_reveals_take_no_luck() -> None:
    assert luck_of(Match(make("minesweeper"), 0)) == Luck(())
    assert Luck(()).spent == 1.0


def test_other_games_are_refused(tmp_path: Path) -> None:
    other = Match(make("tictactoe"), 0)
    (tmp_path / "other").write_text(match_file(other, ("a", "b")))
    with pytest.raises(BadRecord, match="a match of tictactoe, expected one of minesweeper"):
        luck(tmp_path / "other")
