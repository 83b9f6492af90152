"""The networks: the order of logits, boards of any size, symmetry, and what an untrained one plays."""

import numpy as np
import pytest
import torch
from torch import nn

from ludex.games.minesweeper.env.config import BASE_CHANNELS, EnvConfig
from ludex.games.minesweeper.env.env import MinesweeperEnv
from ludex.games.minesweeper.learning.network import (
    PLANES,
    CNNPolicy,
    ResidualPolicy,
    SymmetricPolicy,
    encode,
    turns,
)


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randint(-1, 5, shape, generator=torch.Generator().manual_seed(seed), dtype=torch.int8)


@pytest.mark.parametrize("net", [CNNPolicy(BASE_CHANNELS), CNNPolicy(BASE_CHANNELS, hidden=16)])
def test_the_logit_of_an_action_stands_at_its_index(net: CNNPolicy) -> None:
    """Reveals first, row by row, then flags: a head set by hand distinguishes both in every cell."""
    rows, cols = 3, 4
    nn.init.zeros_(net.policy_head.weight)
    with torch.no_grad():
        net.policy_head.bias.copy_(torch.tensor([1.0, -1.0]))  # type: ignore[union-attr]
        net.policy_head.weight[0, 0] = 1.0
        net.policy_head.weight[1, 0] = 1.0
    x = torch.rand(2, BASE_CHANNELS, rows, cols)
    features = net.backbone(x)[:, 0]
    logits, value = net(x)
    assert logits.shape == (2, 2 * rows * cols)
    assert value.shape == (2,)
    for cell in range(rows * cols):
        at = features[:, cell // cols, cell % cols]
        assert torch.allclose(logits[:, cell], 1.0 + at)
        assert torch.allclose(logits[:, rows * cols + cell], at - 1.0)


class DocumentPolicy(CNNPolicy):
    """The document's forward pass to the letter: logits of reveal and flag lie side by side for each cell."""

    def forward(self, x: torch.Tensor, return_mine: bool = False) -> tuple[torch.Tensor, ...]:
        features = self.backbone(x)
        interleaved = self.policy_head(features).permute(0, 2, 3, 1).reshape(len(x), -1)
        return interleaved, self.value_head(features).squeeze(-1), self.mine_head(features)


def test_the_documents_permute_contradicts_its_action_index() -> None:
    """Its index says that the second half are flags; its forward pass puts a flag in every other place."""
    document = DocumentPolicy(BASE_CHANNELS)
    net = CNNPolicy(BASE_CHANNELS)
    net.load_state_dict(document.state_dict())
    x = torch.rand(2, BASE_CHANNELS, 3, 4)
    literal, ours = document(x), net(x, return_mine=True)
    assert torch.equal(literal[0].view(2, 12, 2).transpose(1, 2).flatten(1), ours[0])
    assert not torch.equal(literal[0], ours[0])
    assert torch.equal(literal[1], ours[1])
    assert torch.equal(literal[2], ours[2])


def test_hidden_is_the_width_that_the_document_takes_and_sets_to_64() -> None:
    for hidden, net in ((64, CNNPolicy(BASE_CHANNELS)), (16, CNNPolicy(BASE_CHANNELS, hidden=16))):
        widths = [layer.out_channels for layer in net.backbone if isinstance(layer, nn.Conv2d)]
        assert widths == [32, 64, hidden]
        assert {head.in_channels for head in (net.policy_head, net.mine_head)} == {hidden}


def test_the_seeds_network_takes_the_environments_observations() -> None:
    env = MinesweeperEnv(EnvConfig(), seed=0)
    observed = torch.from_numpy(env.reset()["obs"]).unsqueeze(0)
    logits, value, mine = CNNPolicy(in_channels=env.obs_channels)(observed, return_mine=True)
    assert (logits.shape, value.shape, mine.shape) == ((1, env.action_space), (1,), (1, 1, 8, 8))


def test_encoding_begins_as_the_environments_observation() -> None:
    env = MinesweeperEnv(EnvConfig(), seed=3)
    env.reset()
    env.step(27)
    planes = encode(torch.from_numpy(env.numbers).unsqueeze(0), torch.tensor([10]))
    assert planes.shape == (1, PLANES, 8, 8)
    assert np.array_equal(planes[0, :BASE_CHANNELS].numpy(), env._observation()["obs"])
    hidden = int((env.numbers < 0).sum())
    assert float(planes[0, -2, 0, 0]) == pytest.approx(10 / hidden)
    assert float(planes[0, -1, 7, 7]) == pytest.approx(10 / 64)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (8, 8), (16, 30), (5, 3)])
def test_one_network_serves_every_board(rows: int, cols: int) -> None:
    net = ResidualPolicy(PLANES, width=8, depth=3)
    logits, value, mine = net(encode(numbers(2, rows, cols), torch.tensor([3, 4])), return_mine=True)
    assert (logits.shape, value.shape, mine.shape) == ((2, 2 * rows * cols), (2,), (2, 1, rows, cols))


def test_an_untrained_policy_prefers_the_safest_cell() -> None:
    net = ResidualPolicy(PLANES, width=8, depth=3)
    logits, _, mine = net(encode(numbers(4, 6, 7), torch.full((4,), 9)), return_mine=True)
    assert torch.equal(logits[:, :42], -mine.flatten(1))


def test_blocks_begin_as_nothing() -> None:
    net = ResidualPolicy(PLANES, width=8, depth=6)
    x = encode(numbers(2, 5, 5), torch.tensor([3, 4]))
    assert torch.equal(net.backbone(net.stem(x)), net.stem(x))


def test_the_policys_loss_leaves_the_mine_head_alone() -> None:
    net = ResidualPolicy(PLANES, width=8, depth=1)
    logits, _ = net(encode(numbers(2, 5, 5), torch.tensor([3, 4])))
    logits[:, 3].sum().backward()
    assert net.mine_head.weight.grad is None
    assert net.policy_head.weight.grad is not None


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(6, 6), (4, 7)])
def test_what_is_averaged_over_symmetries_turns_with_the_board(shape: tuple[int, int]) -> None:
    torch.manual_seed(0)
    net = ResidualPolicy(PLANES, width=8, depth=3)
    for parameter in net.parameters():
        nn.init.normal_(parameter, std=0.3)
    averaged = SymmetricPolicy(net).eval()
    x = encode(numbers(3, *shape), torch.tensor([5, 6, 7]))
    logits, value, mine = averaged(x, return_mine=True)
    maps = turns(shape[0] == shape[1])
    assert len(maps) == (8 if shape[0] == shape[1] else 4)
    seen = set()
    for turn, back in maps:
        assert torch.equal(back(turn(x)), x)
        seen.add(tuple(turn(torch.arange(shape[0] * shape[1]).view(shape)).flatten().tolist()))
        turned_logits, turned_value, turned_mine = averaged(turn(x), return_mine=True)
        assert torch.allclose(turned_mine, turn(mine), atol=1e-4)
        assert torch.allclose(turned_value, value, atol=1e-4)
        assert torch.allclose(
            turned_logits.unflatten(1, (2, *shape)), turn(logits.unflatten(1, (2, *shape))), atol=1e-4
        )
    assert len(seen) == len(maps)
