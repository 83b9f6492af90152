"""Steps of the environment, beside what sb3-contrib's MaskablePPO can consume."""

from collections.abc import Callable
from typing import Final

from ludex.core.bench import BenchRow, rates, with_peers
from ludex.core.game import legal_actions
from ludex.core.seeding import CHANCE, generator
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.game import Skirmish, open_game
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.kernels.sampling import RandomActions

UNIT: Final = "steps per CPU-second"
PEER: Final = "sb3-contrib MaskablePPO, learning on a trivial env of these sizes"
LANES: Final = 256


def bench(seconds: float) -> list[BenchRow]:
    """The default scenario with random legal actions, masks and observations included, batched and one at a time."""
    game = open_game()
    features = PLANES * game.scenario.grid.size + vector_length(game.table.unit_slots)
    peer = {"peer": lambda peers: peers.maskable_ppo(features, game.info.num_actions)}
    speeds = rates(with_peers("skirmish", {"batch": _batch(game), "contract": _contract(game)}, peer), seconds)
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
