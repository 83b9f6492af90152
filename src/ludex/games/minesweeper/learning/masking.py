"""Which actions are legal, for many boards on a device."""

import torch
from torch import Tensor
from torch.nn.functional import max_pool2d, pad


def around(marked: Tensor) -> Tensor:
    """The marked cells of `bool[N, H, W]` and all around them."""
    if marked.device.type == "cuda":
        spread: Tensor = max_pool2d(marked.unsqueeze(1).half(), 3, 1, 1)
        return spread.squeeze(1) > 0
    # A CPU pools floats alone, and slowly.
    edged = pad(marked, (1, 1, 1, 1))
    tall = edged[:, :-2] | edged[:, 1:-1] | edged[:, 2:]
    return tall[:, :, :-2] | tall[:, :, 1:-1] | tall[:, :, 2:]


def action_mask(revealed: Tensor, *, frontier: bool, reveal_only: bool) -> Tensor:
    """bool[N, A] of `revealed: bool[N, H, W]`: hidden cells may be revealed, then hidden cells may be flagged.

    With `frontier` only hidden cells beside a number may be revealed; where there are none, every hidden cell.
    """
    hidden = ~revealed
    reveals = hidden
    if frontier:
        beside = around(revealed) & hidden
        empty = ~beside.flatten(1).any(1)
        reveals = torch.where(empty.view(-1, 1, 1), hidden, beside)
    return reveals.flatten(1) if reveal_only else torch.cat([reveals.flatten(1), hidden.flatten(1)], 1)
