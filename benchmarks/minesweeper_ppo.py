"""PPO's transitions per second, end to end, beside sb3-contrib's MaskablePPO: `python -m benchmarks.minesweeper_ppo`.

The same board, `CNNPolicy`, the same lanes, steps, mini-batches and epochs, one after the other in this process.
Writes benchmarks/results/minesweeper-ppo.json, or minesweeper-ppo-gpu.json where it ran on one. On a CPU it counts
CPU-seconds of one thread, with --device cuda seconds of the clock; both train there, and ours plays there too. Both
networks have the same torch layers, so the ratio compares the trainers and their environments.
"""

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import Tensor, nn

from benchmarks.documents import measurement_parser, write
from ludex.core.bench import machine
from ludex.games.minesweeper.env import register
from ludex.games.minesweeper.env.config import BASE_CHANNELS
from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig
from ludex.games.minesweeper.learning.network import CNNPolicy, build
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run
from ludex.learn.trainer import Trainer

NAMES = {"cpu": "minesweeper-ppo", "cuda": "minesweeper-ppo-gpu"}
"""Of the documents, by device."""


class Answers(BaseFeaturesExtractor):
    """The document's network inside sb3: its logits and its value side by side, for heads that only take them apart."""

    def __init__(self, space: Box, net: nn.Module) -> None:
        rows, cols = space.shape[1:]
        super().__init__(space, features_dim=rows * cols + 1)
        self.net = net
        self.cells = rows * cols

    def forward(self, obs: Tensor) -> Tensor:
        """[B, HW + 1]: logits of reveals, and the value."""
        logits, value = self.net(obs)
        return torch.cat([logits[:, : self.cells], value.unsqueeze(1)], 1)


class Part(nn.Module):
    """Some columns."""

    def __init__(self, begin: int, end: int) -> None:
        super().__init__()
        self.begin, self.end = begin, end

    def forward(self, features: Tensor) -> Tensor:
        """[B, end - begin]"""
        return features[:, self.begin : self.end]


def _clock(device: str) -> float:
    return time.process_time() if device == "cpu" else time.perf_counter()


def peer(config: MinesweeperConfig, updates: int, device: str, net: nn.Module) -> float:
    """Transitions per second of MaskablePPO with a network."""
    model, transitions = maskable_ppo(config, device, net)
    model.learn(transitions)
    begin = _clock(device)
    model.learn(updates * transitions, reset_num_timesteps=False)
    return updates * transitions / (_clock(device) - begin)


def maskable_ppo(config: MinesweeperConfig, device: str, net: nn.Module) -> tuple[MaskablePPO, int]:
    """MaskablePPO with a network on the board of a configuration, and the transitions of one of its updates."""
    register()
    ppo, [env] = config.ppo, config.all_boards
    board: dict[str, Any] = {"H": env.H, "W": env.W, "mine_count": env.mine_count}
    lanes = DummyVecEnv(
        [lambda: gymnasium.make("ludex/Minesweeper-v0", reveal_only=True, **board) for _ in range(ppo.num_envs)]
    )
    transitions = ppo.num_envs * ppo.steps_per_env
    model = MaskablePPO(
        "MlpPolicy",
        lanes,
        n_steps=ppo.steps_per_env,
        batch_size=transitions // ppo.mini_batches,
        n_epochs=ppo.ppo_epochs,
        device=device,
        policy_kwargs={
            "features_extractor_class": Answers,
            "features_extractor_kwargs": {"net": net},
            "net_arch": [],
            "normalize_images": False,
        },
    )
    cells = env.H * env.W
    # sb3 declares linear layers; any module with their signature serves.
    parts: dict[str, nn.Module] = {"action_net": Part(0, cells), "value_net": Part(cells, cells + 1)}
    for name, part in parts.items():
        model.policy.register_module(name, part)
    return model, transitions


def ours(config: MinesweeperConfig, updates: int, device: str, folder: Path) -> float:
    """Transitions per second of our own, without measurements of strength."""
    run = Run.create(folder, "minesweeper", "bench", dump_config(config))
    torch.manual_seed(0)
    where = torch.device(device)
    stage = Finetuning(config, build(config.model, config.env.shown).to(where), None, where)
    trainer = Trainer(run, lambda steps: None)
    trainer.step(stage)
    begin = _clock(device)
    for _ in range(updates):
        trainer.step(stage)
    if where.type == "cuda":
        torch.cuda.synchronize()
    return updates * config.ppo.num_envs * config.ppo.steps_per_env / (_clock(device) - begin)


def main() -> None:
    """Measure both and write the report."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--updates", type=int, default=4)
    parser.add_argument("--lanes", type=int, default=64)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    args = parser.parse_args()
    torch.set_num_threads(1)
    changes: dict[str, Any] = {
        "ppo.num_envs": args.lanes,
        "ppo.steps_per_env": args.steps,
        "ppo.mini_batches": 4,
        "ppo.compile": False,
        "ppo.aux_mine_weight": 0.0,
        "env.reveal_only": True,
        "finetune.updates": 1_000_000,
    }
    config = load_config(MinesweeperConfig, CONFIGS, "small_8x8_10", changes)
    with TemporaryDirectory() as folder:
        mine = ours(config, args.updates, args.device, Path(folder))
    other = peer(config, args.updates, args.device, CNNPolicy(BASE_CHANNELS))
    row = {
        "name": f"PPO, 8x8x10, CNNPolicy, {args.lanes} lanes of {args.steps} steps, {args.device}",
        "unit": "transitions per CPU-second" if args.device == "cpu" else "transitions per second",
        "ours": mine,
        "peer": other,
        "peer_name": "sb3-contrib MaskablePPO",
        "ratio": mine / other,
    }
    print(json.dumps(row))
    versions = ("ludex", "numpy", "numba", "torch", "sb3-contrib", "stable-baselines3")
    write(args.into, NAMES[args.device], {"game": "minesweeper", "machine": machine(versions), "rows": [row]})


if __name__ == "__main__":
    main()
