"""Train the network that `play` evaluates: what each cell of a position will cost in guesses."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from benchmarks.minesweeper_guesses.play import CELLS, CHANNELS, COLS, PLANES, ROWS

OFF = 255
PER_LEAF, PER_END = 12, 4
"""Cells of a position that stand for all, and for what its end costs."""
BATCH, EPOCHS, RATE = 4096, 3, 4e-3
HELD_PARTS, SCALE_PARTS = 2, 10
LATE = 0.8
"""The share of uncertain cells below which the network says more than the formula."""


def planes_of(codes: torch.Tensor) -> torch.Tensor:
    """float[N, PLANES, H - 2, W - 2] of uint8[N, H, W] with a frame; OFF is no cell."""
    board = codes.unsqueeze(1)
    off = board == OFF
    revealed = board < 16
    mine, safe = board == 240, board == 16
    uncertain = ~revealed & ~mine & ~safe & ~off
    ring = torch.ones(3, 1, 3, 3)
    ring[:, 0, 1, 1] = 0
    unknown, mines, shown = functional.conv2d(torch.cat([uncertain, mine, revealed], 1).float(), ring, groups=3).split(
        1, 1
    )

    def inner(plane: torch.Tensor) -> torch.Tensor:
        return plane[:, :, 1:-1, 1:-1]

    board, revealed, uncertain = inner(board), inner(revealed), inner(uncertain)
    need = (board.float() - mines).clamp(1, 3)
    live = revealed & (unknown > 0.5)
    p = (board.float() - 16) / 224 * uncertain
    parts = [
        ~inner(off),
        revealed,
        *(live & (need == n) for n in (1, 2, 3)),
        unknown / 8 * revealed,
        uncertain,
        p,
        4 * p * (1 - p),
        inner(mine),
        inner(safe),
        uncertain & (shown < 0.5),
    ]
    return torch.cat([part.float() for part in parts], 1)


class Costs(nn.Module):
    """What each cell will cost: two layers of 3x3, one of 1x1."""

    def __init__(self) -> None:
        super().__init__()
        self.c1 = nn.Conv2d(PLANES, CHANNELS, 3)
        self.c2 = nn.Conv2d(CHANNELS, CHANNELS, 3)
        self.c3 = nn.Conv2d(CHANNELS, 1, 1)
        self.scale = nn.Parameter(torch.zeros(4))
        nn.init.constant_(self.c3.bias, -4.0)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """float[N, H, W] of planes two cells wider on each side."""
        x = functional.relu(self.c1(planes)) * planes[:, :1, 1:-1, 1:-1]
        return functional.softplus(self.c3(functional.relu(self.c2(x))))[:, 0]

    def save(self, path: Path) -> None:
        """Write the weights as the kernels read them."""

        def of(conv: nn.Conv2d) -> Any:
            weight = conv.weight.detach().numpy()
            return weight.transpose(2, 3, 1, 0).reshape(9, weight.shape[1], weight.shape[0])

        np.savez(
            path,
            w1=of(self.c1),
            b1=self.c1.bias.detach().numpy(),
            w2=of(self.c2),
            b2=self.c2.bias.detach().numpy(),
            w4=self.c3.weight.detach().numpy().reshape(-1),
            b4=self.c3.bias.detach().numpy(),
            scale=self.scale.detach().numpy(),
        )


def framed(codes: Any, width: int) -> Any:
    """uint8[N, H, W] of boards with OFF around them."""
    return np.pad(codes.reshape(-1, ROWS, COLS), ((0, 0), (width, width), (width, width)), constant_values=OFF)


def cells_of(data: Any, rng: Any) -> tuple[Any, Any, Any, Any]:
    """Sampled cells of a part: uint8[M, 7, 7] around each, its weight, its cost, and how many cells were uncertain."""
    codes, hazards, places = data["codes"], data["hazards"], data["cells"]
    boards = framed(codes, 3)
    uncertain = (codes > 16) & (codes < 240)
    counts = uncertain.sum(1)
    leaf, cell, weight, cost = [], [], [], []
    for row in range(len(codes)):
        begin, end, tail = int(data["begins"][row]), int(data["ends"][row]), int(data["tails"][row])
        if counts[row] == 0:
            continue
        following, factor = float(data["following"][row]), 1.0
        if following < 1.0 - 1e-9:
            # The formula accounts for the guess that follows.
            if begin < tail:
                begin += 1
            elif tail < end:
                whole = float(hazards[tail:end].sum())
                factor = max(0.0, whole + np.log(following)) / whole
        others = rng.choice(np.flatnonzero(uncertain[row]), PER_LEAF)
        pick = [int(c) for c in others]
        w = [counts[row] / PER_LEAF] * PER_LEAF
        t = [0.0] * PER_LEAF
        for event in range(begin, tail):
            pick.append(int(places[event]))
            w.append(0.0)
            t.append(float(hazards[event]))
        if tail < end:
            whole = float(hazards[tail:end].sum())
            if whole > 0.0 and factor > 0.0:
                for event in rng.choice(
                    end - tail, PER_END, p=hazards[tail:end].astype(float) / hazards[tail:end].astype(float).sum()
                ):
                    pick.append(int(places[tail + event]))
                    w.append(0.0)
                    t.append(factor * whole / PER_END)
        leaf += [row] * len(pick)
        cell += pick
        weight += w
        cost += t
    rows, at = np.array(leaf), np.array(cell)
    r, c = at // COLS, at % COLS
    d = np.arange(7)
    patches = boards[rows[:, None, None], (r[:, None] + d)[:, :, None], (c[:, None] + d)[:, None, :]]
    return patches, np.array(weight, np.float32), np.array(cost, np.float32), (counts[rows] / CELLS).astype(np.float32)


def totals(model: Costs, codes: Any) -> torch.Tensor:
    """float[N, 2]: what the cells of each position cost in sum, and the share of uncertain cells."""
    rows = []
    with torch.no_grad():
        for at in range(0, len(codes), 256):
            planes = planes_of(torch.from_numpy(framed(codes[at : at + 256], 3)))
            uncertain = planes[:, 6, 2:-2, 2:-2]
            rows.append(torch.stack([(model(planes) * uncertain).sum((1, 2)), uncertain.mean((1, 2))], 1))
    return torch.cat(rows)


def fit_scale(rows: torch.Tensor, following: torch.Tensor, values: torch.Tensor, name: str, tests: int) -> torch.Tensor:
    """The scale with the greatest likelihood."""
    scale = torch.tensor([0.0, 0.0, 0.0, 1.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([scale], max_iter=200, line_search_fn="strong_wolfe")
    sums, share = rows.T

    def loss(part: slice) -> torch.Tensor:
        rate = torch.exp(scale[0] + scale[1] * share[part] + scale[2] * share[part] ** 2)
        total = (sums[part] * rate - scale[3] * torch.log(following[part])).clamp(1e-5, 30)
        return (values[part] * total - (1 - values[part]) * torch.log(-torch.expm1(-total))).mean()

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        value = loss(slice(tests, None))
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    held = float(loss(slice(0, tests)).detach())
    print(name, "scale", [round(x, 3) for x in scale.tolist()], "held out", round(held, 5), flush=True)
    return scale.detach()


def train(folder: Path) -> None:
    """Train on all parts but the first ones, fit the scale, and write `net.npz`."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    parts = [dict(np.load(path)) for path in sorted(folder.glob("part-*.npz"), key=lambda path: int(path.stem[5:]))]
    sets = []
    for group in (parts[:HELD_PARTS], parts[HELD_PARTS:]):
        many = [cells_of(part, rng) for part in group]
        sets.append([torch.from_numpy(np.concatenate(column)) for column in zip(*many, strict=True)])
    test, data = sets
    print("cells", len(data[0]), flush=True)
    model = Costs()
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=1e-2)
    total = EPOCHS * (len(data[0]) // BATCH)
    for step in range(total):
        at = step % (total // EPOCHS) * BATCH
        if at == 0:
            order = torch.randperm(len(data[0]))
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 50) * 0.5 * (1 + np.cos(np.pi * step / total))
        loss = loss_of(model, [column[order[at : at + BATCH]] for column in data], step % 8)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 100 == 99:
            with torch.no_grad():
                print(
                    "step",
                    step + 1,
                    "held out",
                    round(float(loss_of(model, [c[:40000] for c in test], 0)), 5),
                    flush=True,
                )
    leaves = {
        name: np.concatenate([part[name] for part in parts[:SCALE_PARTS]]) for name in ("codes", "values", "following")
    }
    rows = totals(model, leaves["codes"])
    late = rows[:, 1] < LATE
    tests = int(late[: sum(len(part["codes"]) for part in parts[:HELD_PARTS])].sum())
    following, values = (torch.from_numpy(leaves[name])[late] for name in ("following", "values"))
    counts = torch.stack([rows[late][:, 1] * 10, rows[late][:, 1]], 1)
    fit_scale(counts, following, values, "number of uncertain cells", tests)
    with torch.no_grad():
        model.scale.copy_(fit_scale(rows[late], following, values, "network", tests))
    model.save(folder / "net.npz")


def loss_of(model: Costs, rows: list[torch.Tensor], flip: int) -> torch.Tensor:
    """The loss of a Poisson rate per cell, in one of the eight symmetries."""
    patch, weight, cost, share = rows
    if flip & 1:
        patch = patch.flip(1)
    if flip & 2:
        patch = patch.flip(2)
    if flip & 4:
        patch = patch.transpose(1, 2)
    costs = model(planes_of(patch))[:, 0, 0]
    rate = model.scale[0] + model.scale[1] * share + model.scale[2] * share**2
    return (weight * costs * torch.exp(rate) - cost * (torch.log(costs + 1e-7) + rate)).mean()
