"""What training depends on besides the environment and PPO. Reading it loads no torch."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ludex.games.minesweeper.options import most_mines
from ludex.learn.config import Config


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
    """Cells a batch; a small board so has more states in one. Several processes share them, rounded up to be even."""
    lr: float = Field(gt=0.0)
    """AdamW's highest learning rate, after `warmup_steps` and before its cosine decay."""
    warmup_steps: int = Field(ge=0)
    weight_decay: float = Field(ge=0.0)
    max_grad_norm: float = Field(gt=0.0)
    mine_weight: float = Field(ge=0.0)
    """Of the loss of mine probabilities."""
    policy_weight: float = Field(ge=0.0)
    """Of the loss of moves: any certainly safe cell, else the expert's guess."""
    value_weight: float = Field(ge=0.0)
    """Of the squared error of the value, which is how probably the game is won."""
    density_spread: float = Field(ge=0.0, lt=1.0)
    """Boards have mine_count * (1 - spread) to mine_count * (1 + spread) mines."""
    games_per_chunk: int = Field(ge=1)
    """Games that a worker plays at a time."""
    chunks_ahead: int = Field(ge=1)
    """Chunks of each board before the first update."""
    steps_per_chunk: int = Field(ge=1)
    """With one worker or a dataset, a chunk is taken after so many updates, and equal seeds give equal runs. Several
    workers make chunks all the time, and each is taken as it comes."""
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
    """The first so many train the fresh value head alone."""
    trained: Literal["all", "heads"]
    """What PPO moves: everything, or the policy's and the value's last layers. The layers below are suspected to
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
    """With each action, all cells that the network thinks mines less probably than this are revealed too, so that
    transitions are decisions; 0 reveals one cell a step."""
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
