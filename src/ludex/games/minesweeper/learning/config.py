"""The configuration of training. Reading it loads no kernel and no torch."""

from typing import Any, Final, Literal, Self

from pydantic import Field, SerializeAsAny, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from ludex.core.options import LOCAL
from ludex.games.minesweeper.env.config import BOARD_KEYS, Band, EnvConfig, EnvRules
from ludex.games.minesweeper.options import PLIES_PER_CELL, Start, most_mines
from ludex.learn.config import WORKERS, Config
from ludex.learn.ppo_config import PPO_METRICS, PpoConfig

CONFIGS = "ludex.games.minesweeper.learning.configs"
"""The package with the files that ship."""
METRICS: Final = (
    *("step", "update", "mine_loss", *PPO_METRICS, "lr"),
    *("updates_per_second", "examples_seen", "examples_made", "chunks", "eta_seconds"),
    *("win_rate", "avg_progress", "steps_to_outcome", "invalid_share", "best_update"),
    *("games", "rollout_win_rate", "learned_from", "transitions", "transitions_per_second"),
    *("reward_mean", "reward_progress", "reward_flags", "reward_win", "reward_loss"),
)
"""Every number that a run logs."""
Teacher = Literal["forced_moves", "forced_pairs", "exact"]


class ModelConfig(Config):
    """The network."""

    kind: Literal["cnn", "residual"]
    """The original document's `CNNPolicy`, or residual blocks."""
    width: int = Field(ge=1)
    """Channels of the network (the original document's `hidden`)."""
    depth: int = Field(ge=0)
    """Residual blocks; the original document's network has none of them, so 0."""


class BoardConfig(Config):
    """One of the boards that are trained on, from the easiest on."""

    H: int = Field(ge=1, le=64)
    W: int = Field(ge=1, le=64)
    mine_count: int = Field(ge=1)
    weight: float = Field(gt=0.0)
    """Its share of training, relative to the other boards'."""
    density_band: Band | None = None
    """Draw each episode's mines uniformly between these shares of the cells, instead of `mine_count`."""
    max_steps: int = Field(default_factory=lambda known: PLIES_PER_CELL * known["H"] * known["W"], ge=1)
    """Truncates an episode; four steps per cell if not given."""

    @property
    def name(self) -> str:
        """Rows, columns and mines, such as `8x8x10`, with a band `16x16x12-20%`."""
        if self.density_band is None:
            return f"{self.H}x{self.W}x{self.mine_count}"
        low, high = (f"{100 * share:g}" for share in self.density_band)
        return f"{self.H}x{self.W}x{low}-{high}%"


class ImitationConfig(Config):
    """Stage A: what the solver knows, learned from states of games that it played."""

    teacher: Teacher
    """What is learned: one move that rules prove, reveal or flag, of states that have one, with the mines of finished
    games (`forced_moves`: the original document's two rules; `forced_pairs`: numbers compared two by two as well); or
    exact probabilities, certain reveals, the expert's guesses and who wins."""
    steps: int = Field(ge=1)
    """Updates of the network."""
    batch_cells: int = Field(ge=1)
    """Cells per batch, so a small board has more states in one. Several processes share them, rounded up to be even."""
    lr: float = Field(gt=0.0)
    """AdamW's highest learning rate, after `warmup_steps` and before its cosine decay."""
    warmup_steps: int = Field(ge=0)
    """Updates until the highest learning rate."""
    weight_decay: float = Field(ge=0.0)
    """AdamW's."""
    max_grad_norm: float = Field(gt=0.0)
    """Longer gradients are cut to this."""
    mine_weight: float = Field(ge=0.0)
    """The weight of the loss of mine probabilities."""
    policy_weight: float = Field(ge=0.0)
    """The weight of the loss of moves."""
    value_weight: float = Field(ge=0.0)
    """The weight of the squared error of the value, the win probability; 0 for `forced_moves`."""
    density_spread: float = Field(ge=0.0, lt=1.0)
    """Every other chunk has mine_count * (1 - spread) to mine_count * (1 + spread) mines; 0 where boards have bands."""
    games_per_chunk: int = Field(ge=1)
    """Games that a worker plays at a time."""
    chunks_ahead: int = Field(ge=1)
    """Chunks of each board before the first update."""
    steps_per_chunk: int = Field(ge=1)
    """With one worker or a dataset, a chunk is taken after so many updates, and equal seeds give equal runs. Several
    workers make chunks continuously, and each is taken when it is ready."""
    dataset: str | None = Field(json_schema_extra=LOCAL)
    """A folder that `ludex minesweeper examples` has filled with chunks, which are then read over and over, without
    workers; null makes chunks while the network learns."""
    ring: int = Field(ge=1)
    """Examples kept of each board; later ones take the place of the earliest."""
    workers: int = Field(ge=1, json_schema_extra=WORKERS)
    """Processes that make examples, for each of those that learn."""
    log_every: int = Field(ge=1)
    """Updates between two rows of metrics."""
    checkpoint_every: int = Field(ge=1)
    """Updates between two checkpoints."""
    eval_every: int = Field(ge=1)
    """Updates between two evaluations."""
    eval_games: int = Field(ge=1)
    """Games of each board, played by the network while it is trained."""


