"""How strong a network is, and where it places its units: scores, deployment metrics and the worth of placements."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field

from ludex.arena.statistics import gain95, interval95
from ludex.core.game import Mask, Observation
from ludex.core.log import logger
from ludex.core.options import Options, parse_options, split_reference
from ludex.games.skirmish.env.deployment_metrics import DeploymentMetrics
from ludex.games.skirmish.env.opponent_batch import OpponentBatch
from ludex.games.skirmish.env.opponents import OpponentLike, Policy
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.geometry import geometry_of
from ludex.games.skirmish.learning.network import SkirmishNet
from ludex.games.skirmish.learning.network_files import NetPolicy, load_net
from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers, ScriptedOpponent
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.hexes.grid import NO_DISTANCE
from ludex.games.skirmish.rules.hexes.line_of_sight import sight_table
from ludex.learn.runs import Row


class PlacedOtherwise:
    """A policy for the battle, with units placed by another rule, through `deploy_unit` as usual.

    `first_choice` is the policy without chance, by which `learned` places.
    """

    def __init__(self, game: Skirmish, policy: Policy, first_choice: Policy, deployment: str, seed: int) -> None:
        self._policy, self._first_choice = policy, first_choice
        self._deployment = deployment
        self._placements = game.table.sizes[branches.DEPLOY]
        self._random = np.random.default_rng(seed)

    def __call__(self, obs: Observation, masks: Mask) -> NDArray[np.int64]:
        actions = self._policy(obs, masks).copy()
        if self._deployment == "sampled":
            return actions
        allowed = masks[:, : self._placements]
        placing = np.flatnonzero(allowed.any(axis=1))
        if self._deployment == "learned":
            if len(placing):
                seen = {name: array[placing] for name, array in obs.items()}
                actions[placing] = self._first_choice(seen, masks[placing])
            return actions
        weights = self._random.random((len(placing), self._placements)) if self._deployment == "uniform" else 1.0
        actions[placing] = np.where(allowed[placing], weights, -1.0).argmax(axis=1)
        return actions


NOT_PLACED = -1


@dataclass(frozen=True)
class Ground:
    """What a scenario's hexes are like, by player and hex slot as that player counts: float64[2, slots]."""

    front: NDArray[np.float64]
    """How near the enemy's zone is, as minus the steps to it."""
    objective: NDArray[np.float64]
    """How near the nearest objective is, as minus the steps to it."""
    cover: NDArray[np.float64]
    """The share of the enemy's zone that does not see it."""
    hexes: NDArray[np.int64]
    """int64[2, slots]: the hex itself, as its player sees the board from its own end."""


def ground_of(game: Skirmish) -> Ground:
    """The ground of a game's scenario."""
    scenario, distance = game.scenario, game.scenario.grid.distance
    orientation = half_turn(scenario)
    sees = sight_table(scenario.grid, scenario.walls)
    measures = np.zeros((3, 2, game.table.hex_slots))
    slots = np.zeros((2, game.table.hex_slots), np.int64)
    for player, pool in enumerate(scenario.pools):
        enemies = list(scenario.pools[1 - player])
        # The player's slots are the pool by the hexes as it sees them.
        for slot, where in enumerate(sorted(pool, key=lambda one: int(orientation.hexes[player][one]))):
            slots[player, slot] = orientation.hexes[player][where]
            measures[0, player, slot] = -float(distance[where, enemies].min(initial=NO_DISTANCE))
            measures[1, player, slot] = -float(distance[where, list(scenario.objectives)].min(initial=NO_DISTANCE))
            measures[2, player, slot] = 1.0 - float(np.mean(sees[where, enemies])) if enemies else 1.0
    front, objective, cover = measures
    return Ground(front, objective, cover, slots)


