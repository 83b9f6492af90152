"""The configurations of the environment and of its training. Reading them loads no kernel and no torch."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, Strict, ValidationError, field_validator, model_validator

from ludex.games.minesweeper.rules.options import PLIES_PER_CELL, BoardOptions, Start, most_mines
from ludex.learn.config import Config
from ludex.learn.ppo_config import PpoConfig


class ModelConfig(Config):
    """The network."""

    kind: Literal["cnn", "residual"]
    """The seed's `CNNPolicy`, or residual blocks."""
    width: int = Field(ge=1)
    """Channels (the seed's `hidden`)."""
    depth: int = Field(ge=1)
    """Residual blocks; the seed's network has none of them."""


class BoardConfig(Config):
    """One of the boards that are trained on, from the easiest on."""

    H: int = Field(ge=1, le=64)
    W: int = Field(ge=1, le=64)
    mine_count: int = Field(ge=1)
    weight: float = Field(gt=0.0)
    """Its share of training, relative to the other boards'."""

    @property
    def name(self) -> str:
        return f"{self.H}x{self.W}x{self.mine_count}"


class ImitationConfig(Config):
    """Stage A: what the solver knows, learned from states of games that it played."""

    steps: int = Field(ge=1)
    """Updates of the network."""
    batch_cells: int = Field(ge=1)
    """Cells per batch, so a small board has more states in one. Several processes share them, rounded up to be even."""
    lr: float = Field(gt=0.0)
    """AdamW's highest learning rate, after `warmup_steps` and before its cosine decay."""
    warmup_steps: int = Field(ge=0)
    weight_decay: float = Field(ge=0.0)
    max_grad_norm: float = Field(gt=0.0)
    mine_weight: float = Field(ge=0.0)
    """The weight of the loss of mine probabilities."""
    policy_weight: float = Field(ge=0.0)
    """The weight of the loss of moves: any certainly safe cell, else the expert's guess."""
    value_weight: float = Field(ge=0.0)
    """The weight of the squared error of the value, the probability to win."""
    density_spread: float = Field(ge=0.0, lt=1.0)
    """Boards have mine_count * (1 - spread) to mine_count * (1 + spread) mines."""
    games_per_chunk: int = Field(ge=1)
    """Games that a worker plays at a time."""
    chunks_ahead: int = Field(ge=1)
    """Chunks of each board before the first update."""
    steps_per_chunk: int = Field(ge=1)
    """With one worker or a dataset, a chunk is taken after so many updates, and equal seeds give equal runs. Several
    workers make chunks continuously, and each is taken when it is ready."""
    dataset: str | None
    """A folder that `ludex minesweeper examples` has filled with chunks, which are then read over and over, without
    workers; null makes chunks while the network learns."""
    ring: int = Field(ge=1)
    """Examples kept of each board; later ones take the place of the earliest."""
    workers: int = Field(ge=1)
    """Processes that make examples, for each of those that learn."""
    log_every: int = Field(ge=1)
    checkpoint_every: int = Field(ge=1)
    eval_every: int = Field(ge=1)
    eval_games: int = Field(ge=1)
    """Games of each board, played by the network while it is trained."""


class FinetuneConfig(Config):
    """Stage B: what guards the imitated policy while PPO improves it, and the curriculum."""

    updates: int = Field(ge=0)
    value_updates: int = Field(ge=0)
    """Number of first updates that train the fresh value head alone."""
    trained: Literal["all", "heads"]
    """What PPO trains: everything, or the policy's and the value's last layers. The layers below are suspected to
    forget states that `least_entropy` leaves out, and with them what the mine head knows of easy cells."""
    target_kl: float = Field(gt=0.0)
    """An update ends early once the policy has moved this far from the one that played."""
    kl_coef: float = Field(ge=0.0)
    """Weight of the divergence from the imitated policy."""
    least_entropy: float = Field(ge=0.0)
    """Transitions where the policy was surer than this teach nothing and are left out; 0 keeps all."""
    temperature: float = Field(gt=0.0)
    """The policy's logits are divided by it: below 1 play is nearer to the policy's first choice."""
    sure: float = Field(ge=0.0, lt=1.0)
    """With each action, all cells whose mine probability the network puts below this are revealed too, so that
    transitions are decisions; 0 reveals one cell per step."""
    promote_at: float = Field(ge=0.0, le=1.0)
    """The win rate on the hardest board in play at which the next one joins; 0 begins with all."""
    density_spread: float = Field(ge=0.0, lt=1.0)
    checkpoint_every: int = Field(ge=1)
    eval_every: int = Field(ge=1)
    eval_games: int = Field(ge=1)


class LearningConfig(Config):
    """Everything about training that is no environment and no PPO."""

    seed: int = Field(ge=0, lt=1 << 64, description="names every random number of the run")
    stage: str = Field(pattern="^(il|ppo|all)$", description="imitation, PPO after it, or both: il, ppo, all")
    device: str = Field(pattern="^(auto|cpu|cuda)$", description="where the network is trained: auto, cpu, cuda")
    start_from: str | None = Field(description="a net.pt of an earlier run that this one begins with")
    model: ModelConfig
    boards: list[BoardConfig] = Field(min_length=1)
    starts: list[Literal["zero", "safe"]] = Field(min_length=1)
    """The start rules that are trained on."""
    imitation: ImitationConfig
    finetune: FinetuneConfig

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for board in self.boards:
            most = min(most_mines(board.H, board.W, start) for start in self.starts)
            spread = max(self.imitation.density_spread, self.finetune.density_spread)
            if round(board.mine_count * (1 + spread)) > most:
                raise ValueError(
                    f"boards: {board.name} with a density_spread of {spread} has more than the {most} mines that fit"
                )
        if self.stage == "ppo" and self.start_from is None:
            raise ValueError("stage=ppo goes on from a network: start_from must name one, or stage must be all")
        return self


CONFIGS = "ludex.games.minesweeper.learning.configs"
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
    """Truncates an episode; four steps per cell if not given."""
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
    """Number of first updates in which only frontier cells may be revealed."""


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


def env_of(template: EnvConfig, board: BoardConfig, start: Start, spread: float, **changes: bool) -> EnvConfig:
    """The template's rewards on another board, its mines spread around the board's."""
    cells = board.H * board.W
    low, high = board.mine_count * (1 - spread), board.mine_count * (1 + spread)
    return template.model_copy(
        update={
            "H": board.H,
            "W": board.W,
            "mine_count": board.mine_count,
            "guarantee_safe_neighborhood": start == "zero",
            "first_click_safe": start != "none",
            "density_band": (max(1.0, low) / cells, high / cells) if spread > 0 else None,
            "max_steps": PLIES_PER_CELL * cells,
            **changes,
        }
    )
