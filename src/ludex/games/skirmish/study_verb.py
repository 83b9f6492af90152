"""`ludex skirmish deployments`: where a player places its units, and what that is worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.core.game import Json
from ludex.core.verb import Progress, Telling

if TYPE_CHECKING:
    from rich.table import Table

    from ludex.games.skirmish.study import Way


def deployments(
    board: Any,
    progress: Progress,
    *,
    player: Annotated[list[str], typer.Option(help="an agent; give several to compare the first with the others")],
    opponent: Annotated[str, typer.Option(help="whom they play")] = "objective",
    games: Annotated[int, typer.Option(min=4, help="games of each, an even number")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first two games; the next ones follow")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="processes that play")] = 1,
    picture: Annotated[Path | None, typer.Option(help="an .svg file for the first player's placements")] = None,
) -> Telling:
    """Play the same seeds with each player, and tell by how much the first scores more than the others.

    `--player hard --player hard:deployment=first --player hard:deployment=uniform` says what placing is worth.
    """
    from ludex.core.documents import write_text
    from ludex.core.errors import BadOption
    from ludex.core.executor import executor_for
    from ludex.games.skirmish.heatmap import heat_svg
    from ludex.games.skirmish.study import compare

    if games % 2:
        raise BadOption(f"--games: expected an even number, half of them from either seat; found {games}")
    if picture is not None and picture.suffix != ".svg":
        raise BadOption(f"--picture: expected a name that ends in .svg, found {picture.name!r}")
    with progress("games", games * len(player)) as advance:
        ways = compare(executor_for(workers), board.info.preset, player, opponent, games, seed, advance)
    if picture is not None:
        caption = f"{player[0]} against {opponent}, {games} games: where its units stand when the battle begins"
        write_text(picture, heat_svg(board.scenario, ways[0].heat(board.scenario.grid.size), caption))
    document: dict[str, Json] = {
        "game": "skirmish",
        "preset": board.info.preset,
        "opponent": opponent,
        "games": games,
        "seed": seed,
        "players": [_row(way, ways[0]) for way in ways],
    }
    return Telling(document, lambda: _told(ways, opponent))


def _row(way: "Way", first: "Way") -> dict[str, Json]:
    gain, low, high = first.gain_over(way)
    told: dict[str, Json] = {"player": way.player, "score": float(way.scores.mean())}
    return told if way is first else {**told, "first_gains": gain, "ci95": [low, high]}


def _told(ways: "list[Way]", opponent: str) -> "Table":
    from rich.table import Table

    table = Table("player", f"score against {opponent}", "the first gains", "95 %, over pairs", box=None)
    for way in ways:
        gain, low, high = ways[0].gain_over(way)
        told = ("", "") if way is ways[0] else (f"{100 * gain:+.1f} points", f"{100 * low:+.1f} to {100 * high:+.1f}")
        table.add_row(way.player, f"{100 * float(way.scores.mean()):.1f} %", *told)
    return table
