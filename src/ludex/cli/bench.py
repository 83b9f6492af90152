"""`ludex bench`: speed compared with other libraries."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import parameters
from ludex.cli.gameverb import GameVerb
from ludex.cli.output import emit, table_of
from ludex.core.errors import MissingDependency, Unsupported
from ludex.core.registry import resolve

if TYPE_CHECKING:
    from ludex.core.spec import GameSpec


OURS: tuple[str, ...] = ("ludex", "numpy", "numba")


def bench(
    spec: Any,
    *,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds for each measurement")] = 2.0,
    signature: Annotated[
        bool, typer.Option("--signature", help="only count the nodes of fixed searches: equal on every machine")
    ] = False,
    as_json: parameters.Json = False,
) -> None:
    """Measure the speed of Ludex and of its peers in one run on this machine."""
    from ludex.core.bench import machine, peers_of

    if signature:
        if spec.tools.signature is None:
            raise Unsupported(f"{spec.id} has no search with a signature")
        figures = resolve(spec.tools.signature)()
        emit(
            {"game": spec.id, **figures._asdict()},
            as_json,
            lambda: f"{figures.nodes} nodes: {figures.positions} positions at depth {figures.depth}",
        )
        return
    if spec.tools.bench is None:
        raise Unsupported(f"{spec.id} has no benchmark")
    try:
        packages = (*OURS, *peers_of(spec.id).PACKAGES)
    except MissingDependency:
        packages = OURS
    where = machine(packages)
    rows = [row.to_json() for row in resolve(spec.tools.bench)(seconds)]
    emit({"game": spec.id, "machine": where, "seconds": seconds, "rows": rows}, as_json, lambda: _render(rows))


def _render(rows: list[dict[str, Any]]) -> Any:
    table = table_of("measured", "unit", "ours", "peer", "peer's", "ratio")
    for row in rows:
        beside = ("", "", "")
        if row["peer"] is not None:
            beside = (row["peer_name"], f"{row['peer']:,.0f}", f"{row['ratio']:.1f} x")
        table.add_row(row["name"], row["unit"], f"{row['ours']:,.0f}", *beside)
    return table


def _bind(spec: "GameSpec", _: dict[str, Any]) -> dict[str, Any]:
    return {"spec": spec}


command = GameVerb(bench, lambda _: [], _bind)
