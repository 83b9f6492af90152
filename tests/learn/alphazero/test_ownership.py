"""What became of each cell: samples against the contract, symmetries against plain flips, and games given up."""

from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from ludex.core.compiled import CompiledRules, compiled_rules
from ludex.core.game import AnyGame
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.learn.alphazero.learning import Augmentation, ownership_loss
from ludex.learn.alphazero.network import AlphaZeroNet, NetSizes
from ludex.learn.alphazero.replay import Batch
from ludex.learn.alphazero.selfplay import UNKNOWN, SelfPlay
from ludex.search.batched import Advanced, BatchedSearch, SearchOptions, know_nothing, positions_of
from tests.learn.alphazero.miniature import small_config

CPU = torch.device("cpu")
Grid = NDArray[np.int8]
Sample = tuple[bytes, bytes]
Oracle = Callable[[AnyGame, Any, int], Grid]
GAMES = 6


def rules_of(game: AnyGame) -> CompiledRules:
    rules = compiled_rules(game)
    assert rules is not None
    return rules


def marks(game: AnyGame, position: Any, player: int) -> Grid:
    """Of tic-tac-toe by the contract: the player's marks 1, the other's -1."""
    own, other = (position.x, position.o)[:: 1 if player == 0 else -1]
    rows, cols = game.observe(position)["planes"].shape[-2:]
    cells = [(own >> cell & 1) - (other >> cell & 1) for cell in range(rows * cols)]
    return np.array(cells, np.int8).reshape(1, rows, cols)


def pawns_and_walls(game: AnyGame, position: Any, player: int) -> Grid:
    """Of Quoridor by the contract; black sees the board rotated, and a wall by the square above which it begins."""
    size = cast(Any, game).size
    pawns = np.zeros((size, size), np.int8)
    for seat in (0, 1):
        pawns[divmod(position.pawns[seat], size)] = 1 if seat == player else -1
    planes = [pawns if player == 0 else np.rot90(pawns, 2)]
    for walls in position.walls:
        slots = np.array([walls >> cell & 1 for cell in range(size * size)], np.int8).reshape(size, size)[:-1, :-1]
        planes.append(np.pad(slots if player == 0 else np.rot90(slots, 2), ((0, 1), (0, 1))))
    return np.stack(planes)


BOARDS: dict[tuple[str, str], Oracle] = {("tictactoe", "3x3x3"): marks, ("quoridor", "5x5"): pawns_and_walls}
each_board = pytest.mark.parametrize(("board", "oracle"), BOARDS.items(), ids=[name for name, _ in BOARDS])


def played(board: tuple[str, str], **changes: Any) -> tuple[SelfPlay, BatchedSearch, list[Any]]:
    """Self-play of some games that collects what becomes of cells, its search, and the moves that it will make."""
    game, given = make(*board), {f"self_play__{key}": value for key, value in changes.items()}
    positions = positions_of(game, GAMES, owning=True)
    search = BatchedSearch(positions, GAMES, SearchOptions(simulations=2, rule="gumbel"), 3)
    moves: list[Any] = []
    advance = search.advance

    def noted(actions: NDArray[np.int64]) -> Advanced:
        moves.append(actions.copy())
        return advance(actions)

    search.advance = noted  # type: ignore[method-assign]
    return SelfPlay(search, small_config(**given).self_play, 3), search, moves


def expected(board: tuple[str, str], oracle: Oracle, moves: list[Any]) -> Counter[Sample]:
    """By the contract: what a player to move saw, and what became of the cells for them."""
    game = make(*board)
    rules = rules_of(game)
    samples: Counter[Sample] = Counter()
    for lane in range(GAMES):
        state, seen = game.initial(Rng(0)), list[tuple[bytes, int]]()
        for row in moves:
            planes = np.zeros(rules.observation_shape, np.float32)
            rules.observe(rules.constants, rules.pack(state), planes.reshape(-1))
            seen.append((planes.astype(np.float16).tobytes(), game.to_move(state)))
            state = game.apply(state, int(row[lane]), Rng(0))
            if game.outcome(state) is not None:
                samples.update((planes, oracle(game, state, player).tobytes()) for planes, player in seen)
                state, seen = game.initial(Rng(0)), []
    return samples


def collected(play: SelfPlay, plies: int) -> Counter[Sample]:
    samples = play.play(know_nothing, plies).samples
    pairs = zip(samples.observations, samples.ownership, strict=True)
    return Counter((seen.tobytes(), owned.tobytes()) for seen, owned in pairs)


@each_board
def test_samples_say_what_the_contract_says_became_of_each_cell(board: tuple[str, str], oracle: Oracle) -> None:
    play, _, moves = played(board, resign_below=-1.0)
    samples = collected(play, 60)
    assert sum(samples.values()) > 100
    assert samples == expected(board, oracle, moves)


