"""`ludex eval-llm`: what a language model is worth in a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import parameters
from ludex.cli.operations import exit_if_interrupted, operation_verb, perform
from ludex.cli.output import emit, table_of

if TYPE_CHECKING:
    from ludex.operations.model_evaluation import ModelEvaluationResult, Share, VariantResult

LEAST_POSITIONS = 200


def eval_llm(
    request: Any,
    *,
    journal: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="store every answer in a folder, and resume from it")
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Measure, and print the report."""
    if journal is not None:
        journal.mkdir(parents=True, exist_ok=True)
    result: Any = perform("eval-llm", request, folder=journal)
    emit(result.model_dump(mode="json"), as_json, lambda: render(result))
    exit_if_interrupted(result)


def render(result: "ModelEvaluationResult") -> Any:
    """The report as a table: a row per figure, a column per kind of names."""
    from rich.text import Text

    table = table_of("", *(variant.names for variant in result.variants))
    columns = [_figures(variant) for variant in result.variants]
    for name in dict.fromkeys(name for column in columns for name in column):
        table.add_row(name, *(column.get(name, "-") for column in columns))
    # A text: a colon before and behind a name would be read as that of a picture.
    table.title = Text(f"{result.variants[0].agent} on {result.game} {result.preset}")
    table.caption = f"seed {result.seed}, judged by {result.analyst}"
    if any(variant.regret is None or variant.regret.count < LEAST_POSITIONS for variant in result.variants):
        table.caption += f"; regret rests on fewer than {LEAST_POSITIONS} positions"
    if result.bounded:
        table.caption += "; tokens or time ran out"
    if result.interrupted:
        table.caption += "; interrupted"
    return table


def _figures(variant: "VariantResult") -> dict[str, str]:
    rows = {
        "legal moves": _share(variant.legal, "{:.1%}"),
        "legal at once": _share(variant.legal_at_once, "{:.1%}"),
        "refused answers": _counts(variant.refusals),
        "faults": _counts(variant.faults),
        "regret per move": _share(variant.regret, "{:.4f}"),
        "accuracy": "-" if variant.accuracy is None else f"{variant.accuracy:.1f}",
        "blunders": _counts(variant.blunders),
    }
    for row in variant.scores:
        low, high = row.ci95
        text = f"{row.score:.1%} ({low:.1%} - {high:.1%}), {row.wins}+ {row.draws}= {row.losses}-"
        rows[f"against {row.opponent}" if row.opponent else "alone"] = f"{text}, {row.forfeits} forfeited"
    if variant.elo_ci95 is not None:
        low_elo, high_elo = ("-" if end is None else f"{end:+.0f}" for end in variant.elo_ci95)
        rows["Elo"] = f"{'-' if variant.elo is None else f'{variant.elo:+.0f}'} ({low_elo} .. {high_elo})"
    if variant.tokens_per_move is not None:
        rows["tokens per move"] = "{:.0f} read, {:.0f} written".format(*variant.tokens_per_move)
    if variant.seconds_per_move is not None:
        rows["seconds per move"] = f"{variant.seconds_per_move:.2f}"
    return rows


def _share(share: "Share | None", form: str) -> str:
    if share is None:
        return "-"
    low, high = share.ci95
    return f"{form.format(share.mean)} ({form.format(low)} - {form.format(high)}), {share.count}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"


command = operation_verb("eval-llm", eval_llm)
