"""The configuration of a training run. Reading it loads no kernel."""

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from ludex.core.options import LOCAL
from ludex.learn.config import AGENTS, BOARD, WORKERS, Config
from ludex.learn.ppo_config import MASKABLE_METRICS, PPO_METRICS, PpoConfig

CONFIGS = "ludex.games.skirmish.learning.configs"
"""The package with the files that ship."""
METRICS: Final = tuple(
    dict.fromkeys(
        (
            *("step", "update", "games", "decisions", "seconds"),
            *("policy_loss", "value_loss", "agreement"),
            *("unseen_policy_loss", "unseen_value_loss", "unseen_agreement"),
            *PPO_METRICS,
            *MASKABLE_METRICS,
            *("lr", "learned_from", "batches", "transitions", "transitions_per_second"),
            *("collecting_seconds", "stepping_seconds", "wins", "invalid_actions"),
            *("games_with_bots", "score_with_bots", "placements", "placement_entropy"),
            *("win_rate", "winrate_with_active_deployment"),
            *("deployment_valid_action_rate", "deployment_invalid_action_attempt_rate"),
            *("deployment_steps_mean", "deployment_deadlock_count", "deployment_pass_count"),
            *(
                f"placement_{where}_{what}"
                for where in ("front", "objective", "cover")
                for what in ("survival", "damage_taken", "damage_dealt")
            ),
        )
    )
)
"""Every number that a run logs."""


class NetConfig(Config):
    """The network's size; see `network.SkirmishNet`."""

    width: int = Field(ge=4, multiple_of=4)
    """Channels of every layer."""
    depth: int = Field(ge=0)
    """Residual blocks."""
    attention_layers: int = Field(ge=0)
    """Layers of attention over units."""
    placing_gain: float = Field(gt=0.0)
    """How many times faster logits of placements move than others."""


class ImitationConfig(Config):
    """Imitation of scripted players first: random networks may never meet an enemy."""

    teachers: tuple[str, ...] = Field(strict=False, min_length=1, json_schema_extra=AGENTS)
    """Whose decisions are learned."""
    opponents: tuple[str, ...] = Field(strict=False, min_length=1, json_schema_extra=AGENTS)
    """The opponents that they play in turns."""
    games: int = Field(ge=1)
    """Games of every scenario of the curriculum."""
    epsilon: float = Field(ge=0.0, lt=1.0)
    """The share of plies in battle drawn at random instead, and not learned from, for more varied positions."""
    steps: int = Field(ge=1)
    """Updates of the network."""
    batch: int = Field(ge=1)
    """Decisions per update."""
    lr: float = Field(gt=0.0)
    """AdamW's highest learning rate."""
    value_weight: float = Field(ge=0.0)
    """The weight of the value loss."""
    workers: int = Field(ge=1, json_schema_extra=WORKERS)
    """Processes that play the games."""
    log_every: int = Field(ge=1)
    """Updates between two rows of metrics."""
    eval_every: int = Field(ge=1)
    """Updates from one evaluation to the next."""


class StageConfig(Config):
    """A part of the curriculum: scenarios that take turns from update to update, both order modes among them."""

    presets: tuple[str, ...] = Field(strict=False, min_length=1, json_schema_extra=BOARD)
    updates: int = Field(ge=1)


