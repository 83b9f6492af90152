"""One turn of an agent, and the checks of its decision."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

from ludex.core.agent import AnyAgent, FollowsMoves
from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.randomness import AmbientChance
from ludex.core.conformance.report import BlockedError, describe_error
from ludex.core.decision import Candidate, Decision
from ludex.core.errors import BrokenGame, DeclaredAbort
from ludex.core.explanation import explain
from ludex.core.game import AnyGame, Mask, Player
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.seeding import Rng, agent_stream, generator


@dataclass(frozen=True, slots=True)
class Turn:
    """One position in which an agent is to move."""

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
        """The agent's decision, called as in a match."""
        if isinstance(agent, FollowsMoves):
            agent.follow(list(self.moves))
        with limit.watch():
            return agent.decide(view, legal, rng=self.rng(), limit=limit)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of asking an agent."""

    turn: Turn
    given: Decision | None
    error: str | None
    """The exception in one line."""
    reports: tuple[Decision, ...]
    """What it reported during its search."""
    changed: tuple[str, ...]
    """The arguments that it changed."""
    drew_elsewhere: bool
    """It used the generators of the process."""

    @classmethod
    def to(cls, turn: Turn, agent: AnyAgent, limit: Limit, *, ambient_seed: int) -> Self:
        """Ask, while the generators of the process stand at a place of their own."""
        view, legal = turn.game.view(turn.state, turn.player), turn.legal.copy()
        before = fingerprint(view)
        reports: list[Decision] = []
        budget = replace(limit.renew(), report=reports.append)
        decision, error = None, None
        with AmbientChance(ambient_seed) as ambient:
            try:
                decision = turn.put_to(agent, view, legal, budget)
            except Exception as caught:
                error = describe_error(caught)
            drew = ambient.used
        same = {"view": fingerprint(view) == before, "mask": fingerprint(legal) == fingerprint(turn.legal)}
        changed = tuple(name for name in same if not same[name])
        return cls(turn, decision, error, tuple(reports), changed, drew)

    @property
    def where(self) -> str:
        return self.turn.where

    @property
    def decision(self) -> Decision:
        """The decision, if there is one and its action is legal, else `BlockedError`."""
        if not isinstance(self.given, Decision) or not self.turn.allows(self.given.action):
            raise BlockedError("there is no decision for a legal action")
        return self.given


def decides(answer: Answer) -> Iterator[str]:
    """The agent answers with a decision."""
    if answer.error is not None:
        yield f"decide raised {answer.error}"
    elif not isinstance(answer.given, Decision):
        yield f"decide gave {type(answer.given).__name__}, expected a Decision"


def action_legal(answer: Answer) -> Iterator[str]:
    """The action is legal."""
    if isinstance(answer.given, Decision) and not answer.turn.allows(answer.given.action):
        yield f"chose {answer.given.action!r}, expected a legal action as a whole number"


def arguments_untouched(answer: Answer) -> Iterator[str]:
    """The view and the mask are not changed."""
    for name in answer.changed:
        yield f"changed the {name} it was given"


def global_chance(answer: Answer) -> Iterator[str]:
    """All randomness comes from the argument."""
    if answer.drew_elsewhere:
        yield "drew from random or numpy.random, expected draws from the argument only"


def value_range(answer: Answer) -> Iterator[str]:
    """The value is in -1..1, or a probability in a game for one."""
    value = answer.decision.value
    least = 0 if answer.turn.game.info.players == 1 else -1
    if value is not None and not (_is_number(value) and least <= value <= 1):
        yield f"value is {value!r}, expected None or a number in {least}..1"


def candidates_legal(answer: Answer) -> Iterator[str]:
    """Every candidate is a legal action, and none comes twice."""
    actions = [candidate.action for candidate in answer.decision.candidates]
    for action in actions:
        if not answer.turn.allows(action):
            yield f"candidate {action!r} is no legal action"
    if len({*actions}) < len(actions):
        yield f"candidates {actions} hold an action twice"


def candidate_probs(answer: Answer) -> Iterator[str]:
    """Probabilities are in 0..1 and do not exceed 1 together."""
    probs = [candidate.prob for candidate in answer.decision.candidates if candidate.prob is not None]
    for prob in probs:
        if not _is_number(prob) or not 0 <= prob <= 1:
            yield f"a candidate has probability {prob!r}, expected a number in 0..1"
            return
    if sum(probs) > 1 + 1e-6:
        yield f"the probabilities of the candidates add up to {sum(probs)}, expected at most 1"


def candidate_lines(answer: Answer) -> Iterator[str]:
    """An expected line begins with its candidate and can be played, where neither dice nor secrets stand between."""
    for candidate in answer.decision.candidates:
        if candidate.line and candidate.line[0] != candidate.action:
            yield f"the line of candidate {candidate.action} begins with {candidate.line[0]}"
        elif not _playable(answer.turn, candidate):
            yield f"the line {list(candidate.line)} of candidate {candidate.action} cannot be played"


def explained(answer: Answer) -> Iterator[str]:
    """The decision is JSON, without NaN and infinity, and its explanation has words in every language."""
    decision = answer.decision
    if not all(answer.turn.allows(candidate.action) for candidate in decision.candidates):
        # Owned by `candidates_legal`: an illegal action has no text.
        return
    messages: Any = decision.explanation
    if not isinstance(messages, tuple) or not all(isinstance(message, Message) for message in messages):
        yield f"explanation is {messages!r}, expected a tuple of messages"
        return
    try:
        json.dumps(explain(answer.turn.game, answer.turn.state, decision), allow_nan=False)
    except BrokenGame as error:
        yield f"the explanation cannot be put into words: {error.message}"
    except (TypeError, ValueError) as error:
        yield f"the explanation is not JSON: {error}"


def overlay_numbers(answer: Answer) -> Iterator[str]:
    """Overlays hold one number or None per cell, for the same cells."""
    overlay = answer.decision.overlay
    for name, layer in overlay.items():
        if not all(number is None or _is_number(number) for number in layer):
            yield f"overlay {name!r} holds {list(layer)!r}, expected finite numbers and None"
    if len({len(layer) for layer in overlay.values()}) > 1:
        yield f"overlays have { ({name: len(layer) for name, layer in overlay.items()}) } cells, expected equal numbers"


def resigns_plainly(answer: Answer) -> Iterator[str]:
    """Whether the agent gives up is a plain truth."""
    resigns: Any = answer.decision.resigns
    if type(resigns) is not bool:
        yield f"resigns is {resigns!r}, expected True or False"


def reports_legal(answer: Answer) -> Iterator[str]:
    """What the agent reports during its search are decisions for legal actions."""
    for reported in answer.reports:
        if not isinstance(reported, Decision) or not answer.turn.allows(reported.action):
            yield f"reported {reported!r}, expected a Decision for a legal action"


def reproducible(answers: tuple[Answer, Answer]) -> Iterator[str]:
    """A new instance decides the same with the same arguments."""
    here, there = (answer.decision for answer in answers)
    for name in ("action", "value", "candidates", "overlay", "resigns"):
        first, other = getattr(here, name), getattr(there, name)
        if fingerprint(first) != fingerprint(other):
            yield f"{name} was {first!r}, and {other!r} from a new instance with the same arguments"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _playable(turn: Turn, candidate: Candidate) -> bool:
    info = turn.game.info
    if info.chance != "none" or info.information != "perfect" or not turn.allows(candidate.action):
        return True
    state = turn.state
    for place, action in enumerate(candidate.line):
        mask = turn.game.legal(state)
        if type(action) is not int or not 0 <= action < len(mask) or not mask[action]:
            return False
        try:
            state = turn.game.apply(state, action, generator(turn.seed, 0))
        except DeclaredAbort:
            # The end of a match without a score is also the end of a line.
            return place + 1 == len(candidate.line)
    return True
