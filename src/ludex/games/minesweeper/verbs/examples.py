"""`ludex minesweeper examples`: what imitation learns from, made by many processes or machines and kept in files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.core.verb import Progress, Telling


def examples(
    progress: Progress,
    executor: Any,
    output: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="where chunks are kept; a half full one is gone on with")
    ],
    *,
    chunks: Annotated[int, typer.Option(min=1, help="how many the folder shall have")],
    config: Annotated[
        str, typer.Option(help="a shipped training configuration, or a path to a .yaml file")
    ] = "shipped",
    set_: Annotated[list[str] | None, typer.Option("--set", help="change a key: a.b=value; may be repeated")] = None,
) -> Telling:
    """Let the solver play the games of a training configuration, and keep their states with all that it knows of them.

    A chunk is `imitation.games_per_chunk` games of one board, and one task of the executor. Train from the folder with
    `--set imitation.dataset=FOLDER`.
    """
    from ludex.games.minesweeper.config import CONFIGS, MinesweeperConfig
    from ludex.games.minesweeper.learning.examples import load_examples, make_examples, save_examples
    from ludex.games.minesweeper.learning.source import ExampleSource, recipe_of
    from ludex.learn.config import load_config, parse_changes
    from ludex.learn.shards import Shards

    chosen = load_config(MinesweeperConfig, CONFIGS, config, parse_changes(set_ or []))
    shards, source = Shards.begun(output, recipe_of(chosen)), ExampleSource(chosen)
    made = 0
    with progress("chunks", chunks) as advance:
        for _, new in shards.fill(chunks, source.task_of, make_examples, save_examples, executor):
            made += new
            advance(1)
    states = sum(len(load_examples(shards.path(number)).won) for number in range(chunks))
    document: dict[str, Any] = {
        "folder": str(output),
        "config": config,
        "seed": chosen.seed,
        "chunks": chunks,
        "made": made,
        "games": chunks * chosen.imitation.games_per_chunk,
        "examples": states,
    }
    return Telling(
        document, lambda: f"{chunks:,} chunks with {states:,} examples in {output}, {made:,} of them made now"
    )