class OpponentsConfig(Config):
    """The learner's opponents, as shares of the lanes; the rest is self-play."""

    bots: float = Field(ge=0.0, le=1.0)
    """Against scripted players, in turns those of `names`, which may be given more than once."""
    past: float = Field(ge=0.0, le=1.0)
    """Against past networks."""
    names: tuple[str, ...] = Field(strict=False, min_length=1, json_schema_extra=AGENTS)
    """The scripted players."""
    kept: int = Field(ge=1)
    """How many past networks are kept."""
    keep_every: int = Field(ge=1)
    """Updates from one past network to the next."""
    workers: int = Field(ge=0, json_schema_extra=WORKERS)
    """Worker processes for scripted players; with 0 they decide in this process."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.bots + self.past > 1.0:
            raise ValueError(f"bots + past are shares of the lanes: expected at most 1, found {self.bots + self.past}")
        return self


class EvaluationConfig(Config):
    """How the network is measured while it learns."""

    every: int = Field(ge=1)
    """Updates from one evaluation to the next."""
    games: int = Field(ge=2, multiple_of=2)
    """Against each opponent, half of them from either seat."""
    opponents: tuple[str, ...] = Field(strict=False, min_length=1, json_schema_extra=AGENTS)
    """The agents that it plays."""


class SkirmishConfig(Config):
    """A training file: nothing is left to a default."""

    seed: int = Field(ge=0, lt=1 << 62, description="names every random number of the run")
    device: Literal["auto", "cpu", "cuda"] = Field(description="where the network is trained: auto, cpu, cuda")
    trainer: Literal["maskable_ppo", "ppo"] = Field(description="sb3-contrib's PPO or our own: maskable_ppo, ppo")
    stage: Literal["il", "ppo", "all"] = Field(description="imitation, PPO, or one after the other: il, ppo, all")
    start_from: str | None = Field(
        description="a net.pt of an earlier run that this one begins with", json_schema_extra=LOCAL
    )
    net: NetConfig
    imitation: ImitationConfig
    curriculum: tuple[StageConfig, ...] = Field(strict=False, min_length=1)
    """PPO's scenarios, with the same weights in all of them."""
    ppo: PpoConfig
    target_kl: float = Field(gt=0.0)
    """An update stops once the policy has moved this far."""
    openings: float = Field(ge=0.0, le=1.0)
    """The share of lanes that begin a new game with every rollout: placements are few among a whole game's plies."""
    battle_share: float = Field(gt=0.0, le=1.0)
    """The share of the plies in battle that are learned from; of placements it is all."""
    forget_placing: bool
    """Whether PPO begins with all placements alike, whatever imitation taught: what is never tried is never learned."""
    threads: int = Field(ge=1, json_schema_extra=WORKERS)
    """Threads that step the environment."""
    opponents: OpponentsConfig
    evaluation: EvaluationConfig
    checkpoint_every: int = Field(ge=1)
    """Updates between two checkpoints."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.trainer == "maskable_ppo" and (self.openings, self.battle_share) != (0.0, 1.0):
            raise ValueError(
                "maskable_ppo plays its games to their end and learns from every ply: expected openings 0 and "
                f"battle_share 1, found {self.openings:g} and {self.battle_share:g}"
            )
        if self.trainer == "maskable_ppo" and self.threads != 1:
            raise ValueError(f"maskable_ppo steps its lanes by one thread: expected threads 1, found {self.threads}")
        if self.ppo.compile:
            raise ValueError("the network takes several boards and is never compiled: expected ppo.compile false")
        return self

    @property
    def presets(self) -> tuple[str, ...]:
        """Every scenario of the curriculum, once."""
        return tuple(dict.fromkeys(preset for stage in self.curriculum for preset in stage.presets))

    @property
    def first_preset(self) -> str:
        """The scenario for which checkpoints are written."""
        return self.presets[0]

    def preset_at(self, update: int) -> str:
        """The scenario of an update, from 0 on."""
        for stage in self.curriculum:
            if update < stage.updates:
                return stage.presets[update % len(stage.presets)]
            update -= stage.updates
        raise ValueError(f"the curriculum has {self.updates} updates, found update {self.updates + update}")

    @property
    def updates(self) -> int:
        """How many updates PPO has in all."""
        return sum(stage.updates for stage in self.curriculum)

    @property
    def amount(self) -> int:
        """How many steps a run has, of both stages."""
        imitated = self.imitation.steps if self.stage in ("il", "all") else 0
        return imitated + (self.updates if self.stage in ("ppo", "all") else 0)
