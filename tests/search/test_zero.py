"""The agent `zero`: it plays with a network in ONNX, explains itself, and is offered only where it has a network."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludex
from benchmarks.alphazero import Memory, walk
from ludex.core.conformance import check_agent
from ludex.core.errors import BadNet, BadOption, Unsupported
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.record import play_line
from ludex.core.registry import choose_agent, spec, supports
from ludex.search.batched import positions_of
from ludex.search.spec import shipped_presets
from tests.search.flat_net import save_flat_net


@pytest.fixture
def net(tmp_path: Path) -> str:
    """A network that knows nothing of tic-tac-toe."""
    return knowing_nothing(tmp_path, "3x3x3")


def knowing_nothing(folder: Path, preset: str) -> str:
    game = ludex.make("tictactoe", preset)
    shape, actions = positions_of(game, 1).observation_shape, game.info.num_actions
    cells = int(np.prod(shape)) + 1
    weights = np.zeros((cells, actions), np.float32), np.zeros(cells, np.float32)
    return str(save_flat_net(folder / f"{preset}.onnx", shape, *weights))


def test_it_wins_and_explains_by_visits_value_and_line(net: str) -> None:
    game = ludex.make("tictactoe")
    match = Match(game, 1)
    play_line(match, "a1 a2 b1 b2")
    decision = decide(match, ludex.make_agent(game, "zero", net=net), Limit(simulations=100))
    assert game.action_text(match.state, decision.action) == "c1"
    assert decision.value == 1.0
    best = decision.candidates[0]
    assert (best.action, best.score, best.line) == (decision.action, 1.0, (decision.action,))
    assert sum(candidate.terms["visits"] for candidate in decision.candidates) == decision.stats["simulations"] == 100
    assert decision.note == "Looks best of 5 moves: it expects to win 100 of 100 games."


def test_its_line_goes_on_beyond_its_move(net: str) -> None:
    game = ludex.make("tictactoe")
    match = Match(game, 1)
    play_line(match, "a1 b2 b1")
    decision = decide(match, ludex.make_agent(game, "zero", net=net), Limit(simulations=200))
    assert game.action_text(match.state, decision.action) == "c1"
    assert len(decision.candidates[0].line) > 1


def test_simulations_bound_it(net: str) -> None:
    game = ludex.make("tictactoe")
    agent = ludex.make_agent(game, "zero", net=net, simulations=7)
    assert decide(Match(game, 1), agent, Limit()).stats["simulations"] == 7
    assert decide(Match(game, 1), agent, Limit(simulations=3)).stats["simulations"] == 3
    with pytest.raises(BadOption, match="simulations"):
        ludex.make_agent(game, "zero", net=net, simulations=0)


def test_it_stops_when_its_time_is_up(net: str) -> None:
    game = ludex.make("tictactoe")
    agent = ludex.make_agent(game, "zero", net=net)
    limit = Limit()
    limit.stop[0] = 1
    assert decide(Match(game, 1), agent, limit).note == "a legal move: there was no time to search"
    # On a busy machine the shortest time may end before the second evaluation.
    counts = (decide(Match(game, 1), agent, Limit(time_ms=ms)).stats["simulations"] for ms in (30, 60, 120))
    simulations = next(number for number in counts if number)
    assert isinstance(simulations, int)
    assert simulations < 20_000


@pytest.mark.slow
def test_it_keeps_the_contract_of_agents(net: str) -> None:
    game = ludex.make("tictactoe")
    check_agent(game, lambda: ludex.make_agent(game, "zero", net=net, simulations=16))


def test_another_boards_network_is_refused(tmp_path: Path) -> None:
    game = ludex.make("tictactoe")
    with pytest.raises(BadNet, match=r"expected inputs observations\[.*3, 3\].*found observations\[.*4, 4\]"):
        ludex.make_agent(game, "zero", net=knowing_nothing(tmp_path, "4x4x4"))
    with pytest.raises(BadNet, match="no network at"):
        ludex.make_agent(game, "zero", net=str(tmp_path / "none.onnx"))


def test_it_is_offered_only_where_a_network_ships() -> None:
    assert spec("tictactoe").agents["zero"].presets == shipped_presets(spec("tictactoe"))
    assert spec("skirmish").agents["zero"].presets == ()
    board = ludex.make("tictactoe", "3x4x3")
    assert not supports(board, "zero")
    with pytest.raises(Unsupported, match="ludex train tictactoe --config alphazero --preset 3x4x3 makes one"):
        choose_agent(board, "zero")
    with pytest.raises(Unsupported, match="minesweeper hides information"):
        choose_agent(ludex.make("minesweeper"), "zero")
    with pytest.raises(Unsupported, match="no network of zero ships for skirmish"):
        choose_agent(ludex.make("skirmish"), "zero")


@pytest.mark.slow
def test_the_network_that_ships_never_loses_tic_tac_toe() -> None:
    """Against every play of the opponent, from either seat."""
    game = ludex.make("tictactoe")
    agent = Memory(game, ludex.make_agent(game, "zero:simulations=50"))
    assert [walk(game, agent, seat).losing for seat in (0, 1)] == [0, 0]


@pytest.mark.slow
def test_it_needs_no_torch(net: str) -> None:
    code = f"""
import sys
sys.modules["torch"] = None
import ludex
game = ludex.make("tictactoe")
agents = [ludex.make_agent(game, "zero:simulations=8", net={net!r}), ludex.make_agent(game, "random")]
print(ludex.play(game, agents, seed=1).outcome.reason)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() in ("line", "board full")