class FinetuneConfig(Config):
    """Stage B: the curriculum, and what guards an imitated policy while PPO improves it."""

    updates: int = Field(ge=0)
    """Updates of the network by PPO."""
    value_updates: int = Field(ge=0)
    """Number of first updates that train the new value head alone."""
    trained: Literal["all", "heads"]
    """What PPO trains: everything, or the policy's and the value's last layers. The layers below are suspected to
    forget states that `least_entropy` leaves out, and with them what the mine head knows of easy cells."""
    target_kl: float | None = Field(gt=0.0)
    """An update ends early once the policy has moved this far from the one that played; null never ends it early."""
    kl_coef: float = Field(ge=0.0)
    """Weight of the divergence from the policy that PPO began with; 0 where it began with none."""
    least_entropy: float = Field(ge=0.0)
    """Transitions where the policy was surer than this teach nothing and are left out; 0 keeps all."""
    temperature: float = Field(gt=0.0)
    """The policy's logits are divided by it: below 1 play is nearer to the policy's first choice."""
    sure: float = Field(ge=0.0, lt=1.0)
    """With each action, all cells whose mine probability the network puts below this are revealed too, so that
    transitions are decisions; 0 reveals one cell per step."""
    promote_at: float = Field(ge=0.0, le=1.0)
    """The win rate on the hardest board in play at which the next one joins; 0 begins with all."""
    keep_best: bool
    """End with the network that won most in an evaluation, over all boards, instead of the last one."""
    density_spread: float = Field(ge=0.0, lt=1.0)
    """Boards have mine_count * (1 - spread) to mine_count * (1 + spread) mines; 0 where a board has a band."""
    checkpoint_every: int = Field(ge=1)
    """Updates between two checkpoints."""
    eval_every: int = Field(ge=1)
    """Updates between two evaluations."""
    eval_games: int = Field(ge=1)
    """Games of each board in an evaluation."""


class LearningConfig(Config):
    """Everything about training that is no environment and no PPO."""

    seed: int = Field(ge=0, lt=1 << 64, description="names every random number of the run")
    stage: Literal["il", "ppo", "all"] = Field(description="imitation, PPO, or one after the other: il, ppo, all")
    device: Literal["auto", "cpu", "cuda"] = Field(description="where the network is trained: auto, cpu, cuda")
    start_from: str | None = Field(
        description="a net.pt of an earlier run that this one begins with", json_schema_extra=LOCAL
    )
    model: ModelConfig
    boards: list[BoardConfig] | None = Field(default=None, min_length=1)
    """The boards that are trained on, easiest first; without them, the board of `env`."""
    starts: list[Start] | None = Field(default=None, min_length=1)
    """The start rules that `boards` are trained on."""
    imitation: ImitationConfig
    finetune: FinetuneConfig

    @model_validator(mode="after")
    def _means_something(self) -> Self:
        """Refuse keys that would have no effect."""
        faults = []
        if self.model.kind == "cnn" and self.model.depth != 0:
            faults.append(f"model.depth must be 0 with model.kind=cnn, which has no blocks, found {self.model.depth}")
        if self.model.kind == "residual" and self.model.depth == 0:
            faults.append("model.depth must be at least 1 with model.kind=residual, found 0")
        if self.stage != "ppo" and self.imitation.teacher != "exact" and self.imitation.value_weight > 0.0:
            faults.append(
                f"imitation.value_weight must be 0 with imitation.teacher={self.imitation.teacher}, which knows no "
                f"value, found {self.imitation.value_weight}"
            )
        if self.stage == "ppo" and self.start_from is None:
            guards = {"kl_coef": self.finetune.kl_coef > 0.0}
            guards["sure"] = self.finetune.sure > 0.0 and self.finetune.trained == "all"
            faults += [
                f"finetune.{key} must be 0 where PPO begins from scratch, found {getattr(self.finetune, key)}: "
                "start_from names no network that it could refer to"
                for key, on in guards.items()
                if on
            ]
        if faults:
            raise ValueError("; ".join(faults))
        return self


