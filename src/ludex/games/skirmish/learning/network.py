"""The network: shared features of hexes and of units, and logits made of both instead of a flat layer.

| logits of | are made of |
|---|---|
| placements, unit x hex | the dot products of unit queries and hex keys |
| moves and sides of a charged enemy | the dot product of the active unit's query and hex keys |
| shots, charges, blows | the dot products of the active unit's queries and enemy keys |
| activations and units taken back | each own unit |
| pass, confirm, advance, wait | the active unit and the whole |

No weight depends on the size of the board or of the forces, so that one network learns on several scenarios.
"""

import hashlib
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import conv2d, linear, pad, relu

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine.branches import SIDES, branch_sizes
from ludex.games.skirmish.rules.engine.observation import (
    GENERAL,
    PLACE,
    PLACES,
    PLANES,
    TARGETED,
    UNIT_NUMBERS,
    vector_length,
)
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.hexes import to_cube

ACTIVE_NUMBER: Final = 4
"""The number of a unit that says whether it is the active one."""
EXISTS_NUMBER: Final = 15
"""The number of a unit, its full wounds, that only an empty slot has at 0."""
OWN_NUMBER: Final = len(("deployment", "command", "move", "shoot", "charge", "fight", "over")) + 1
"""The general number that says which player observes."""
PLACES_ON_BOARD: Final = 2
"""Constant planes: how far right and how far down a hex lies."""
PLACED: Final = 2
"""The number that says how much a unit prefers to be placed, in `unit_alone`."""
TAPS: Final = 7
"""A convolution reads a hex and its six neighbours."""
WHOLE: Final = 4
"""Pass, confirm, advance and wait."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """Everything about a scenario that a network's form depends on; its weights depend on none of it."""

    cols: int
    rows: int
    unit_slots: int
    hex_slots: int
    exists: NDArray[np.bool_]
    """bool[hexes]: false for holes."""
    neighbours: NDArray[np.int64]
    """int64[hexes, 6]: `hexes`, one past the last, beyond the border."""
    pools: NDArray[np.int64]
    """int64[2, hex slots]: by player, the hex of each slot as that player sees the board; 0 for slots that are not."""
    skewed: NDArray[np.int64]
    """int64[hexes]: where each hex lies in a field of `skewed_cols` x `skewed_rows` whose axes are two directions of
    the hexes, so that neighbours always differ by the same steps."""
    skewed_rows: int

    @property
    def hexes(self) -> int:
        return self.cols * self.rows

    @property
    def observed(self) -> int:
        """How many numbers an observation has, planes and vector."""
        return PLANES * self.hexes + vector_length(self.unit_slots)

    @property
    def branches(self) -> tuple[int, ...]:
        return branch_sizes(self.unit_slots, self.hex_slots, self.hexes)

    @property
    def digest(self) -> str:
        """The same for equal tables, wherever the scenario was read from."""
        hashed = hashlib.sha256()
        for field in fields(self):
            hashed.update(np.asarray(getattr(self, field.name)).tobytes())
        return hashed.hexdigest()[:16]


