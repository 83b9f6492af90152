"""The analyst of a board: an agent that the game declares evaluates positions, under a budget of nodes each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.arena.entrants import Entrant, check_reference, kernels_of, make_entrant
from ludex.coach.accuracy import ONLY_MOVE
from ludex.coach.win_probability import curve_of
from ludex.core.decision import Candidate, Decision, line_texts
from ludex.core.documents import digest
from ludex.core.errors import AgentFault, BadOption, DeclaredAbort, UnknownAgent, Unsupported
from ludex.core.explanation import advice
from ludex.core.game import Action, AnyGame, Player, points, sample_state
from ludex.core.hooks import as_flag, try_hook
from ludex.core.limit import Limit
from ludex.core.match import Match, time_decision
from ludex.core.registry import default_analyst, resolve, spec
from ludex.core.seeding import ANALYSIS, Rng, generator
from ludex.core.services import Services
from ludex.kernels.warmup import PLAYED, KernelGroup

FORMAT: Final = 2
"""Raised when reviews are computed differently: stored ones are made again."""
GLANCE: Final = 20
"""A glance searches this part of an assessment's nodes, if the game says nothing else."""
LONGEST_LINE: Final = 8
"""Moves of a line that are written."""
PUBLIC_SEED: Final = 0
"""The same for every match: what the analyst draws says nothing about the match."""
_LOOKAHEAD: Final = 1_000_000
"""Added to the ply for draws of what may follow a move, which the searches do not share."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What a shallow search says of a position."""

    ply: int
    player: Player
    """To move."""
    probability: float
    """The mover's, to win."""
    best: Action


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the analyst says of a position, and of the move that was played there."""

    ply: int
    player: Player
    """To move."""
    probability: float
    """The mover's, to win with the best move; a draw counts half."""
    forced: bool
    """There was no choice: one move alone was legal, or the played one only marks something."""
    best: Action
    best_text: str
    line: tuple[Action, ...]
    line_texts: tuple[str, ...]
    glance: Action
    """The move that a shallow search prefers."""
    as_good: bool
    """Whether the analyst values the played move like the best."""
    second: float | None
    """The probability with the second best move, where it is known and the move may be the only one."""
    after_best: float | None
    """The mover's win probability in the position that the best move leads to, searched like the one that the
    played move led to; None where they are the same, or chance decides which it is."""
    loss: float | None
    """What the played move gave away before the dice; None: the next position shows it."""
    luck: float | None
    """What chance then gave the mover; None where chance had no part."""
    overlay: Mapping[str, tuple[float | None, ...]]
    """Heat maps of the position."""


def analyst_of(game: AnyGame) -> str:
    """The agent that reviews a board. Raises `Unsupported` if none of the declared ones supports it.

    >>> import ludex
    >>> analyst_of(ludex.make("tictactoe"))
    'perfect'
    """
    review = spec(game.info.id).review
    if review.factory is not None:
        return review.factory.partition(":")[2]
    declared = review.analysts
    for reference in declared:
        try:
            check_reference(game, reference)
        except (BadOption, Unsupported, UnknownAgent):
            # It does not support this board, or the game does not offer it.
            continue
        return reference
    raise Unsupported(f"no analyst of {game.info.id} supports {game.info.preset}: {', '.join(declared)}")


def hint_search(game: AnyGame) -> tuple[str, int | None]:
    """The agent of hints and its nodes: the search that a review judges the move by, so that neither contradicts the
    other; the game's analyst where a reviewer of its own is no agent.
    """
    declared = spec(game.info.id).review
    return (analyst_of(game), declared.nodes) if declared.factory is None else (default_analyst(game), None)


def kernels_of_analyst(game: AnyGame) -> KernelGroup:
    """The group through which kernels must be loaded to review a board."""
    # A reviewer of the game's own is no agent: it may use what any agent uses.
    return PLAYED[-1] if spec(game.info.id).review.factory else kernels_of(game.info.id, analyst_of(game))


def analyst_version(game: AnyGame) -> str:
    """What the reviews of a board depend on, as a short text: another one asks for another review."""
    review, curve = spec(game.info.id).review, curve_of(game)
    parts: dict[str, Any] = {
        "format": FORMAT,
        "game": game.info.version,
        "review": review.version,
        "analyst": [analyst_of(game), review.factory],
        "budget": [review.nodes, review.shallow, review.samples, review.alternatives],
        "curve": [curve.slope, curve.bias, curve.bend],
    }
    return digest(parts)[:16]


