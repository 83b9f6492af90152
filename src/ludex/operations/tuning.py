"""Tuning: an agent's numeric options by self-play, and the duel that shows what was gained; `ludex tune` and jobs."""

from typing import Final, Literal, Self

from pydantic import BaseModel

from ludex.arena.duel import pairs_of
from ludex.arena.tuning import Parameter, Schedule, Tuning, parameters_of, tune
from ludex.core.errors import Unsupported
from ludex.core.game import AnyGame
from ludex.operations.duel import DuelResult
from ludex.operations.operation import Context, Operation, Result, option
from ludex.operations.requests import Agent, Key, Seed, SelfPlay

REPORTS: Final = 10
"""How often a tuning says where it stands."""


def split_names(text: str) -> list[str]:
    """The names of a list.

    >>> split_names("noise,depth")
    ['noise', 'depth']
    """
    return [name for name in text.split(",") if name]


class TuningRequest(SelfPlay):
    """Tune an agent's numeric options by self-play."""

    kind: Literal["tuning"]
    agent: Agent = option(..., completion="agents")
    parameters: list[Key] = option(..., max_length=64, flag="options", parse="ludex.operations.tuning:split_names")
    iterations: int = option(300, ge=1, le=10**6)
    pairs: int = option(4, ge=1, le=10**4)
    step: float = option(0.25, ge=0, le=10)
    rate: float = option(0.03, ge=0, le=10)
    proof: int = option(400, ge=0, le=10**6)
    seed: Seed = 0

    @property
    def players(self) -> list[str]:
        return [self.agent]

    def check_games(self, board: AnyGame) -> None:
        if board.info.players != 2:
            raise Unsupported(f"{board.info.id} has one player: tuning needs an opponent")
        if self.proof:
            pairs_of(self.proof)
        self.parameters_on(board)

    def parameters_on(self, board: AnyGame) -> tuple[Parameter, ...]:
        """The options to tune. Raises `BadOption`."""
        return parameters_of(board, self.agent, self.parameters, self.step)


class TunedOption(BaseModel):
    """An option before and after."""

    start: float
    tuned: float
    exact: float


class TuningResult(Result):
    """The tuned agent, and the duel against the one that it was."""

    start: str
    tuned: str
    """An agent's reference, with which `ludex match` plays and a next tuning begins."""
    options: dict[str, TunedOption]
    iterations: int
    games: int
    interrupted: bool
    proof: DuelResult | None

    @property
    def is_partial(self) -> bool:
        return self.interrupted or (self.proof is not None and self.proof.interrupted)

    @classmethod
    def of(cls, result: Tuning) -> Self:
        return cls(
            start=result.start,
            tuned=result.tuned,
            options={
                parameter.name: TunedOption(start=parameter.start, tuned=parameter.settled(value), exact=value)
                for parameter, value in zip(result.parameters, result.values, strict=True)
            },
            iterations=result.iterations,
            games=result.games,
            interrupted=result.interrupted,
            proof=None if result.proof is None else DuelResult.of(result.proof),
        )


def run(request: TuningRequest, context: Context) -> TuningResult:
    """Tune, then play the proof; what a journal holds is not played again."""
    board = request.board()

    def follow(iteration: int, reference: str) -> None:
        if iteration % max(1, request.iterations // REPORTS) == 0:
            context.note(f"{iteration} of {request.iterations}: {reference}")

    total = 2 * request.pairs * request.iterations + request.proof
    with context.progress(f"tuning {request.agent}", total) as advance:
        result = tune(
            request.terms(board, (request.agent,), request.seed, context),
            request.parameters_on(board),
            Schedule(request.iterations, request.pairs, request.rate),
            proof=request.proof,
            executor=context.executor,
            journal=context.journal,
            advance=advance,
            follow=follow,
        )
    return TuningResult.of(result)


TUNING: Final = Operation(id="tuning", request=TuningRequest, run=run)
