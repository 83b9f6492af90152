"""The agent that has learned: where to stand, and what to do there, through onnxruntime."""

from collections.abc import Generator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.errors import BadNet, Unsupported
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.skirmish.agents.lookahead import Answers, Lookahead, playable_actions
from ludex.games.skirmish.agents.tactic import MOST_CANDIDATES
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.options import NetOptions
from ludex.games.skirmish.rules.actions import DeployUnit, Move
from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.games.skirmish.rules.position import Position, View
from ludex.search.model import pace_limit
from ludex.search.network import NetworkSession, require_shipped

INPUTS: Final = ("planes", "vector")
OUTPUTS: Final = ("logits", "value")
SHIPPED: Final = {(25, 21, 10, 100): "skirmish-default.onnx", (11, 10, 3, 20): "skirmish-small.onnx"}
"""By columns, rows, unit slots and hex slots: all that a network's form depends on."""


class NoNetwork(BadNet, Unsupported):
    """No network ships for a board, so that another agent is the default there."""

    code = BadNet.code


def open_session(game: Skirmish, net: str = "", threads: int = 1) -> NetworkSession:
    """A network for a game's board: logits `[N, actions]` and values `[N]`, -1 to 1, from the mover's end.

    `net` is the path of an .onnx file, or empty for the one that ships. Raises `BadNet` if it does not fit.
    """
    grid, table = game.scenario.grid, game.table
    return NetworkSession(
        net or shipped_for(game),
        shipped=not net,
        inputs=dict(zip(INPUTS, ([PLANES, grid.cols, grid.rows], [vector_length(table.unit_slots)]), strict=True)),
        outputs=dict(zip(OUTPUTS, ([game.info.num_actions], []), strict=True)),
        threads=threads,
    )


def shipped_for(game: Skirmish) -> str:
    """The network that ships for a game's board. Raises `NoNetwork` if there is none."""
    grid, table = game.scenario.grid, game.table
    name = SHIPPED.get((grid.cols, grid.rows, table.unit_slots, table.hex_slots))
    if name is None:
        raise NoNetwork(
            f"no network ships for a board of {grid.cols} x {grid.rows} with {table.unit_slots} unit slots and "
            f"{table.hex_slots} hex slots: train one, and name its file with net="
        )
    return name


Layer = tuple[float | None, ...]


class NetAgent:
    """Plays the policy's first choice or, in battle, one sampled from it at a temperature.

    Units are placed without chance, and never taken back; the deployment is confirmed as soon as it may be.
    """

    def __init__(
        self, game: Skirmish, options: NetOptions, services: Services | None = None, name: str = "hard"
    ) -> None:
        self.name = name
        self._game = game
        self._session = open_session(game, options.net, options.threads)
        self._seat = SeatAdapter(game)
        self._temperature = options.temperature
        self._deployment = options.deployment
        self._simulations = options.simulations
        self._lookahead = Lookahead(game, self._seat)

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        limit = pace_limit(limit)
        with limit.watch():
            return self._run(self.choose(view, legal, rng, limit))

    def choose(self, view: View, legal: Mask, rng: Rng, limit: Limit) -> Generator[list[Position], Answers, Decision]:
        """The decision; yields the positions that the network has to evaluate, each from its mover's end."""
        logits, value = yield [view.position]
        actions = playable_actions(self._game, legal)
        turned = [self._seat.action(view.player, action) for action in actions]
        scores = logits[0, turned].astype(np.float64)
        deploying = view.position.phase == "deployment"
        if self._simulations and not deploying:
            bounds = (self._simulations, limit.simulations, limit.nodes)
            most = min(bound for bound in bounds if bound is not None)
            scores = yield from self._lookahead.improve(view.position, actions, scores, most, rng, limit)
        placing = deploying and self._deployment != "sampled"
        shares = _softmax(scores, 0.0 if placing else self._temperature)
        index = self._choose_placement(turned, shares, rng) if placing else self._choose_action(shares, rng)
        order = sorted(range(len(actions)), key=lambda place: (place != index, -shares[place]))
        return Decision(
            action=actions[index],
            value=float(value[0]),
            candidates=tuple(
                Candidate(actions[place], prob=float(shares[place]), line=(actions[place],))
                for place in order[:MOST_CANDIDATES]
            ),
            stats={"choices": len(actions), "expected_score": float(value[0])},
            explanation=(
                Message(
                    "skirmish.policy",
                    {"action": self._game.action_text(view.position, actions[index]), "share": float(shares[index])},
                ),
            ),
            overlay=self._overlay(view, actions, shares),
        )

    def _run(self, choosing: Generator[list[Position], Answers, Decision]) -> Decision:
        """The decision, with all evaluations by the session."""
        positions = next(choosing)
        while True:
            seen = [self._seat.observe(View(position, position.to_move)) for position in positions]
            logits, values = self._session.run(*(np.stack([row[name] for row in seen]) for name in INPUTS))
            try:
                positions = choosing.send((logits, values))
            except StopIteration as end:
                decision: Decision = end.value
                return decision

    def _choose_placement(self, turned: list[int], shares: NDArray[np.float64], rng: Rng) -> int:
        """The index of the placement, pass or confirmation to play, `turned` to the player's own end."""
        placements = [action for action in turned if action < self._game.table.sizes[branches.DEPLOY]]
        if placements and self._deployment == "first":
            return turned.index(min(placements))
        if placements and self._deployment == "uniform":
            return turned.index(rng.choice(placements))
        return int(shares.argmax())

    def _choose_action(self, shares: NDArray[np.float64], rng: Rng) -> int:
        """The index of an action at the temperature."""
        if self._temperature == 0.0:
            return int(shares.argmax())
        return min(int(np.searchsorted(np.cumsum(shares), rng.uniform(), side="right")), len(shares) - 1)

    def _overlay(self, view: View, actions: list[int], shares: NDArray[np.float64]) -> Mapping[str, Layer]:
        """How likely each hex is to be stood on by this decision, where one is about hexes."""
        grid = self._game.scenario.grid
        layer: list[float | None] = [None] * grid.size
        for action, share in zip(actions, shares.tolist(), strict=True):
            meaning = self._game.table.decode(view.position, action)
            if isinstance(meaning, DeployUnit | Move):
                where = grid.index(meaning.col, meaning.row)
                layer[where] = (layer[where] or 0.0) + share
        return {"policy": tuple(layer)} if any(share_of_hex is not None for share_of_hex in layer) else {}


def check_net(game: Skirmish, options: NetOptions) -> None:
    """Raise if no network ships for a board; a file given by `net` is read when the agent is made."""
    if not options.net:
        require_shipped(shipped_for(game))


def _softmax(logits: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Probabilities of the legal actions; at temperature 0 they are the network's own."""
    heated = logits / (temperature or 1.0)
    weights = np.exp(heated - heated.max())
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares
