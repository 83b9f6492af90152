"""`ludex minesweeper board`, `convert`, `start` and `luck`: new boards, other formats, first clicks, a game's luck."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ludex.core.errors import BadOption, BadRecord, MalformedAction, Unsupported
from ludex.core.game import Json
from ludex.core.record import match_in
from ludex.core.seeding import MAX_SEED, generator
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.agents.decisions import percent
from ludex.games.minesweeper.agents.luck import Luck, luck_of
from ludex.games.minesweeper.agents.search.solutions import MOST_SOLUTIONS
from ludex.games.minesweeper.agents.search.start import best_start, opening
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import MINE, has_bit
from ludex.games.minesweeper.rules.no_guess import no_guess_board
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import Position
from ludex.games.minesweeper.rules.three_bv import openings, three_bv
from ludex.games.minesweeper.tools.formats import read_board, require_board_name, write_board, write_mines

Seed = Annotated[int, typer.Option(min=0, max=MAX_SEED, help="seed of all randomness")]


@dataclass(frozen=True)
class Fitting:
    """A text where its lines fit, and something narrower where they do not."""

    text: str
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Choose by the width at hand."""
        fits = max(map(len, self.text.split("\n"))) <= options.max_width
        yield Text(self.text, no_wrap=True) if fits else self.narrow


def board_figures(mines: NDArray[np.bool_]) -> dict[str, Json]:
    """The figures of a full board: its size, how many clicks it takes, and the board itself, one text per row."""
    rows, cols = mines.shape
    return {
        "rows": rows,
        "cols": cols,
        "mines": int(mines.sum()),
        "three_bv": three_bv(mines),
        "openings": openings(mines),
        "board": list(write_mines(mines).split("\n")),
    }


def board_text(mines: NDArray[np.bool_]) -> RenderableType:
    """A full board; without spaces between its cells where the terminal is narrow."""
    text = write_mines(mines)
    return Fitting(text, Text(text.replace(" ", ""), no_wrap=True))


def board_line(figures: dict[str, Json]) -> Text:
    """The figures of a board in one line."""
    return Text.assemble(
        f"{figures['rows']}x{figures['cols']}, {figures['mines']} mines, ",
        (f"3BV {figures['three_bv']}", "bold"),
        f", openings {figures['openings']}",
    )


def board_(
    board: Any,
    *,
    seed: Seed = 0,
    first: Annotated[
        str | None, typer.Option(metavar="CELL", help="the cell revealed first; the given or best known one otherwise")
    ] = None,
    tries: Annotated[int, typer.Option(min=1, help="most layouts to try with --no-guess true")] = 20_000,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="write the board, to .mbf or .txt")] = None,
) -> VerbResult:
    """Place the mines of a board as its first reveal would, and show how many clicks it takes."""
    if output is not None:
        require_board_name(output)
    options = board.options
    if options.random_first_click:
        raise BadOption("random_first_click=true leaves no choice of the first cell, which the mines are placed for")
    # The generators of a match's beginning and of its first ply: `ludex play` with this seed has the same board.
    rng = generator(seed, 0 if options.no_guess else 1)
    if first is not None:
        cell = _cell(board, first)
    elif options.no_guess:
        cell = rng.below(board.cells)
    else:
        cell = opening(board.rows, board.cols, board.mines, options.start)
    tried = 1
    if options.no_guess:
        mines, tried = no_guess_board(options, cell, rng, tries)
    else:
        mines = _mines(board, board.apply(board.initial(generator(seed, 0)), cell, rng))
    if output is not None:
        write_board(output, mines)
    figures = board_figures(mines)
    name = action_names(board.rows, board.cols)[cell]
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "seed": seed,
        "first": name,
        "no_guess": options.no_guess,
        "tries": tried,
        **figures,
        "output": None if output is None else str(output),
    }
    kind = f"no guess, found at try {tried}; " if options.no_guess else ""
    where = [] if output is None else [f"wrote {output}"]
    return VerbResult(
        document, lambda: Group(board_text(mines), board_line(figures), f"{kind}first reveal {name}", *where)
    )


