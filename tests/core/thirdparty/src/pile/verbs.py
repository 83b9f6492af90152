"""What only this game can do on the command line."""

from typing import Annotated

import typer

from ludex.core.verb import VerbResult


def multiples(most: Annotated[int, typer.Argument(min=0, help="up to which pile")], *, least: int = 0) -> VerbResult:
    """List the piles that lose for the one who must take."""
    lost = list(range(least + -least % 4, most + 1, 4))
    return VerbResult({"lost": [*lost]}, lambda: " ".join(map(str, lost)))
