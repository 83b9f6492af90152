"""The board in a terminal."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ludex.core.decision import Decision
from ludex.core.text import column_label
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.position import View

NUMBER_STYLES = ("", "blue", "green", "red", "magenta", "yellow", "cyan", "bold white", "bright_black")
SHADES = ((0.0, "bold green"), (0.15, "green"), (0.3, "yellow"), (0.5, "dark_orange"), (1.0, "red"))
"""Styles of mine probabilities up to a bound, from safe to lost."""
MINE_OVERLAY = "mine"
"""The name of the overlay with mine probabilities."""
WIDEST = 3
"""The most characters of a cell: enough for a percentage."""
LABEL = 3


@dataclass(frozen=True)
class BoardPicture:
    """Numbers, flags and hidden cells, a decision's mine probabilities, and at the end where the mines were."""

    view: View
    decision: Decision | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw for the width at hand."""
        view = self.view
        width = max(1, min(WIDEST, (options.max_width - LABEL) // view.cols))
        text = Text(no_wrap=True, overflow="crop")
        text.append_text(self._heading(width))
        for row in range(view.rows):
            text.append(f"\n{row + 1:>{LABEL - 1}} ", "dim")
            for col in range(view.cols):
                text.append_text(self._cell(row * view.cols + col, width))
        text.append("\n" + self._summary(), "dim")
        yield text

    def _heading(self, width: int) -> Text:
        names = [column_label(col) for col in range(self.view.cols)]
        if width >= 2:
            return Text(" " * LABEL + "".join(f"{name:>{width}}" for name in names), "dim")
        # One character per column: two-letter names are written vertically.
        lines = ["".join(name.rjust(2)[place] for name in names) for place in (0, 1)]
        return Text("\n".join(" " * LABEL + line for line in lines), "dim")

    def _cell(self, cell: int, width: int) -> Text:
        mark, style = self._mark(cell, width)
        if self.decision is not None and self.decision.action % (self.view.rows * self.view.cols) == cell:
            style += " reverse"
        text = Text(" " * (width - len(mark)))
        text.append(mark, style)
        return text

    def _mark(self, cell: int, width: int) -> tuple[str, str]:
        view = self.view
        number, flagged = view.numbers.flat[cell], bool(view.flagged[cell])
        if number != HIDDEN:
            return (str(number) if number else " "), NUMBER_STYLES[number]
        if cell == view.exploded:
            return "*", "bold white on red"
        if view.mine_cells is not None and (flagged or cell in view.mine_cells):
            right = cell in view.mine_cells
            return ("⚑" if flagged and right else "*" if right else "x"), ("bold green" if flagged and right else "red")
        if cell == view.start_cell:
            return "S", "bold green"
        probability = self._probability(cell)
        if probability is not None and not flagged:
            style = next(shade for bound, shade in SHADES if probability <= bound)
            return (_percent(probability) if width == WIDEST else "■"), style
        return ("⚑", "bold red") if flagged else ("■", "bright_black")

    def _probability(self, cell: int) -> float | None:
        layer = self.decision.overlay.get(MINE_OVERLAY) if self.decision else None
        return None if layer is None else layer[cell]

    def _summary(self) -> str:
        view = self.view
        hidden = int((view.numbers == HIDDEN).sum())
        return f"{' ' * LABEL}mines {view.mines}, flags {sum(view.flagged)}, safe cells to reveal {hidden - view.mines}"


def _percent(probability: float) -> str:
    """Two characters: 0 is certainly safe, !! certainly a mine, and nothing else is rounded to either."""
    return "!!" if probability >= 1.0 else "0" if probability <= 0.0 else str(min(99, max(1, round(100 * probability))))


def draw(game: Minesweeper, view: View, decision: Decision | None) -> BoardPicture:
    """The board."""
    return BoardPicture(view, decision)
