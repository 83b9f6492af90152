"""Many boards at once: every lane is given what `decide` would choose in that game."""

from itertools import cycle

import numpy as np
import pytest

from ludex.games.minesweeper.agents.expert import ExpertAgent
from ludex.games.minesweeper.agents.solving import ExactAgent, LaneAgent, LaneTurn
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.options import ExpertOptions
from ludex.games.minesweeper.rules.layout import InconsistentPosition
from tests.games.minesweeper.agents.support import PLAYERS, decision_of, moments
from tests.games.minesweeper.rules.inference.support import PRESETS, numbers_of
from tests.games.minesweeper.support import game_of

BOARDS = [(*board, start) for board, start in zip(PRESETS, cycle(("zero", "safe", "none")), strict=False)]


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("rows", "cols", "mines", "start"), BOARDS)
def test_choose_and_decide_agree(player: str, rows: int, cols: int, mines: int, start: str) -> None:
    game = game_of(rows, cols, mines, start)
    positions = moments(game, PLAYERS[player](game), seed=40, games=1 if rows == 16 else 3)
    agent = PLAYERS[player](game)
    assert isinstance(agent, LaneAgent)
    numbers = np.array([moment.view.numbers for moment in positions])
    states = np.array([moment.state for moment in positions], np.uint64)
    actions, safety = np.full(len(positions), -7, np.int64), np.full(len(positions), -7.0)
    live = np.ones(len(positions), np.bool_)
    live[::5] = False
    before = numbers.copy()
    agent.choose(LaneTurn(numbers, live, states, actions, safety))
    assert (numbers == before).all()
    for lane, (_, _, decision) in enumerate(positions):
        if not live[lane]:
            assert actions[lane] == -7
            assert safety[lane] == -7.0
        elif decision.resigns:
            assert actions[lane] == REST
            assert np.isnan(safety[lane])
        else:
            assert actions[lane] == decision.action
            terms = next(
                (candidate.terms for candidate in decision.candidates if candidate.action == decision.action), {}
            )
            assert safety[lane] == terms["safety"] if "safety" in terms else np.isnan(safety[lane])


@pytest.mark.parametrize("player", ["exact", "expert"])
def test_a_board_that_cannot_be_is_refused_in_any_lane(player: str) -> None:
    game = game_of(2, 4, 2, "none")
    agent = ExactAgent(game) if player == "exact" else ExpertAgent(game, ExpertOptions())
    good, bad = numbers_of("#1## ####"), numbers_of("#1#1 #100")
    view = game.view(game.initial(None), 0)._replace(shown=bad.tobytes())  # type: ignore[arg-type]
    with pytest.raises(InconsistentPosition):
        decision_of(agent, view)
    boards, live = np.array([good, bad, good]), np.ones(3, np.bool_)
    turn = LaneTurn(boards, live, np.zeros(3, np.uint64), np.zeros(3, np.int64), np.zeros(3))
    with pytest.raises(InconsistentPosition, match="#1#1\n#100"):
        agent.choose(turn)