class MinesweeperPpoConfig(PpoConfig):
    """PPO's numbers with those that only this game has. The defaults are the original document's first ones."""

    aux_mine_weight: float = Field(default=0.1, ge=0.0)
    """The weight of the auxiliary mine loss; 0 leaves it out."""
    frontier_mask_until_updates: int = Field(default=200, ge=0)
    """Number of first updates in which only frontier cells may be revealed."""


class MinesweeperConfig(LearningConfig):
    """A training file: nothing about the environment is left to a default, and the board is named in one place."""

    env: SerializeAsAny[EnvRules]
    """Rewards and what is shown; without `boards` an `EnvConfig`, the board too."""
    ppo: MinesweeperPpoConfig

    @property
    def amount(self) -> int:
        """How many updates of the network a run has."""
        imitated = self.imitation.steps if self.stage in ("il", "all") else 0
        return imitated + (self.finetune.updates if self.stage in ("ppo", "all") else 0)

    @property
    def preset(self) -> str:
        """The first board, as the game names it."""
        board, start = self.all_boards[0], self.all_starts[0]
        return f"small_8x8_10:rows={board.H}:cols={board.W}:mines={board.mine_count}:start={start}"

    @property
    def all_boards(self) -> list[BoardConfig]:
        """`boards`, or the board of `env`."""
        if self.boards is not None:
            return self.boards
        named = BoardConfig.model_fields.keys() & EnvConfig.model_fields.keys()
        return [BoardConfig(weight=1.0, **{key: getattr(self._env_board(), key) for key in named})]

    @property
    def all_starts(self) -> list[Start]:
        """`starts`, or the start rule of `env`."""
        return [self._env_board().start] if self.starts is None else self.starts

    def environment(self, board: BoardConfig, start: Start, spread: float = 0.0) -> EnvConfig:
        """The environment that is trained on; with a spread, its mines vary around the board's."""
        cells, low, high = board.H * board.W, board.mine_count * (1 - spread), board.mine_count * (1 + spread)
        return EnvConfig(
            H=board.H,
            W=board.W,
            mine_count=board.mine_count,
            guarantee_safe_neighborhood=start == "zero",
            first_click_safe=start != "none",
            density_band=(max(1.0, low) / cells, high / cells) if spread > 0 else board.density_band,
            max_steps=board.max_steps,
            **{key: getattr(self.env, key) for key in EnvRules.model_fields},
        )

    @field_validator("env", mode="before")
    @classmethod
    def _states_everything_once(cls, env: Any, info: ValidationInfo) -> Any:
        if not isinstance(env, dict) or "boards" not in info.data:
            return env
        boards = info.data["boards"] is not None
        faults = [
            InitErrorDetails(type="missing", loc=(key,), input=env)
            for key in (EnvRules if boards else EnvConfig).model_fields
            if key not in env
        ]
        if boards:
            elsewhere = PydanticCustomError(
                "board_named_twice", "boards and starts name the boards of this configuration, env may not"
            )
            faults += [InitErrorDetails(type=elsewhere, loc=(key,), input=env[key]) for key in BOARD_KEYS if key in env]
        if faults:
            raise ValidationError.from_exception_data("env", faults)
        return (EnvRules if boards else EnvConfig).model_validate(env)

    @model_validator(mode="after")
    def _boards_fit(self) -> Self:
        if (self.boards is None) != (self.starts is None):
            raise ValueError(
                "boards and starts belong together: without them, env names the board and "
                "guarantee_safe_neighborhood and first_click_safe its start rule"
            )
        if self.boards is not None and isinstance(self.env, EnvConfig):
            raise ValueError(f"boards are given, so env may not name {', '.join(BOARD_KEYS)}")
        if self.stage != "ppo" and self.imitation.teacher == "exact":
            if not self.env.reveal_only:
                raise ValueError("imitation.teacher=exact sets no flags: env.reveal_only must be true, found false")
            if self.env.frontier_mask:
                raise ValueError("imitation.teacher=exact guesses anywhere: env.frontier_mask must be false")
        spread = max(self.imitation.density_spread, self.finetune.density_spread)
        for board in self.all_boards:
            most = min(most_mines(board.H, board.W, start) for start in self.all_starts)
            if board.density_band is not None and spread > 0.0:
                raise ValueError(
                    f"board {board.name} has a density_band: imitation.density_spread and finetune.density_spread must "
                    f"be 0, found {spread}"
                )
            if round(board.mine_count * (1 + spread)) > most:
                raise ValueError(
                    f"boards: {board.name} with a density_spread of {spread} has more than the {most} mines that fit"
                )
            for start in self.all_starts:
                self.environment(board, start)
        return self

    def _env_board(self) -> EnvConfig:
        if not isinstance(self.env, EnvConfig):
            raise TypeError("this configuration names its boards under boards, not in env")
        return self.env