class Analyst:
    """Assesses positions of one board. Close it when done: an agent may hold a process."""

    def __init__(self, game: AnyGame, services: Services | None = None, *, with_luck: bool = True) -> None:
        self.game = game
        self._with_luck = with_luck
        self.reference = analyst_of(game)
        self._review = spec(game.info.id).review
        self._services = services
        self.stop: NDArray[np.uint8] = np.zeros(1, np.uint8)
        """uint8[1]: ends every search; what follows is shallow."""
        self._curve = curve_of(game)
        self._agent = self._make_agent()
        self._wide: Entrant | None = None
        """Values the second best move too."""
        info = game.info
        self._chance = info.chance == "sampled" or info.information == "hidden"
        self._shallow = self._review.shallow or max(1, self._review.nodes // GLANCE)

    def _make_agent(self) -> Entrant:
        if self._review.factory is None:
            return make_entrant(self.game, self.reference, self._services)
        return Entrant(resolve(self._review.factory)(self.game, self._services or Services()), self.reference, {})

    def close(self) -> None:
        """Give back what the agents hold."""
        self._agent.close()
        if self._wide is not None:
            self._wide.close()

    def glance(self, match: Match[Any, Any], ply: int) -> Glance:
        """A shallow look at a position."""
        decision = self._decide(match, ply, self._shallow, self._agent)
        return Glance(ply, self.game.to_move(match.positions[ply]), self._probability(decision), decision.action)

    def decide(self, match: Match[Any, Any], ply: int) -> Decision:
        """A whole search of a position."""
        return self._decide(match, ply, self._review.nodes, self._agent)

    def share(self, decision: Decision) -> float:
        """The mover's share of points by a search, before any curve: what curves are fitted to."""
        value = self._required_value(decision)
        return value if self.game.info.players == 1 else points(value)

    def assess(self, match: Match[Any, Any], ply: int, glance: Glance | None = None) -> Assessment:
        """The whole search of a position of the match, and what it says of the move that was played there."""
        glance = glance or self.glance(match, ply)
        decision = self.decide(match, ply)
        played = match.moves[ply].action if ply < match.ply else decision.action
        values = self._values(decision)
        marks = self.is_mark(played)
        as_good = played == decision.action or marks or _equal(decision, played)
        # What a hint advises, by the same search, is no mistake.
        state = match.positions[ply]
        as_good = as_good or played == advice(self.game, state, decision).action
        # No move is better than one that wins at once, whatever a search happens to prefer.
        as_good = as_good or (
            ply < match.ply and ended(self.game, match.positions[ply + 1], self.game.to_move(state)) == 1.0
        )
        best = played if as_good else decision.action
        line = _line_of(decision, best)
        assessment = Assessment(
            ply=ply,
            player=self.game.to_move(state),
            probability=self._probability(decision),
            forced=marks or int(self.game.legal(state).sum()) == 1,
            best=best,
            best_text=self.game.action_text(state, best),
            line=line,
            line_texts=tuple(line_texts(self.game, state, line[:LONGEST_LINE])),
            glance=glance.best,
            as_good=as_good,
            second=self._second(match, ply, decision, values) if self._may_be_only(decision, glance, played) else None,
            after_best=None,
            loss=None,
            luck=None,
            overlay=decision.overlay,
        )
        if ply == match.ply:
            return assessment
        if self._chance:
            return self._with_chance(match, assessment, played, values)
        return assessment if as_good else replace(assessment, after_best=self._after(state, best))

    def _may_be_only(self, decision: Decision, glance: Glance, played: Action) -> bool:
        """Whether the played move may be the only one: then the second best is worth a search."""
        return played == decision.action != glance.best and self._probability(decision) >= ONLY_MOVE

    def _after(self, state: Any, action: Action) -> float:
        """The mover's win probability after an action, in a game without chance."""
        after = self.game.apply(state, action, Rng(0))
        return self.probability(after, self.game.to_move(state))

    def is_mark(self, action: Action) -> bool:
        """Whether a move decides nothing, so that it is not judged."""
        reference = self._review.is_mark
        if reference is None:
            return False
        return try_hook(
            self.game.info.id, "review.is_mark", lambda: as_flag(resolve(reference)(self.game, action)), False
        )

    def judge(self, match: Match[Any, Any], ply: int, action: Action) -> float:
        """The win probability that another move than the played one gives away."""
        branch = match.branch(ply)
        branch.play(action)
        assessment = self.assess(branch, ply)
        if assessment.as_good:
            return 0.0
        if assessment.loss is not None:
            return assessment.loss
        assert assessment.after_best is not None
        player = self.game.to_move(branch.positions[ply])
        return max(0.0, assessment.after_best - self.probability(branch.state, player))

    def probability(self, state: Any, player: Player) -> float:
        """The probability that a player wins from a position, by a whole search."""
        return self._evaluate(state, player, self._review.nodes)

    def _with_chance(
        self, match: Match[Any, Any], assessment: Assessment, played: Action, values: Mapping[Action, float]
    ) -> Assessment:
        """With the loss before the dice and the luck, where chance or secrets have a part."""
        game, ply, samples = self.game, assessment.ply, self._review.samples
        state, after = match.positions[ply], match.positions[ply + 1]

        def shallow(state: Any, player: Player) -> float:
            return self._evaluate(state, player, self._shallow)

        def expected_points(action: Action) -> float:
            # The same draws for every action: they differ by the action alone.
            return worth(game, state, action, shallow, samples, generator(PUBLIC_SEED, _LOOKAHEAD + ply, ANALYSIS))

        if assessment.as_good:
            loss = 0.0
        elif played in values and assessment.best in values:
            loss = max(0.0, values[assessment.best] - values[played])
        else:
            loss = max(0.0, expected_points(assessment.best) - expected_points(played))
        rng = generator(PUBLIC_SEED, 2 * _LOOKAHEAD + ply, ANALYSIS)
        chance = None
        if self._with_luck and self._review.luck is None and draws(game, state, played, rng):
            chance = luck(game, state, played, after, shallow, samples, rng)
        return replace(assessment, loss=loss, luck=chance)

    def _evaluate(self, state: Any, player: Player, nodes: int) -> float:
        game = self.game
        result = game.outcome(state)
        if result is not None:
            return (result.scores[player] + 1.0) / 2.0
        mover = game.to_move(state)
        rng = generator(PUBLIC_SEED, 0, ANALYSIS)
        decision = self._agent.decide(game.view(state, mover), game.legal(state), rng=rng, limit=self._limit(nodes))
        share = self._probability(decision)
        return share if mover == player else 1.0 - share

    def _decide(self, match: Match[Any, Any], ply: int, nodes: int, agent: Entrant) -> Decision:
        rng = generator(PUBLIC_SEED, ply + 1, ANALYSIS)
        decision, _ = time_decision(match.branch(ply), agent, self._limit(nodes), rng)
        return decision

    def _limit(self, nodes: int) -> Limit:
        return Limit(nodes=nodes, stop=self.stop)

    def _probability(self, move: Decision | Candidate) -> float:
        return self._curve.of_value(self._required_value(move), self.game.info.players)

    def _required_value(self, move: Decision | Candidate) -> float:
        if move.value is None and self.stop[0]:
            raise AgentFault(f"the search by {self.reference!r} was stopped before it had a value")
        if move.value is None:
            raise Unsupported(f"{self.reference!r} values no position of {self.game.info.id}: it cannot review a match")
        return move.value

    def _values(self, decision: Decision) -> dict[Action, float]:
        """The win probability of every move that the decision values."""
        return {
            candidate.action: self._probability(candidate)
            for candidate in decision.candidates
            if candidate.value is not None
        }

    def _second(
        self, match: Match[Any, Any], ply: int, decision: Decision, values: Mapping[Action, float]
    ) -> float | None:
        """The win probability with the second best move; None if nothing values it."""
        if len(values) < 2 and self._review.alternatives is not None:
            if self._wide is None:
                self._wide = make_entrant(self.game, self._review.alternatives, self._services)
            values = self._values(self._decide(match, ply, self._review.nodes, self._wide))
        others = [value for action, value in values.items() if action != decision.action]
        return max(others, default=None)


def _equal(decision: Decision, action: Action) -> bool:
    """Whether the analyst values an action exactly like its own."""
    scores = {
        candidate.action: (candidate.score, candidate.value)
        for candidate in decision.candidates
        if candidate.score is not None
    }
    return action in scores and scores[action] == scores.get(decision.action)


def _line_of(decision: Decision, action: Action) -> tuple[Action, ...]:
    return next(
        (candidate.line for candidate in decision.candidates if candidate.action == action and candidate.line),
        (action,),
    )


Evaluate = Callable[[Any, Player], float]
"""The probability that a player wins from a position."""
ABORTED = 0.5
"""Of a match that ended without a score."""


def ended(game: AnyGame, state: Any, player: Player) -> float | None:
    """The points of a player in 0..1 where the game is over, or None."""
    outcome = game.outcome(state)
    return None if outcome is None else points(outcome.scores[player])


def draws(game: AnyGame, state: Any, action: Action, rng: Rng) -> bool:
    """Whether chance or a secret has a part in what follows an action."""
    if game.info.information == "hidden":
        return True
    if game.info.chance == "none":
        return False
    dice = Rng(rng.bits())
    begin = dice.state
    try:
        game.apply(state, action, dice)
    except DeclaredAbort:
        return False
    return dice.state != begin


def worth(game: AnyGame, state: Any, action: Action, evaluate: Evaluate, samples: int, rng: Rng) -> float:
    """The mover's win probability that an action gives on average over the position behind the view and the dice.

    The draws are not those of the match, so the difference to what came is zero in expectation, whatever evaluates.
    """
    player = game.to_move(state)
    view = game.view(state, player)
    if not draws(game, state, action, rng):
        return _draw_value(game, view, action, player, evaluate, rng)
    return sum(_draw_value(game, view, action, player, evaluate, rng) for _ in range(samples)) / samples


def luck(game: AnyGame, before: Any, action: Action, after: Any, evaluate: Evaluate, samples: int, rng: Rng) -> float:
    """What chance gave the mover, in win probability: zero in expectation."""
    player = game.to_move(before)
    came = ended(game, after, player)
    if came is None:
        came = evaluate(after, player)
    return came - worth(game, before, action, evaluate, samples, rng)


def _draw_value(game: AnyGame, view: Any, action: Action, player: Player, evaluate: Evaluate, rng: Rng) -> float:
    state = sample_state(game, view, rng)
    try:
        after = game.apply(state, action, Rng(rng.bits()))
    except DeclaredAbort:
        return ABORTED
    result = ended(game, after, player)
    return evaluate(after, player) if result is None else result
