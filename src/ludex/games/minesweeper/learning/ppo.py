"""Stage B: PPO from the imitated policy, so that guesses are chosen by what they win and not by safety alone.

A warm start is easily lost. Here the value head is reset and trained alone first, the learning rate is small, a
divergence term keeps the policy near the imitated one, and the mine head keeps learning from finished games.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from ludex.core.errors import BadRun
from ludex.games.minesweeper.learning.config import MinesweeperConfig, env_of
from ludex.games.minesweeper.learning.evaluation import measure_boards
from ludex.games.minesweeper.learning.network import PLANES
from ludex.games.minesweeper.learning.torch_env import TorchMinesweeper
from ludex.learn.device import optimized_for
from ludex.learn.distributed import ALONE, Group
from ludex.learn.ppo import autocast, cosine, masked_log_probs, ppo_update, sample_actions
from ludex.learn.rollout import Batch, RolloutBuffer
from ludex.learn.runs import Row
from ludex.learn.trainer import Stage


@dataclass(slots=True)
class Rollout:
    """The play data of one board with one start rule: its lanes, and the buffer of their transitions."""

    name: str
    start: str
    weight: float
    env: TorchMinesweeper
    buffer: RolloutBuffer
    """Of this process's lanes; `mine` holds the mines of each transition's board, `settled` whether that game was over
    in the rollout."""
    metrics: Row = field(default_factory=dict)
    """Of the last time it was played."""


class Finetuning(Stage[Rollout]):
    """A run's stage B, from the imitated network on."""

    name = "ppo"
    counter = "update"

    def __init__(
        self,
        config: MinesweeperConfig,
        net: nn.Module,
        reference: nn.Module,
        device: torch.device,
        group: Group = ALONE,
    ) -> None:
        self._config, self._device, self._group = config, device, group
        self._reference = reference.eval().requires_grad_(False)
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
        moved = [parameter for parameter in net.parameters() if parameter.requires_grad]
        optimizer = torch.optim.AdamW(moved, lr=ppo.lr, fused=device.type == "cuda")
        self._rate = cosine(optimizer, max(1, cfg.updates))
        self._generator = torch.Generator(device).manual_seed((config.seed + 1) & (2**63 - 1))
        super().__init__(
            net,
            optimizer,
            steps=cfg.updates,
            checkpoint_every=cfg.checkpoint_every,
            eval_every=cfg.eval_every,
            evaluate_first=True,
            schedule=self._rate,
            generator=self._generator,
        )
        self._optimized_net = optimized_for(device, net, compiled=ppo.compile)
        self._rollouts: dict[int, list[Rollout]] = {}
        self.unlocked = len(config.boards) if cfg.promote_at == 0.0 else 1
        """How many of the boards, from the first on, are played."""

    def collect(self) -> Rollout:
        """Play a rollout of one of the unlocked boards."""
        rollout = self._next_rollout()
        rollout.metrics = self._play(rollout)
        return rollout

    def update(self, batch: Rollout) -> Row:
        learned = self._learn(batch)
        return {
            "board": batch.name,
            "start": batch.start,
            **batch.metrics,
            **learned,
            "lr": float(self._rate.get_last_lr()[0]),
        }

    def row(self, metrics: Row, seconds: float) -> Row | None:
        each = self._config.ppo.num_envs * self._config.ppo.steps_per_env
        return {
            **metrics,
            "transitions": self.step * each,
            "transitions_per_second": each / seconds,
            "eta_seconds": (self.steps - self.step) * seconds,
        }

    def evaluate(self) -> Iterable[Row]:
        """Measure every board and start rule on the same games each time."""
        config = self._config
        return measure_boards(
            config, self.net, config.finetune.eval_games, config.seed, self._device, amp=config.ppo.amp
        )

    def evaluated(self, rows: list[Row]) -> None:
        """Let the next board join if the hardest in play is won often enough."""
        config, starts = self._config, len(self._config.starts)
        hardest = rows[(self.unlocked - 1) * starts : self.unlocked * starts]
        worst = min(float(str(row["win_rate"])) for row in hardest)
        self.unlocked = min(len(config.boards), self.unlocked + (worst >= config.finetune.promote_at))

    def state(self) -> Row:
        ppo = self._config.ppo
        return {"unlocked": self.unlocked, "transitions": self.step * ppo.num_envs * ppo.steps_per_env}

    def tensors(self) -> dict[str, Any]:
        rollouts = {which: [one.env.state() for one in self._rollouts[which]] for which in sorted(self._rollouts)}
        return {**super().tensors(), "tables": rollouts}

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        """Resume from a checkpoint, games in progress included. Raises `BadRun` if it holds none."""
        if "tables" not in tensors:
            raise BadRun(f"{source}: its checkpoint is of an earlier version and holds no games: begin anew")
        super().restore(state, tensors, source)
        self.unlocked = int(str(state["unlocked"]))
        for which, envs in tensors["tables"].items():
            self._rollouts[which] = [self._new_rollout(which, place) for place in range(len(envs))]
            for rollout, env in zip(self._rollouts[which], envs, strict=True):
                rollout.env.restore(env)

    def _next_rollout(self) -> Rollout:
        """The board and start rule of the next update, of those that are unlocked, by weight."""
        config = self._config
        weights = torch.tensor([board.weight for board in config.boards[: self.unlocked]])
        host = torch.Generator().manual_seed((config.seed * 1_000_003 + self.step) & (2**63 - 1))
        which = int(torch.multinomial(weights, 1, generator=host))
        if which not in self._rollouts:
            self._rollouts[which] = [self._new_rollout(which, place) for place in range(len(config.starts))]
        return self._rollouts[which][self.step % len(config.starts)]

    def _new_rollout(self, which: int, place: int) -> Rollout:
        config, ppo, device = self._config, self._config.ppo, self._device
        board, start = config.boards[which], config.starts[place]
        cfg = env_of(config.env, board, start, config.finetune.density_spread, random_first_click=True)
        seed = config.seed + 1000 * self.step + 10 * which + place
        env = TorchMinesweeper(cfg, self._lanes, device, seed, group=self._group)
        buffer = RolloutBuffer(
            self._lanes,
            ppo.steps_per_env,
            (PLANES, board.H, board.W),
            2 * cfg.cells,
            device,
            obs_dtype=torch.bfloat16 if device.type == "cuda" else torch.float32,
            extras={"mine": ((board.H, board.W), torch.bool), "settled": ((), torch.bool)},
        )
        return Rollout(board.name, start, board.weight, env, buffer)

    @torch.no_grad()
    def _play(self, rollout: Rollout) -> Row:
        """Play a rollout by the policy as it is."""
        ppo, env, buffer = self._config.ppo, rollout.env, rollout.buffer
        env.frontier_mask = self.step < ppo.frontier_mask_until_updates
        buffer.clear()
        self.net.eval()
        ended = won = lost = progress = invalid = torch.zeros((), device=self._device)
        while not buffer.full:
            planes, mask = env.observe(), env.mask()
            with autocast(self._device, ppo.amp):
                logits, value, mines = self._forward(planes)
                sure = self._sure(planes, mines)
            actions, logp = sample_actions(logits, mask, self._generator, group=self._group)
            # The first reveal places the mines, and needs no label.
            mine = env.mine.clone()
            step = env.step(actions, sure)
            extras = {"mine": mine, "settled": torch.zeros_like(step.done)}
            buffer.add(planes, actions, logp, step.reward, step.done, value.float(), mask, extras)
            ended, won = ended + step.done.sum(), won + step.won.sum()
            invalid = invalid + (~mask.gather(1, actions.unsqueeze(1))).sum()
            progress = progress + step.progress.mean()
            lost = lost + (step.done & ~step.won & ~step.truncated).sum()
        with autocast(self._device, ppo.amp):
            last = self._forward(env.observe())[1]
        buffer.compute_gae(last.float(), ppo.gamma, ppo.gae_lambda)
        _settle(buffer)
        self.net.train()
        means = torch.stack([buffer.rewards.mean(), progress / buffer.steps])
        reward_mean, reward_progress = self._group.mean(means).tolist()
        games, wins, losses, refused = self._group.all_reduce(torch.stack([ended, won, lost, invalid])).tolist()
        count = ppo.steps_per_env * ppo.num_envs
        return {
            "games": games,
            "rollout_win_rate": wins / games if games else None,
            "reward_mean": reward_mean,
            "reward_progress": reward_progress,
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
        if config.trained == "all":
            mines = self._cooled(self._reference, planes)[2]
        return mines.float().squeeze(1).sigmoid() < config.sure

    def _learn(self, rollout: Rollout) -> Row:
        config, buffer = self._config, rollout.buffer.all_gather(self._group)
        only_value = self.step < config.finetune.value_updates
        chosen = None
        entropy = config.finetune.least_entropy
        if entropy > 0.0 and not only_value:
            chosen = torch.nonzero((buffer.logp < -entropy).flatten()).squeeze(1)
        buffer.normalise(chosen)
        rows: list[dict[str, Tensor]] = []
        for batch in self._batches(buffer, chosen):
            rows.append(self._learn_value(batch) if only_value else self._improve(batch))
            if not only_value and float(rows[-1]["approx_kl"]) > config.finetune.target_kl:
                break
        self._rate.step()
        metrics: Row = {"learned_from": len(rows) * self._batch}
        if rows:
            metrics |= {name: float(torch.stack([row[name] for row in rows]).mean()) for name in rows[0]}
        return metrics

    def _batches(self, buffer: RolloutBuffer, chosen: Tensor | None) -> Iterator[Batch]:
        """The mini-batches of all epochs."""
        for _ in range(self._config.ppo.ppo_epochs):
            yield from buffer.get_minibatches(self._batch, generator=self._generator, chosen=chosen, group=self._group)

    def _improve(self, batch: Batch) -> dict[str, Tensor]:
        ppo = self._config.ppo
        return ppo_update(
            self.net,
            self.optimizer,
            batch,
            ppo,
            forward=self._forward,
            auxiliary=self._auxiliary,
            group=self._group,
        )

    def _forward(self, obs: Tensor) -> tuple[Tensor, ...]:
        return self._cooled(self._optimized_net, obs)

    def _cooled(self, net: Callable[..., tuple[Tensor, ...]], obs: Tensor) -> tuple[Tensor, ...]:
        """The outputs of a network, its policy at the run's temperature."""
        planes = obs.float().contiguous(memory_format=torch.channels_last)
        logits, value, mines = net(planes, return_mine=True)
        return logits.float() / self._config.finetune.temperature, value, mines

    def _auxiliary(self, answer: tuple[Tensor, ...], batch: Batch) -> Tensor:
        """The divergence from the imitated policy, and the mines of games that are over."""
        config = self._config
        loss = torch.zeros((), device=self._device)
        if config.finetune.kl_coef > 0.0:
            with torch.no_grad(), autocast(self._device, config.ppo.amp):
                imitated = self._cooled(self._reference, batch.obs)[0]
            before = masked_log_probs(imitated, batch.action_mask)
            now = masked_log_probs(answer[0], batch.action_mask)
            loss = loss + config.finetune.kl_coef * (before.exp() * (before - now)).sum(-1).mean()
        if config.ppo.aux_mine_weight > 0.0 and config.finetune.trained == "all":
            hidden = batch.obs[:, 0] == 0
            known = batch.extras["settled"] & ~hidden.flatten(1).all(1)
            weight = (hidden & known.view(-1, 1, 1)).float()
            missed = binary_cross_entropy_with_logits(
                answer[2].float().squeeze(1), batch.extras["mine"].float(), reduction="none"
            )
            cells = self._group.all_reduce(weight.sum()).clamp(min=1.0) / self._group.size
            loss = loss + config.ppo.aux_mine_weight * (missed * weight).sum() / cells
        return loss

    def _learn_value(self, batch: Batch) -> dict[str, Tensor]:
        """Train the value head alone: what it says means nothing yet, and would mislead the rest."""
        with autocast(self._device, self._config.ppo.amp):
            value = self._forward(batch.obs)[1].float()
        loss = 0.5 * (value - batch.returns).pow(2).mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for name, parameter in self.net.named_parameters():
            if not name.startswith("value_head"):
                parameter.grad = None
        self._group.average_gradients(self.net)
        self.optimizer.step()
        return {"value_loss": self._group.mean(loss.detach())}


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
        buffer.extras["settled"][at] = settled
