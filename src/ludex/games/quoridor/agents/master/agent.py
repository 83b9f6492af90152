"""`master`: iterative deepening over the search, within its limit, and the share of a clock that a move takes."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from ludex.core.clock import Clock
from ludex.core.decision import Candidate, Decision
from ludex.core.documents import read_bytes
from ludex.core.errors import BadNet, BadOption
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.quoridor.agents.master.moves import NO_MOVE, action_of, code_of, key_of
from ludex.games.quoridor.agents.master.network import POINTS, SIZE, WALLS, Network, load_weights
from ludex.games.quoridor.agents.master.search import search
from ludex.games.quoridor.agents.master.transposition_table import CERTAIN, MOST_GENERATIONS, WIN, new_table
from ludex.games.quoridor.agents.master.workspace import (
    INFINITY,
    MOST_PLIES,
    MOST_SEEN,
    STALE,
    new_workspace,
)
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.options import MasterOptions
from ludex.games.quoridor.rules.board import action_name
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import PAWN, TURN, Position, words
from ludex.kernels.records import new_record
from ludex.search.network import shipped_net

WINDOW, WIDEST = 60, 1000
"""Half the width of the first window around the last depth's score, and of the last before it is opened."""
UNBOUNDED = 2**62
SHIPPED = "quoridor-9x9.npz"
REMEMBERED = 60
"""How many decisions back the table's entries are used, where a decision need not be repeatable."""


class MasterAgent:
    """The engine. At a fixed depth or number of nodes it is deterministic; under a clock it reuses earlier searches."""

    def __init__(
        self, game: Quoridor, options: MasterOptions, services: Services | None = None, name: str = "master"
    ) -> None:
        self.name = name
        self._game = game
        self._options = options
        self._space = new_workspace(game.size, game.geometry)
        self._table = new_table(options.hash)
        weights = _weights(game, options.net)
        self._network = new_record(Network) if weights is None else weights
        self._space.learned = 0 if weights is None else 1
        self._generation = 0
        self._ply = 0
        """Of the last decision: a ply that is no later is of another game."""

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        begin = time.perf_counter()
        time_allowed = Allowance.of(limit, moves_left=(self._game.info.max_plies - view.ply + 1) // 2)
        if time_allowed is not None:
            limit = replace(limit, time_ms=time_allowed.most_ms)
        elif limit.depth is None and limit.nodes is None:
            limit = replace(limit, nodes=self._options.effort)
        self._begin(view, limit, remember=time_allowed is not None and view.ply > self._ply)
        self._ply = view.ply
        best: Decision | None = None
        with limit.watch():
            for best in self._deepen(legal, limit, begin):
                limit.report(best)
                if time_allowed is not None and 1000 * (time.perf_counter() - begin) >= time_allowed.enough_ms:
                    break
        # The first depth is finished whatever the limit says.
        assert best is not None
        return best

    def _begin(self, view: Position, limit: Limit, remember: bool) -> None:
        """Set up the root: its position, the positions before it, and which table entries are still used."""
        game, space = self._game, self._space
        row = words(view, game.size)
        space.states[0] = row
        seen = view.seen[-MOST_SEEN:]
        for index, standing in enumerate(seen):
            row[TURN], row[PAWN], row[PAWN + 1] = standing & 1, standing >> 9, standing >> 1 & 255
            space.keys[index] = key_of(row, space.random)
        space.quiet[0] = len(seen) - 1
        space.field_at[0] = STALE
        for player in range(2):
            space.steps[0, player] = distance(space.states[0], player, game.size, game.geometry)
        self._generation += 1
        if self._generation == MOST_GENERATIONS:
            self._table[:] = 0
            self._generation = 1
        space.killers[:] = NO_MOVE
        if remember:
            space.history[:] //= 4
        else:
            space.history[:] = 0
        space.nodes = 0
        space.plies_left = game.info.max_plies - view.ply
        space.generation = self._generation
        space.oldest = max(0, self._generation - REMEMBERED) if remember else self._generation
        space.base = len(seen) - 1

    def _deepen(self, legal: Mask, limit: Limit, begin: float) -> Iterator[Decision]:
        """Search deeper and deeper, the best lines first; every improvement is a decision.

        Scores of unequal depths do not compare, so several lines are a decision only once all of them have reached the
        same depth. A single line is one also where the limit ended its depth: the moves searched first are the best.
        """
        space, size = self._space, self._game.size
        deepest = MOST_PLIES if limit.depth is None else min(limit.depth, MOST_PLIES)
        wanted = min(self._options.multipv, int(legal.sum()))
        candidates: list[Candidate] = []
        for depth in range(1, deepest + 1):
            lines: list[Candidate] = []
            space.banned[:] = 0
            for place in range(wanted):
                last = int(candidates[place].score or 0) if place < len(candidates) else None
                line = self._search(depth, last, limit)
                if line is not None:
                    lines.append(line)
                    space.banned[code_of(line.action, size)] = 1
                if space.aborted:
                    break
            aborted = bool(space.aborted)
            if lines and (wanted == 1 or not aborted):
                candidates = sorted(lines, key=lambda line: -(line.score or 0))
                yield self._decision(candidates, depth, begin)
            # Without this, lines that are all decided are searched to the greatest depth: few nodes, but no end.
            if aborted or all(_is_settled(line, depth) for line in candidates):
                return

    def _search(self, depth: int, last: int | None, limit: Limit) -> Candidate | None:
        """One depth, with a window around the last score that opens where the score falls out of it.

        An aborted search returns the best finished line, or None if there is none.
        """
        space = self._space
        low, high = -INFINITY, INFINITY
        width = WINDOW
        if last is not None and depth > 3 and abs(last) < CERTAIN:
            low, high = last - width, last + width
        # The first depth is finished whatever the limit says: there is always a move.
        bounded = depth > 1
        stop = limit.stop if bounded else np.zeros(1, np.uint8)
        space.most_nodes = limit.nodes if bounded and limit.nodes is not None else UNBOUNDED
        better: Candidate | None = None
        while True:
            space.best_move[0] = NO_MOVE
            score = int(search(space, self._network, self._table, self._game.size, depth, low, high, stop))
            if space.aborted:
                finished = space.best_move[0] != NO_MOVE
                return self._line(int(space.best[0])) if finished else better
            if low < score < high:
                return self._line(score)
            width *= 4
            wide = last is None or width > WIDEST
            if score <= low:
                low = -INFINITY if last is None or wide else last - width
            else:
                better = self._line(score)
                high = INFINITY if last is None or wide else last + width

    def _line(self, score: int) -> Candidate:
        space = self._space
        line = tuple(action_of(int(code), self._game.size) for code in space.lines[0, : space.lengths[0]])
        return Candidate(line[0], score=float(score), line=line, value=2 * chances(score) - 1)

    def _decision(self, candidates: list[Candidate], depth: int, begin: float) -> Decision:
        seconds = max(time.perf_counter() - begin, 1e-6)
        nodes = int(self._space.nodes)
        best = candidates[0]
        score = int(best.score or 0)
        return Decision(
            action=best.action,
            value=2 * chances(score) - 1,
            candidates=tuple(candidates),
            stats={
                "depth": depth,
                "nodes": nodes,
                "nps": round(nodes / seconds),
                "score": score,
                "multipv": self._options.multipv,
            },
            explanation=(explanation(action_name(best.action, self._game.size), score),),
        )


def _weights(game: Quoridor, net: str) -> Network | None:
    """The weights an option names; None for the hand-made evaluation."""
    known = game.size == SIZE and game.walls <= WALLS
    if net == "none" or (net == "auto" and not known):
        return None
    if not known:
        raise BadOption(f"nets know the {SIZE}x{SIZE} board with up to {WALLS} walls, not {game.info.preset}: net=none")
    if net in ("auto", "shipped"):
        return load_weights(shipped_net(SHIPPED), SHIPPED)
    return load_weights(read_bytes(Path(net), BadNet), net)


def _is_settled(best: Candidate, depth: int) -> bool:
    """Whether the end is seen within the depth, so that deeper searches cannot find a sooner one."""
    score = abs(int(best.score or 0))
    return score >= CERTAIN and WIN - score <= depth


def chances(score: int) -> float:
    """The win probability that a score stands for.

    >>> chances(0), round(chances(300), 3), chances(29_995), chances(-29_990)
    (0.5, 0.731, 1.0, 0.0)
    """
    if abs(score) >= CERTAIN:
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + math.exp(-score / POINTS))


