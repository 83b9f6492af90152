"""The rules of a scenario in words and pictures, its terms, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.tutorial import Tutorial
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import View
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step_at, turn

TERMS: Final = (
    *("move", "toughness", "save", "invulnerable", "wounds", "value"),
    *("range", "attacks", "strength", "ap", "damage", "assault", "pistol"),
    *("advance", "fled", "charged", "objective"),
)
"""The words that the screen uses, by their names: `term_NAME` and `term_NAME_meaning` of the catalogues."""


def rulebook(game: Skirmish) -> Rulebook:
    """What is won in this scenario, and each phase in a picture of the small map."""
    scenario = game.scenario
    rules, scoring = scenario.game, scenario.game.scoring
    return grid_rulebook(
        game,
        *TERMS,
        sizes={
            "units": len(scenario.forces[0]),
            "turns": rules.turns,
            "objectives": len(scenario.objectives),
            "radius": rules.objective_radius,
            "range": rules.charge_range,
            "first": scoring.first_turn,
            "one": scoring.one,
            "two": scoring.two,
            "more": scoring.more,
        },
        goal=small(DEPLOYED),
        place=small("", show_legal=True),
        turn=None,
        move=small(f"{DEPLOYED} activate/01", show_legal=True),
        shoot=small(f"{MOVED} activate/01", show_legal=True),
        charge=small(f"{SHOT} activate/03", show_legal=True),
        fight=small(f"{CHARGED} activate/03", show_legal=True),
        dice=None,
        objective=small(CONTESTED, "5.4"),
    )


_PLACING: Final = (("deploy/", "coach_deployment"), ("confirm", "coach_confirm"), ("pass", "coach_pass"))


def coach(game: Skirmish, view: View, legal: Mask) -> Message:
    """What the phase allows, before and after a unit was chosen, without advice on which."""
    position = view.position
    if position.phase == "deployment":
        texts = [game.action_text(position, int(action)) for action in legal.nonzero()[0]]
        first = next(name for start, name in _PLACING if any(text.startswith(start) for text in texts))
        return Message(f"skirmish.{first}")
    if position.active is None:
        return Message(f"skirmish.coach_{position.phase}_choose")
    if int(position.words[layout.DOING]) == layout.CHARGING:
        return Message("skirmish.coach_land")
    return Message(f"skirmish.coach_{position.phase}_act")


ROWS = 10
"""Of the small map: a hex's number is its column times this, and its row."""

DEPLOYED = "deploy/01/1.5 deploy/04/9.5 deploy/02/1.3 deploy/05/9.3 deploy/03/1.7 deploy/06/9.7"
MOVED = f"{DEPLOYED} activate/01 move/5.4 activate/02 move/4.5 activate/03 move/7.5"
# Player 2 stands spread out, so that charges at its units have different chances.
SHOT = (
    "deploy/01/1.5 deploy/04/9.7 deploy/02/1.3 deploy/05/9.3 deploy/03/1.7 deploy/06/9.0"
    " activate/01 move/5.4 activate/02 move/4.5 activate/03 move/7.7"
    " activate/01 wait activate/02 wait activate/03 wait"
)
CHARGED = f"{SHOT} activate/03 charge/04 land/8.7 activate/01 wait activate/02 wait"
# Player 1 stands beside the objective in the middle; player 2's outrider comes to its other side.
CONTESTED = (
    f"{DEPLOYED} activate/01 move/4.5 activate/02 wait activate/03 wait"
    " activate/01 wait activate/02 wait activate/01 wait activate/02 wait activate/03 wait"
    " activate/05 move/5.3 activate/04 wait activate/06 wait"
    " activate/04 wait activate/05 wait activate/04 wait activate/05 wait activate/06 wait"
)


def small(moves: str, hexes: str = "", *, show_legal: bool = False) -> PositionSpec:
    """A position of the small map, with hexes marked; its dice fall as its step needs."""
    cells = tuple(int(name.split(".")[0]) * ROWS + int(name.split(".")[1]) for name in hexes.split())
    return PositionSpec(board="small", moves=tuple(moves.split()), seed=3, cells=cells, show_legal=show_legal)


_IDLE = {"idle": "wait", "advance": "advance"}
HIDDEN = " ".join(f"move/{place}" for place in ("0.0", "1.0", "2.0", "2.1", "2.2", "3.1", "3.2", "5.6"))
"""To the hexes that no enemy sees once both forces are placed."""

TUTORIAL = Tutorial(
    steps=(
        step_at("place", small("", "1.0 1.1 1.2 1.3 1.5 1.6 1.7 1.8"), turn("deploy/*/1.*")),
        step_at("move", small(DEPLOYED, "5.4"), turn("activate/01"), turn("move/5.4", **_IDLE)),
        step_at("shoot", small(MOVED), turn("activate/01"), turn("shoot/*", idle="wait")),
        step_at("cover", small(DEPLOYED, "5.6"), turn("activate/03"), turn(HIDDEN, **_IDLE)),
        step_at(
            "charge", small(SHOT), turn("activate/03"), turn("charge/04", idle="wait", far="charge/*"), turn("land/*")
        ),
        step_at("fight", small(CHARGED), turn("activate/03"), turn("fight/04", idle="wait")),
        step_at(
            "objective",
            small(CONTESTED, "5.4"),
            turn("activate/02 activate/03", holder="activate/01"),
            turn("move/5.5 move/6.5", **_IDLE),
        ),
    )
)
