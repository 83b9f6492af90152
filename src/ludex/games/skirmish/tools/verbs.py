"""Own verbs: how a network deploys and what that is worth, and a network as a file that plays."""

from html import escape
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Final, Literal, get_args

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table

from ludex.core.documents import write_text
from ludex.core.errors import BadOption, MissingDependency, UnknownAgent
from ludex.core.game import Json
from ludex.core.registry import choose_agent
from ludex.core.verb import Progress, VerbResult
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.evaluation import Evaluation
from ludex.games.skirmish.options import Deployment
from ludex.games.skirmish.rules.hexes import corners, extent
from ludex.games.skirmish.rules.scenario import Scenario


def _check_options(games: int, picture: Path | None) -> None:
    """Raise `BadOption` for an odd number of games, or a picture of another format than SVG."""
    if games % 2:
        raise BadOption(f"--games: expected an even number, half of them from either seat; found {games}")
    if picture is not None and picture.suffix != ".svg":
        raise BadOption(f"--picture: expected a name that ends in .svg, found {picture.name!r}")


def _write_picture(path: Path, board: Skirmish, player: str, evaluation: Evaluation) -> None:
    games = len(evaluation.scores)
    caption = f"{player} against {evaluation.opponent}, {games} games: where its units stand when the battle begins"
    write_text(path, heat_svg(board.scenario, evaluation.placements.heat(), caption))


def _gain_texts(gain: tuple[float, float, float]) -> tuple[str, str]:
    """A gain in points of 100, and its interval."""
    points, low, high = (100 * share for share in gain)
    return f"{points:+.1f} points", f"{low:+.1f} to {high:+.1f}"


SIZE: Final = 10.0
MARGIN: Final = 6.0
LINE: Final = 14.0
FONT: Final = 11.0
LETTER: Final = 0.55 * FONT
"""A letter's width, on average and with some margin."""
COLD, WARM = np.array([244, 241, 233]), np.array([196, 63, 41])
WALL_COLOUR, ZONE_COLOUR, OBJECTIVE_COLOUR = "#57534e", "#1d4ed8", "#15803d"


