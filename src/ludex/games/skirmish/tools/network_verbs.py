"""`ludex skirmish export` and `measure`: a network as a file that plays without torch, and its strength."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer
from rich.table import Table

from ludex.core.documents import write_text
from ludex.core.errors import BadOption, MissingDependency, UnknownAgent
from ludex.core.game import Json
from ludex.core.registry import choose_agent
from ludex.core.verb import Progress, VerbResult
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.options import Deployment
from ludex.games.skirmish.tools.deployments import check_options, gain_texts, heat_svg

if TYPE_CHECKING:
    from ludex.games.skirmish.learning.evaluation import Evaluation


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
    check_options(games, picture)

    from ludex.games.skirmish.learning.evaluation import Measuring
    from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers
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
        write_text(picture, heat_svg(board.scenario, first.placements.heat(), caption))
    rows: list[Json] = [
        _row(result, results[0], rule)
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
    return VerbResult(document, lambda: _results_table(evaluations, deployment))


def _check_chooser(board: Skirmish, option: str, text: str, ways: tuple[str, ...]) -> None:
    """Raise unless a text names one of the ways or an agent of the board."""
    if text in ways:
        return
    try:
        choose_agent(board, text)
    except UnknownAgent as error:
        raise BadOption(f"--{option}: expected {', '.join(ways)} or an agent, found {text!r}: {error}") from error


def _row(result: "Evaluation", first: "Evaluation", deployment: str) -> dict[str, Json]:
    row: dict[str, Any] = {"deployment": deployment, **result.row()}
    if result is not first:
        gain, low, high = first.gain_over(result)
        row |= {"first_gains": gain, "first_gains_ci95": [low, high]}
    return row


def _results_table(evaluations: "dict[str, list[Evaluation]]", deployments: list[str]) -> Table:
    titles = ("opponent", "deployment", "score", "95 %, over pairs", "the first gains", "95 %, over pairs")
    table = Table(*titles, box=None)
    for name, results in evaluations.items():
        for rule, result in zip(deployments, results, strict=True):
            low, high = result.ci95
            gained = gain_texts(results[0].gain_over(result))
            score = (f"{result.win_rate:.1%}", f"{low:.1%} - {high:.1%}")
            table.add_row(name, rule, *score, *(gained if result is not results[0] else ("", "")))
    return table
