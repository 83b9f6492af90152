"""`ludex tune`: an agent's numeric options by self-play."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import board_verb

if TYPE_CHECKING:
    from ludex.arena.tuning import Tuning

REPORTS = 10
"""How often a tuning says where it stands."""


def tune(
    board: Any,
    *,
    agent: Annotated[
        str, typer.Option(help="the player to tune, with options A:key=value", autocompletion=completion.agents)
    ],
    options: Annotated[str, typer.Option(help="its numeric options to tune: key,key")],
    iterations: Annotated[int, typer.Option(min=1, help="how often all options are moved at once")] = 300,
    pairs: Annotated[int, typer.Option(min=1, help="side-swapped pairs of games per iteration")] = 4,
    step: Annotated[float, typer.Option(min=0, help="how far options are moved, as a share of their value")] = 0.25,
    rate: Annotated[float, typer.Option(min=0, help="how many steps a pair that was won shifts them")] = 0.03,
    proof: Annotated[
        int, typer.Option(min=0, help="games between the result and the start afterwards, even; 0 for none")
    ] = 400,
    seed: parameters.Seed = 0,
    executor: parameters.Executor = "local",
    workers: parameters.Workers = 1,
    address: parameters.Address = "auto",
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    opening_plies: parameters.OpeningPlies = 4,
    as_json: parameters.Json = False,
) -> None:
    """Tune an agent's numeric options by self-play (SPSA), and play the match that shows what was gained."""
    from ludex.arena.duel import pairs_of
    from ludex.arena.terms import Terms
    from ludex.arena.tuning import Schedule, parameters_of
    from ludex.arena.tuning import tune as tuned
    from ludex.cli.executors import executor_of
    from ludex.cli.output import emit, note, progress
    from ludex.core.errors import Unsupported
    from ludex.core.limit import Limit
    from ludex.lab.services import DATABASE_SERVICES

    if board.info.players != 2:
        raise Unsupported(f"{board.info.id} has one player: tuning needs an opponent")
    if proof:
        pairs_of(proof)
    chosen = parameters_of(board, agent, [name for name in options.split(",") if name], step)
    terms = Terms.of(
        board,
        (agent,),
        seed=seed,
        limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
        opening_plies=opening_plies,
        services=DATABASE_SERVICES,
    )

    def follow(iteration: int, reference: str) -> None:
        if iteration % max(1, iterations // REPORTS) == 0:
            note(f"{iteration} of {iterations}: {reference}")

    with progress(f"tuning {agent}", 2 * pairs * iterations + proof) as advance:
        result = tuned(
            terms,
            chosen,
            Schedule(iterations, pairs, rate),
            proof=proof,
            executor=executor_of(executor, workers, address),
            advance=advance,
            follow=follow,
        )
    emit(result.to_json(), as_json, lambda: _render(result))
    if result.interrupted or (result.proof is not None and result.proof.interrupted):
        raise typer.Exit(exits.INTERRUPTED)


def _render(result: "Tuning") -> Any:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    from ludex.cli.match import render_duel

    table = Table("option", "start", "tuned", box=None, header_style="bold")
    for one, value in zip(result.parameters, result.values, strict=True):
        table.add_row(one.name, f"{one.start:g}", f"{one.settled(value):g}")
    table.caption = f"{result.iterations} iterations, {result.games} games" + (
        "; interrupted" if result.interrupted else ""
    )
    parts: list[RenderableType] = [table, Text(f"\n{result.tuned}\n", "bold")]
    if result.proof is not None:
        parts.append(render_duel(result.proof))
    return Group(*parts)


command = board_verb(tune)
