"""`ludex analyse`: an agent's analysis of a position."""

from typing import TYPE_CHECKING, Any

from ludex.cli.operations import printing_verb

if TYPE_CHECKING:
    from ludex.operations.analysis import AnalysisResult


def _render(result: "AnalysisResult") -> Any:
    from rich.console import Group

    from ludex.cli.terminal import candidates_table
    from ludex.core.rendering import board_picture

    match, decision = result.match, result.decision
    picture = board_picture(match.game, match.state, match.to_move, decision)
    return Group(picture, result.note, candidates_table(match.game, match.state, decision))


command = printing_verb("analysis", "analyse", _render)
