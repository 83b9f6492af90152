"""Boards of Go, and what a position holds."""

from dataclasses import replace

from ludex.core.compiled import CompiledRules
from ludex.kit.compiled import compiled as grid_compiled
from ludex.kit.game import Bits, GridGame, Number, Position, Values
from ludex.kit.geometry import groups, reach, signed, square_grid
from ludex.kit.notation import placing, words
from ludex_classics.go.rules import HASH_SHIFT, REPEATED, own
from ludex_classics.go.spec import BoardOptions

LETTERS = "abcdefghjklmnopqrst"
"""Of columns: players of Go leave out the i."""
SIDES = (0, 1, 4, 5)
"""The steps to the four sides among the directions of a grid of squares."""


class Go(GridGame):
    """Surround more of the board than the other player."""

    id = "go"
    reasons = ("larger area", "equal areas", "position repeated")
    colours = ("black", "white")
    features = 3

    def __init__(self, options: BoardOptions, preset: str) -> None:
        size, self.komi = options.size, options.komi
        grid = square_grid(size, size, letters=LETTERS)
        self.near = grid.neighbours[:, [*SIDES]]
        points, full = grid.sites, (1 << grid.sites) - 1
        hashes = Values((1 << 64 - HASH_SHIFT) - 1)
        super().__init__(
            preset,
            grid=grid,
            notation=placing(grid) + words("pass"),
            fields={
                "black": Bits(words=2),
                "white": Bits(words=2),
                "ko": Bits(words=2),
                "passes": Number(2),
                "plies": Number(2 * points),
                "repeated": Number(1),
                "earlier": hashes,
                "later": hashes,
            },
            max_plies=2 * points,
            constants=(
                *(points, int(2 * options.komi), 2 * points, signed(full), signed(full >> 64)),
                grid.shifts_of(2)[:2],
            ),
        )

    def reason(self, state: Position, score: float) -> str:
        return self.reasons[2] if state[REPEATED] else super().reason(state, score)

    def fault(self, state: Position) -> str | None:
        if len(self.layout.members(state, "ko")) > 1:
            return "the ko is more than one point"
        dead = any(not self.liberties(state, group) for player in range(2) for group in self.groups(state, player))
        return "a group has no liberty" if dead else None

    def stones(self, state: Position) -> list[set[int]]:
        """The points with stones of either player."""
        return [{*self.layout.members(state, name)} for name in ("black", "white")]

    def free(self, state: Position) -> set[int]:
        """The points without a stone."""
        return {*range(self.grid.sites)}.difference(*self.stones(state))

    def reach(self, start: set[int], through: set[int]) -> set[int]:
        """A set with all that it reaches through points of another one."""
        return reach(self.near, start, through)

    def groups(self, state: Position, player: int) -> list[set[int]]:
        """The connected stones of a player."""
        return groups(self.near, self.stones(state)[player])

    def liberties(self, state: Position, group: set[int]) -> set[int]:
        """The free points beside a group."""
        return self.free(state).intersection(side for point in group for side in self.near[point].tolist())

    def areas(self, state: Position) -> tuple[set[int], set[int]]:
        """Each player's stones, and the free points from which only these can be reached."""
        black, white = (self.reach(stones, self.free(state)) for stones in self.stones(state))
        return black - white, white - black


def compiled(game: Go) -> CompiledRules:
    """The kit's compiled rules; areas, not stones, are what is owned, and hashes have no image under a symmetry."""
    rules = grid_compiled(game)
    assert rules.symmetries is not None
    assert rules.ownership is not None
    return replace(
        rules, symmetries=replace(rules.symmetries, image=None), ownership=replace(rules.ownership, write=own)
    )
