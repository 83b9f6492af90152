"""Parameters that several verbs share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ludex.core.seeding import MAX_SEED

Json = Annotated[bool, typer.Option("--json", help="print one JSON document and nothing else")]
Seed = Annotated[int, typer.Option(min=0, max=MAX_SEED, help="seed of all randomness")]
MatchSeed = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=MAX_SEED,
        help="seed of all randomness",
        show_default="0; drawn where agents of other packages play with dice or secrets",
    ),
]
Workers = Annotated[int, typer.Option(min=1, help="number of parallel processes")]
Executor = Annotated[
    Literal["local", "ray"], typer.Option(help="where games are played: processes of this machine, or a Ray cluster")
]
Address = Annotated[
    str, typer.Option(metavar="HOST:PORT", help="of the Ray cluster; auto: the one this machine belongs to")
]
MoveTime = Annotated[int | None, typer.Option(min=1, max=10**9, help="milliseconds per move")]
Depth = Annotated[int | None, typer.Option(min=1, help="search depth")]
Nodes = Annotated[int | None, typer.Option(min=1, help="search nodes per move")]
Clock = Annotated[
    str | None,
    typer.Option(metavar="SECONDS[+INCREMENT]", help="each player's time for a game; a player out of time loses"),
]
OpeningPlies = Annotated[int, typer.Option(min=0, help="random moves at the start of both games of a pair")]
Journal = Annotated[
    Path | None, typer.Option(metavar="FILE", help="store every finished pair in a file, and resume from it")
]
Moves = Annotated[str, typer.Option(help='moves from the start, e.g. "b2 a1"')]
