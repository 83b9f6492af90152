"""Evaluating one agent: the one function behind `ludex eval` and the jobs that do it."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ludex.arena.duel import Duel, duel
from ludex.arena.journal import opened
from ludex.arena.statistics import MoveTimes, interval95
from ludex.arena.terms import Terms
from ludex.core.errors import BadOption, Unsupported
from ludex.core.evaluation import Evaluate
from ludex.core.executor import Executor
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.registry import resolve, spec
from ludex.core.spec import Ref

PROMISED: Final = ("win_rate", "ci95", "ms_per_move")
"""The metrics of every evaluation, after the games and the seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSetup:
    """One agent to evaluate on one board."""

    board: AnyGame
    agent: str
    services: Ref
    opponents: tuple[str, ...] = ()
    """In a game for two."""
    games: int = 100
    """In a game for two per opponent."""
    seed: int = 0
    limit: Limit
    opening_plies: int = 0
    journals: Path | None = None
    """A folder that keeps the pairs against each opponent, from which it is resumed; a game for one has none."""

    @property
    def planned(self) -> int:
        """How many games there will be."""
        return self.games * max(1, len(self.opponents))

    def check(self) -> None:
        """Raise what does not fit the game."""
        info = self.board.info
        if self.games < 1:
            raise BadOption(f"games must be at least 1, found {self.games}")
        if info.players == 2:
            if not self.opponents:
                game = spec(info.id)
                known = ", ".join(dict.fromkeys([*game.agents, *game.levels]))
                raise BadOption(f"a game for two needs --opponent, one or more of: {known}")
            return
        if self.opponents:
            raise BadOption(f"{info.id} is a game for one: it takes no --opponent, found {', '.join(self.opponents)}")
        if self.opening_plies:
            raise BadOption(f"{info.id} is a game for one: it takes no --opening-plies, found {self.opening_plies}")
        if spec(info.id).tools.evaluate is None:
            raise Unsupported(f"{info.id} does not say how its agents are measured: its GameSpec names no `evaluate`")


def evaluate(setup: EvaluationSetup, executor: Executor, advance: Callable[[int], None]) -> dict[str, Any] | None:
    """The evaluation as a document; None if it was interrupted before the first result. Raises an agent's fault."""
    setup.check()
    return (_alone if setup.board.info.players == 1 else _versus)(setup, executor, advance)


def _alone(setup: EvaluationSetup, executor: Executor, advance: Callable[[int], None]) -> dict[str, Any] | None:
    info = setup.board.info
    measured: Evaluate = resolve(spec(info.id).tools.evaluate or "")
    found = measured(
        setup.board,
        setup.agent,
        games=setup.games,
        seed=setup.seed,
        limit=setup.limit,
        services=setup.services,
        executor=executor,
        advance=advance,
    )
    if not found["games"]:
        return None
    return {
        "game": info.id,
        "preset": info.preset,
        "agent": setup.agent,
        "games": found["games"],
        "seed": setup.seed,
        **{name: found[name] for name in PROMISED},
        **found,
    }


def _versus(setup: EvaluationSetup, executor: Executor, advance: Callable[[int], None]) -> dict[str, Any] | None:
    duels: list[Duel] = []
    interrupted = False
    terms = Terms.of(
        setup.board,
        (setup.agent, setup.opponents[0]),
        seed=setup.seed,
        limit=setup.limit,
        opening_plies=setup.opening_plies,
        services=setup.services,
    )
    for number, other in enumerate(setup.opponents, start=1):
        against = replace(terms, agents=(setup.agent, other))
        path = None if setup.journals is None else setup.journals / f"opponent-{number}.jsonl"
        with nullcontext() if path is None else opened(path, against) as journal:
            result = duel(against, games=setup.games, executor=executor, journal=journal, advance=advance)
        if result.fault is not None:
            raise result.fault
        if result.pairs:
            duels.append(result)
        interrupted = result.interrupted
        if interrupted:
            break
    return _document(duels, interrupted) if duels else None


def _document(duels: list[Duel], interrupted: bool) -> dict[str, Any]:
    terms = duels[0].terms
    played = [game for duel in duels for game in duel.played]
    won = [[game.points > 0.5 for game in pair] for duel in duels for pair in duel.pairs]
    return {
        "game": terms.game,
        "preset": terms.preset,
        "agent": terms.agents[0],
        "games": len(played),
        "seed": terms.seed,
        "win_rate": sum(map(sum, won)) / len(played),
        "ci95": list(interval95([sum(pair) / 2 for pair in won])),
        "ms_per_move": MoveTimes.of([micros for game in played for micros in game.micros[0]]).mean,
        "draw_rate": sum(duel.draws for duel in duels) / len(played),
        "loss_rate": sum(duel.wins[1] for duel in duels) / len(played),
        "opponents": [
            {
                "agent": duel.terms.agents[1],
                "win_rate": duel.win_rate,
                "ci95": list(duel.win_rate_ci95),
                "games": len(duel.played),
                "draws": duel.draws,
                "losses": duel.wins[1],
            }
            for duel in duels
        ],
        "interrupted": interrupted,
    }
