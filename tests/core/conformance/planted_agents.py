"""Agents with one planted bug each."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludex.core.agent import AnyAgent
from ludex.core.conformance.agent import PATIENCE
from ludex.core.decision import Candidate, Decision
from ludex.core.game import AnyGame, Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from tests.core.conformance.toy_games import Heap, Master, Nim, Shuffler


@dataclass(frozen=True)
class AgentPlant:
    """A bug, and the checks under which it must be found: these and no others."""

    make: Callable[[], AnyAgent]
    checks: set[str]
    game: Callable[[], AnyGame] = Nim
    patience: float = PATIENCE


def changing(change: Callable[[Decision], Decision]) -> Callable[[], AnyAgent]:
    """The master, whose decision is changed."""

    def decide(agent: Master, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return change(Master.decide(agent, view, legal, rng=rng, limit=limit))

    return type("Changing", (Master,), {"decide": decide})


def answering(**changes: Any) -> Callable[[], AnyAgent]:
    return changing(lambda decision: replace(decision, **changes))


def considering(make: Callable[[int], Candidate]) -> Callable[[], AnyAgent]:
    """The master with one candidate, made of its action."""
    return changing(lambda decision: replace(decision, candidates=(make(decision.action),)))


class Nameless(Master):
    name = ""


class Crashing(Master):
    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        raise RuntimeError("no idea")


class BareAction(Master):
    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return 0  # type: ignore[return-value]


class TouchesMask(Master):
    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        decision = super().decide(view, legal, rng=rng, limit=limit)
        legal[decision.action] = False
        return decision


class TouchesView(Master):
    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        copy = Heap(view.pile, view.turn)
        object.__setattr__(view, "turn", 7)
        return super().decide(copy, legal, rng=rng, limit=limit)


class ProcessDice(Shuffler):
    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return replace(super().decide(view, legal, rng=rng, limit=limit), value=random.random())


class IdleDraw(Shuffler):
    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        np.random.random()
        return super().decide(view, legal, rng=rng, limit=limit)


class ReportsIllegal(Master):
    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        limit.report(Decision(5))
        return super().decide(view, legal, rng=rng, limit=limit)


class Remembers(Master):
    """Its value depends on how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        self.asked += 1
        return replace(super().decide(view, legal, rng=rng, limit=limit), value=1 / self.asked)


class EachDiffers(Master):
    """Every instance is another player."""

    made = 0

    def __init__(self) -> None:
        EachDiffers.made += 1
        self.value = 1 / EachDiffers.made

    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return replace(super().decide(view, legal, rng=rng, limit=limit), value=self.value)


class MoodyQuitter(Master):
    """Every second instance gives up at once."""

    made = 0

    def __init__(self) -> None:
        MoodyQuitter.made += 1
        self.resigns = MoodyQuitter.made % 2 == 0

    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return replace(super().decide(view, legal, rng=rng, limit=limit), resigns=self.resigns)


class NeverStops(Master):
    """Searches until its own depth is reached, deaf to the flag."""

    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        if limit.depth is None:
            time.sleep(1)
        return super().decide(view, legal, rng=rng, limit=limit)


class StopsInPanic(Master):
    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return Decision(-1) if limit.stopped else super().decide(view, legal, rng=rng, limit=limit)


class StopsWithError(Master):
    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        if limit.stopped:
            raise TimeoutError
        return super().decide(view, legal, rng=rng, limit=limit)


class Gloomy(Shuffler):
    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return replace(super().decide(view, legal, rng=rng, limit=limit), value=-0.5)


AGENTS: dict[str, AgentPlant] = {
    "nameless": AgentPlant(Nameless, {"named"}),
    "crashes": AgentPlant(Crashing, {"decides"}),
    "bare action": AgentPlant(BareAction, {"decides"}),
    "illegal action": AgentPlant(answering(action=2), {"action_legal"}),
    "action from the end": AgentPlant(answering(action=-3), {"action_legal"}),
    "touches the mask": AgentPlant(TouchesMask, {"arguments_untouched"}),
    "touches the view": AgentPlant(TouchesView, {"arguments_untouched"}),
    "dice of the process": AgentPlant(ProcessDice, {"global_chance", "reproducible"}),
    "idle draw": AgentPlant(IdleDraw, {"global_chance"}),
    "value out of range": AgentPlant(answering(value=1.5), {"value_range"}),
    "value is NaN": AgentPlant(answering(value=float("nan")), {"value_range", "explained"}),
    "illegal candidate": AgentPlant(answering(candidates=tuple(map(Candidate, range(3)))), {"candidates_legal"}),
    "candidate twice": AgentPlant(
        changing(lambda decision: replace(decision, candidates=decision.candidates * 2)), {"candidates_legal"}
    ),
    "probabilities over one": AgentPlant(
        changing(
            lambda decision: replace(
                decision, candidates=tuple(replace(candidate, prob=0.9) for candidate in decision.candidates)
            )
        ),
        {"candidate_probs"},
    ),
    "negative probability": AgentPlant(considering(lambda action: Candidate(action, prob=-0.1)), {"candidate_probs"}),
    "line begins elsewhere": AgentPlant(
        considering(lambda action: Candidate(action, line=((action + 1) % 3,))), {"candidate_lines"}
    ),
    "line cannot be played": AgentPlant(
        considering(lambda action: Candidate(action, line=(action,) * 9)), {"candidate_lines"}
    ),
    "stats are no JSON": AgentPlant(answering(stats={"tree": object()}), {"explained"}),
    "infinite score": AgentPlant(considering(lambda action: Candidate(action, float("inf"))), {"explained"}),
    "explanation is a text": AgentPlant(answering(explanation="because"), {"explained"}),
    "explanation is in no catalogue": AgentPlant(answering(explanation=(Message("ludex.none"),)), {"explained"}),
    "explanation lacks a parameter": AgentPlant(answering(explanation=(Message("ludex.text"),)), {"explained"}),
    "overlay of texts": AgentPlant(answering(overlay={"heat": ("hot",)}), {"overlay_numbers"}),
    "overlays of different sizes": AgentPlant(answering(overlay={"a": (1.0,), "b": (1.0, 2.0)}), {"overlay_numbers"}),
    "resigns by a number": AgentPlant(answering(resigns=1), {"resigns_plainly"}),
    "resigns now and then": AgentPlant(MoodyQuitter, {"reproducible"}),
    "reports an illegal action": AgentPlant(ReportsIllegal, {"reports_legal"}),
    "remembers": AgentPlant(Remembers, {"reproducible"}),
    "every instance differs": AgentPlant(EachDiffers, {"reproducible"}),
    "never stops": AgentPlant(NeverStops, {"stops"}, patience=0.2),
    "illegal when stopped": AgentPlant(StopsInPanic, {"stops"}),
    "error when stopped": AgentPlant(StopsWithError, {"stops"}),
}
