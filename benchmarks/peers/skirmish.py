"""Steps of the environment, beside what sb3-contrib's MaskablePPO can consume on one that costs nothing."""

from collections.abc import Callable
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import module, with_peers
from ludex.core.bench import BenchRow, rates
from ludex.core.game import legal_actions
from ludex.core.seeding import CHANCE, generator
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.game import Skirmish, open_game
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.kernels.sampling import RandomActions

PACKAGES: Final = ("sb3-contrib", "stable-baselines3", "torch")
ROLLOUT: Final = 256
"""Steps of a rollout, which it then learns from."""
EPISODE: Final = 64
UNIT: Final = "steps per CPU-second"
PEER: Final = "sb3-contrib MaskablePPO, learning on a trivial env of these sizes"
LANES: Final = 256


class Trivial(gymnasium.Env[NDArray[np.float32], np.int64]):
    """An environment that costs nothing: the sizes of Skirmish, and a mask that never changes."""

    def __init__(self, features: int, actions: int) -> None:
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (features,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(actions)
        self._seen = np.zeros(features, np.float32)
        self._mask: NDArray[np.bool_] = np.arange(actions) % 7 == 0
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self._steps = 0
        return self._seen, {}

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        self._steps += 1
        return self._seen, 0.0, self._steps == EPISODE, False, {}

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[actions], under the name that sb3-contrib expects."""
        return self._mask


def maskable_ppo(features: int, actions: int) -> Callable[[], int]:
    """Collecting and learning, with its default network and settings but for the shorter rollout."""
    maskable = module("sb3_contrib", "pip install 'ludex[train]'").MaskablePPO
    module("torch", "pip install 'ludex[train]'").set_num_threads(1)
    model = maskable("MlpPolicy", Trivial(features, actions), n_steps=ROLLOUT, device="cpu")

    def work() -> int:
        model.learn(ROLLOUT, reset_num_timesteps=False)
        return ROLLOUT

    return work


def bench(seconds: float) -> list[BenchRow]:
    """The default scenario with random legal actions, masks and observations included, batched and one at a time."""
    game = open_game()
    features = PLANES * game.scenario.grid.size + vector_length(game.table.unit_slots)
    peer = {"peer": lambda: maskable_ppo(features, game.info.num_actions)}
    speeds = rates(with_peers({"batch": _batch(game), "contract": _contract(game)}, peer), seconds)
    return [
        BenchRow(f"batch, {LANES} lanes, one thread", UNIT, speeds["batch"], speeds.get("peer"), PEER),
        BenchRow("plain contract, one game at a time", UNIT, speeds["contract"], speeds.get("peer"), PEER),
    ]


def _batch(game: Skirmish) -> Callable[[], int]:
    batch, sampler = SkirmishBatch(game, LANES), RandomActions(LANES, 1, CHANCE)
    _, info = batch.reset(1)
    mask = info["mask"]

    def work() -> int:
        batch.step(sampler.draw(mask))
        return LANES

    return work


def _contract(game: Skirmish) -> Callable[[], int]:
    rng = generator(1, 0)
    state = game.initial(rng)

    def work() -> int:
        nonlocal state
        for _ in range(100):
            if game.outcome(state) is not None:
                state = game.initial(rng)
            state = game.apply(state, rng.choice(legal_actions(game.legal(state))), rng)
            game.observe(game.view(state, state.to_move))
        return 100

    return work
