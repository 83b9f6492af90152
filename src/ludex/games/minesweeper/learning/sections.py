"""The sections of a training configuration: the network, the boards, imitation and PPO's guards."""

from typing import Annotated, Literal

from pydantic import Field, Strict

from ludex.core.options import LOCAL
from ludex.games.minesweeper.rules.options import PLIES_PER_CELL
from ludex.learn.config import WORKERS, Config

Share = Annotated[float, Strict(), Field(gt=0.0, lt=1.0)]
Band = Annotated[tuple[Share, Share], Strict(False)]
"""The lowest and the highest share of mines among the cells."""
Teacher = Literal["forced_moves", "exact"]


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
    games (the original document's); or exact probabilities, certain reveals, the expert's guesses and who wins."""
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
    density_spread: float = Field(ge=0.0, lt=1.0)
    """Boards have mine_count * (1 - spread) to mine_count * (1 + spread) mines; 0 where a board has a band."""
    checkpoint_every: int = Field(ge=1)
    """Updates between two checkpoints."""
    eval_every: int = Field(ge=1)
    """Updates between two evaluations."""
    eval_games: int = Field(ge=1)
    """Games of each board in an evaluation."""
