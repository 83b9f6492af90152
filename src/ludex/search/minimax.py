"""Alpha-beta with iterative deepening and a transposition table, for any game.

Values are scores of the player who searches; every other player is expected to lower them. Where an action draws, the
average over all its outcomes counts if the game lists them (expectimax with the bounds of Star1 and Star2), else that
over several draws; where information is hidden, the average over several positions drawn for the view.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any, Final, NamedTuple

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Action, AnyGame, Mask, Player, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.search.model import LOST, MOST_CANDIDATES, WON, Model, as_value, expectation, pace_limit, position_key
from ludex.search.spec import MinimaxOptions

DEEPEST: Final = 200
"""Deeper than any budget reaches, and far below Python's limit of recursion."""
DEFAULT_NODES: Final = 5_000
"""The budget of a move without any limit."""
ROUNDING: Final = 1e-12
"""An average so near a bound has reached it."""
SOLVED: Final = 1 << 30
"""The depth of a value that no deeper search can change."""


class StoppedError(Exception):
    """The budget is used up: the depth under way is dropped."""


class Valuation(NamedTuple):
    """The value of a position, with the line that gives it."""

    value: float
    line: tuple[Action, ...]
    solved: bool
    """Whether every line ends in a finished game, so that the value holds at any depth."""


@dataclass(slots=True)
class Entry:
    """What is known of a position: its value lies in low..high."""

    depth: int
    low: float
    high: float
    line: tuple[Action, ...]


class Average:
    """The average over an action's outcomes, with bounds of each; outside its window any bound will do (Star1)."""

    def __init__(self, chances: Sequence[float], alpha: float, beta: float) -> None:
        self._chances = chances
        self._alpha = alpha
        self._beta = beta
        self._lows = [LOST] * len(chances)
        self._highs = [WON] * len(chances)
        self._solved = [True] * len(chances)
        self._low = LOST
        self._high = WON
        self.decided = False
        """Whether it lies outside the window in any case."""

    def narrow(self, index: int, value: Valuation, *, at_least: bool, at_most: bool) -> None:
        """Take the value of an outcome as a bound of it, or as two."""
        chance = self._chances[index]
        if at_least:
            self._low += chance * (value.value - self._lows[index])
            self._lows[index] = value.value
        if at_most:
            self._high += chance * (value.value - self._highs[index])
            self._highs[index] = value.value
        self._solved[index] = value.solved
        self.decided = self._low >= self._beta - ROUNDING or self._high <= self._alpha + ROUNDING

    def window(self, index: int) -> tuple[float, float]:
        """An outcome with a value outside it puts the average outside its own window."""
        chance = self._chances[index]
        others_low, others_high = self._low - chance * self._lows[index], self._high - chance * self._highs[index]
        return (self._alpha - others_high) / chance, (self._beta - others_low) / chance

    @property
    def valuation(self) -> Valuation:
        """The average once every outcome is known, else the bound that decides."""
        solved = all(self._solved)
        if self._low >= self._beta - ROUNDING:
            return Valuation(max(self._low, self._beta), (), solved)
        if self.decided:
            return Valuation(min(self._high, self._alpha), (), solved)
        return Valuation(sum(map(mul, self._chances, self._lows)), (), solved)


