"""`check_agent`: matches in every seat, and every sentence of `core/agent.py` tried on each decision."""

import json
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np

from ludex.core.agent import AnyAgent, Closes, FollowsMoves
from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.randomness import AmbientChance
from ludex.core.conformance.report import BlockedError, Report, attempt, checks_of, describe_error
from ludex.core.conformance.walk import PROBE
from ludex.core.decision import Candidate, Decision, line_texts
from ludex.core.errors import BrokenGame
from ludex.core.explanation import explain
from ludex.core.game import AnyGame, Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.seeding import MAX_SEED, agent_stream

PATIENCE: Final = 2.0
"""Seconds an agent may continue after the stop flag is raised: far more than it needs on a busy machine."""


@dataclass(frozen=True, slots=True)
class AgentReply:
    """What came of asking an agent."""

    match: Match[Any, Any]
    """As it stood when the agent was asked."""
    legal: Mask
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
    def to(cls, match: Match[Any, Any], agent: AnyAgent, limit: Limit, *, ambient_seed: int) -> Self:
        """Ask, while the generators of the process stand at a place of their own."""
        view, legal = match.game.view(match.state, match.to_move), match.legal().copy()
        before = {"view": fingerprint(view), "mask": fingerprint(legal)}
        expected = legal.copy()
        reports: list[Decision] = []
        with AmbientChance(ambient_seed) as ambient:
            reply = attempt(_decide, match, agent, view, legal, replace(limit.renew(), report=reports.append))
            drew = ambient.used
        after = {"view": fingerprint(view), "mask": fingerprint(legal)}
        changed = tuple(name for name in before if before[name] != after[name])
        error = describe_error(reply) if isinstance(reply, Exception) else None
        decision = None if isinstance(reply, Exception) else reply
        return cls(match.branch(), expected, decision, error, tuple(reports), changed, drew)

    @property
    def where(self) -> str:
        return f"seed {self.match.seed} ply {self.match.ply} player {self.match.to_move}"

    @property
    def decision(self) -> Decision:
        """The decision, if there is one and its action is legal, else `BlockedError`."""
        if not isinstance(self.given, Decision) or not self.allows(self.given.action):
            raise BlockedError("there is no decision for a legal action")
        return self.given

    def allows(self, action: object) -> bool:
        """Whether this is a legal action, as a plain whole number."""
        return type(action) is int and 0 <= action < len(self.legal) and bool(self.legal[action])


def _decide(match: Match[Any, Any], agent: AnyAgent, view: Any, legal: Mask, limit: Limit) -> Decision:
    """The agent's decision, called as in a match."""
    if isinstance(agent, FollowsMoves):
        agent.follow([move.text for move in match.moves])
    with limit.watch():
        return agent.decide(view, legal, rng=match.rng(agent_stream(match.to_move)), limit=limit)


def decides(answer: AgentReply) -> Iterator[str]:
    """The agent answers with a decision."""
    if answer.error is not None:
        yield f"decide raised {answer.error}"
    elif not isinstance(answer.given, Decision):
        yield f"decide gave {type(answer.given).__name__}, expected a Decision"


def action_legal(answer: AgentReply) -> Iterator[str]:
    """The action is legal."""
    if isinstance(answer.given, Decision) and not answer.allows(answer.given.action):
        yield f"chose {answer.given.action!r}, expected a legal action as a whole number"


def arguments_untouched(answer: AgentReply) -> Iterator[str]:
    """The view and the mask are not changed."""
    for name in answer.changed:
        yield f"changed the {name} it was given"


def global_chance(answer: AgentReply) -> Iterator[str]:
    """All randomness comes from the argument."""
    if answer.drew_elsewhere:
        yield "drew from random or numpy.random, expected draws from the argument only"


def value_range(answer: AgentReply) -> Iterator[str]:
    """The value is in -1..1, or a probability in a game for one."""
    value = answer.decision.value
    least = 0 if answer.match.game.info.players == 1 else -1
    if value is not None and not (_is_number(value) and least <= value <= 1):
        yield f"value is {value!r}, expected None or a number in {least}..1"


def candidates_legal(answer: AgentReply) -> Iterator[str]:
    """Every candidate is a legal action, and none comes twice."""
    actions = [candidate.action for candidate in answer.decision.candidates]
    for action in actions:
        if not answer.allows(action):
            yield f"candidate {action!r} is no legal action"
    if len({*actions}) < len(actions):
        yield f"candidates {actions} hold an action twice"


