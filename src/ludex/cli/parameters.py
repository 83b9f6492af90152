"""Parameters that several verbs share."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="print one JSON document and nothing else")]
Seed = Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="seed of all randomness")]
Workers = Annotated[int, typer.Option(min=1, help="processes that play side by side")]
MoveTime = Annotated[int | None, typer.Option(min=1, max=10**9, help="milliseconds a move")]
Depth = Annotated[int | None, typer.Option(min=1, help="search depth")]
Nodes = Annotated[int | None, typer.Option(min=1, help="search nodes a move")]
OpeningPlies = Annotated[int, typer.Option(min=0, help="random moves at the start of both games of a pair")]
Moves = Annotated[str, typer.Option(help='moves from the start, e.g. "b2 a1"')]