class AlphaBetaSearch:
    """The search for one move."""

    def __init__(self, model: Model, options: MinimaxOptions, limit: Limit, rng: Rng, player: Player) -> None:
        self.nodes = 0
        self.table: dict[Hashable, Entry] = {}
        self._model = model
        self._options = options
        self._limit = limit
        self._rng = rng
        self._player = player
        self._history: dict[Action, int] = {}
        """How often, and how far from the leaves, an action was too good for the other side."""
        unbounded = limit.nodes is limit.depth is options.depth is limit.longest_ms is None
        self._most_nodes = DEFAULT_NODES if unbounded else limit.nodes

    def deepen(self, states: Sequence[Any], actions: list[Action]) -> Iterator[Decision]:
        """One decision per finished depth, over positions of which one is the true one."""
        depths = [depth for depth in (self._options.depth, self._limit.depth, DEEPEST) if depth is not None]
        decision: Decision | None = None
        for depth in range(1, min(depths) + 1):
            try:
                values = self._root(states, actions, depth)
            except StoppedError:
                return
            ranked = sorted(actions, key=lambda action: -values[action].value)
            # The next depth begins with what was best here.
            actions[:] = ranked
            best, solved = values[ranked[0]], all(value.solved for value in values.values())
            if decision is not None and solved and best.value <= LOST:
                # Where every move loses, the one that held longest is kept.
                ranked.remove(decision.action)
                ranked.insert(0, decision.action)
            decision = self._decision(ranked, values, depth)
            yield decision
            if solved or (best.solved and best.value >= WON):
                return

    def _root(self, states: Sequence[Any], actions: list[Action], depth: int) -> dict[Action, Valuation]:
        valuations: dict[Action, Valuation] = {}
        alpha = -math.inf
        for action in actions:
            # An average needs whole values, and so does the loss of a move: a window would only bound each.
            window = alpha if self._model.keeps_positions else -math.inf
            parts = [self._after(state, action, depth - 1, window, math.inf) for state in states]
            valuations[action] = parts[0] if len(parts) == 1 else _mean(parts)
            alpha = max(alpha, valuations[action].value)
        return {action: value._replace(line=(action, *value.line)) for action, value in valuations.items()}

    def _after(self, state: Any, action: Action, depth: int, alpha: float, beta: float) -> Valuation:
        """The value of an action: of the position after it, or the average over its outcomes or over several draws."""
        model, rng = self._model, Rng(0)
        if model.keeps_positions:
            outcomes = model.outcomes(state, action)
            if len(outcomes) == 1:
                return self._value(outcomes[0][1], depth, alpha, beta)
            return self._expect(outcomes, depth, alpha, beta)
        rng.state = word = self._rng.bits()
        first = model.after(state, action, rng)
        if rng.state == word:
            return self._value(first, depth, alpha, beta)
        others = [model.after(state, action, Rng(self._rng.bits())) for _ in range(self._options.samples - 1)]
        return _mean([self._value(position, depth, -math.inf, math.inf) for position in (first, *others)])

    def _expect(self, outcomes: Sequence[tuple[float, Any]], depth: int, alpha: float, beta: float) -> Valuation:
        """The average over all outcomes, or a bound of it where it lies outside the window."""
        average = Average([chance for chance, _ in outcomes], alpha, beta)
        if depth > 1 and not math.isinf(beta - alpha):
            self._probe(average, [position for _, position in outcomes], depth)
        for index, (_, position) in enumerate(outcomes):
            if average.decided:
                break
            low, high = average.window(index)
            result = self._value(position, depth, low, high)
            average.narrow(index, result, at_least=result.value > low, at_most=result.value < high)
        return average.valuation

    def _probe(self, average: "Average", positions: Sequence[Any], depth: int) -> None:
        """Bound each outcome by one move of its mover, which often settles the whole (Star2)."""
        for index, position in enumerate(positions):
            if average.decided:
                return
            if position is None or self._model.scores(position) is not None:
                continue
            low, high = average.window(index)
            action = self._order(position, self.table.get(position_key(self._model.game, position)))[0]
            raises = self._model.game.to_move(position) == self._player
            window = (-math.inf, high) if raises else (low, math.inf)
            average.narrow(
                index, self._after(position, action, depth - 1, *window), at_least=raises, at_most=not raises
            )

    def _value(self, state: Any | None, depth: int, alpha: float, beta: float) -> Valuation:
        self.nodes += 1
        if self._limit.stop[0] or (self._most_nodes is not None and self.nodes > self._most_nodes):
            raise StoppedError
        if state is None:
            return Valuation(0.0, (), True)
        scores = self._model.scores(state)
        if scores is not None:
            return Valuation(scores[self._player], (), True)
        if depth <= 0:
            return Valuation(self._model.expected(state)[self._player], (), False)
        key = position_key(self._model.game, state)
        entry = self.table.get(key)
        if entry is not None and entry.depth >= depth:
            value = entry.high if entry.high <= alpha else entry.low
            if entry.low == entry.high or entry.low >= beta or entry.high <= alpha:
                return Valuation(value, entry.line, entry.depth == SOLVED)
        best = self._best(state, depth, alpha, beta, entry)
        self._remember(key, best, depth, alpha, beta)
        return best

    def _best(self, state: Any, depth: int, alpha: float, beta: float, entry: Entry | None) -> Valuation:
        """The best of the actions for the player to move."""
        sign = 1.0 if self._model.game.to_move(state) == self._player else -1.0
        best, solved = Valuation(-sign * math.inf, (), False), True
        for action in self._order(state, entry):
            result = self._after(state, action, depth - 1, alpha, beta)
            solved &= result.solved
            if sign * result.value > sign * best.value:
                best = Valuation(result.value, (action, *result.line), False)
            if sign > 0:
                alpha = max(alpha, best.value)
            else:
                beta = min(beta, best.value)
            if alpha >= beta or (result.solved and sign * result.value >= WON):
                self._history[action] = self._history.get(action, 0) + depth * depth
                solved = result.solved
                break
        return best._replace(solved=solved)

    def _order(self, state: Any, entry: Entry | None) -> list[Action]:
        history = self._history
        actions = sorted(self._model.actions(state), key=lambda action: -history.get(action, 0))
        if entry is not None and entry.line and entry.line[0] in actions:
            actions.remove(entry.line[0])
            actions.insert(0, entry.line[0])
        return actions

    def _remember(self, key: Hashable, result: Valuation, depth: int, alpha: float, beta: float) -> None:
        if len(self.table) >= self._options.tt and key not in self.table:
            return
        low = -math.inf if result.value <= alpha else result.value
        high = math.inf if result.value >= beta else result.value
        self.table[key] = Entry(SOLVED if result.solved else depth, low, high, result.line)

    def _decision(self, ranked: list[Action], values: dict[Action, Valuation], depth: int) -> Decision:
        best, players = values[ranked[0]], self._model.players
        exact = not self._model.deterministic
        proven = best.solved and (best.value >= WON or all(value.solved for value in values.values()))
        candidates = [Candidate(ranked[0], score=best.value, line=best.line, value=as_value(best.value, players))]
        for action in ranked[1:MOST_CANDIDATES]:
            candidate = values[action]
            # Once a better move is known, alpha-beta only shows how good another is at most.
            score, terms = (candidate.value, {}) if exact else (None, {"at_most": candidate.value})
            value = None if score is None else as_value(score, players)
            candidates.append(Candidate(action, score=score, line=candidate.line, terms=terms, value=value))
        return Decision(
            action=ranked[0],
            value=candidates[0].value,
            candidates=tuple(candidates),
            stats={"depth": depth, "nodes": self.nodes, "positions": len(self.table), "solved": best.solved},
            explanation=(expectation(as_value(best.value, players), players, len(values), proven=proven),),
        )


class MinimaxAgent:
    """Looks as many plies ahead as its limit allows."""

    def __init__(self, model: Model, options: MinimaxOptions, name: str = "minimax") -> None:
        self.name = name
        self._model = model
        self._options = options

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        limit = pace_limit(limit)
        actions = legal_actions(legal)
        rng.shuffle(actions)
        decision = Decision(action=actions[0], explanation=(Message("ludex.unsearched"),))
        game, model = self._model.game, self._model
        samples = self._options.samples if model.hidden else 1
        with limit.watch():
            states = [sample_state(game, view, rng) for _ in range(samples)]
            search = AlphaBetaSearch(model, self._options, limit, rng, game.to_move(states[0]))
            for decision in search.deepen(states, actions):
                limit.report(decision)
        return decision


def minimax(game: AnyGame, options: MinimaxOptions, services: Services, name: str) -> MinimaxAgent:
    """The factory of `minimax`."""
    return MinimaxAgent(Model.of(game), options, name)


def _mean(parts: Sequence[Valuation]) -> Valuation:
    """The average of several values; a line of one of them would not be that of all."""
    return Valuation(sum(part.value for part in parts) / len(parts), (), False)
