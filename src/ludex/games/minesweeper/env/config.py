"""The configuration of the environment: the board, the rewards and what is shown."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, Strict, model_validator

from ludex.games.minesweeper.options import PLIES_PER_CELL, BoardOptions, Start, most_mines
from ludex.learn.config import Config

BASE_CHANNELS: Final = 11
"""Revealed, flags, and the numbers 0 to 8 one-hot."""
MINES_UNIT: Final = 64.0
"""The unit of the number of mines in an observation."""
FLAGGED: Final = -2
"""What an array of numbers may hold for a hidden cell with a flag, where -1 is one without."""
Share = Annotated[float, Strict(), Field(gt=0.0, lt=1.0)]
Band = Annotated[tuple[Share, Share], Strict(False)]
"""The lowest and the highest share of mines among the cells."""
Dtype = Literal["uint8", "float16", "float32"]
"""The types an observation may have."""


class Channels(Config):
    """The optional channels of an observation, after the base ones and in this order."""

    frontier_channel: bool = False
    """Show the hidden cells beside a revealed number."""
    remaining_mines_channel: bool = False
    """Show, everywhere, the mines without a flag as a share of the mines."""
    progress_channel: bool = False
    """Show, everywhere, the revealed safe cells as a share of the safe cells."""
    mine_share_channel: bool = False
    """Show, everywhere, the mines as a share of the hidden cells."""
    mine_count_channel: bool = False
    """Show, everywhere, the number of mines, in units of 64."""

    @property
    def optional_channels(self) -> tuple[bool, ...]:
        """Which of the optional channels there are."""
        return tuple(getattr(self, name) for name in Channels.model_fields)

    @property
    def channels(self) -> int:
        """How many channels an observation has."""
        return BASE_CHANNELS + sum(self.optional_channels)

    @property
    def shown(self) -> "Channels":
        """The channels alone."""
        return Channels(**{name: getattr(self, name) for name in Channels.model_fields})


class EnvRules(Channels):
    """Everything about the environment but its board. The defaults are the original document's."""

    progress_reward: float = 0.01
    """Added for every safe cell that a step newly reveals."""
    win_reward: float = 1.0
    """Added when the last safe cell is revealed."""
    loss_reward: float = -1.0
    """Added, so it is negative."""
    step_penalty: float = Field(default=1e-4, ge=0.0)
    """Subtracted on every valid step that does not end the game by win or loss."""
    invalid_penalty: float = Field(default=1e-3, ge=0.0)
    """Subtracted, alone, for an action that the mask forbids."""
    flag_correct_reward: float = 0.002
    """The worth of a flag on a mine, if `use_flag_shaping`: added when it is set, subtracted when it is removed."""
    flag_incorrect_reward: float = -0.002
    """The worth of a flag on a safe cell, if `use_flag_shaping`."""
    use_flag_shaping: bool = False
    """Whether flags are rewarded."""
    random_first_click: bool = False
    """Episodes begin with a uniformly random cell revealed, unless that would end them."""
    no_guess: bool = False
    """Boards need no guess from a start cell, which alone may be revealed first. Each takes milliseconds to find."""
    frontier_mask: bool = False
    """Only frontier cells may be revealed; with no frontier, every hidden cell."""
    obs_dtype: Dtype = "float32"
    """The type of an observation's numbers."""
    reveal_only: bool = False
    """Leave the flag actions out: H*W actions instead of 2*H*W."""
    keep_flags: bool = False
    """Forbid the removal of flags, which otherwise costs almost nothing and can go on for ever: a flag stays until its
    cell is revealed."""

    @model_validator(mode="after")
    def _shows(self) -> Self:
        fractions = [name for name in list(Channels.model_fields)[1:] if getattr(self, name)]
        if self.obs_dtype == "uint8" and fractions:
            raise ValueError(f"obs_dtype=uint8 holds no fractions: {', '.join(fractions)} needs a float type")
        if self.no_guess and self.random_first_click:
            raise ValueError("no_guess=true contradicts random_first_click=true: such a board has a start cell")
        if self.keep_flags and self.reveal_only:
            raise ValueError("keep_flags=true means nothing with reveal_only=true, which has no flags")
        return self


