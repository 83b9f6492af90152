"""The configurations of the environment and of its training. Reading them loads no kernel."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, Strict, ValidationError, field_validator, model_validator

from ludex.games.minesweeper.learning.config import LearningConfig
from ludex.games.minesweeper.options import PLIES_PER_CELL, BoardOptions, Start, most_mines
from ludex.learn.config import Config
from ludex.learn.ppo_config import PpoConfig

CONFIGS = "ludex.games.minesweeper.configs"
"""The package with the files that ship."""
BASE_CHANNELS = 11
"""Revealed, flags, and the numbers 0 to 8 one-hot."""

Dtype = Literal["uint8", "float16", "float32"]
"""The types an observation may have."""
Share = Annotated[float, Strict(), Field(gt=0.0, lt=1.0)]


class EnvConfig(Config):
    """The board, the rewards and what the environment shows. The defaults are the seed's 8x8 with 10 mines."""

    H: int = Field(default=8, ge=1, le=64)
    """Rows."""
    W: int = Field(default=8, ge=1, le=64)
    """Columns."""
    mine_count: int = Field(default=10, ge=1)
    guarantee_safe_neighborhood: bool = True
    """The first reveal is a zero: neither it nor a neighbour is a mine."""
    progress_reward: float = 0.01
    """Added for every safe cell that a step newly reveals."""
    win_reward: float = 1.0
    loss_reward: float = -1.0
    """Added, so it is negative."""
    step_penalty: float = Field(default=1e-4, ge=0.0)
    """Subtracted on every valid step that does not end the game by win or loss."""
    invalid_penalty: float = Field(default=1e-3, ge=0.0)
    """Subtracted, alone, for an action that the mask forbids."""
    flag_correct_reward: float = 0.002
    """Added for setting a flag on a mine, if `use_flag_shaping`."""
    flag_incorrect_reward: float = -0.002
    """Added for setting a flag on a safe cell, if `use_flag_shaping`."""
    use_flag_shaping: bool = False
    first_click_safe: bool = True
    """Without it, and without the safe neighbourhood, the first reveal may be a mine."""
    random_first_click: bool = False
    """Episodes begin with a uniformly random cell revealed, unless that would end them."""
    density_band: Annotated[tuple[Share, Share], Strict(False)] | None = None
    """Draw each episode's mines uniformly between these shares of the cells, instead of `mine_count`."""
    max_steps: int = Field(default_factory=lambda known: PLIES_PER_CELL * known["H"] * known["W"], ge=1)
    """Truncates an episode; four steps a cell if not given."""
    frontier_channel: bool = False
    """Show the hidden cells beside a revealed number."""
    remaining_mines_channel: bool = False
    """Show, everywhere, the mines without a flag as a share of the mines."""
    progress_channel: bool = False
    """Show, everywhere, the revealed safe cells as a share of the safe cells."""
    frontier_mask: bool = False
    """Only frontier cells may be revealed; with no frontier, every hidden cell."""
    obs_dtype: Dtype = "float32"
    reveal_only: bool = False
    """Leave the flag actions out: H*W actions instead of 2*H*W."""

    @property
    def cells(self) -> int:
        return self.H * self.W

    @property
    def num_actions(self) -> int:
        return self.cells if self.reveal_only else 2 * self.cells

    @property
    def channels(self) -> int:
        return BASE_CHANNELS + self.frontier_channel + self.remaining_mines_channel + self.progress_channel

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

    def board(self) -> BoardOptions:
        """The same board as options of the game."""
        return BoardOptions(
            rows=self.H,
            cols=self.W,
            mines=self.mine_count,
            start=self.start,
            random_first_click=self.random_first_click,
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
        if self.obs_dtype == "uint8" and (self.remaining_mines_channel or self.progress_channel):
            raise ValueError(
                "obs_dtype=uint8 holds no fractions: remaining_mines_channel and progress_channel need a float type"
            )
        return self


class MinesweeperPpoConfig(PpoConfig):
    """PPO's numbers with those that only this game has. The defaults are the seed's first ones."""

    aux_mine_weight: float = Field(default=0.1, ge=0.0)
    """The weight of the auxiliary mine loss; 0 leaves it out."""
    frontier_mask_until_updates: int = Field(default=200, ge=0)
    """For so many updates only frontier cells may be revealed."""


class MinesweeperConfig(LearningConfig):
    """A training file: nothing about the environment is left to a default."""

    env: EnvConfig
    """Rewards and start of every board; H, W and mine_count are those of the first."""
    ppo: MinesweeperPpoConfig

    @property
    def amount(self) -> int:
        """How many updates of the network a run has."""
        imitated = self.imitation.steps if self.stage in ("il", "all") else 0
        return imitated + (self.finetune.updates if self.stage in ("ppo", "all") else 0)

    @field_validator("env", mode="before")
    @classmethod
    def _states_everything(cls, env: Any) -> Any:
        missing = [key for key in EnvConfig.model_fields if key not in env] if isinstance(env, dict) else []
        if missing:
            raise ValidationError.from_exception_data(
                "env", [{"type": "missing", "loc": (key,), "input": env} for key in missing]
            )
        return env
