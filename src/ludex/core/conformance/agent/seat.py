"""An agent at the board: one turn, and what came of asking."""

from dataclasses import dataclass, replace
from typing import Any, Self

from ludex.core.agent import AnyAgent, FollowsMoves
from ludex.core.conformance.instruments.ambient import AmbientChance
from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.report import BlockedError, told
from ludex.core.decision import Decision
from ludex.core.game import AnyGame, Mask, Player
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.seeding import Rng, agent_stream, generator


@dataclass(frozen=True, slots=True)
class Turn:
    """One position in which an agent is asked to move."""

    game: AnyGame
    state: Any
    seed: int
    ply: int
    player: Player
    legal: Mask
    moves: tuple[str, ...]
    """The texts of the match so far, for agents that follow them."""

    @classmethod
    def of(cls, match: Match[Any, Any]) -> Self:
        moves = tuple(move.text for move in match.moves)
        return cls(match.game, match.state, match.seed, match.ply, match.to_move, match.legal().copy(), moves)

    @property
    def where(self) -> str:
        return f"seed {self.seed} ply {self.ply} player {self.player}"

    def rng(self) -> Rng:
        """The generator the match gives the agent, new at every call."""
        return generator(self.seed, self.ply + 1, agent_stream(self.player))

    def allows(self, action: object) -> bool:
        """Whether this is a legal action, as a plain whole number."""
        return type(action) is int and 0 <= action < len(self.legal) and bool(self.legal[action])

    def put_to(self, agent: AnyAgent, view: Any, legal: Mask, limit: Limit) -> Decision:
        """What the agent decides, asked as a match would ask it."""
        if isinstance(agent, FollowsMoves):
            agent.follow(list(self.moves))
        with limit.watched():
            return agent.decide(view, legal, rng=self.rng(), limit=limit)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of asking an agent."""

    turn: Turn
    given: Decision | None
    error: str | None
    """The exception in one line."""
    reports: tuple[Decision, ...]
    """What it said while it was thinking."""
    view_changed: bool
    mask_changed: bool
    drew_elsewhere: bool
    """It used the generators of the process."""

    @classmethod
    def to(cls, turn: Turn, agent: AnyAgent, limit: Limit, *, ambient_seed: int) -> Self:
        """Ask, while the generators of the process stand at a place of their own."""
        view, legal = turn.game.view(turn.state, turn.player), turn.legal.copy()
        before = fingerprint(view)
        reports: list[Decision] = []
        budget = replace(limit.renewed(), report=reports.append)
        given, error = None, None
        with AmbientChance(ambient_seed) as ambient:
            try:
                given = turn.put_to(agent, view, legal, budget)
            except Exception as caught:
                error = told(caught)
            drew = ambient.used
        view_changed, mask_changed = fingerprint(view) != before, fingerprint(legal) != fingerprint(turn.legal)
        return cls(turn, given, error, tuple(reports), view_changed, mask_changed, drew)

    @property
    def where(self) -> str:
        return self.turn.where

    @property
    def decision(self) -> Decision:
        """The decision, if there is one and its action is legal, else `BlockedError`."""
        if not isinstance(self.given, Decision) or not self.turn.allows(self.given.action):
            raise BlockedError("there is no decision for a legal action")
        return self.given