REWARD_KEYS: Final = tuple(EnvRules.model_fields)[len(Channels.model_fields) :][:7]
"""The rewards, from `progress_reward` to `flag_incorrect_reward`."""
POSITIONAL: Final = ("H", "W", "mine_count", "guarantee_safe_neighborhood", *REWARD_KEYS, "use_flag_shaping")
"""The original document's keys in the original document's order, which may be given by position."""


class EnvConfig(EnvRules):
    """The board, the rewards and what the environment shows. The defaults are the document's 8x8 with 10 mines.

    >>> EnvConfig(8, 8, 10) == EnvConfig(H=8, W=8, mine_count=10)
    True
    """

    H: int = Field(default=8, ge=1, le=64)
    """Rows."""
    W: int = Field(default=8, ge=1, le=64)
    """Columns."""
    mine_count: int = Field(default=10, ge=1)
    """Mines of the board."""
    guarantee_safe_neighborhood: bool = True
    """The first reveal is a zero: neither it nor a neighbour is a mine."""
    first_click_safe: bool = True
    """Without it, and without the safe neighbourhood, the first reveal may be a mine."""
    density_band: Band | None = None
    """Draw each episode's mines uniformly between these shares of the cells, instead of `mine_count`."""
    max_steps: int = Field(default_factory=lambda known: PLIES_PER_CELL * known["H"] * known["W"], ge=1)
    """Truncates an episode; four steps per cell if not given."""

    def __init__(self, *values: Any, **keywords: Any) -> None:
        """The original document's keys by position, as in `EnvConfig(8, 8, 10)`, or any key by name."""
        if len(values) > len(POSITIONAL):
            raise TypeError(f"EnvConfig takes at most {len(POSITIONAL)} values by position, found {len(values)}")
        by_position = dict(zip(POSITIONAL, values, strict=False))
        twice = sorted(by_position.keys() & keywords.keys())
        if twice:
            raise TypeError(f"EnvConfig: {', '.join(twice)} given by position and by name")
        super().__init__(**by_position, **keywords)

    @property
    def cells(self) -> int:
        return self.H * self.W

    @property
    def num_actions(self) -> int:
        return self.cells if self.reveal_only else 2 * self.cells

    @property
    def start(self) -> Start:
        """The start rule."""
        if self.guarantee_safe_neighborhood:
            return "zero"
        return "safe" if self.first_click_safe else "none"

    @property
    def mine_bounds(self) -> tuple[int, int]:
        """The fewest and the most mines of an episode."""
        if self.density_band is None:
            return self.mine_count, self.mine_count
        low, high = self.density_band
        return round(low * self.cells), round(high * self.cells)

    @classmethod
    def of_board(cls, board: BoardOptions, **changes: Any) -> Self:
        """The configuration of a game's board: the original document's rewards, unless changed."""
        return cls(
            H=board.rows,
            W=board.cols,
            mine_count=board.mines,
            guarantee_safe_neighborhood=board.start == "zero",
            first_click_safe=board.start != "none",
            random_first_click=board.random_first_click,
            no_guess=board.no_guess,
            **changes,
        )

    def board(self) -> BoardOptions:
        """The same board as options of the game."""
        return BoardOptions(
            rows=self.H,
            cols=self.W,
            mines=self.mine_count,
            start=self.start,
            random_first_click=self.random_first_click,
            no_guess=self.no_guess,
        )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.guarantee_safe_neighborhood and not self.first_click_safe:
            raise ValueError(
                "guarantee_safe_neighborhood=true contradicts first_click_safe=false: the cell is part of it"
            )
        board = f"with H={self.H}, W={self.W} and start {self.start!r} (guarantee_safe_neighborhood, first_click_safe)"
        most = most_mines(self.H, self.W, self.start)
        if self.mine_count > most:
            raise ValueError(f"mine_count must be at most {most} {board}, found {self.mine_count}")
        least, greatest = self.mine_bounds
        if self.density_band is not None and not 1 <= least <= greatest <= most:
            raise ValueError(
                f"density_band must give 1 to {most} mines, the lower share first, {board}; "
                f"found {list(self.density_band)}, which is {least} to {greatest} mines"
            )
        return self


BOARD_KEYS: Final = tuple(key for key in EnvConfig.model_fields if key not in EnvRules.model_fields)
"""What names the board: with `boards`, these are written there and nowhere else."""
