"""Tunes an agent's numeric options by self-play: simultaneous perturbation stochastic approximation (SPSA).

Each iteration moves all options at once, every one up or down at random, lets the agent play against itself with the
opposite moves, and shifts the options towards the side that won. The gains follow Spall (1998): steps shrink with
`k ** -0.101` and end at one step, rates with `(A + k) ** -0.602` and end at `rate`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo

from ludex.arena.duel import SEATS, Duel, duel
from ludex.arena.journal import open_journal
from ludex.arena.match_runner import play_isolated, play_pairs
from ludex.arena.pairs import PairTask, pair_score
from ludex.arena.terms import Terms
from ludex.core.errors import BadOption
from ludex.core.executor import Executor
from ludex.core.game import AnyGame, Json
from ludex.core.journal import JournalFile, hold_journal
from ludex.core.options import join_reference, split_reference
from ludex.core.registry import choose_agent
from ludex.core.seeding import Rng, generator

FORMAT: Final = "ludex-tuning"
TUNING_STREAM, PROOF_STREAM = 132, 133
STEP_DECAY, RATE_DECAY = 0.101, 0.602
STABILITY = 0.1
"""`A` as a share of all iterations: it keeps the first shifts small."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option that is tuned."""

    name: str
    start: float
    low: float
    high: float
    step: float
    """How far the last iterations move it up and down."""
    whole: bool

    def clipped(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def drawn(self, value: float, rng: Rng) -> float:
        """A value that the option may have: whole numbers are rounded at random, so that on average nothing is lost."""
        value = self.clipped(value)
        return int(value) + (rng.uniform() < value % 1) if self.whole else value

    def settled(self, value: float) -> float:
        """The value that is reported."""
        return round(value) if self.whole else round(value, 6)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how boldly to tune."""

    iterations: int
    pairs: int
    """Side-swapped pairs of games per iteration."""
    rate: float

    def step(self, iteration: int) -> float:
        """The factor of every parameter's step in an iteration counted from 1.

        >>> round(Schedule(100, 4, 0.03).step(100), 3)
        1.0
        """
        return float((self.iterations / iteration) ** STEP_DECAY)

    def gain(self, iteration: int) -> float:
        """How many steps a pair that was won shifts the parameters.

        >>> round(Schedule(100, 4, 0.03).gain(100), 3)
        0.03
        """
        offset = STABILITY * self.iterations
        fading = ((offset + self.iterations) / (offset + iteration)) ** RATE_DECAY
        return float(self.rate * fading / self.step(iteration))


@dataclass(frozen=True, slots=True)
class Tuning:
    """What came of it."""

    start: str
    tuned: str
    """An agent's reference, with which `ludex match` plays and a next tuning begins."""
    parameters: tuple[Parameter, ...]
    values: tuple[float, ...]
    iterations: int
    games: int
    interrupted: bool
    proof: Duel | None
    """The tuned agent against the one it began as; None if that was not played."""


def parameters_of(board: AnyGame, agent: str, names: Sequence[str], step: float) -> tuple[Parameter, ...]:
    """The named options of an agent, each with a step of this share of its value.

    Raises `BadOption` for one that is unknown, no number, or without bounds.
    """
    choice = choose_agent(board, agent)
    fields = type(choice.options).model_fields
    numeric = [name for name, field in fields.items() if field.annotation in (int, float)]
    parameters = []
    for name in names:
        if name not in numeric:
            raise BadOption(f"{name!r} is no numeric option of {agent}; it has: {', '.join(numeric) or 'none'}")
        if names.count(name) > 1:
            raise BadOption(f"option {name!r} is named twice")
        low, high = (_bound(fields[name], side) for side in ("ge", "le"))
        if low is None or high is None:
            raise BadOption(f"option {name!r} of {agent} has no bounds to stay within")
        whole = fields[name].annotation is int
        start = float(getattr(choice.options, name))
        least = 1.0 if whole else 0.01 * (high - low)
        parameters.append(Parameter(name, start, low, high, max(least, step * abs(start)), whole))
    if not parameters:
        raise BadOption(f"no option to tune; {agent} has: {', '.join(numeric) or 'none'}")
    return tuple(parameters)


def tune(
    terms: Terms,
    parameters: tuple[Parameter, ...],
    schedule: Schedule,
    *,
    proof: int,
    executor: Executor,
    journal: Path | None = None,
    advance: Callable[[int], None] = lambda games: None,
    follow: Callable[[int, str], None] = lambda iteration, agent: None,
) -> Tuning:
    """Tune the only agent of `terms`, then play `proof` games between the result and the start.

    With several workers an iteration does not wait for the one before: only one worker repeats a tuning exactly. With a
    `journal` every finished iteration is kept, and so is every pair of the proof, in a file beside it: a tuning that
    was killed goes on from there.
    """
    course = _Course(terms, parameters, schedule)
    interrupted = False
    with ExitStack() as closing:
        file: JournalFile | None = None
        if journal is not None:
            # What was finished before is applied in the order in which it was.
            file = closing.enter_context(
                hold_journal(journal, course.header(), course.read, work="playing this tuning")
            )
            advance(2 * schedule.pairs * course.done)
        missing = course.missing()
        results = executor.run(play_pairs, map(course.task, missing), play_isolated)
        try:
            for index, pairs in results:
                result = sum(2 * pair_score(pair) - 1 for pair in pairs.values())
                if file is not None:
                    file.append([{"iteration": missing[index], "won": result}])
                course.shift(missing[index], result)
                advance(2 * schedule.pairs)
                follow(course.done, course.tuned())
        except KeyboardInterrupt:
            interrupted = True
        finally:
            results.close()
        (start,), tuned = terms.agents, course.tuned()
        match = None
        if proof and not interrupted:
            proof_terms = replace(terms, agents=(tuned, start), seed=generator(terms.seed, 0, PROOF_STREAM).seed())
            beside = None if journal is None else journal.with_name(f"{journal.stem}-proof{journal.suffix}")
            proofs = None if beside is None else closing.enter_context(open_journal(beside, proof_terms))
            match = duel(proof_terms, games=proof, executor=executor, journal=proofs, advance=advance)
            if match.fault is not None:
                raise match.fault
            if not match.pairs:
                # Ctrl-C came before its first pair.
                match, interrupted = None, True
    games = 2 * schedule.pairs * course.done
    return Tuning(start, tuned, parameters, tuple(course.values), course.done, games, interrupted, match)


class _Course:
    """Where the values of a tuning stand, after some of its iterations."""

    def __init__(self, terms: Terms, parameters: tuple[Parameter, ...], schedule: Schedule) -> None:
        self._terms, self._parameters, self._schedule = terms, parameters, schedule
        self.values = [parameter.start for parameter in parameters]
        self._finished: set[int] = set()

    @property
    def done(self) -> int:
        return len(self._finished)

    def missing(self) -> list[int]:
        """The iterations to come, counted from 1."""
        return [number for number in range(1, self._schedule.iterations + 1) if number not in self._finished]

    def task(self, iteration: int) -> PairTask:
        """The games of an iteration: the agent against itself, with options moved to opposite sides."""
        rng, signs = self._draw(iteration)
        reach = self._schedule.step(iteration)
        moved = [
            {
                parameter.name: parameter.drawn(value + side * sign * parameter.step * reach, rng)
                for parameter, value, sign in zip(self._parameters, self.values, signs, strict=True)
            }
            for side in (1, -1)
        ]
        (start,) = self._terms.agents
        agents = tuple(_reference(start, options) for options in moved)
        pair_terms = replace(self._terms, agents=agents, seed=rng.seed())
        return PairTask(pair_terms, SEATS, tuple(range(self._schedule.pairs)))

    def shift(self, iteration: int, score: float) -> None:
        """Move the values towards the side that won, by so many pairs more than it lost."""
        _, signs = self._draw(iteration)
        gain = self._schedule.gain(iteration) * score
        for number, (parameter, sign) in enumerate(zip(self._parameters, signs, strict=True)):
            self.values[number] = parameter.clipped(self.values[number] + gain * parameter.step * sign)
        self._finished.add(iteration)

    def tuned(self) -> str:
        """The agent with the values as they stand."""
        (start,) = self._terms.agents
        pairs = zip(self._parameters, self.values, strict=True)
        return _reference(start, {parameter.name: parameter.settled(value) for parameter, value in pairs})

    def header(self) -> dict[str, Json]:
        """The first line of the journal: all that determines the iterations."""
        schedule = self._schedule
        options: dict[str, Json] = {parameter.name: parameter.step for parameter in self._parameters}
        plan: dict[str, Json] = {"iterations": schedule.iterations, "pairs": schedule.pairs, "rate": schedule.rate}
        return {**self._terms.header(), "format": FORMAT, "options": options, **plan}

    def read(self, entry: Mapping[str, Any]) -> None:
        """Take an iteration from the journal."""
        iteration, score = int(entry["iteration"]), float(entry["won"])
        if iteration not in self.missing():
            raise ValueError(f"iteration {iteration} is there twice, or none of this tuning")
        self.shift(iteration, score)

    def _draw(self, iteration: int) -> tuple[Rng, tuple[int, ...]]:
        """The generator of an iteration after its first draws, which say in which direction each option moves."""
        rng = generator(self._terms.seed, iteration, TUNING_STREAM)
        return rng, tuple(1 - 2 * rng.below(2) for _ in self._parameters)


def _bound(field: FieldInfo, side: str) -> float | None:
    return next((float(getattr(part, side)) for part in field.metadata if hasattr(part, side)), None)


def _reference(agent: str, values: Mapping[str, Any]) -> str:
    """The agent with other values of some options.

    >>> _reference("hard:noise=0", {"wall_weight": 3})
    'hard:noise=0:wall_weight=3'
    """
    name, options = split_reference(agent)
    return join_reference(name, {**options, **values})
