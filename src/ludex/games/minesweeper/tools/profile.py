"""`ludex minesweeper profile`: what a step of the vector environment takes."""

from typing import Annotated, Any, Final, Literal

import typer

from ludex.core.bench import rates
from ludex.core.errors import BadOption
from ludex.core.seeding import CHANCE
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.kernels.jit import most_threads
from ludex.kernels.sampling import RandomActions

LEAST_STEPS: Final = 20_000
"""The fewest steps of one measured call, so that reading the clock costs little."""


class RandomPlay:
    """Lanes played with random legal actions; a lane that ends is reset."""

    def __init__(self, cfg: EnvConfig, num_lanes: int, threads: int = 1) -> None:
        self._lanes = Lanes(cfg, num_lanes, threads=threads)
        self._sampler = RandomActions(num_lanes, 0, CHANCE)
        self._turns = -(-LEAST_STEPS // num_lanes)
        self._lanes.reset(0)

    def play(self) -> int:
        """Draw actions and step; returns the steps."""
        lanes, draw = self._lanes, self._sampler.draw
        for _ in range(self._turns):
            lanes.step(draw(lanes.mask))
        return self._turns * lanes.num_lanes

    def draw(self) -> int:
        """Only draw the actions, the same number, from the current masks."""
        lanes, draw = self._lanes, self._sampler.draw
        for _ in range(self._turns):
            draw(lanes.mask)
        return self._turns * lanes.num_lanes


def profile(
    board: Any,
    *,
    lanes: Annotated[int, typer.Option(min=1, max=65_536, help="boards side by side")] = 1024,
    threads: Annotated[int, typer.Option(min=1, help="threads that step them")] = 1,
    dtype: Annotated[Literal["uint8", "float16", "float32"], typer.Option(help="type of observations")] = "float32",
    flags: Annotated[bool, typer.Option(help="whether actions include flags")] = True,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds for each measurement")] = 1.0,
) -> VerbResult:
    """Measure the vector environment under random legal actions: whole steps, and what drawing the actions takes."""
    from rich.console import Group
    from rich.table import Table

    if threads > most_threads():
        raise BadOption(f"--threads: at most {most_threads()} on this machine, found {threads}")
    cfg = EnvConfig.of_board(board.options, obs_dtype=dtype, reveal_only=not flags)
    play = RandomPlay(cfg, lanes, threads)
    measured = rates({"steps": play.play, "sampling": play.draw}, seconds)
    whole, sampling = 1 / measured["steps"], 1 / measured["sampling"]
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "lanes": lanes,
        "threads": threads,
        "dtype": dtype,
        "flags": flags,
        "steps_per_cpu_second": measured["steps"],
        "steps_per_second": measured["steps"].wall,
        "ns_per_step": 1e9 * whole,
        "sampling_ns": 1e9 * sampling,
        "stepping_ns": 1e9 * (whole - sampling),
    }

    def render() -> Group:
        table = Table(box=None, show_header=False)
        table.add_column(style="dim")
        table.add_column(justify="right")
        for name, unit in _UNITS.items():
            table.add_row(unit, f"{document[name]:,.0f}")
        return Group(f"{board.info.preset}, {lanes} lanes, {threads} threads, {dtype}", table)

    return VerbResult(document, render)


_UNITS = {
    "steps_per_cpu_second": "steps per CPU-second",
    "steps_per_second": "steps per second of the clock",
    "ns_per_step": "CPU nanoseconds a step",
    "sampling_ns": "of them drawing the action",
    "stepping_ns": "of them stepping",
}
