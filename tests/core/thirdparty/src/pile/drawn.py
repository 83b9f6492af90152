"""The same game with files of its own for the browser."""

from dataclasses import replace

from ludex.core.game import Mask
from pile.game import Pile, PileGame, PileOptions
from pile.spec import SPEC as PILE


class DrawnPile(PileGame):
    def __init__(self, options: PileOptions, preset: str) -> None:
        super().__init__(options, preset)
        self.info = replace(self.info, id="drawn")


def scene(game: PileGame, view: Pile, legal: Mask) -> dict[str, int]:
    return {"left": view.left}


SPEC = replace(
    PILE,
    id="drawn",
    title="Drawn pile",
    factory="pile.drawn:DrawnPile",
    screen=replace(PILE.screen, web="pile:web", messages="pile:messages", scene="pile.drawn:scene"),
)
