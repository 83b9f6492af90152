"""Parameters that several verbs share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ludex.core.seeding import MAX_SEED

Json = Annotated[bool, typer.Option("--json", help="print one JSON document and nothing else")]
Seed = Annotated[int, typer.Option(min=0, max=MAX_SEED, help="seed of all randomness")]
Workers = Annotated[int, typer.Option(min=1, help="number of parallel processes")]
Executor = Annotated[
    Literal["local", "ray"], typer.Option(help="where games are played: processes of this machine, or a Ray cluster")
]
Address = Annotated[
    str, typer.Option(metavar="HOST:PORT", help="address of the Ray cluster, or auto: the one this machine belongs to")
]
MoveTime = Annotated[int | None, typer.Option(min=1, max=10**9, help="milliseconds per move")]
Depth = Annotated[int | None, typer.Option(min=1, help="search depth")]
Nodes = Annotated[int | None, typer.Option(min=1, help="search nodes per move")]
Journal = Annotated[
    Path | None, typer.Option(metavar="FILE", help="store every finished pair in a file, and resume from it")
]
Moves = Annotated[str, typer.Option(help='moves from the start, e.g. "b2 a1"')]
