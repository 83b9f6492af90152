"""`ludex minesweeper profile`: how fast the vector environment is here."""

from typing import Annotated, Any, Literal

import typer

from ludex.core.verb import Telling


def profile(
    board: Any,
    *,
    lanes: Annotated[int, typer.Option(min=1, max=65_536, help="boards side by side")] = 1024,
    threads: Annotated[int, typer.Option(min=1, help="threads that step them")] = 1,
    dtype: Annotated[Literal["uint8", "float16", "float32"], typer.Option(help="type of observations")] = "float32",
    flags: Annotated[bool, typer.Option(help="whether actions include flags")] = True,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds for each measurement")] = 1.0,
) -> Telling:
    """Measure the vector environment under random legal actions: whole steps, and what drawing the actions takes."""
    from rich.console import Group
    from rich.table import Table

    from ludex.core.bench import rates
    from ludex.core.errors import BadOption
    from ludex.games.minesweeper.eval import config_of
    from ludex.games.minesweeper.lanes.throughput import RandomPlay, wall_rate
    from ludex.kernels.jit import most_threads

    if threads > most_threads():
        raise BadOption(f"--threads: at most {most_threads()} on this machine, found {threads}")
    cfg = config_of(board).model_copy(update={"obs_dtype": dtype, "reveal_only": not flags})
    play = RandomPlay(cfg, lanes, threads)
    found = rates({"steps": play.play, "sampling": play.draw}, seconds)
    whole, sampling = 1 / found["steps"], 1 / found["sampling"]
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "lanes": lanes,
        "threads": threads,
        "dtype": dtype,
        "flags": flags,
        "steps_per_cpu_second": found["steps"],
        "steps_per_second": wall_rate(play.play, seconds),
        "ns_per_step": 1e9 * whole,
        "sampling_ns": 1e9 * sampling,
        "stepping_ns": 1e9 * (whole - sampling),
    }

    def told() -> Group:
        table = Table(box=None, show_header=False)
        table.add_column(style="dim")
        table.add_column(justify="right")
        for name, unit in _UNITS.items():
            table.add_row(unit, f"{document[name]:,.0f}")
        return Group(f"{board.info.preset}, {lanes} lanes, {threads} threads, {dtype}", table)

    return Telling(document, told)


_UNITS = {
    "steps_per_cpu_second": "steps per CPU-second",
    "steps_per_second": "steps per second of the clock",
    "ns_per_step": "CPU nanoseconds a step",
    "sampling_ns": "of them drawing the action",
    "stepping_ns": "of them stepping",
}