def heat_svg(scenario: Scenario, heat: NDArray[np.float64], caption: str) -> str:
    """`heat: float64[hexes]`, seen from player 1's end; objectives are ringed, player 1's zone is outlined."""
    grid = scenario.grid
    width, height = extent(grid.cols, grid.rows, SIZE)
    most = float(heat.max(initial=0.0)) or 1.0
    zone = set(scenario.pools[0])
    shapes = []
    # The zone last, since a hex drawn later covers half of its neighbours' edges.
    for number in sorted(np.flatnonzero(grid.exists).tolist(), key=lambda h: h in zone):
        col, row = grid.col_row(number)
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners(col, row, SIZE))
        share = float(heat[number])
        fill = WALL_COLOUR if scenario.walls[number] else _colour(share / most)
        edge = ZONE_COLOUR if number in zone else "#d6d3d1"
        objective = f' class="objective" stroke-dasharray="3 2" stroke="{OBJECTIVE_COLOUR}" stroke-width="2"'
        line = objective if number in scenario.objectives else f' stroke="{edge}" stroke-width="0.8"'
        title = f"<title>{grid.name(number)}: {share:.1%}</title>" if share > 0 else ""
        shapes.append(f'<polygon points="{points}" fill="{fill}"{line}>{title}</polygon>')
    lines = wrap(caption, int(width / LETTER))
    box = f"{-MARGIN} {-MARGIN} {width + 2 * MARGIN:.1f} {height + 3 * MARGIN + LINE * len(lines):.1f}"
    font = f'font-family="sans-serif" font-size="{FONT:g}"'
    text = "".join(
        f'<text x="0" y="{height + LINE * number:.1f}" {font}>{escape(line)}</text>'
        for number, line in enumerate(lines, start=1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-label="{escape(caption)}">'
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="100%" height="100%" fill="#ffffff"/>'
        f"{''.join(shapes)}{text}</svg>\n"
    )


def _colour(share: float) -> str:
    red, green, blue = (COLD + (WARM - COLD) * share**0.5).round().astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def export(board: Skirmish, net: Path, output: Path) -> None:
    """Write a network of a training run as ONNX for a scenario's board, for `--agent hard:net=FILE`."""
    import torch

    from ludex.games.skirmish.learning.network import geometry_of
    from ludex.games.skirmish.learning.network_files import load_net, playing_net
    from ludex.learn.export import save_onnx

    geometry = geometry_of(board)
    save_onnx(playing_net(load_net(net, geometry, torch.device("cpu")), geometry), output)


def measure(
    board: Any,
    progress: Progress,
    net: Annotated[Path, typer.Argument(help="net.pt or imitated.pt of a training run")],
    *,
    opponent: Annotated[
        list[str], typer.Option(help="an agent, or `itself:temperature=0.7`, the network drawing; repeatable")
    ] = ["aggressive", "defensive", "objective"],  # noqa: B006 - typer reads it once
    games: Annotated[int, typer.Option(min=4, help="games against each, an even number")] = 1000,
    temperature: Annotated[
        float,
        typer.Option(min=0.0, max=20.0, help="in battle, 0 plays the first choice; the hotter, the more at random"),
    ] = 0.0,
    deployment: Annotated[
        list[str],
        typer.Option(help="how units are placed: learned, first, sampled, uniform, or by an agent; repeatable"),
    ] = ["learned"],  # noqa: B006
    battle: Annotated[str, typer.Option(help="who leads the battle: learned, the network, or an agent")] = "learned",
    lanes: Annotated[int, typer.Option(min=1, help="most games side by side, of which the games are a multiple")] = 500,
    workers: Annotated[int, typer.Option(min=0, help="worker processes for agents; with 0 they run in this one")] = 0,
    device: Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="where the network plays")] = "auto",
    seed: Annotated[int, typer.Option(min=0, help="names all dice and draws")] = 977,
    picture: Annotated[Path | None, typer.Option(help="an .svg file for where its units stand")] = None,
) -> VerbResult:
    """Let a network play each opponent from both seats, once for every way to deploy, on the same dice.

    `--deployment learned --deployment first --deployment uniform` says what its placing is worth: by how much the
    first way scores more than the others, with the same policy in the battle. With `--battle objective` an agent
    leads the battle, so that only the placing is the network's; with `--deployment objective` only the battle is.
    """
    if find_spec("torch") is None:
        raise MissingDependency("torch is not installed: pip install 'ludex[train]'")
    for option, texts, ways in (("deployment", deployment, get_args(Deployment)), ("battle", [battle], ("learned",))):
        for text in texts:
            _check_chooser(board, option, text, ways)
    _check_options(games, picture)

    from ludex.games.skirmish.learning.network_files import Measuring
    from ludex.learn.device import select_device

    where = select_device(device)
    with OpponentWorkers(workers) as pool, progress("games", games * len(opponent) * len(deployment)) as advance:
        measuring = Measuring(board, net, where, pool, games=games, lanes=lanes, seed=seed, advance=advance)
        evaluations = {
            name: [measuring.against(name, temperature, rule, battle) for rule in deployment]
            for name in dict.fromkeys(opponent)
        }
    first = next(iter(evaluations.values()))[0]
    if picture is not None:
        _write_picture(picture, board, net.name, first)
    rows: list[Json] = [
        _evaluation_row(result, results[0], rule)
        for results in evaluations.values()
        for rule, result in zip(deployment, results, strict=True)
    ]
    document: dict[str, Json] = {
        "game": "skirmish",
        "preset": board.info.preset,
        "net": net.name,
        "temperature": temperature,
        "battle": battle,
        "seed": seed,
        "device": str(where),
        "rows": rows,
    }
    return VerbResult(document, lambda: _evaluations_table(evaluations, deployment))


def _check_chooser(board: Skirmish, option: str, text: str, ways: tuple[str, ...]) -> None:
    """Raise unless a text names one of the ways or an agent of the board."""
    if text in ways:
        return
    try:
        choose_agent(board, text)
    except UnknownAgent as error:
        raise BadOption(f"--{option}: expected {', '.join(ways)} or an agent, found {text!r}: {error}") from error


def _evaluation_row(result: Evaluation, first: Evaluation, deployment: str) -> dict[str, Json]:
    row: dict[str, Any] = {"deployment": deployment, **result.row()}
    if result is not first:
        gain, low, high = first.gain_over(result)
        row |= {"first_gains": gain, "first_gains_ci95": [low, high]}
    return row


def _evaluations_table(evaluations: dict[str, list[Evaluation]], deployments: list[str]) -> Table:
    titles = ("opponent", "deployment", "score", "95 %, over pairs", "the first gains", "95 %, over pairs")
    table = Table(*titles, box=None)
    for name, results in evaluations.items():
        for rule, result in zip(deployments, results, strict=True):
            low, high = result.ci95
            gained = _gain_texts(results[0].gain_over(result))
            score = (f"{result.win_rate:.1%}", f"{low:.1%} - {high:.1%}")
            table.add_row(name, rule, *score, *(gained if result is not results[0] else ("", "")))
    return table
