"""`ludex tournament`: the ratings of many agents."""

from typing import TYPE_CHECKING, Any

from ludex.cli import parameters
from ludex.cli.operations import exit_if_interrupted, operation_verb, perform
from ludex.cli.output import emit, table_of
from ludex.core.errors import BadOption

if TYPE_CHECKING:
    from ludex.operations.tournament import ScoredRow, TournamentResult


def tournament(request: Any, *, journal: parameters.Journal = None, as_json: parameters.Json = False) -> None:
    """Play a tournament and print its table."""
    if request.name is not None and journal is not None:
        raise BadOption("--name and --journal do not go together: a tournament with a name has a journal of its own")
    result: Any = perform("tournament", request, journal=journal)
    emit(result.model_dump(mode="json"), as_json, lambda: _render(result))
    exit_if_interrupted(result)


def _render(result: "TournamentResult") -> Any:
    # A league has scores and no ratings.
    rated = result.prior_pairs is not None
    strength = ("Elo", "95 %") if rated else ("95 %",)
    heads = ("", "player", "won", "drawn", "lost", "score", *strength, "LOS", "ms/move")
    table = table_of(*heads)
    for row in result.standings:
        counts = map(str, (row.wins, row.draws, row.losses))
        superiority = "-" if row.superiority is None else f"{row.superiority:.1%}"
        cells = (f"{row.score:.1%}", *_strength(row, rated), superiority, f"{row.ms_per_move:.2f}")
        table.add_row(str(row.rank), row.agent, *counts, *cells)
    table.caption = (
        f"{result.format}, {result.games} games on {result.game} {result.preset}, "
        f"seed {result.seed}; LOS: likelihood of superiority over the next"
    )
    for row in result.standings:
        if row.forfeits or row.time_forfeits:
            table.caption += f"\n{row.agent}: {row.forfeits} forfeited, {row.time_forfeits} lost on time"
    if result.prior_pairs:
        table.caption += (
            "\nan agent won or lost every game: ratings exist only with one imaginary drawn pair in each meeting"
        )
    if result.interrupted:
        table.caption += "\ninterrupted"
    return table


def _strength(row: "ScoredRow", rated: bool) -> tuple[str, ...]:
    if not rated:
        return ("{:.1%} - {:.1%}".format(*row.ci95),)
    if row.elo is None or row.elo_ci95 is None:
        return "-", "-"
    return f"{row.elo:+.0f}", "{:+.0f} .. {:+.0f}".format(*row.elo_ci95)


command = operation_verb("tournament", tournament)
