"""Stage B: PPO, from scratch or from an imitated policy, so that moves are chosen by what they win.

A warm start is easily lost. Where the configuration says so, the value head is trained alone first and a divergence
term keeps the policy near the one it began with. The mine head learns from finished games.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from ludex.core.game import Json
from ludex.core.seeding import generator
from ludex.games.minesweeper.agents.network import PlayStyle
from ludex.games.minesweeper.learning.config import MinesweeperConfig, MinesweeperPpoConfig
from ludex.games.minesweeper.learning.evaluation import measure_boards
from ludex.games.minesweeper.learning.network import OBS_DTYPES, playing_net
from ludex.games.minesweeper.learning.tensor_lanes import TensorLanes
from ludex.learn.device import optimized_for
from ludex.learn.distributed import ALONE, Group
from ludex.learn.export import playable
from ludex.learn.ppo import autocast, masked_log_probs, ppo_step, sample_actions
from ludex.learn.rollout import Batch, RolloutBuffer
from ludex.learn.runs import Row, float_value, int_value
from ludex.learn.stages import PpoStage, mean_metrics
from ludex.learn.trainer import Log

ROLLOUT_STREAM: Final = 133
"""Stream from which the seeds of rollouts are drawn."""
MINES, SETTLED = "mine_labels", "settled"
"""The extras of a batch: the mines, `bool[B, H, W]`, and whether the game was over, `bool[B]`."""


def ppo_update(
    model: nn.Module, optimizer: torch.optim.Optimizer, batch: Batch, cfg: MinesweeperPpoConfig
) -> dict[str, float]:
    """The original update: learn from one mini-batch, the mines too if `aux_mine_weight` > 0 and the batch has labels.

    Labels are `batch.extras["mine_labels"]`, `[B, H, W]`; where the batch has `settled` as well, only those of games
    that were over are learned.
    """
    labelled = cfg.aux_mine_weight > 0.0 and MINES in batch.extras

    def forward(obs: Tensor) -> tuple[Tensor, ...]:
        logits, *others = model(obs.float(), return_mine=labelled)
        return logits[:, : batch.action_mask.shape[1]], *others

    def auxiliary(answer: tuple[Tensor, ...], batch: Batch) -> Tensor:
        return cfg.aux_mine_weight * mine_loss(answer[2], batch)

    metrics = ppo_step(model, optimizer, batch, cfg, forward=forward, auxiliary=auxiliary if labelled else None)
    return {name: float(metric) for name, metric in metrics.items()}


def mine_loss(mine_logits: Tensor, batch: Batch, group: Group = ALONE) -> Tensor:
    """The cross-entropy of the mines of hidden cells, in games that are over."""
    hidden = batch.obs[:, 0] == 0
    settled = batch.extras.get(SETTLED, torch.ones(len(hidden), dtype=torch.bool, device=hidden.device))
    # Before the first reveal no mine is placed.
    known = settled & ~hidden.flatten(1).all(1)
    weight = (hidden & known.view(-1, 1, 1)).float()
    labels = batch.extras[MINES].float()
    missed = binary_cross_entropy_with_logits(mine_logits.float().squeeze(1), labels, reduction="none")
    cells = group.all_reduce(weight.sum()).clamp(min=1.0) / group.size
    return (missed * weight).sum() / cells


@dataclass(slots=True)
class Rollout:
    """The play data of one board with one start rule: its lanes, and the buffer of their transitions."""

    name: str
    start: str
    weight: float
    env: TensorLanes
    buffer: RolloutBuffer
    """Of this process's lanes, with the extras of `MINES` and `SETTLED`."""
    metrics: Row = field(default_factory=dict)
    """Of the last time it was played."""


