"""The evaluation of one agent, in a game for two against opponents; `ludex eval` and jobs."""

from dataclasses import replace
from typing import Any, Final, Literal, Self

from pydantic import ConfigDict

from ludex.arena.duel import Duel, duel
from ludex.arena.statistics import MoveTimes, interval95
from ludex.core.errors import BadOption, Unsupported
from ludex.core.game import AnyGame
from ludex.core.registry import default_agent, resolve, spec
from ludex.core.verb import Evaluate
from ludex.operations.duel import NOTHING
from ludex.operations.operation import Context, Interrupted, Operation, Result, option
from ludex.operations.requests import Agent, Games, Seed, check_pairs, journal_at


class EvaluationRequest(Games):
    """Measure one agent, in a game for two against opponents."""

    kind: Literal["evaluation"]
    agent: Agent | None = option(None, completion="agent")
    opponents: list[Agent] = option([], max_length=64, flag="opponent", repeated=True, completion="agent")
    games: int = option(100, ge=1, le=10**6)
    seed: Seed = 0

    @property
    def players(self) -> list[str]:
        return [*self.subjects, *self.opponents]

    @property
    def subjects(self) -> list[str]:
        return [] if self.agent is None else [self.agent]

    def on(self, board: AnyGame) -> Self:
        agent = default_agent(board) if self.agent is None else self.agent
        return super().on(board).model_copy(update={"agent": agent})

    def check_games(self, board: AnyGame) -> None:
        info = board.info
        if info.players == 2:
            if not self.opponents:
                game = spec(info.id)
                known = ", ".join(dict.fromkeys([*game.agents, *game.levels]))
                raise BadOption(f"a game for two needs --opponent, one or more of: {known}")
            check_pairs(board, self.games)
            return
        if self.opponents:
            raise BadOption(f"{info.id} is a game for one: it takes no --opponent, found {', '.join(self.opponents)}")
        self.check_no_opening()
        if spec(info.id).tools.evaluate is None:
            raise Unsupported(f"{info.id} does not say how its agents are measured: its GameSpec names no `evaluate`")


class EvaluationResult(Result):
    """What every evaluation holds; a game for one adds its own metrics, a game for two the opponents."""

    model_config = ConfigDict(extra="allow")

    game: str
    preset: str
    agent: str
    games: int
    seed: int
    win_rate: float
    ci95: tuple[float, float]
    ms_per_move: float
    interrupted: bool


def run(request: EvaluationRequest, context: Context) -> EvaluationResult:
    """Play, and return the evaluation. Raises an agent's fault."""
    board = request.board()
    with context.progress(request.title, request.games * max(1, len(request.opponents))) as advance:
        play = _alone if board.info.players == 1 else _versus
        return EvaluationResult.model_validate(play(request, board, context, advance))


def _alone(request: EvaluationRequest, board: AnyGame, context: Context, advance: Any) -> dict[str, Any]:
    evaluate: Evaluate = resolve(spec(request.game).tools.evaluate or "")
    metrics = evaluate(
        board,
        request.title,
        games=request.games,
        seed=request.seed,
        limit=request.limit,
        services=context.services,
        executor=context.executor,
        advance=advance,
    )
    if not metrics["games"]:
        raise Interrupted(NOTHING.format(unit="game"))
    return {"game": board.info.id, "preset": board.info.preset, "agent": request.agent, "seed": request.seed, **metrics}


def _versus(request: EvaluationRequest, board: AnyGame, context: Context, advance: Any) -> dict[str, Any]:
    """Duels against each opponent in turn, each with a journal in the context's folder."""
    duels: list[Duel] = []
    interrupted = False
    terms = request.terms(board, (request.title, request.opponents[0]), request.seed, context)
    for number, opponent in enumerate(request.opponents, start=1):
        against = replace(terms, agents=(request.title, opponent))
        path = None if context.folder is None else context.folder / f"opponent-{number}.jsonl"
        with journal_at(path, against) as journal:
            result = duel(against, games=request.games, executor=context.executor, journal=journal, advance=advance)
        if result.fault is not None:
            raise result.fault
        if result.pairs:
            duels.append(result)
        interrupted = result.interrupted
        if interrupted:
            break
    if not duels:
        raise Interrupted(NOTHING.format(unit="pair"))
    return _document(duels, interrupted)


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
        "ci95": interval95([sum(pair) / 2 for pair in won]),
        "ms_per_move": MoveTimes.of([micros for game in played for micros in game.micros[0]]).mean,
        "draw_rate": sum(duel.draws for duel in duels) / len(played),
        "loss_rate": sum(duel.wins[1] for duel in duels) / len(played),
        "loss_ci95": interval95([sum(game.points < 0.5 for game in pair) / 2 for duel in duels for pair in duel.pairs]),
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


EVALUATION: Final = Operation(id="evaluation", request=EvaluationRequest, run=run)
