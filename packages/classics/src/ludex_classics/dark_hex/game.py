"""Boards of Dark Hex, what a position holds, and what a player may know of it."""

import numpy as np

from ludex.core.compiled import Vector
from ludex.core.game import Player
from ludex.core.seeding import Rng
from ludex.kit.game import Bits, GridGame, Number, Position
from ludex.kit.notation import placing
from ludex_classics.dark_hex.rules import SEEN, VIEWER
from ludex_classics.dark_hex.spec import BoardOptions
from ludex_classics.hex.game import Hex
from ludex_classics.hex.rules import STONES, connects

COLOURS = ("blue", "orange")


class DarkHex(Hex):
    """Connect your two sides of the board without seeing the other player's stones."""

    id = "dark_hex"

    def __init__(self, options: BoardOptions, preset: str) -> None:
        grid, constants = self.board_of(options.size)
        stones = {name: Bits(words=2) for name in COLOURS}
        seen = {f"seen_by_{name}": Bits(words=2, apart=False) for name in COLOURS}
        GridGame.__init__(
            self,
            preset,
            grid=grid,
            notation=placing(grid),
            fields={**stones, **seen, "viewer": Number(2)},
            max_plies=2 * grid.sites,
            constants=constants,
            information="hidden",
        )

    def fault(self, state: Position) -> str | None:
        blue, orange, *seen = (set(self.layout.members(state, name)) for name in [*self.layout.fields][1:5])
        if not (seen[0] <= orange and seen[1] <= blue) or state[VIEWER]:
            return "a player has seen a stone that is not there"
        return None if len(blue) - len(orange) == state[0] else "the turn does not follow from the stones"

    def view(self, state: Position, player: Player) -> Position:
        """The player's stones and those that the player has seen; everything once the game is over."""
        if self.outcome(state) is not None:
            return state
        numbers, other = state.vector(), 1 - player
        numbers[STONES + 2 * other : STONES + 2 * other + 2] = numbers[SEEN + 2 * player : SEEN + 2 * player + 2]
        numbers[SEEN + 2 * other : SEEN + 2 * other + 2] = 0
        numbers[VIEWER] = player + 1
        return Position(numbers)

    def sample_state(self, view: Position, rng: Rng) -> Position:
        """A position with this view: the other stones anywhere, and what a player sees who tries cells at random."""
        if not view[VIEWER]:
            return view
        player = view[VIEWER] - 1
        own, seen = (self.layout.members(view, COLOURS[seat]) for seat in (player, 1 - player))
        count = len(own) + (player if view[0] == player else player - 1)
        unknown = sorted({*range(self.grid.sites)}.difference(own, seen))
        while True:
            rng.shuffle(unknown)
            stones = [*seen, *unknown[: count - len(seen)]]
            numbers = view.vector()
            self._put(numbers, STONES + 2 * (1 - player), stones)
            if not connects(self.board, numbers, 1 - player):
                break
        rng.shuffle(own)
        known: list[int] = []
        for turn in range(count):
            hidden = [cell for cell in own[: turn + 1 - player] if cell not in known]
            free = self.grid.sites - turn - len(known)
            while hidden and rng.below(free) < len(hidden):
                known.append(hidden.pop())
                free -= 1
        self._put(numbers, SEEN + 2 * (1 - player), known)
        numbers[VIEWER] = 0
        return Position(numbers)

    def _put(self, numbers: Vector, start: int, cells: list[int]) -> None:
        """Write a set of cells; the boards need one of its two words."""
        numbers[start] = np.int64(sum(1 << cell for cell in cells))


def vary_secret(game: DarkHex, state: Position, player: Player, rng: Rng) -> Position:
    """A position that the player cannot tell from this one."""
    return game.sample_state(game.view(state, player), rng)
