"""`ludex minesweeper watch`: a game of an agent, decision by decision."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.core.game import Json
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.tools.verb_output import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.console import RenderableType

    from ludex.core.decision import Decision
    from ludex.games.minesweeper.rules.position import View


def watch(
    board: Any,
    *,
    agent: Annotated[str, typer.Option(help="the player, with options such as expert:nodes=1000")] = "expert",
    seed: Seed = 0,
) -> VerbResult:
    """Let an agent play one game, and show every decision with the probabilities behind it."""
    from ludex.core.limit import Limit
    from ludex.core.match import Match, decide
    from ludex.core.registry import make_agent

    player = make_agent(board, agent)
    match: Match[Any, Any] = Match(board, seed)
    seen: list[tuple[View, Decision]] = []
    while not match.over:
        decision = decide(match, player, Limit())
        seen.append((board.view(match.state, 0), decision))
        match.carry_out(decision)
    assert match.outcome is not None
    last, reason = board.view(match.state, 0), match.outcome.reason
    document: dict[str, Json] = {
        "game": board.info.id,
        "preset": board.info.preset,
        "agent": player.name,
        "seed": seed,
        "decisions": [_listed(view, decision) for view, decision in seen],
        "outcome": reason,
    }
    return VerbResult(document, lambda: _render(board, seen, last, reason))


def _listed(view: "View", decision: "Decision") -> Json:
    from ludex.games.minesweeper.rules.notation import action_names

    return {
        "action": decision.action,
        "text": action_names(view.rows, view.cols)[decision.action],
        "resigns": decision.resigns,
        "value": decision.value,
        "note": decision.note,
        "stats": dict(decision.stats),
        "board": list(_drawn(view, decision).split("\n")),
    }


def _drawn(view: "View", decision: "Decision") -> str:
    from ludex.games.minesweeper.tools.pictures import ascii_board

    return ascii_board(view, decision=decision, probabilities=_probabilities(view, decision))


def _probabilities(view: "View", decision: "Decision") -> "NDArray[np.float64]":
    """The agent's probabilities, or the exact ones where it reports none."""
    import numpy as np

    from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
    from ludex.games.minesweeper.screen.terminal import MINE_OVERLAY

    if MINE_OVERLAY not in decision.overlay:
        return mine_probabilities(view.numbers, view.mines)
    believed = [np.nan if one is None else one for one in decision.overlay[MINE_OVERLAY]]
    return np.array(believed).reshape(view.rows, view.cols)


def _render(board: Any, seen: "list[tuple[View, Decision]]", last: "View", reason: str) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from ludex.games.minesweeper.screen.terminal import draw
    from ludex.games.minesweeper.tools.pictures import ascii_board
    from ludex.games.minesweeper.tools.verb_output import Fitting

    shown: list[RenderableType] = []
    for number, (view, decision) in enumerate(seen, 1):
        shown.append(Text.assemble((f"{number}. ", "bold"), decision.note))
        shown.append(Fitting(_drawn(view, decision), draw(board, view, decision)))
    return Group(*shown, Text(f"the end: {reason}", "bold"), Fitting(ascii_board(last), draw(board, last, None)))