@dataclass
class PlacementLog:
    """The placements of a learner in many lanes, and the outcome of each when the game was over."""

    game: Skirmish
    num_lanes: int
    rows: list[tuple[float, ...]] = field(default_factory=list)
    """One per placed unit: front, objective, cover, whether it survived, the share of it that was lost, and the share
    of the enemy's value that its side destroyed."""

    def __post_init__(self) -> None:
        self._ground = ground_of(self.game)
        self._slots = np.full((self.num_lanes, self.game.table.unit_slots), NOT_PLACED)
        self._games = 0
        self._stood = np.zeros(self.game.scenario.grid.size)

    def note(self, actions: NDArray[np.int64], placing: NDArray[np.bool_]) -> None:
        """`deploy_unit` indices in the lanes of `placing: bool[N]`, in the indices of the player that placed."""
        lanes = np.flatnonzero(placing)
        units, hexes = np.divmod(actions[lanes], self.game.table.hex_slots)
        self._slots[lanes, units] = hexes

    def settle(self, ended: NDArray[np.bool_], seats: NDArray[np.int8], states: NDArray[np.int16]) -> None:
        """Close the account of lanes that ended in `states: int16[N, words]`, with the learner in `seats: int8[N]`."""
        ground, units = self._ground, self.game.units
        whole, value = np.array([(unit.type.wounds, unit.type.value) for unit in units], float).T
        owner = np.array([unit.player - 1 for unit in units])
        for lane in np.flatnonzero(ended).tolist():
            seat = int(seats[lane])
            self._games += 1
            wounds = states[lane, layout.UNITS + layout.WOUNDS :: layout.UNIT_WORDS][: len(whole)]
            lost = 1.0 - wounds / whole
            enemy = owner != seat
            dealt = float((lost * value)[enemy].sum() / value[enemy].sum())
            for unit_slot, unit in enumerate(np.flatnonzero(~enemy).tolist()):
                slot = self._slots[lane, unit_slot]
                if slot != NOT_PLACED:
                    where = (ground.front[seat, slot], ground.objective[seat, slot], ground.cover[seat, slot])
                    self._stood[ground.hexes[seat, slot]] += 1
                    self.rows.append((*map(float, where), float(wounds[unit] > 0), float(lost[unit]), dealt))
            self._slots[lane] = NOT_PLACED

    def heat(self) -> NDArray[np.float64]:
        """float64[hexes]: the share of the games in which a unit was placed there, seen from the own end."""
        return self._stood / max(1, self._games)

    def correlations(self) -> Row:
        """Correlations of placements and outcomes, -1 to 1; None where one of the two never varies."""
        table = np.array(self.rows).reshape(-1, 6)
        row: Row = {}
        for place, where in enumerate(("front", "objective", "cover")):
            for outcome, what in enumerate(("survival", "damage_taken", "damage_dealt"), 3):
                row[f"placement_{where}_{what}"] = _correlation(table[:, place], table[:, outcome])
        return row


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    if len(first) < 2 or first.std() == 0.0 or second.std() == 0.0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


MOST_LANES = 256
_log = logger("train")


@dataclass(frozen=True)
class Evaluation:
    """The results of a policy's games against one opponent."""

    opponent: str
    scores: NDArray[np.float64]
    """[games]: -1, 0 or 1 for the policy; games 2k and 2k + 1 are from either seat.

    They are neighbours in a lane or, where each lane plays an odd number of games, in two lanes: seats alternate both
    from game to game and from lane to lane.
    """
    metrics: DeploymentMetrics
    placements: PlacementLog

    @property
    def win_rate(self) -> float:
        """Draws count half."""
        return float((self.scores.mean() + 1) / 2)

    @property
    def ci95(self) -> tuple[float, float]:
        """Over pairs of games with swapped seats."""
        return interval95(((self.scores.reshape(-1, 2).mean(axis=1) + 1) / 2).tolist())

    def gain_over(self, other: "Evaluation") -> tuple[float, float, float]:
        """How much more it scores against the same opponent on the same dice, with its interval over pairs."""
        pairs = (self.scores - other.scores).reshape(-1, 2).mean(axis=1) / 2
        return gain95(pairs.tolist())

    def row(self) -> Row:
        """As a row of a run's metrics."""
        return {
            "opponent": self.opponent,
            "games": len(self.scores),
            "win_rate": self.win_rate,
            "ci95": list(self.ci95),
            **self.metrics.named(),
            **self.placements.correlations(),
            "hex_slots": self.metrics.hex_slots.tolist(),
            "unit_slots": self.metrics.unit_slots.tolist(),
        }


