"""Stage B: PPO from the imitated policy, so that guesses are chosen by what they win and not by safety alone.

A warm start is easily lost. Here the value head is reset and trained alone first, the learning rate is small, a
divergence term keeps the policy near the imitated one, and the mine head keeps learning from finished games.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from ludex.core.errors import BadRun
from ludex.games.minesweeper.learning.config import MinesweeperConfig, env_of
from ludex.games.minesweeper.learning.evaluation import measure
from ludex.games.minesweeper.learning.network import PLANES
from ludex.games.minesweeper.learning.torch_env import TorchMinesweeper
from ludex.learn.checkpoints import save_checkpoint
from ludex.learn.device import optimized_for
from ludex.learn.distributed import current
from ludex.learn.netfiles import give_weights
from ludex.learn.ppo import autocast, cosine, masked_log_probs, ppo_update, sample_actions
from ludex.learn.rollout import Batch, RolloutBuffer
from ludex.learn.runs import Row, Run


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


class Finetuning:
    """A run's stage B, from the imitated network or from a checkpoint."""

    def __init__(
        self, config: MinesweeperConfig, run: Run, net: nn.Module, reference: nn.Module, device: torch.device
    ) -> None:
        self._config, self._run, self._net, self._device = config, run, net, device
        self._reference = reference.eval().requires_grad_(False)
        self._group = current()
        ppo = config.ppo
        self._lanes = self._group.share(ppo.num_envs, "ppo.num_envs")
        self._batch = max(1, ppo.num_envs * ppo.steps_per_env // ppo.mini_batches)
        self._group.share(self._batch, "transitions of a mini-batch (ppo.num_envs * steps_per_env // mini_batches)")
        _refresh(net.value_head)  # type: ignore[arg-type]
        self._group.broadcast_weights(net)
        heads = [*net.policy_head.parameters(), *net.value_head.parameters()]  # type: ignore[union-attr]
        if config.finetune.trained == "heads":
            net.requires_grad_(False)
            for parameter in heads:
                parameter.requires_grad_(True)
        moved = [parameter for parameter in net.parameters() if parameter.requires_grad]
        self._optimizer = torch.optim.AdamW(moved, lr=ppo.lr, fused=device.type == "cuda")
        self._schedule = cosine(self._optimizer, max(1, config.finetune.updates))
        self._generator = torch.Generator(device).manual_seed((config.seed + 1) & (2**63 - 1))
        self._optimized_net = optimized_for(device, net, compiled=ppo.compile)
        self._rollouts: dict[int, list[Rollout]] = {}
        self.unlocked = len(config.boards) if config.finetune.promote_at == 0.0 else 1
        """How many of the boards, from the first on, are played."""
        self._update = 0
        self._transitions = 0

    def restore(self, state: Row, held: dict[str, Any]) -> None:
        """Resume from a checkpoint, games in progress included. Raises `BadRun` if it holds none."""
        if "tables" not in held:
            raise BadRun(
                f"run {self._run.name!r}: its checkpoint is of an earlier version and holds no games: begin anew"
            )
        give_weights(self._net, held["net"], f"run {self._run.name!r}", BadRun)
        self._optimizer.load_state_dict(held["optimizer"])
        self._schedule.load_state_dict(held["schedule"])
        self._generator.set_state(held["generator"].cpu())
        self._update, self.unlocked, self._transitions = (
            int(str(state[name])) for name in ("update", "unlocked", "transitions")
        )
        for which, envs in held["tables"].items():
            self._rollouts[which] = [self._new_rollout(which, place) for place in range(len(envs))]
            for rollout, env in zip(self._rollouts[which], envs, strict=True):
                rollout.env.restore(env)

    def train(self, advance: Callable[[int], None]) -> None:
        """Collect, learn, measure and promote until the last update."""
        cfg = self._config.finetune
        advance(self._update)
        if self._update == 0:
            self.evaluate()
        while self._update < cfg.updates:
            self.work(1)
            advance(1)
            if self._update % cfg.eval_every == 0 or self._update == cfg.updates:
                self.evaluate()
            if self._update % cfg.checkpoint_every == 0 or self._update == cfg.updates:
                self._checkpoint()

    def work(self, updates: int) -> None:
        """Run some updates, each logged in the metrics."""
        ppo = self._config.ppo
        for _ in range(updates):
            begin = time.perf_counter()
            rollout = self._next_rollout()
            collected = self._collect(rollout)
            learned = self._learn(rollout)
            spent = time.perf_counter() - begin
            self._update += 1
            self._transitions += ppo.num_envs * ppo.steps_per_env
            self._log(
                {
                    "stage": "ppo",
                    "update": self._update,
                    "board": rollout.name,
                    "start": rollout.start,
                    **collected,
                    **learned,
                    "lr": float(self._schedule.get_last_lr()[0]),
                    "transitions": self._transitions,
                    "transitions_per_second": ppo.num_envs * ppo.steps_per_env / spent,
                    "eta_seconds": (self._config.finetune.updates - self._update) * spent,
                }
            )

    def _log(self, row: Row) -> None:
        if self._group.is_main:
            self._run.log(row)

    def _next_rollout(self) -> Rollout:
        """The board and start rule of the next update, of those that are unlocked, by weight."""
        config = self._config
        weights = torch.tensor([board.weight for board in config.boards[: self.unlocked]])
        host = torch.Generator().manual_seed((config.seed * 1_000_003 + self._update) & (2**63 - 1))
        which = int(torch.multinomial(weights, 1, generator=host))
        if which not in self._rollouts:
            self._rollouts[which] = [self._new_rollout(which, place) for place in range(len(config.starts))]
        return self._rollouts[which][self._update % len(config.starts)]

    def _new_rollout(self, which: int, place: int) -> Rollout:
        config, ppo, device = self._config, self._config.ppo, self._device
        board, start = config.boards[which], config.starts[place]
        cfg = env_of(config.env, board, start, config.finetune.density_spread, random_first_click=True)
        seed = config.seed + 1000 * self._update + 10 * which + place
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
    def _collect(self, rollout: Rollout) -> Row:
        """Play a rollout by the policy as it is."""
        ppo, env, buffer = self._config.ppo, rollout.env, rollout.buffer
        env.frontier_mask = self._update < ppo.frontier_mask_until_updates
        buffer.clear()
        self._net.eval()
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
        self._net.train()
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
        only_value = self._update < config.finetune.value_updates
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
        self._schedule.step()
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
            self._net,
            self._optimizer,
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
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for name, parameter in self._net.named_parameters():
            if not name.startswith("value_head"):
                parameter.grad = None
        self._group.average_gradients(self._net)
        self._optimizer.step()
        return {"value_loss": self._group.mean(loss.detach())}

    def evaluate(self) -> None:
        """Measure every board and start rule on the same games each time, and let the next board join."""
        self.unlocked = self._group.broadcast_object(self._measured)

    def _measured(self) -> int:
        """Measure, and return how many boards are unlocked afterwards."""
        config, cfg = self._config, self._config.finetune
        self._net.eval()
        worst = 1.0
        for place, board in enumerate(config.boards):
            for start in config.starts:
                found = measure(
                    lambda planes: self._net(planes, return_mine=True),
                    env_of(config.env, board, start, 0.0),
                    cfg.eval_games,
                    config.seed,
                    self._device,
                    amp=config.ppo.amp,
                )
                if place == self.unlocked - 1:
                    worst = min(worst, found.win_rate)
                where: Row = {"stage": "ppo", "update": self._update, "board": board.name, "start": start}
                self._run.log({**where, **found.figures()})
        self._net.train()
        return min(len(config.boards), self.unlocked + (worst >= cfg.promote_at))

    def _checkpoint(self) -> None:
        self._group.check_alike(self._net)
        rollouts = {which: [one.env.state() for one in self._rollouts[which]] for which in sorted(self._rollouts)}
        if not self._group.is_main:
            return
        save_checkpoint(
            self._run,
            {
                "at": f"ppo-{self._update:06d}",
                "stage": "ppo",
                "update": self._update,
                "unlocked": self.unlocked,
                "transitions": self._transitions,
            },
            {
                "net": self._net.state_dict(),
                "optimizer": self._optimizer.state_dict(),
                "schedule": self._schedule.state_dict(),
                "generator": self._generator.get_state(),
                "tables": rollouts,
            },
        )


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