class Finetuning(PpoStage[Rollout]):
    """A run's stage B."""

    def __init__(
        self,
        config: MinesweeperConfig,
        net: nn.Module,
        reference: nn.Module | None,
        device: torch.device,
        group: Group = ALONE,
    ) -> None:
        """`reference` is the policy that `kl_coef` and `sure` refer to; None where PPO begins from scratch."""
        self._config = config
        self._boards, self._starts = config.all_boards, config.all_starts
        self._reference = None if reference is None else reference.eval().requires_grad_(False)
        ppo, cfg = config.ppo, config.finetune
        self._lanes = group.share(ppo.num_envs, "ppo.num_envs")
        self._batch = max(1, ppo.num_envs * ppo.steps_per_env // ppo.mini_batches)
        group.share(self._batch, "transitions of a mini-batch (ppo.num_envs * steps_per_env // mini_batches)")
        _refresh(net.value_head)  # type: ignore[arg-type]
        group.broadcast_weights(net)
        heads = [*net.policy_head.parameters(), *net.value_head.parameters()]  # type: ignore[union-attr]
        if cfg.trained == "heads":
            net.requires_grad_(False)
            for parameter in heads:
                parameter.requires_grad_(True)
        super().__init__(
            net,
            ppo,
            device,
            seed=config.seed,
            steps=cfg.updates,
            checkpoint_every=cfg.checkpoint_every,
            eval_every=cfg.eval_every,
            evaluate_first=True,
            group=group,
        )
        self._optimized_net = optimized_for(device, net, compiled=ppo.compile)
        self._rollouts: dict[int, list[Rollout]] = {}
        self.unlocked = len(self._boards) if cfg.promote_at == 0.0 else 1
        """How many of the boards, from the first on, are played."""
        self.best: Row | None = None
        """The evaluation of the best network so far, if it is kept: its update, mean win rate and rows."""
        self._best_weights: dict[str, Tensor] = {}

    def collect(self) -> Rollout:
        """Play a rollout of one of the unlocked boards."""
        rollout = self._next_rollout()
        rollout.metrics = self._play(rollout)
        return rollout

    def learn(self, batch: Rollout) -> Row:
        learned = self._learn(batch)
        lr = self.rate(self.step + 1)
        return {"board": batch.name, "start": batch.start, **batch.metrics, **learned, "lr": lr}

    def row(self, metrics: Row, seconds: float) -> Row:
        return {**super().row(metrics, seconds), "eta_seconds": (self.steps - self.step) * seconds}

    def evaluate(self) -> Iterable[Row]:
        """Measure every board and start rule on the same games each time."""
        config = self._config
        return measure_boards(
            config, self.net, config.finetune.eval_games, config.seed, self.device, amp=config.ppo.amp
        )

    def note_evaluation(self, rows: list[Row]) -> None:
        """Let the next board join if the hardest in play is won often enough, and keep the best network.

        After the last evaluation the best one is the network, so that it is what the run's agent plays.
        """
        config, starts = self._config, len(self._starts)
        if config.finetune.keep_best:
            self._compare_with_best(rows)
        hardest = rows[(self.unlocked - 1) * starts : self.unlocked * starts]
        worst = min(float_value(row, "win_rate", "the evaluation") for row in hardest)
        self.unlocked = min(len(self._boards), self.unlocked + (worst >= config.finetune.promote_at))

    def _compare_with_best(self, rows: list[Row]) -> None:
        win_rate = sum(float_value(row, "win_rate", "the evaluation") for row in rows) / len(rows)
        if self.best is None or win_rate > float_value(self.best, "win_rate", "the best evaluation"):
            self.best = {"update": self.step, "win_rate": win_rate, "rows": cast(list[Json], rows)}
            self._best_weights = {name: weights.clone() for name, weights in self.net.state_dict().items()}
        if self.step == self.steps:
            self.net.load_state_dict(self._best_weights)

    def finish(self, log: Log) -> None:
        """Log the evaluation of the network that the run ends with, where it is not the last one."""
        if self.best is not None and self.best["update"] != self.step:
            for row in cast(list[Row], self.best["rows"]):
                log({**self.labels, **row, "best_update": self.best["update"]})

    def agent(self) -> bytes:
        env = self._config.env
        return playable(playing_net(self.net, env.shown, PlayStyle.of(env)))

    def state(self) -> Row:
        return {"unlocked": self.unlocked, "best": self.best, **super().state()}

    def tensors(self) -> dict[str, Any]:
        rollouts = {
            which: [rollout.env.state() for rollout in self._rollouts[which]] for which in sorted(self._rollouts)
        }
        return {**super().tensors(), "rollouts": rollouts, "best": self._best_weights}

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        """Resume from a checkpoint, games in progress included."""
        super().restore(state, tensors, source)
        self.unlocked = int_value(state, "unlocked", source)
        self.best = cast(Row | None, state["best"])
        self._best_weights = {name: weights.to(self.device) for name, weights in tensors["best"].items()}
        for which, envs in tensors["rollouts"].items():
            self._rollouts[which] = [self._new_rollout(which, place) for place in range(len(envs))]
            for rollout, env in zip(self._rollouts[which], envs, strict=True):
                rollout.env.restore(env)

    def _next_rollout(self) -> Rollout:
        """The board and start rule of the next update, of those that are unlocked, by weight."""
        config = self._config
        weights = torch.tensor([board.weight for board in self._boards[: self.unlocked]])
        host = torch.Generator().manual_seed((config.seed * 1_000_003 + self.step) & (2**63 - 1))
        which = int(torch.multinomial(weights, 1, generator=host))
        if which not in self._rollouts:
            self._rollouts[which] = [self._new_rollout(which, place) for place in range(len(self._starts))]
        return self._rollouts[which][self.step % len(self._starts)]

    def _new_rollout(self, which: int, place: int) -> Rollout:
        config, ppo, device = self._config, self._config.ppo, self.device
        board, start = self._boards[which], self._starts[place]
        cfg = config.environment(board, start, config.finetune.density_spread)
        number = (self.step * len(self._boards) + which) * len(self._starts) + place
        # Drawn: boards of small seeds are those that people measure on, and their mines are learned here.
        seed = generator(config.seed, number, ROLLOUT_STREAM).seed()
        env = TensorLanes(cfg, self._lanes, device, seed, group=self.group)
        buffer = RolloutBuffer(
            self._lanes,
            ppo.steps_per_env,
            (cfg.channels, board.H, board.W),
            cfg.num_actions,
            device,
            obs_dtype=OBS_DTYPES[cfg.obs_dtype],
            extras={MINES: ((board.H, board.W), torch.bool), SETTLED: ((), torch.bool)},
        )
        return Rollout(board.name, start, board.weight, env, buffer)

    @torch.no_grad()
    def _play(self, rollout: Rollout) -> Row:
        """Play a rollout by the policy as it is."""
        ppo, env, buffer = self._config.ppo, rollout.env, rollout.buffer
        env.set_frontier_mask(env.cfg.frontier_mask or self.step < ppo.frontier_mask_until_updates)
        buffer.clear()
        self.net.eval()
        ended = won = lost = progress = flagging = invalid = torch.zeros((), device=self.device)
        while not buffer.full:
            planes, mask = env.observe(), env.mask()
            with autocast(self.device, ppo.amp):
                logits, value, mines = self._forward(planes)
                sure = self._sure(planes, mines)
            actions, logp = sample_actions(logits[:, : mask.shape[1]], mask, self.draws, group=self.group)
            # The first reveal places the mines, and needs no label.
            mine = env.mine.clone()
            step = env.step(actions, sure)
            extras = {MINES: mine, SETTLED: torch.zeros_like(step.done)}
            buffer.add(planes, actions, logp, step.reward, step.done, value.float(), mask, extras)
            ended, won = ended + step.done.sum(), won + step.won.sum()
            invalid = invalid + step.invalid.sum()
            progress, flagging = progress + step.progress.mean(), flagging + step.flagging.mean()
            lost = lost + (step.done & ~step.won & ~step.truncated).sum()
        with autocast(self.device, ppo.amp):
            last = self._forward(env.observe())[1]
        buffer.compute_gae(last.float(), ppo.gamma, ppo.gae_lambda)
        _settle(buffer)
        self.net.train()
        means = torch.stack([buffer.rewards.mean(), progress / buffer.steps, flagging / buffer.steps])
        reward_mean, reward_progress, reward_flags = self.group.mean(means).tolist()
        games, wins, losses, refused = self.group.all_reduce(torch.stack([ended, won, lost, invalid])).tolist()
        count = ppo.steps_per_env * ppo.num_envs
        return {
            "games": games,
            "rollout_win_rate": wins / games if games else None,
            "reward_mean": reward_mean,
            "reward_progress": reward_progress,
            "reward_flags": reward_flags,
            "reward_win": env.cfg.win_reward * wins / count,
            "reward_loss": env.cfg.loss_reward * losses / count,
            "invalid_share": refused / count,
        }

    def _sure(self, planes: Tensor, mines: Tensor) -> Tensor | None:
        """bool[N, H, W]: cells that are revealed along with each action, or None where none are.

        The imitated network says which they are: one that is learning may grow wrong where it was sure, and would then
        learn from games that it lost before it decided anything.
        """
        config = self._config.finetune
        if config.sure == 0.0:
            return None
        if config.trained == "all" and self._reference is not None:
            mines = self._apply_temperature(self._reference, planes)[2]
        return mines.float().squeeze(1).sigmoid() < config.sure

    def _learn(self, rollout: Rollout) -> Row:
        config, buffer = self._config, rollout.buffer.all_gather(self.group)
        only_value = self.step < config.finetune.value_updates
        selected = None
        entropy = config.finetune.least_entropy
        if entropy > 0.0 and not only_value:
            selected = torch.nonzero((buffer.logp < -entropy).flatten()).squeeze(1)
        buffer.normalise(selected)
        rows = self.learn_batches(
            buffer,
            self._batch,
            self._learn_value if only_value else self._improve,
            selected=selected,
            target_kl=None if only_value else config.finetune.target_kl,
        )
        return {"learned_from": len(rows) * self._batch, **mean_metrics(rows)}

    def _improve(self, batch: Batch) -> dict[str, Tensor]:
        ppo = self._config.ppo
        return ppo_step(
            self.net,
            self.optimizer,
            batch,
            ppo,
            forward=self._legal,
            auxiliary=self._auxiliary,
            group=self.group,
        )

    def _forward(self, obs: Tensor) -> tuple[Tensor, ...]:
        return self._apply_temperature(self._optimized_net, obs)

    def _legal(self, obs: Tensor) -> tuple[Tensor, ...]:
        """The outputs of the network, its logits those of the actions that there are."""
        logits, *others = self._forward(obs)
        actions = obs.shape[-2] * obs.shape[-1] * (1 if self._config.env.reveal_only else 2)
        return logits[:, :actions], *others

    def _apply_temperature(self, net: Callable[..., tuple[Tensor, ...]], obs: Tensor) -> tuple[Tensor, ...]:
        """The outputs of a network, its policy at the run's temperature."""
        planes = obs.float().contiguous(memory_format=torch.channels_last)
        logits, value, mines = net(planes, return_mine=True)
        return logits.float() / self._config.finetune.temperature, value, mines

    def _auxiliary(self, answer: tuple[Tensor, ...], batch: Batch) -> Tensor:
        """The divergence from the policy that PPO began with, and the mines of games that are over."""
        config = self._config
        loss = torch.zeros((), device=self.device)
        if config.finetune.kl_coef > 0.0 and self._reference is not None:
            with torch.no_grad(), autocast(self.device, config.ppo.amp):
                imitated = self._apply_temperature(self._reference, batch.obs)[0][:, : batch.action_mask.shape[1]]
            before = masked_log_probs(imitated, batch.action_mask)
            now = masked_log_probs(answer[0], batch.action_mask)
            loss = loss + config.finetune.kl_coef * (before.exp() * (before - now)).sum(-1).mean()
        if config.ppo.aux_mine_weight > 0.0 and config.finetune.trained == "all":
            loss = loss + config.ppo.aux_mine_weight * mine_loss(answer[2], batch, self.group)
        return loss

    def _learn_value(self, batch: Batch) -> dict[str, Tensor]:
        """Train the value head alone: what it says means nothing yet, and would mislead the rest."""
        with autocast(self.device, self._config.ppo.amp):
            value = self._forward(batch.obs)[1].float()
        loss = 0.5 * (value - batch.returns).pow(2).mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for name, parameter in self.net.named_parameters():
            if not name.startswith("value_head"):
                parameter.grad = None
        self.group.average_gradients(self.net)
        self.optimizer.step()
        return {"value_loss": self.group.mean(loss.detach())}


def _refresh(head: nn.Module) -> None:
    """Reset the weights, with a last layer that outputs 0."""
    layers = [layer for layer in head.modules() if isinstance(layer, nn.Linear)]
    for layer in layers:
        layer.reset_parameters()
    nn.init.zeros_(layers[-1].weight)
    nn.init.zeros_(layers[-1].bias)


def _settle(buffer: RolloutBuffer) -> None:
    """Mark the transitions whose games ended within the rollout: only their mines may be learned from."""
    settled = torch.zeros_like(buffer.dones[0])
    for at in reversed(range(buffer.steps)):
        settled = settled | buffer.dones[at]
        buffer.extras[SETTLED][at] = settled
