"""A match owns the one current position of a game, its seed and the actions that led there."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Generic, Self, overload

from ludex.core import registry
from ludex.core.agent import AnyAgent, FollowsMoves, HasBudget
from ludex.core.clock import Clock
from ludex.core.decision import Decision
from ludex.core.errors import (
    AgentFault,
    BrokenGame,
    DeclaredAbort,
    GameOver,
    IllegalAction,
    IllegalChoice,
    MoveError,
    NothingToUndo,
    OutOfTurn,
    Unsupported,
)
from ludex.core.game import Action, Game, Json, Mask, Outcome, Player, S, V
from ludex.core.hooks import as_texts, try_hook
from ludex.core.limit import Limit
from ludex.core.seeding import CHANCE, OPENING, Rng, agent_stream, generator

RESIGNATION = "resignation"
AGREEMENT = "agreement"
"""A draw that both people wanted; a game needs no drawn positions for it."""
TIME_FORFEIT = "time forfeit"
FORFEIT = "forfeit"
"""An agent was at fault: it crashed, broke its protocol, or chose what the rules forbid."""
NEWEST: Final = 1024
"""Positions that a match keeps, at least: those of its newest plies."""
INTERVAL: Final = 64
"""Of older plies every so many positions are kept, and the others played again when they are read."""


@dataclass(frozen=True, slots=True)
class Move:
    """One ply as it was played."""

    player: Player
    action: Action
    text: str


class Match(Generic[S, V]):
    """A game in progress. Seed and actions replay it exactly, from the position that it begins with.

    >>> import ludex
    >>> match = Match(ludex.make("tictactoe"), seed=1)
    >>> match.play_text("b2")
    >>> [move.text for move in match.moves], match.to_move
    (['b2'], 1)
    """

    def __init__(self, game: Game[S, V], seed: int, *, position: Json = None, first: S | None = None) -> None:
        """`position` is what `Game.dump` wrote of the position that the match begins with; None: the game's first.

        `first` is the game's first position of this seed, where it is known already.
        """
        self.game = game
        self.seed = seed
        self.position = position
        self.moves: list[Move] = []
        self.aborted: str | None = None
        """The code of the declared abort that ended the match without a score."""
        self.abort_message: str | None = None
        """What the abort says of its position."""
        self._conceded: Outcome | None = None
        """A result that no position shows: by resignation or agreement, on time, or by forfeit."""
        if first is None:
            first = game.initial(generator(seed, 0, CHANCE)) if position is None else game.load(position)
        self._newest = [first]
        """The positions of the newest plies; the first of them is at a multiple of `INTERVAL`."""
        self._checkpoints: list[S] = []
        """Every `INTERVAL`th position before those."""
        self._segment: tuple[int, list[S]] = (-1, [])
        """The checkpoint that was read last, and the positions from there on."""

    @property
    def state(self) -> S:
        """The current position."""
        return self._newest[-1]

    @property
    def positions(self) -> Sequence[S]:
        """Every position from the first to the current one; of a long match most are played again when read."""
        return _Positions(self) if self._checkpoints else self._newest

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(move.action for move in self.moves)

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the match is live, and for ever if it was aborted."""
        return self._conceded or self.game.outcome(self.state)

    @property
    def over(self) -> bool:
        return self.aborted is not None or self.outcome is not None

    @property
    def to_move(self) -> Player:
        self._require_live()
        return self.game.to_move(self.state)

    def legal(self) -> Mask:
        return self.game.legal(self.state)

    def rng(self, stream: int) -> Rng:
        """The generator of the coming ply in one stream. Ply 0's chance made the first position."""
        return generator(self.seed, self.ply + 1, stream)

    def play(self, action: Action, *, player: Player | None = None) -> None:
        """Execute one action; a refused one leaves the match as it was. Name the `player` to have the turn checked."""
        mover = self.to_move
        if player is not None and player != mover:
            raise OutOfTurn(f"player {player} cannot move at ply {self.ply}: it is player {mover}'s turn")
        info = self.game.info
        if self.ply == info.max_plies:
            raise BrokenGame(f"game {info.id!r} is live after {self.ply} plies, declared max_plies is {info.max_plies}")
        try:
            after = self.game.apply(self.state, action, self.rng(CHANCE))
        except DeclaredAbort as abort:
            if abort.code not in info.aborts:
                raise
            self.aborted, self.abort_message = abort.code, abort.message
            after = self.state
        self.moves.append(Move(mover, action, self.game.action_text(self.state, action)))
        self._newest.append(after)
        if len(self._newest) == NEWEST + INTERVAL:
            self._checkpoints.append(self._newest[0])
            del self._newest[:INTERVAL]

    def play_text(self, text: str, *, player: Player | None = None) -> None:
        """Execute the action a text names, or all that it stands for; a refused text leaves the match as it was."""
        first = self.ply
        try:
            for action in self.actions_of(text):
                self.play(action, player=player)
        except MoveError:
            while self.ply > first:
                self.undo()
            raise

    def actions_of(self, text: str) -> Iterator[Action]:
        """The actions that a text stands for, to be played while they are read: see `ScreenSpec.composite`."""
        self._require_live()
        game = self.game
        known = game.info.id in registry.game_points()
        composite = registry.spec(game.info.id).screen.composite if known else None
        parts = None
        if composite is not None:
            expand = partial(registry.resolve(composite), game, game.view(self.state, self.to_move), text)
            parts = try_hook(game.info.id, "screen.composite", lambda: as_texts(expand()), None, may_raise=(MoveError,))
        if parts is None:
            yield game.parse_action(self.state, text)
            return
        first, were_legal = self.ply, self.legal()
        for part in parts:
            if self.over:
                return
            action, legal = game.parse_action(self.state, part), self.legal()
            if self.ply == first or legal[action]:
                yield action
            elif not were_legal[action]:
                raise IllegalAction(f"{text} cannot be played: {part} is not legal after {self.moves[-1].text}")
            # Else an earlier part has done this one as well.
            were_legal = were_legal | legal

    def undo(self) -> None:
        """Take the last ply back, or whatever ended the match without one."""
        if self._conceded is not None:
            self._conceded = None
            return
        if not self.moves:
            raise NothingToUndo("there is no move to take back")
        self.aborted = self.abort_message = None
        self.moves.pop()
        self._newest.pop()
        if not self._newest:
            self._newest = self._played_again(len(self._checkpoints) - 1)
            self._checkpoints.pop()
            self._segment = (-1, [])

    def branch(self, ply: int | None = None) -> Self:
        """A match of its own that stands where this one stood after so many plies; whole if None, with its result.

        >>> import ludex
        >>> match = Match(ludex.make("tictactoe"), seed=1)
        >>> match.play_text("b2")
        >>> match.branch(0).ply, match.branch().ply
        (0, 1)
        """
        plies = self.ply if ply is None else ply
        if not 0 <= plies <= self.ply:
            raise ValueError(f"the match has plies 0..{self.ply}, got {plies}")
        branch = type(self).__new__(type(self))
        branch.game, branch.seed, branch.position = self.game, self.seed, self.position
        branch.moves = self.moves[:plies]
        complete = min(len(self._checkpoints), plies // INTERVAL)
        branch._checkpoints, branch._segment = self._checkpoints[:complete], (-1, [])
        newest = self._newest if complete == len(self._checkpoints) else self._played_again(complete)
        branch._newest = newest[: plies - complete * INTERVAL + 1]
        whole = ply is None
        branch.aborted, branch.abort_message = (self.aborted, self.abort_message) if whole else (None, None)
        branch._conceded = self._conceded if whole else None
        return branch

    def resign(self, player: Player) -> None:
        """End the match as lost by this player."""
        self._concede(player, RESIGNATION)

    def agree_draw(self) -> None:
        """End the match as drawn by the agreement of its players."""
        self._require_live()
        if self.game.info.players == 1:
            raise Unsupported(f"{self.game.info.id} is a game for one player: no opponent agrees on a draw")
        self._conceded = Outcome((0.0,) * self.game.info.players, AGREEMENT)

    def forfeit(self, player: Player) -> None:
        """End the match as lost by this player, whose agent is at fault."""
        self._concede(player, FORFEIT)

    def carry_out(self, decision: Decision) -> None:
        """Do what the player to move has decided: execute the action, or resign."""
        if decision.resigns:
            self.resign(self.to_move)
        else:
            self.play(decision.action)

    def lose_on_time(self) -> None:
        """End the match as lost by the player to move."""
        self._concede(self.to_move, TIME_FORFEIT)

    def _concede(self, loser: Player, reason: str) -> None:
        self._require_live()
        seats = range(self.game.info.players)
        if loser not in seats:
            raise OutOfTurn(f"player {loser} does not sit at this match: players are 0..{len(seats) - 1}")
        self._conceded = Outcome(tuple(-1.0 if seat == loser else 1.0 for seat in seats), reason)

    def _played_again(self, checkpoint: int) -> list[S]:
        """The positions from a checkpoint to the ply before the next one."""
        ply = checkpoint * INTERVAL
        positions = [self._checkpoints[checkpoint]]
        for move in self.moves[ply : ply + INTERVAL - 1]:
            ply += 1
            positions.append(self.game.apply(positions[-1], move.action, generator(self.seed, ply, CHANCE)))
        return positions

    def _require_live(self) -> None:
        if self.over:
            reason = self.aborted or (self.outcome.reason if self.outcome else "")
            raise GameOver(f"the match is over after {self.ply} plies ({reason})")


class _Positions(Sequence[S]):
    """The positions of a long match; those between two checkpoints are played again together."""

    def __init__(self, match: Match[S, Any]) -> None:
        self._match = match

    def __len__(self) -> int:
        return len(self._match.moves) + 1

    @overload
    def __getitem__(self, ply: int) -> S: ...

    @overload
    def __getitem__(self, ply: slice) -> list[S]: ...

    def __getitem__(self, ply: int | slice) -> S | list[S]:
        plies = range(len(self))[ply]
        return self._at(plies) if isinstance(plies, int) else [self._at(each) for each in plies]

    def _at(self, ply: int) -> S:
        match = self._match
        checkpoint, beyond = divmod(ply, INTERVAL)
        if checkpoint >= len(match._checkpoints):
            return match._newest[ply - len(match._checkpoints) * INTERVAL]
        if beyond == 0:
            return match._checkpoints[checkpoint]
        segment = match._segment
        if segment[0] != checkpoint:
            # One assignment: threads may read the same match.
            segment = match._segment = checkpoint, match._played_again(checkpoint)
        return segment[1][beyond]


def decide(match: Match[Any, Any], agent: AnyAgent, limit: Limit) -> Decision:
    """Ask an agent for the match's next move; an illegal answer is the agent's fault."""
    decision, _ = time_decision(match, agent, limit)
    return decision


def time_decision(
    match: Match[Any, Any], agent: AnyAgent, limit: Limit, rng: Rng | None = None
) -> tuple[Decision, float]:
    """A decision and the milliseconds that the agent took for it; what we do for the agent is not counted.

    The agent draws from its player's stream of the match, or from `rng`.
    """
    player = match.to_move
    legal = match.legal()
    if isinstance(agent, FollowsMoves):
        agent.follow([move.text for move in match.moves])
    own = agent.budget(limit) if isinstance(agent, HasBudget) else limit
    view = match.game.view(match.state, player)
    rng = match.rng(agent_stream(player)) if rng is None else rng
    begin = time.perf_counter()
    with own.watch():
        decision = agent.decide(view, legal, rng=rng, limit=own)
    spent_ms = 1000 * (time.perf_counter() - begin)
    if not 0 <= decision.action < len(legal) or not legal[decision.action]:
        raise IllegalChoice(
            f"agent {agent.name!r} chose illegal action {decision.action} at ply {match.ply} of seed {match.seed}"
        )
    return decision, spent_ms


def play_opening(match: Match[Any, Any], plies: int) -> None:
    """Play random legal moves from the opening stream; stop early rather than end the match."""
    for _ in range(plies):
        actions = match.legal().nonzero()[0]
        match.play(int(actions[match.rng(OPENING).below(len(actions))]))
        if match.over:
            match.undo()
            return


def play(
    game: Game[S, V],
    agents: Sequence[AnyAgent],
    *,
    seed: int,
    limit: Limit | None = None,
    clock: Clock | None = None,
    opening_plies: int = 0,
    watch: Callable[[Match[S, V], Decision], None] | None = None,
    at_fault: Callable[[AgentFault], None] | None = None,
) -> Match[S, V]:
    """Let agents play one match to its end; `watch` sees every decision after it was carried out.

    With a `clock` each seat has such a one: a decision that takes longer than what is left loses the match. An agent's
    fault is an error; with `at_fault`, which is called with it, the agent loses the match instead.
    """
    if len(agents) != game.info.players:
        raise ValueError(f"{game.info.id} needs {game.info.players} agents, got {len(agents)}")
    budget = limit or Limit()
    if budget.clocks:
        raise ValueError("a match has clocks of its own: name the `clock`, not a limit with clocks")
    clocks = [] if clock is None else [clock] * len(agents)
    match = Match(game, seed)
    play_opening(match, opening_plies)
    while not match.over:
        mover = match.to_move
        own_limit = replace(budget.renew(), clocks=(*clocks[mover:], *clocks[:mover]))
        try:
            decision, spent_ms = time_decision(match, agents[mover], own_limit)
        except AgentFault as fault:
            if at_fault is None:
                raise
            at_fault(fault)
            match.forfeit(mover)
            break
        if clocks:
            left = clocks[mover].charge(spent_ms)
            if left is None:
                match.lose_on_time()
                break
            clocks[mover] = left
        try:
            match.carry_out(decision)
        except IllegalAction as error:
            raise AssertionError(f"{game.info.id} offered action {decision.action} as legal and refused it") from error
        if watch is not None:
            watch(match, decision)
    return match