def candidate_probs(answer: AgentReply) -> Iterator[str]:
    """Probabilities are in 0..1 and do not exceed 1 together."""
    probs = [candidate.prob for candidate in answer.decision.candidates if candidate.prob is not None]
    for prob in probs:
        if not _is_number(prob) or not 0 <= prob <= 1:
            yield f"a candidate has probability {prob!r}, expected a number in 0..1"
            return
    if sum(probs) > 1 + 1e-6:
        yield f"the probabilities of the candidates add up to {sum(probs)}, expected at most 1"


def candidate_lines(answer: AgentReply) -> Iterator[str]:
    """An expected line begins with its candidate and can be played, where neither dice nor secrets stand between."""
    for candidate in answer.decision.candidates:
        if candidate.line and candidate.line[0] != candidate.action:
            yield f"the line of candidate {candidate.action} begins with {candidate.line[0]}"
        elif not _playable(answer, candidate):
            yield f"the line {list(candidate.line)} of candidate {candidate.action} cannot be played"


def explained(answer: AgentReply) -> Iterator[str]:
    """The decision is JSON, without NaN and infinity, and its explanation has words in every language."""
    decision = answer.decision
    if not all(answer.allows(candidate.action) for candidate in decision.candidates):
        # Owned by `candidates_legal`: an illegal action has no text.
        return
    messages: Any = decision.explanation
    if not isinstance(messages, tuple) or not all(isinstance(message, Message) for message in messages):
        yield f"explanation is {messages!r}, expected a tuple of messages"
        return
    try:
        json.dumps(explain(answer.match.game, answer.match.state, decision), allow_nan=False)
    except BrokenGame as error:
        yield f"the explanation cannot be put into words: {error.message}"
    except (TypeError, ValueError) as error:
        yield f"the explanation is not JSON: {error}"


def overlay_numbers(answer: AgentReply) -> Iterator[str]:
    """Overlays hold one number or None per cell, for the same cells."""
    overlay = answer.decision.overlay
    for name, layer in overlay.items():
        if not all(number is None or _is_number(number) for number in layer):
            yield f"overlay {name!r} holds {list(layer)!r}, expected finite numbers and None"
    if len({len(layer) for layer in overlay.values()}) > 1:
        yield f"overlays have { ({name: len(layer) for name, layer in overlay.items()}) } cells, expected equal numbers"


def resigns_plainly(answer: AgentReply) -> Iterator[str]:
    """Whether the agent gives up is a plain truth."""
    resigns: Any = answer.decision.resigns
    if type(resigns) is not bool:
        yield f"resigns is {resigns!r}, expected True or False"


def reports_legal(answer: AgentReply) -> Iterator[str]:
    """What the agent reports during its search are decisions for legal actions."""
    for reported in answer.reports:
        if not isinstance(reported, Decision) or not answer.allows(reported.action):
            yield f"reported {reported!r}, expected a Decision for a legal action"


def reproducible(answers: tuple[AgentReply, AgentReply]) -> Iterator[str]:
    """A new instance decides the same with the same arguments."""
    here, there = (answer.decision for answer in answers)
    for name in ("action", "value", "candidates", "overlay", "resigns"):
        first, other = getattr(here, name), getattr(there, name)
        if fingerprint(first) != fingerprint(other):
            yield f"{name} was {first!r}, and {other!r} from a new instance with the same arguments"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _playable(answer: AgentReply, candidate: Candidate) -> bool:
    game, line = answer.match.game, candidate.line
    if game.info.chance != "none" or game.info.information != "perfect" or not answer.allows(candidate.action):
        return True
    return all(type(action) is int for action in line) and len(line_texts(game, answer.match.state, line)) == len(line)


