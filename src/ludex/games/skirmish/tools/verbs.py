"""Own verbs: how a network deploys and what that is worth, and a network as a file that plays."""

from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Literal, get_args

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table

from ludex.core.errors import BadOption, UnknownAgent
from ludex.core.game import Json
from ludex.core.packages import require_packages
from ludex.core.registry import choose_agent
from ludex.core.verb import Progress, VerbResult
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.evaluation import Evaluation
from ludex.games.skirmish.options import Deployment
from ludex.games.skirmish.rules.hexes import corners
from ludex.games.skirmish.rules.scenario import Scenario


def _check_options(games: int, picture: Path | None) -> None:
    """Raise `BadOption` for an odd number of games, or a picture of another format than SVG."""
    if games % 2:
        raise BadOption(f"--games: expected an even number, half of them from either seat; found {games}")
    if picture is not None and picture.suffix != ".svg":
        raise BadOption(f"--picture: expected a name that ends in .svg, found {picture.name!r}")


def _gain_texts(gain: tuple[float, float, float]) -> tuple[str, str]:
    """A gain in points of 100, and its interval."""
    points, low, high = (100 * share for share in gain)
    return f"{points:+.1f} points", f"{low:+.1f} to {high:+.1f}"


WALL_COLOUR, ZONE_COLOUR, OBJECTIVE_COLOUR = "#57534e", "#1d4ed8", "#15803d"


def draw_placements(path: Path, scenario: Scenario, heat: NDArray[np.float64], caption: str) -> None:
    """`heat: float64[hexes]` as an SVG, seen from player 1's end; objectives and player 1's zone are outlined."""
    from matplotlib import colormaps
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    grid, zone = scenario.grid, set(scenario.pools[0])
    edges = {h: OBJECTIVE_COLOUR if h in scenario.objectives else ZONE_COLOUR for h in (*zone, *scenario.objectives)}
    # The outlined ones last, since a hex drawn later covers half of its neighbours' edges.
    hexes = sorted(np.flatnonzero(grid.exists).tolist(), key=lambda h: (h in scenario.objectives, h in zone))
    figure = Figure(figsize=(0.3 * grid.cols, 0.36 * grid.rows), layout="constrained")
    axes = figure.add_subplot(aspect="equal", title="\n".join(wrap(caption, 3 * grid.cols)))
    colours = colormaps["YlOrRd"].with_extremes(bad=WALL_COLOUR)
    cells = PolyCollection([corners(*grid.col_row(h), 1.0) for h in hexes], cmap=colours, linewidths=0.8)
    cells.set_array(np.ma.masked_where(scenario.walls[hexes], heat[hexes]))
    cells.set_edgecolor([edges.get(h, "#d6d3d1") for h in hexes])
    axes.add_collection(cells)
    axes.autoscale_view()
    axes.invert_yaxis()
    axes.set_axis_off()
    figure.savefig(path)


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
    require_packages("torch")
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
        caption = f"{net.name} against {first.opponent}, {games} games: where its units stand when the battle begins"
        draw_placements(picture, board.scenario, first.placements.heat(), caption)
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