def test_games_that_were_given_up_teach_nothing_of_their_cells() -> None:
    def despairing(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> Any:
        stones = observations.sum((1, 2, 3))
        return np.zeros(masks.shape, np.float32), np.where(stones % 2 == 0, -1.0, 1.0).astype(np.float32)

    settings = {"resign_below": -0.5, "resign_turns": 2, "temperature": 0.0}
    some = played(("tictactoe", "3x3x3"), resign_exempt=0.5, **settings)[0].play(despairing, 40)
    assert 0 < some.resigned < len(some.results)
    unknown = (some.samples.ownership == UNKNOWN).all((1, 2, 3))
    assert 0 < unknown.sum() < some.samples.size
    assert (np.abs(some.samples.ownership[~unknown]) <= 1).all()
    # Games that are given up end with the third ply, the first player's second turn.
    stones = some.samples.observations.sum((1, 2, 3))
    assert (stones[unknown] <= 2).all()
    assert (some.samples.moves_left[unknown] <= 3).all()


def mirrored(plane: Grid, *, walls: bool) -> Grid:
    """Left and right exchanged; walls have one column less."""
    return np.concatenate([plane[:, -2::-1], plane[:, -1:]], 1) if walls else plane[:, ::-1]


def images(board: tuple[str, str], planes: Grid) -> set[bytes]:
    """What the symmetries make of planes `[K, H, W]`, by plain flips."""
    if board[0] == "tictactoe":
        turned = [np.rot90(planes, quarter, (1, 2)) for quarter in range(4)]
        return {np.ascontiguousarray(one).tobytes() for grid in turned for one in (grid, grid[:, :, ::-1])}
    flipped = [mirrored(plane, walls=number > 0) for number, plane in enumerate(planes)]
    return {planes.tobytes(), np.stack(flipped).tobytes()}


def some_cells(board: tuple[str, str], count: int) -> tuple[CompiledRules, Grid, NDArray[np.float32]]:
    """Random cells `[count, K, H, W]`, and observations that show them in the planes of pieces and walls."""
    rules = rules_of(make(*board))
    assert rules.ownership is not None
    rng = np.random.default_rng(5)
    cells = rng.integers(-1, 2, (count, rules.ownership.planes, *rules.observation_shape[1:]), np.int8)
    seen = np.zeros((count, *rules.observation_shape), np.float32)
    seen[:, 0], seen[:, 1] = cells[:, 0] == 1, cells[:, 0] == -1
    seen[:, 2 : 1 + rules.ownership.planes] = cells[:, 1:]
    return rules, cells, seen


def augmented(rules: CompiledRules, cells: Grid, seen: NDArray[np.float32], shift: int = 0) -> Batch:
    """Under symmetries that are drawn; the cells are moved by a planted shift."""
    assert rules.symmetries is not None
    assert rules.ownership is not None
    assert rules.ownership.cells is not None
    none, count = torch.zeros(len(cells)), len(cells)
    batch = Batch(
        torch.from_numpy(seen), torch.zeros(count, rules.action_size), none, none, none, torch.from_numpy(cells).float()
    )
    owned = np.roll(rules.ownership.cells, shift, 1)
    return Augmentation(rules.symmetries, CPU, owned)(batch, torch.Generator().manual_seed(2))


@pytest.mark.parametrize("board", BOARDS)
def test_cells_move_with_their_position_under_symmetries(board: tuple[str, str]) -> None:
    rules, cells, seen = some_cells(board, 64)
    augmentation = augmented(rules, cells, seen)
    owned = augmentation.ownership.numpy().astype(np.int8)
    for before, after in zip(cells, owned, strict=True):
        assert after.tobytes() in images(board, before)
    assert (owned != cells).any()
    # The image of the observation still shows the image of the cells.
    shown = augmentation.observations.numpy()
    assert np.array_equal(shown[:, 0] - shown[:, 1], owned[:, 0])
    assert np.array_equal(shown[:, 2 : 1 + owned.shape[1]], owned[:, 1:])
    wrong = augmented(rules, cells, seen, shift=1).ownership.numpy()
    assert not np.array_equal(shown[:, 0] - shown[:, 1], wrong[:, 0])


def test_the_loss_is_of_the_cells_that_are_known() -> None:
    output = torch.full((4, 2, 3, 3), 0.5, requires_grad=True)
    target = torch.ones(4, 2, 3, 3)
    target[1:] = UNKNOWN
    loss = ownership_loss(output, target)
    assert float(loss.detach()) == pytest.approx(0.25)
    loss.backward()  # type: ignore[no-untyped-call]
    assert output.grad is not None
    assert output.grad[0].abs().min() > 0
    assert output.grad[1:].abs().max() == 0
    assert float(ownership_loss(output.detach(), torch.full((4, 2, 3, 3), float(UNKNOWN)))) == 0.0


def test_the_head_leaves_the_first_weights_of_the_others_alone() -> None:
    sizes = NetSizes(planes=2, rows=3, cols=3, actions=9, channels=8, blocks=1, pooled_every=0, moves_left=True)
    torch.manual_seed(1)
    without = AlphaZeroNet(sizes).state_dict()
    torch.manual_seed(1)
    beside = AlphaZeroNet(sizes.model_copy(update={"ownership": 2})).state_dict()
    assert set(beside) - set(without) == {"ownership.weight", "ownership.bias"}
    assert all(torch.equal(without[name], beside[name]) for name in without)
