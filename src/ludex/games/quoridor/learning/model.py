"""The learned evaluation as a torch module: a sum of rows, one per feature, and two small layers on it."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ludex.games.quoridor.agents.master.features import BUCKET_WALLS, BUCKETS, FEATURES, MY_WALLS, THEIR_WALLS
from ludex.games.quoridor.agents.master.network import HIDDEN, WIDTH


class EvaluationNet(nn.Module):
    """Features int[B, MOST_FEATURES], filled up with FEATURES, to the mover's log-odds float[B].

    The layers above the sum have one set of weights per stage of the game, which depends on the walls in stock.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag(FEATURES + 1, WIDTH, mode="sum", padding_idx=FEATURES)
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.1))
        self.middle = nn.Linear(WIDTH, HIDDEN * BUCKETS)
        self.out = nn.Parameter(torch.randn(BUCKETS, HIDDEN) / HIDDEN**0.5)
        self.out_bias = nn.Parameter(torch.zeros(BUCKETS))
        nn.init.normal_(self.rows.weight, std=0.08)
        with torch.no_grad():
            self.rows.weight[FEATURES] = 0

    def forward(self, features: Tensor) -> Tensor:
        stock = features[:, 2] - MY_WALLS + features[:, 3] - THEIR_WALLS
        bucket = torch.clamp(stock // BUCKET_WALLS, max=BUCKETS - 1).long()
        summed = torch.relu(self.rows(features) + self.bias)
        mixed = torch.relu(self.middle(summed)).view(-1, BUCKETS, HIDDEN)
        chosen = mixed[torch.arange(len(bucket), device=bucket.device), bucket]
        return (chosen * self.out[bucket]).sum(1) + self.out_bias[bucket]

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights as the kernel reads them."""
        middle = self.middle.weight.T.reshape(-1, BUCKETS, HIDDEN).transpose(0, 1)
        weights = {
            "rows": self.rows.weight[:FEATURES],
            "bias": self.bias,
            "middle": middle,
            "middle_bias": self.middle.bias.view(BUCKETS, HIDDEN),
            "out": self.out,
            "out_bias": self.out_bias,
        }
        return {name: np.ascontiguousarray(value.detach().cpu().numpy(), np.float32) for name, value in weights.items()}