def explanation(move: str, score: int) -> Message:
    """A score in words.

    >>> explanation("e2", 29_999).text(), explanation("e2", -29_990).text()
    ('e2 wins in 1 ply', 'e2 loses in 10 plies')
    >>> explanation("e2", -120).text()
    'Looking further ahead, the engine gives e2 a 40% chance of winning.'
    """
    if abs(score) >= CERTAIN:
        return Message(f"quoridor.{'wins' if score > 0 else 'loses'}", {"move": move, "count": WIN - abs(score)})
    return Message("quoridor.chances", {"move": move, "chance": chances(score)})


OVERHEAD_MS = 5
"""Reserved of every move for the work after the search."""
LEAST_MS = 1
EXPECTED_MOVES = 15
"""A clock is divided over this many moves: fewer than most games have, since few moves use up their share."""
RESERVE_MS = 2
"""Reserved for every move that the longest game may still have: a decision hardly takes less."""
INCREMENT_SHARE = 0.75
MOST_SHARE = 0.25
"""The largest share of a clock's remaining time for one move."""
ENOUGH_SHARE = 0.5
"""After this share of its time the next depth, longer than all before, would not be finished."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Milliseconds for one decision."""

    most_ms: int
    """The search is stopped then."""
    enough_ms: float
    """No further depth is begun then."""

    @classmethod
    def of(cls, limit: Limit, moves_left: int) -> Self | None:
        """The time for a player with at most `moves_left` moves to come; None if the limit has no time.

        Saving time helps only under a clock: with a fixed time, all of it is used.
        """
        fixed = None if limit.time_ms is None else max(LEAST_MS, limit.time_ms - OVERHEAD_MS)
        if limit.clock is None:
            return None if fixed is None else cls(fixed, fixed)
        shared = _share_of_clock(limit.clock, moves_left)
        if fixed is None:
            return cls(shared, shared * ENOUGH_SHARE)
        most = min(fixed, shared)
        return cls(most, most)


def _share_of_clock(clock: Clock, moves_left: int) -> int:
    """One move's share of a clock.

    >>> _share_of_clock(Clock(60_000), 160), _share_of_clock(Clock(60_000, 1000), 160), _share_of_clock(Clock(10), 160)
    (3973, 4723, 1)
    """
    free = max(0.0, clock.remaining_ms - RESERVE_MS * moves_left)
    share = free / EXPECTED_MOVES + INCREMENT_SHARE * clock.increment_ms
    return max(LEAST_MS, int(min(share, MOST_SHARE * clock.remaining_ms)) - OVERHEAD_MS)