def geometry_of(game: Skirmish) -> Geometry:
    """The tables of a game's scenario. Raises `Unsupported` for a board that cannot be turned."""
    scenario, grid = game.scenario, game.scenario.grid
    orientation = half_turn(scenario)
    slots = game.table.hex_slots
    pools = np.zeros((2, slots), np.int64)
    for player, pool in enumerate(scenario.pools):
        # Half a turn reverses the order of the slots and of the hexes alike: sorted again, they fit.
        pools[player, : len(pool)] = np.sort(orientation.hexes[player][list(pool)])
    number = np.arange(grid.size, dtype=np.int16)
    q, r = to_cube(number // grid.rows, number % grid.rows)
    lowest = int(r.min())
    skewed_rows = int(r.max()) - lowest + 1
    return Geometry(
        cols=grid.cols,
        rows=grid.rows,
        unit_slots=game.table.unit_slots,
        hex_slots=slots,
        exists=grid.exists,
        neighbours=np.where(grid.neighbours < 0, grid.size, grid.neighbours).astype(np.int64),
        pools=pools,
        skewed=q.astype(np.int64) * skewed_rows + r - lowest,
        skewed_rows=skewed_rows,
    )


class Cells(NamedTuple):
    """How hexes and their neighbours lie in memory."""

    inside: Tensor
    """float32[1, cells, 1]: 1 for hexes, 0 for cells outside the board."""
    size: tuple[int, int]
    """Of the skewed field."""
    taps: Tensor | None
    """int64[cells * 7]: in the compact form the cells that a convolution reads, `cells` for one that does not exist."""


class HexConv(nn.Conv2d):
    """A 3x3 convolution over a hex and its six neighbours, in a skewed field."""

    near: Tensor
    """float32[3, 3]: 1 for the hex and its neighbours, 0 for the two corners that are two steps away."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs, 3, padding=1)
        near = torch.ones(3, 3)
        near[0, 0] = near[2, 2] = 0.0
        self.register_buffer("near", near, persistent=False)

    def convolve(self, x: Tensor, cells: Cells) -> Tensor:
        """[B, cells, outputs] of `x: [B, cells, inputs]`."""
        if cells.taps is None:
            # Channels last in memory: GPUs convolve fastest in this order.
            field = x.reshape(-1, *cells.size, x.shape[2]).permute(0, 3, 1, 2)
            return conv2d(field, self.weight * self.near, self.bias, padding=1).permute(0, 2, 3, 1).flatten(1, 2)
        seen = pad(x, (0, 0, 0, 1)).index_select(1, cells.taps).reshape(-1, x.shape[1], TAPS * x.shape[2])
        # The two corners are the first and the last of nine.
        assert self.bias is not None
        return seen @ self.weight.flatten(2)[:, :, 1:-1].permute(2, 1, 0).flatten(0, 1) + self.bias


class Block(nn.Module):
    """A residual block: two hex convolutions with global pooling; it starts as the identity."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = HexConv(width, width)
        self.pooled = nn.Linear(2 * width, width)
        self.second = HexConv(width, width)
        self.gain = nn.Parameter(torch.zeros(()))

    def forward(self, x: Tensor, cells: Cells) -> Tensor:
        inside = cells.inside.to(x.dtype)
        y = relu(self.first.convolve(relu(x), cells)) * inside
        whole = torch.cat((y.sum(1) / cells.inside.sum(), y.amax(1)), 1)
        y = y + self.pooled(whole)[:, None]
        added: Tensor = x + self.gain * self.second.convolve(relu(y) * inside, cells) * inside
        return added


class Attention(nn.Module):
    """Self-attention of units; it starts with zero output weights."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out_proj = nn.Linear(width, width)
        last = nn.Linear(2 * width, width)
        self.inner = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.ReLU(), last)
        nn.init.zeros_(self.out_proj.weight)
        nn.init.zeros_(last.weight)

    def forward(self, units: Tensor, absent: Tensor) -> Tensor:
        """Of `units: [B, S, width]`; those of `absent: bool[B, S]` are masked out."""
        query, key, value = self._split(self.qkv(self.norm(units)))
        attention = torch.einsum("bshd,bthd->bhst", query, key) / query.shape[-1] ** 0.5
        attention = attention.masked_fill(absent[:, None, None, :], -1e4).softmax(-1)
        units = units + self.out_proj(torch.einsum("bhst,bthd->bshd", attention, value).flatten(2))
        attended: Tensor = units + self.inner(units)
        return attended

    def _split(self, qkv: Tensor) -> tuple[Tensor, ...]:
        """Query, key and value, each `[B, S, heads, width / heads]`."""
        return qkv.reshape(-1, qkv.shape[1], 3, self.heads, qkv.shape[2] // (3 * self.heads)).unbind(2)


class SkirmishNet(nn.Module):
    """Observations to logits of every action and a value for the player to move, from its own end of the board."""

    source: Tensor
    cell: Tensor
    inside: Tensor
    taps: Tensor
    places: Tensor
    pools: Tensor
    neighbours: Tensor
    """The scenario's tables, see `settle`."""

    def __init__(self, width: int, depth: int, attention_layers: int, placing_gain: float, geometry: Geometry) -> None:
        """`width` features per hex and per unit, `depth` blocks over hexes, and attention layers over units.

        A placement matters little beside the luck of a battle, so its logits take steps `placing_gain` times as long:
        with the steps that suit a shot, learning to place would take very long.
        """
        super().__init__()
        self.stem = HexConv(PLANES + PLACES_ON_BOARD, width)
        self.general = nn.Linear(GENERAL, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.unit = nn.Sequential(nn.Linear(UNIT_NUMBERS + width + 1, width), nn.ReLU(), nn.Linear(width, width))
        self.attention = nn.ModuleList(Attention(width, heads=4) for _ in range(attention_layers))
        self.pooled = nn.Sequential(nn.Linear(5 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width), nn.ReLU())
        self.hex_offers = nn.Conv2d(width, 3 * width + 1, 1)
        """Keys of hexes for placements, moves and landings; and a value per hex that is the same for every unit."""
        self.unit_offers = nn.Linear(width, 4 * width)
        """A unit's query for its placement; its keys for being shot, charged and fought."""
        self.active_asks = nn.Linear(2 * width, 5 * width)
        """The active unit's queries for moves, landings, shots, charges and blows."""
        self.unit_alone = nn.Linear(2 * width, 6)
        """Logits of a unit alone: activated, taken back, placed; shot, charged and fought, whatever the attacker."""
        self.alone = nn.Linear(2 * width, WHOLE)
        self.value = nn.Linear(width, 1)
        for last in (self.value, self.alone, self.unit_alone):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)
        self.width = width
        self.placing_gain = placing_gain
        self.settle(geometry)

    def settle(self, geometry: Geometry, compact: bool = False) -> None:
        """Play another scenario with the same weights.

        In the compact form the cells are the hexes, and a convolution reads seven cells by their numbers: half the
        products, in the order that suits a CPU. Else they are the skewed field, as GPUs convolve fastest.
        """
        self.geometry, self.compact = geometry, compact
        device = self.value.weight.device
        number, exists = torch.arange(geometry.hexes), torch.tensor(geometry.exists)
        cell = torch.tensor(geometry.skewed)
        # A hex of the padded board for each cell: cells outside the board read the zeros behind the last hex.
        source = torch.full((geometry.cols * geometry.skewed_rows,), geometry.hexes)
        source[cell[exists]] = number[exists]
        taps = torch.zeros(0, dtype=torch.long)
        if compact:
            field = torch.full((geometry.cols + 2, geometry.skewed_rows + 2), geometry.hexes)
            q, r = cell // geometry.skewed_rows, cell % geometry.skewed_rows
            field[q[exists] + 1, r[exists] + 1] = number[exists]
            steps = self.stem.near.cpu().nonzero().tolist()
            taps = torch.stack([field[q + step_q, r + step_r] for step_q, step_r in steps], 1).flatten()
            source = cell = number
        places = torch.stack((number // geometry.rows / geometry.cols, number % geometry.rows / geometry.rows))
        tables = {
            "source": source,
            "cell": cell,
            "inside": pad(exists.float(), (0, 1))[source].view(1, -1, 1),
            "taps": taps,
            "places": places.float() * exists,
            "pools": torch.from_numpy(geometry.pools),
            "neighbours": torch.from_numpy(geometry.neighbours),
        }
        for name, table in tables.items():
            self.register_buffer(name, table.to(device), persistent=False)

    @property
    def cells(self) -> Cells:
        """The cells that convolutions read and write."""
        size = (self.geometry.cols, self.geometry.skewed_rows)
        return Cells(self.inside, size, self.taps if self.compact else None)

    @torch.no_grad()
    def forget_placing(self) -> None:
        """Zero the placement queries of units: then placements differ only by the value of their hex."""
        for layer, rows in ((self.unit_offers, slice(0, self.width)), (self.unit_alone, slice(PLACED, PLACED + 1))):
            layer.weight[rows] = 0.0
            layer.bias[rows] = 0.0

    def forward(self, flat: Tensor) -> tuple[Tensor, Tensor]:
        """Of `flat: [B, observed]`, planes and vector side by side: logits `[B, actions]` and values `[B]`."""
        geometry = self.geometry
        hexes, slots = geometry.hexes, geometry.unit_slots
        planes = flat[:, : PLANES * hexes].reshape(-1, PLANES, hexes)
        vector = flat[:, PLANES * hexes :]
        general, numbers = vector[:, :GENERAL], vector[:, GENERAL:].reshape(-1, 2 * slots, UNIT_NUMBERS)
        board = self._board(planes, general)
        units = self._units(numbers, board)
        present = numbers[:, :, EXISTS_NUMBER] > 0
        own, enemy = units[:, :slots], units[:, slots:]
        active = (own * numbers[:, :slots, ACTIVE_NUMBER, None].to(own.dtype)).sum(1)
        whole = self._whole(board, units, present, general)
        offered = linear(board, self.hex_offers.weight.flatten(1), self.hex_offers.bias).index_select(1, self.cell)
        logits = self._logits(offered, own, enemy, active, whole, planes, general)
        return logits, self.value(whole).squeeze(1)

    def _board(self, planes: Tensor, general: Tensor) -> Tensor:
        """Features of every cell: [B, cells, width]."""
        both = torch.cat((planes, self.places.to(planes.dtype).expand(planes.shape[0], -1, -1)), 1)
        field = pad(both, (0, 1)).transpose(1, 2).index_select(1, self.source)
        cells = self.cells
        x: Tensor = (self.stem.convolve(field, cells) + self.general(general)[:, None]) * self.inside.to(planes.dtype)
        for block in self.blocks:
            x = block(x, cells)
        return x

    def _units(self, numbers: Tensor, board: Tensor) -> Tensor:
        """Features of every unit slot, own slots first: its numbers, its hex, and the other units."""
        # A unit that stands nowhere reads hex -1, which is taken as the first one and then left out.
        place = (numbers[:, :, PLACE].float() * PLACES).round().long() - 1
        stands = (place >= 0).unsqueeze(2)
        cells = self.cell[place.clamp(min=0)]
        here = board.gather(1, cells.unsqueeze(2).expand(-1, -1, self.width))
        side = torch.zeros_like(numbers[:, :, :1])
        side[:, self.geometry.unit_slots :] = 1.0
        units: Tensor = self.unit(torch.cat((numbers, here * stands, side), 2))
        absent = numbers[:, :, EXISTS_NUMBER] == 0
        for attention in self.attention:
            units = attention(units, absent)
        return units

    def _whole(self, board: Tensor, units: Tensor, present: Tensor, general: Tensor) -> Tensor:
        slots = self.geometry.unit_slots
        there = present.unsqueeze(2).to(units.dtype)
        own, enemy = (units * there)[:, :slots], (units * there)[:, slots:]
        mean = board.sum(1) / self.inside.sum()
        # The zeros outside the board count, also where the cells are the hexes alone.
        parts = (mean, board.amax(1).clamp(min=0.0), own.sum(1) / slots, enemy.sum(1) / slots, self.general(general))
        whole: Tensor = self.pooled(torch.cat(parts, 1))
        return whole

    def _logits(
        self,
        offered: Tensor,
        own: Tensor,
        enemy: Tensor,
        active: Tensor,
        whole: Tensor,
        planes: Tensor,
        general: Tensor,
    ) -> Tensor:
        width, scale = self.width, self.width**-0.5
        to_place, to_move, to_land = (offered[:, :, part * width : (part + 1) * width] for part in range(3))
        worth = offered[:, :, 3 * width]
        wide = whole.unsqueeze(1).expand(-1, own.shape[1], -1)
        mine, theirs = (self.unit_alone(torch.cat((units, wide), 2)) for units in (own, enemy))
        queries = self.active_asks(torch.cat((active, whole), 1)).reshape(-1, 5, width)

        pool = self.pools[general[:, OWN_NUMBER].long()]
        in_pool = to_place.gather(1, pool.unsqueeze(2).expand(-1, -1, width))
        wanted = self.unit_offers(own)[:, :, :width]
        place = (
            self.placing_gain * scale * wanted @ in_pool.transpose(1, 2)
            + worth.gather(1, pool).unsqueeze(1)
            + mine[:, :, PLACED : PLACED + 1]
        )

        move = scale * torch.einsum("bw,bhw->bh", queries[:, 0], to_move) + worth
        target = planes[:, TARGETED].argmax(1)
        beside = self.neighbours[target].clamp(max=self.geometry.hexes - 1)
        sides = to_land.gather(1, beside.unsqueeze(2).expand(-1, -1, width))
        land = scale * torch.einsum("bw,bsw->bs", queries[:, 1], sides)
        assert land.shape[1] == SIDES

        victims = self.unit_offers(enemy)[:, :, width:].reshape(-1, own.shape[1], 3, width)
        struck = scale * torch.einsum("bkw,bskw->bks", queries[:, 2:], victims) + theirs[:, :, 3:].transpose(1, 2)
        alone = self.alone(torch.cat((active, whole), 1))
        return torch.cat(
            (
                place.flatten(1),
                alone[:, 0:1],
                mine[:, :, 1],
                alone[:, 1:2],
                mine[:, :, 0],
                move,
                alone[:, 2:3],
                struck[:, 0],
                struck[:, 1],
                land,
                struck[:, 2],
                alone[:, 3:4],
            ),
            1,
        )
