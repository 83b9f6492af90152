"""Draw `terminal.svg`, a game in the terminal: `python docs/pictures/terminal.py`."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.terminal_theme import TerminalTheme

import ludex
from ludex.cli.terminal import TerminalMatch
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.record import PERSON

TYPED = ["b2", "c1", "h", "q"]
WIDTH = 76
THEME = TerminalTheme(
    (17, 21, 28),
    (220, 225, 232),
    [
        *((69, 76, 89), (226, 106, 106), (122, 199, 128), (229, 192, 101)),
        *((110, 160, 230), (190, 140, 220), (86, 190, 200), (200, 205, 212)),
    ],
)
# Rich's own template asks a font from a server; a picture should load nothing.
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


class Scripted(Console):
    """A console with the input that the picture needs."""

    def __init__(self, typed: list[str]) -> None:
        super().__init__(record=True, width=WIDTH, force_terminal=True, highlight=False, quiet=False)
        self._typed = iter(typed)

    def input(self, prompt: Any = "", **_: Any) -> str:
        text = next(self._typed)
        self.print(f"{prompt}{text}")
        return text


def main() -> None:
    """Play the scripted game and write the picture."""
    game = ludex.make("tictactoe")
    machine = ludex.make_agent(game)
    console = Scripted(TYPED)
    TerminalMatch(
        match=Match(game, seed=1),
        agents=(PERSON, machine.name),
        machines={1: machine},
        adviser=machine,
        limit=Limit(),
        console=console,
        matches=None,
    ).play()
    path = Path(__file__).with_suffix(".svg")
    path.write_text(console.export_svg(title="ludex play tictactoe", theme=THEME, code_format=SVG, unique_id="ludex"))


if __name__ == "__main__":
    main()
