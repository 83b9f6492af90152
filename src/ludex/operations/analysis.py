"""The analysis of a position: an agent's choice with its candidates and reasons; `ludex analyse`."""

from typing import Any, Final, Self

from pydantic import Field

from ludex.arena.entrants import kernels_of, make_entrant
from ludex.core.explanation import explain
from ludex.core.game import AnyGame
from ludex.core.match import Match, decide
from ludex.core.record import play_line
from ludex.core.registry import default_analyst, resolve
from ludex.kernels.warmup import load_kernels
from ludex.operations.operation import Context, Limits, Operation, Result, option
from ludex.operations.permissions import Permissions
from ludex.operations.requests import Agent, Budget, OnBoard, Seed


class AnalysisRequest(OnBoard, Budget):
    """Show an agent's choice in a position."""

    moves: str = option("")
    agent: Agent | None = option(None, completion="agent")
    seed: Seed = 0

    def checked(self, limits: Limits | None, *, remote: Permissions | None) -> Self:
        return self.on(self.board())

    def on(self, board: AnyGame) -> Self:
        agent = default_analyst(board) if self.agent is None else self.agent
        return super().on(board).model_copy(update={"agent": agent})


class AnalysisResult(Result):
    """The choice, actions beside their texts."""

    action: int
    text: str
    value: float | None
    candidates: list[dict[str, Any]]
    stats: dict[str, Any]
    note: str
    explanation: list[Any]
    overlay: dict[str, Any]
    resigns: bool
    match: Any = Field(exclude=True)
    """The position, as the last of a match."""
    decision: Any = Field(exclude=True)


def run(request: AnalysisRequest, context: Context) -> AnalysisResult:
    """Let the agent decide in the position."""
    board, agent = request.board(), request.agent or ""
    match = Match(board, request.seed)
    play_line(match, request.moves)
    entrant = make_entrant(board, agent, resolve(context.services)())
    if request.movetime is not None:
        load_kernels(board.info.id, through=kernels_of(board.info.id, agent))
    try:
        decision = decide(match, entrant, request.limit)
    finally:
        entrant.close()
    return AnalysisResult.model_validate(
        {**explain(board, match.state, decision), "match": match, "decision": decision}
    )


ANALYSIS: Final = Operation(id="analysis", request=AnalysisRequest, run=run, job=False)
