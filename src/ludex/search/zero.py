"""The agent `zero`: tree search with a network that learned the game from its rules alone, by onnxruntime.

A network is the file that `ludex train GAME --config alphazero` writes. Those that ship are found by game and board.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.errors import BadNet, Unsupported
from ludex.core.game import AnyGame, Mask, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.registry import spec
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.search.batched import BatchedSearch, SearchOptions, positions_of
from ludex.search.model import MOST_CANDIDATES, as_value, expectation, pace_limit, require_learnable
from ludex.search.network import PACKAGE, NetworkSession
from ludex.search.spec import ZeroOptions, net_name, shipped_presets

DEFAULT_SIMULATIONS: Final = 200
"""The budget of a move without any limit."""
MOST_SIMULATIONS: Final = 20_000
"""What the tree has room for where only time ends the search."""


class StoppedError(Exception):
    """Time is up: what was found so far counts."""


class ZeroAgent:
    """Plays the move that its search tried most."""

    def __init__(self, game: AnyGame, options: ZeroOptions, name: str = "zero") -> None:
        self.name = name
        self._game, self._options = game, options
        self._kept: BatchedSearch | None = None
        planes, rows, cols = positions_of(game, 1).observation_shape
        self._network = NetworkSession(
            options.net or net_name(game.info.id, game.info.preset),
            shipped=not options.net,
            package=spec(game.info.id).learning.nets or PACKAGE,
            inputs={"observations": (planes, rows, cols)},
            outputs={"logits": (game.info.num_actions,), "value": ()},
            threads=options.threads,
        )
        self._centre, self._spread = (
            float(self._network.metadata.get(name, usual)) for name, usual in (("centre", 0.0), ("spread", 1.0))
        )

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        limit = pace_limit(limit)
        bounds = (self._options.simulations, limit.simulations, limit.nodes)
        most = min((bound for bound in bounds if bound is not None), default=None)
        if most is None:
            most = DEFAULT_SIMULATIONS if limit.longest_ms is None else MOST_SIMULATIONS
        most = min(most, MOST_SIMULATIONS)
        fallback = Decision(rng.choice(legal_actions(legal)), explanation=(Message("ludex.unsearched"),))
        with limit.watch():
            if limit.stopped:
                return fallback
            search = self._search(most)
            search.put(0, sample_state(self._game, view, rng))
            done = self._run(search, limit)
        return self._decision(search, done) if done else fallback

    def _search(self, simulations: int) -> BatchedSearch:
        """A search with room for so many simulations: that of the last move, or a new one."""
        if self._kept is None or self._kept.options.simulations != simulations:
            # One action is considered: the schedule of many is for the other rule, and takes time to make.
            shape = SearchOptions(simulations=simulations, rule="puct", considered=1, c_puct=self._options.exploration)
            self._kept = BatchedSearch(positions_of(self._game, 1), 1, shape)
            self._kept.rescale(self._centre, self._spread)
        return self._kept

    def _run(self, search: BatchedSearch, limit: Limit) -> int:
        """Search until simulations or time are used up; returns how many positions were evaluated."""
        done = 0

        def evaluate(
            observations: NDArray[np.float32], masks: NDArray[np.uint8]
        ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            nonlocal done
            # The first evaluation is the root's: without it there is nothing to say.
            if done and limit.stopped:
                raise StoppedError
            logits, values = self._network.run(observations)
            done += 1
            return logits, values

        with suppress(StoppedError):
            search.run(evaluate)
        return done

    def _decision(self, search: BatchedSearch, evaluated: int) -> Decision:
        result = search.result()
        visits, policy = result.visits[0], result.policy[0]
        values = self._centre + self._spread * result.q[0]
        expected = self._centre + self._spread * result.values[0]
        action, total = int(result.actions[0]), int(visits.sum())
        order = sorted(np.flatnonzero(policy).tolist(), key=lambda move: (move == action, policy[move]), reverse=True)
        line = tuple(search.line(0))
        candidates = tuple(
            Candidate(
                move,
                score=float(values[move]) if visits[move] else None,
                prob=float(policy[move]),
                line=line if line[:1] == (move,) else (move,),
                terms={"visits": float(visits[move])},
            )
            for move in order[:MOST_CANDIDATES]
        )
        value = as_value(float(values[action] if visits[action] else expected), self._game.info.players)
        reason = expectation(value, self._game.info.players, len(order))
        return Decision(
            action=action,
            value=value,
            candidates=candidates,
            stats={"simulations": total, "nodes": total, "evaluations": evaluated, "depth": len(line)},
            explanation=(reason,),
        )


def zero(game: AnyGame, options: ZeroOptions, services: Services, name: str) -> ZeroAgent:
    """The factory of `zero`."""
    return ZeroAgent(game, options, name)


def check_zero(game: AnyGame, options: ZeroOptions) -> None:
    """Raise `Unsupported` where there is no network for the board, and `BadNet` if the named one is missing."""
    require_learnable(game)
    if options.net:
        if not Path(options.net).is_file():
            raise BadNet(f"zero: no network at {options.net}")
        return
    info = game.info
    if info.preset not in shipped_presets(spec(info.id)):
        raise Unsupported(
            f"no network of zero ships for {info.id} {info.preset}: "
            f"ludex train {info.id} --config alphazero --preset {info.preset} makes one, zero:net=PATH plays it"
        )
