"""`ludex match`: two agents against each other."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import exits, parameters
from ludex.cli.operations import exit_if_interrupted, operation_verb, perform
from ludex.cli.output import emit, note, table_of
from ludex.core.errors import BadOption

if TYPE_CHECKING:
    from ludex.core.record import Record
    from ludex.operations.duel import DuelResult


def match(
    request: Any,
    *,
    save: Annotated[bool, typer.Option("--save", help="store every game in the database")] = False,
    journal: parameters.Journal = None,
    as_json: parameters.Json = False,
) -> None:
    """Play a duel and print its account."""
    if save and journal is not None:
        raise BadOption("--save and --journal do not go together: a match that goes on would be saved twice")
    if save:
        from ludex.store.database import Database

        # Fail before hours of games if the database cannot be used.
        Database.open().close()
    records: list[Record] = []
    result: Any = perform("duel", request, journal=journal, keep=records.append)
    emit(result.model_dump(mode="json"), as_json, lambda: render_duel(result))
    if save:
        with Database.open() as database:
            for record in records:
                database.matches.create(record)
    if result.fault is not None:
        note(f"error [{result.fault.code}]: {result.fault.message}")
        raise typer.Exit(exits.AGENT)
    exit_if_interrupted(result)


def render_duel(result: "DuelResult") -> Any:
    """The result of a duel as a table."""
    columns = ("player", "won", "drawn", "lost", "score", "95 %", "Elo", "ms/move", "p99")
    table = table_of(*columns)
    _add_row(table, result, 0)
    _add_row(table, result, 1)
    table.caption = (
        f"{result.games} games on {result.game} {result.preset}, seed {result.seed}, {result.distinct_games} different"
    )
    if any(result.time_forfeits):
        table.caption += ", {} : {} lost on time".format(*result.time_forfeits)
    if result.sprt is not None:
        table.caption += f"\n{_verdict(result.sprt)}"
    if result.interrupted:
        table.caption += "; interrupted"
    if result.fault is not None:
        table.caption += "; ended by a fault"
    return table


def _verdict(sprt: dict[str, Any]) -> str:
    elo0, elo1 = sprt["elo0"], sprt["elo1"]
    meaning = {
        "H0": f"H0 accepted: {elo0:g} Elo rather than {elo1:g}",
        "H1": f"H1 accepted: {elo1:g} Elo rather than {elo0:g}",
        "undecided": f"undecided between {elo0:g} and {elo1:g} Elo",
    }
    bounds = f"{sprt['lower']:.2f} .. {sprt['upper']:.2f}"
    return f"{meaning[sprt['verdict']]}; LLR {sprt['llr']:.2f} in {bounds}"


def _add_row(table: Any, result: "DuelResult", agent: int) -> None:
    from ludex.arena.statistics import elo

    (low, high), score = result.ci95, result.score
    if agent:
        (low, high), score = (1 - high, 1 - low), 1 - score
    rating = elo(score)
    table.add_row(
        result.agents[agent],
        *map(str, (result.wins[agent], result.draws, result.wins[1 - agent])),
        f"{score:.1%}",
        f"{low:.1%} - {high:.1%}",
        "-" if rating is None else f"{rating:+.0f}",
        f"{result.ms_per_move[agent]:.2f}",
        f"{result.ms_p99[agent]:.2f}",
    )


command = operation_verb("duel", match)