def _cell(board: Any, text: str) -> int:
    try:
        action = int(board.parse_action(None, text))
    except MalformedAction as error:
        raise BadOption(f"--first: {error.message}") from error
    if action >= board.cells:
        raise BadOption(f"--first: expected a cell to reveal, found the flag {text!r}")
    return action


def _mines(board: Any, state: Position) -> NDArray[np.bool_]:
    return has_bit(np.frombuffer(state.cells, np.uint8), MINE).reshape(board.rows, board.cols)


def convert(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="a full board, .mbf or .txt")],
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="where to write it, .mbf or .txt")],
) -> VerbResult:
    """Write a board between MBF and text, as the file names end, and show how many clicks it takes."""
    require_board_name(output)
    mines = read_board(source)
    write_board(output, mines)
    figures = board_figures(mines)
    document = {"game": "minesweeper", "source": str(source), "output": str(output), **figures}
    return VerbResult(document, lambda: Group(board_text(mines), board_line(figures), f"wrote {output}"))


def start(board: Any) -> VerbResult:
    """Find the best first cell of a small board and its win probability, by exact search of every layout."""
    options = board.options
    best = best_start(board.rows, board.cols, board.mines, options.start)
    if best is None:
        raise Unsupported(
            f"{board.rows}x{board.cols} with {board.mines} mines is too large to search every layout: "
            f"boards with up to {MOST_SOLUTIONS} layouts are small enough"
        )
    name = action_names(board.rows, board.cols)[best.cell]
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "rows": board.rows,
        "cols": board.cols,
        "mines": board.mines,
        "start": options.start,
        "action": best.cell,
        "text": name,
        "won": best.won,
        "layouts": best.layouts,
        "win_rate": best.win_rate,
    }
    return VerbResult(
        document,
        lambda: Text.assemble(
            ("begin at ", "dim"),
            (name, "bold green"),
            f": best play wins {best.won:,} of {best.layouts:,} layouts, {best.win_rate:.6f}",
        ),
    )


def luck(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="a match, such as `ludex replay ID --export FILE` writes")
    ],
) -> VerbResult:
    """Show how safe each reveal of a game was, which were guesses, and the luck they took together."""
    match, agents = match_in(source)
    if not isinstance(match.game, Minesweeper):
        raise BadRecord(f"{source}: a match of {match.game.info.id}, expected one of minesweeper")
    luck_taken = luck_of(match)
    outcome = None if match.outcome is None else match.outcome.reason
    document: dict[str, Json] = {
        "game": match.game.info.id,
        "preset": match.game.info.preset,
        "seed": match.seed,
        "agents": list(agents),
        "outcome": outcome,
        "luck": luck_taken.spent,
        "guesses": len(luck_taken.guesses),
        "needless": len(luck_taken.needless),
        "reveals": [
            {**asdict(reveal), "guess": reveal.guess, "needless": reveal.needless} for reveal in luck_taken.reveals
        ],
    }
    return VerbResult(document, lambda: _render(luck_taken, outcome))


def _render(luck_taken: Luck, outcome: str | None) -> RenderableType:
    table = Table("guess", "ply", "safe", "safest cell", "", box=None, header_style="bold")
    for reveal in luck_taken.guesses:
        remark = "needless: another cell was certain" if reveal.needless else ""
        fate = remark if reveal.survived else ", ".join([*([remark] if remark else []), "a mine"])
        safety, best = percent(reveal.safety).text(), percent(reveal.best).text()
        table.add_row(reveal.text, str(reveal.ply + 1), safety, best, fate)
    summary = Text.assemble(
        f"{len(luck_taken.reveals)} reveals, {len(luck_taken.guesses)} of them guesses: luck ",
        (f"{luck_taken.spent:.6g}", "bold"),
        f" ({outcome or 'unfinished'})",
    )
    return Group(*([table] if luck_taken.guesses else []), summary)