def stops(instance: tuple[AgentReply, AnyAgent]) -> Iterator[str]:
    """Stopped before it begins or during an unbounded search, the agent soon returns a legal action."""
    first, agent = instance
    match = first.match
    for when, limit in (("before it began", Limit(stop=np.ones(1, np.uint8))), ("after 30 ms", Limit(time_ms=30))):
        answers: list[Any] = []

        def ask(limit: Limit = limit, answers: list[Any] = answers) -> None:
            view = match.game.view(match.state, match.to_move)
            answers.append(attempt(_decide, match, agent, view, first.legal.copy(), limit))

        # In a thread, so that an agent that never ends does not take the checker along.
        thread = threading.Thread(target=ask, daemon=True)
        start = time.monotonic()
        thread.start()
        thread.join(PATIENCE)
        if thread.is_alive():
            yield f"stopped {when}, it was still searching after {time.monotonic() - start:.1f} s"
            return
        answer = answers[0]
        if not isinstance(answer, Decision):
            reply = describe_error(answer) if isinstance(answer, Exception) else answer
            yield f"stopped {when}, decide gave {reply}, expected a Decision"
        elif not first.allows(answer.action):
            yield f"stopped {when}, it chose {answer.action!r}, expected a legal action"


def named(agent: AnyAgent) -> Iterator[str]:
    """The agent has a name that fits in a table."""
    if not isinstance(agent.name, str) or not agent.name.strip() or not agent.name.isprintable():
        yield f"name is {agent.name!r}, expected a printable text"


ANSWER_CHECKS: Final = checks_of(AgentReply, sys.modules[__name__])
"""Tried on every decision."""
CHECKS: Final = (named, *ANSWER_CHECKS, reproducible, stops)


def check_agent(
    game: AnyGame,
    make: Callable[[], AnyAgent],
    *,
    plays: int = 4,
    seed: int = 0,
    limit: Limit | None = None,
    again: int | None = None,
    every: int = 1,
) -> None:
    """Let the agent play every seat, against random moves and itself; raise `ConformanceError` for what it breaks.

    `make` gives a new instance at every call. The game must have passed `check_game`. An agent that searches without
    end needs a `limit`; under one in time, decisions are not expected to repeat. Else every decision is repeated or,
    where agents are slow and plays long, about as many of a play's as `again`, spread evenly. There the agent may also
    take one in `every` of its turns and chance the others, so that plays still reach their end.
    """
    if plays < 1:
        raise ValueError(f"plays must be at least 1, got {plays}")
    if again is not None and again < 1:
        raise ValueError(f"again must be at least 1, got {again}")
    if every < 1:
        raise ValueError(f"every must be at least 1, got {every}")
    report = Report("the agent")
    for number in range(plays):
        for seats in _lineups(game.info.players):
            match = Match(game, (seed + number) & MAX_SEED)
            _check_match(report, match, make, seats, limit or Limit(), again, every)
    report.conclude()


def _lineups(players: int) -> list[set[int]]:
    """The seats the agent takes: each one alone, then all."""
    alone = [{seat} for seat in range(players)]
    return alone if players == 1 else [*alone, set(range(players))]


def _check_match(
    report: Report,
    match: Match[Any, Any],
    make: Callable[[], AnyAgent],
    seats: set[int],
    limit: Limit,
    again: int | None,
    every: int,
) -> None:
    agent, newcomer = make(), make()
    report.run(named, agent)
    if not report.failed("named"):
        report.subject = f"agent {agent.name} of {match.game.info.id} {match.game.info.preset}"
    try:
        answers = list(_answers(report, match, agent, seats, limit, every))
        if limit.time_ms is None:
            # Last to first: this exposes an agent that remembers earlier calls.
            for answer in answers[:: -max(1, len(answers) // (again or len(answers) or 1))]:
                repeated = AgentReply.to(answer.match, newcomer, limit, ambient_seed=2)
                report.run(reproducible, (answer, repeated), answer.where)
        for answer in answers[:1]:
            report.run(stops, (answer, agent), answer.where)
    finally:
        for each in (agent, newcomer):
            if isinstance(each, Closes):
                each.close()


def _answers(
    report: Report, match: Match[Any, Any], agent: AnyAgent, seats: set[int], limit: Limit, every: int
) -> Iterator[AgentReply]:
    """Play the match, and give every answer of the agent after its checks."""
    turns = 0
    while not match.over:
        turns += match.to_move in seats
        if match.to_move not in seats or (turns - 1) % every:
            match.play(match.rng(PROBE).choice(legal_actions(match.legal())))
            continue
        answer = AgentReply.to(match, agent, limit, ambient_seed=1)
        for check in ANSWER_CHECKS:
            report.run(check, answer, answer.where)
        if report.failed("decides", "action_legal"):
            return
        yield answer
        match.carry_out(answer.decision)
