"""Parameters that several verbs share."""

from typing import Annotated

import typer

Seed = Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="seed of all randomness")]
