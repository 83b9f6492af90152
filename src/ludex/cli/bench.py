"""`ludex bench`: speed, in a checkout compared with other libraries."""

import importlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import parameters
from ludex.cli.gameverb import GameVerb
from ludex.cli.output import emit, table_of
from ludex.core.errors import Unsupported
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
    """Measure the speed of a game; in the root of a checkout beside its peers, in one run on this machine."""
    from ludex.core.bench import machine

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
    peers = _peers_of(spec.id)
    where = machine((*OURS, *(() if peers is None else peers.PACKAGES)))
    if peers is None:
        from ludex.kernels.bench import bench as measure

        measured = measure(spec.id, seconds)
    else:
        measured = peers.bench(seconds)
    rows = [row.to_json() for row in measured]
    emit({"game": spec.id, "machine": where, "seconds": seconds, "rows": rows}, as_json, lambda: _render(rows))


def _peers_of(game: str) -> Any:
    """What the speed of a game is measured beside, a module of the checkout; None elsewhere, and for other games."""
    name = f"benchmarks.peers.{game}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise
        return None


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
