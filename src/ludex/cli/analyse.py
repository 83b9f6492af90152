"""`ludex analyse`: an agent's analysis of a position."""

from typing import TYPE_CHECKING, Any

from ludex.cli import parameters
from ludex.cli.operations import operation_verb, perform

if TYPE_CHECKING:
    from ludex.operations.analysis import AnalysisResult


def analyse(request: Any, *, as_json: parameters.Json = False) -> None:
    """Analyse a position and print the choice."""
    from ludex.cli.output import emit

    result: Any = perform("analysis", request)
    emit(result.model_dump(mode="json"), as_json, lambda: _render(result))


def _render(result: "AnalysisResult") -> Any:
    from rich.console import Group

    from ludex.cli.terminal import candidates_table
    from ludex.core.rendering import board_picture

    match, decision = result.match, result.decision
    picture = board_picture(match.game, match.state, match.to_move, decision)
    return Group(picture, decision.note, candidates_table(match.game, match.state, decision))


command = operation_verb("analysis", analyse)
