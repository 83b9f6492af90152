"""`ludex replay`: a match, move by move."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.cli import matches, parameters
from ludex.cli.output import emit, note
from ludex.core.errors import BadOption


def replay(
    source: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|ID|LINE]", help='a file, a stored match\'s id, or a line: "quoridor 9x9: e2 e8"'),
    ] = None,
    ply: Annotated[int | None, typer.Option(min=0, help="show only the position after this many plies")] = None,
    export: Annotated[Path | None, typer.Option(metavar="FILE", help="write the match to a file")] = None,
    line: Annotated[bool, typer.Option("--line", help="print the match as one line of moves")] = False,
    as_json: parameters.Json = False,
) -> None:
    """Play a match again and check that it ends as recorded; without one, list the stored matches."""
    from ludex.core.documents import write_text
    from ludex.core.record import line_of, match_file
    from ludex.operations.review import read_match

    if source is None:
        matches.list_(as_json=as_json)
        return
    match, agents = read_match(source)
    if ply is not None and ply > match.ply:
        raise BadOption(f"--ply {ply}: the match has {match.ply} plies")
    if export is not None:
        write_text(export, match_file(match, agents))
        note(f"wrote {export}")
    emit(_document(match, agents), as_json, lambda: line_of(match) if line else _render(match, agents, ply))


def _document(match: Any, agents: tuple[str, ...]) -> dict[str, Any]:
    from ludex.core.record import line_of

    info, outcome = match.game.info, match.outcome
    return {
        "game": info.id,
        "version": info.version,
        "preset": info.preset,
        "seed": match.seed,
        "agents": list(agents),
        "moves": [{"player": move.player, "action": move.action, "text": move.text} for move in match.moves],
        "outcome": None if outcome is None else {"scores": list(outcome.scores), "reason": outcome.reason},
        "aborted": match.aborted,
        "abort_message": match.abort_message,
        "begins": match.position,
        "line": line_of(match) if match.position is None else None,
        "position": match.game.dump(match.state),
    }


def _render(match: Any, agents: tuple[str, ...], ply: int | None) -> Any:
    from rich.console import Group
    from rich.text import Text

    from ludex.cli.terminal import events_text
    from ludex.core.record import player_names
    from ludex.core.rendering import board_picture, ending

    parts: list[Any] = []
    names = player_names(match.game.info.id, agents)
    for number, state in enumerate(match.positions):
        if ply is not None and number != ply:
            continue
        if number:
            move = match.moves[number - 1]
            parts.append(Text.assemble((f"{number}. ", "bold"), f"{names[move.player]} plays ", (move.text, "bold")))
            events = events_text(match.game, state)
            if events:
                parts.append(events)
        else:
            info = match.game.info
            parts.append(f"{info.id} {info.preset}, seed {match.seed}: {' - '.join(names)}")
        parts.append(board_picture(match.game, state, 0))
    game = match.game.info.id
    return Group(*parts, ending(game, match.outcome, match.aborted, match.ply, names, match.abort_message))
