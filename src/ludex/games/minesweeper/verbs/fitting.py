"""Boards as text in whatever width the terminal has."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text


@dataclass(frozen=True)
class Fitting:
    """A text where its lines fit, and something narrower where they do not."""

    text: str
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Choose by the width at hand."""
        fits = max(map(len, self.text.split("\n"))) <= options.max_width
        yield Text(self.text, no_wrap=True) if fits else self.narrow
