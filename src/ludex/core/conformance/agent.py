"""`check_agent`: matches in every seat, and every sentence of `core/agent.py` tried on each decision."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from ludex.core.agent import AnyAgent, Closes
from ludex.core.conformance import agent_decisions
from ludex.core.conformance.agent_decisions import Answer, Turn, reproducible
from ludex.core.conformance.report import Report, checks_of, describe_error
from ludex.core.conformance.walk import PROBE
from ludex.core.decision import Decision
from ludex.core.game import AnyGame, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.seeding import MAX_SEED

PATIENCE: Final = 2.0
"""Seconds an agent may continue after the stop flag is raised: far more than it needs on a busy machine."""


def stops(instance: tuple[Turn, AnyAgent]) -> Iterator[str]:
    """Stopped before it begins or during an unbounded search, the agent soon returns a legal action."""
    turn, agent = instance
    for when, limit in (("before it began", Limit(stop=np.ones(1, np.uint8))), ("after 30 ms", Limit(time_ms=30))):
        answers: list[Decision | str] = []
        # In a thread, so that an agent that never ends does not take the checker along.
        thread = threading.Thread(target=_ask, args=(turn, agent, limit, answers), daemon=True)
        begun = time.monotonic()
        thread.start()
        thread.join(PATIENCE)
        if thread.is_alive():
            yield f"stopped {when}, it was still searching after {time.monotonic() - begun:.1f} s"
            return
        answer = answers[0]
        if not isinstance(answer, Decision):
            yield f"stopped {when}, decide gave {answer}, expected a Decision"
        elif not turn.allows(answer.action):
            yield f"stopped {when}, it chose {answer.action!r}, expected a legal action"


def _ask(turn: Turn, agent: AnyAgent, limit: Limit, answers: list[Decision | str]) -> None:
    try:
        answers.append(turn.put_to(agent, turn.game.view(turn.state, turn.player), turn.legal.copy(), limit))
    except Exception as error:
        answers.append(describe_error(error))


def named(agent: AnyAgent) -> Iterator[str]:
    """The agent has a name that fits in a table."""
    if not isinstance(agent.name, str) or not agent.name.strip() or not agent.name.isprintable():
        yield f"name is {agent.name!r}, expected a printable text"


ANSWER_CHECKS: Final = checks_of(Answer, agent_decisions)
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
                repeated = Answer.to(answer.turn, newcomer, limit, ambient_seed=2)
                report.run(reproducible, (answer, repeated), answer.where)
        for answer in answers[:1]:
            report.run(stops, (answer.turn, agent), answer.where)
    finally:
        for each in (agent, newcomer):
            if isinstance(each, Closes):
                each.close()


def _answers(
    report: Report, match: Match[Any, Any], agent: AnyAgent, seats: set[int], limit: Limit, every: int
) -> Iterator[Answer]:
    """Play the match, and give every answer of the agent after its checks."""
    turns = 0
    while not match.over:
        turns += match.to_move in seats
        if match.to_move not in seats or (turns - 1) % every:
            match.play(match.rng(PROBE).choice(legal_actions(match.legal())))
            continue
        answer = Answer.to(Turn.of(match), agent, limit, ambient_seed=1)
        for check in ANSWER_CHECKS:
            report.run(check, answer, answer.where)
        if report.failed("decides", "action_legal"):
            return
        yield answer
        match.carry_out(answer.decision)