def evaluate(
    game: Skirmish,
    policy: Policy,
    opponent: OpponentLike,
    name: str,
    games: int,
    seed: int,
    *,
    most_lanes: int = MOST_LANES,
    advance: Callable[[int], None] = lambda games: None,
) -> Evaluation:
    """Play `games`, an even number, half of them from either seat; `advance(n)` is called for games that ended."""
    if games < 2 or games % 2:
        raise ValueError(f"games must be even and at least 2, for half are played from either seat; found {games}")
    lanes = max(count for count in range(1, min(games, most_lanes) + 1) if games % count == 0)
    batch = OpponentBatch(game, lanes, seat="alternating", opponent=opponent)
    log = PlacementLog(game, lanes)
    each = games // lanes
    scores = np.zeros((lanes, each))
    played = np.zeros(lanes, np.int64)
    batch.reset(seed)
    while (playing := played < each).any():
        seats, placing = batch.seats, batch.deploying & batch.learner_to_move & playing
        actions, ended = batch.tick(policy, playing)
        log.note(actions, placing & (actions < game.table.sizes[branches.DEPLOY]))
        score, finals = batch.ends
        scores[ended, played[ended]] = score[ended]
        log.settle(ended, seats, finals)
        played += ended
        advance(int(ended.sum()))
    return Evaluation(name, scores.reshape(-1), batch.metrics, log)


def evaluate_scenarios(
    config: SkirmishConfig,
    net: SkirmishNet,
    games: dict[str, Skirmish],
    device: torch.device,
    workers: OpponentWorkers,
    where: Row,
) -> Iterator[Row]:
    """Evaluate a network while it is trained, on every scenario and on the same dice each time.

    Yields a row of metrics per opponent; `where`, the stage and step, is part of the logged event.
    """
    for preset, game in games.items():
        net.settle(geometry_of(game))
        policy = NetPolicy(net, device)
        for name in config.evaluation.opponents:
            opponent = ScriptedOpponent(workers, preset, name)
            evaluation = evaluate(game, policy, opponent, name, config.evaluation.games, config.seed)
            row = {"preset": preset, **evaluation.row()}
            yield row
            numbers = {key: value for key, value in row.items() if not isinstance(value, list)}
            _log.info("evaluation", **where, **numbers)


ITSELF: Final = "itself"
"""An opponent's name: the same network."""


class ItselfOptions(Options):
    """How the network plays as its own opponent."""

    temperature: float = Field(0.0, ge=0.0, le=20.0, description="0 plays the first choice")


class Measuring:
    """Evaluates a network on its device, with the same number of games on the same dice for each opponent."""

    def __init__(
        self,
        game: Skirmish,
        net: Path,
        device: torch.device,
        workers: OpponentWorkers,
        *,
        games: int,
        lanes: int,
        seed: int,
        advance: Callable[[int], None],
    ) -> None:
        self._game, self._device, self._workers = game, device, workers
        self._games, self._lanes, self._seed, self._advance = games, lanes, seed, advance
        self._net = load_net(net, geometry_of(game), device)

    def against(self, opponent: str, temperature: float, deployment: str) -> Evaluation:
        """Play an agent, or `itself:temperature=T`."""
        return evaluate(
            self._game,
            self._placing(self.policy(temperature, self._seed), deployment),
            self._opponent(opponent),
            opponent,
            self._games,
            self._seed,
            most_lanes=self._lanes,
            advance=self._advance,
        )

    def policy(self, temperature: float, seed: int) -> NetPolicy:
        """The network as a player; it samples unless the temperature is 0."""
        if temperature == 0.0:
            return NetPolicy(self._net, self._device)
        generator = torch.Generator(self._device).manual_seed(seed)
        return NetPolicy(self._net, self._device, generator, temperature)

    def _opponent(self, text: str) -> OpponentLike:
        name, values = split_reference(text)
        if name != ITSELF:
            return ScriptedOpponent(self._workers, self._game.info.preset, text)
        return self._placing(self.policy(parse_options(ItselfOptions, values, text).temperature, self._seed + 1))

    def _placing(self, policy: Policy, deployment: str = "learned") -> Policy:
        """A policy with units placed in one of the ways of `Deployment`."""
        return PlacedOtherwise(self._game, policy, self.policy(0.0, self._seed), deployment, self._seed)
