"""The rules of a scenario in words and pictures, its terms, and what can be done now."""

from typing import Final

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message, Parameter
from ludex.core.rulebook import Rulebook, RuleSection, Term
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import View
from ludex.games.skirmish.screen.tutorial import CHARGED, CONTESTED, DEPLOYED, MOVED, SHOT, small

TERMS: Final = (
    *("move", "toughness", "save", "invulnerable", "wounds", "value"),
    *("range", "attacks", "strength", "ap", "damage", "assault", "pistol"),
    *("advance", "fled", "charged", "objective"),
)
"""The words that the screen uses, by their names: `word_NAME` and `word_NAME_meaning` of the catalogues."""


def rulebook(game: Skirmish) -> Rulebook:
    """What is won in this scenario, and each phase in a picture of the small map."""
    scenario = game.scenario
    rules, scoring = scenario.game, scenario.game.scoring
    numbers: dict[str, Parameter] = {
        "units": len(scenario.forces[0]),
        "turns": rules.turns,
        "objectives": len(scenario.objectives),
        "radius": rules.objective_radius,
        "range": rules.charge_range,
        "first": scoring.first_turn,
        "one": scoring.one,
        "two": scoring.two,
        "more": scoring.more,
    }

    def section(name: str, picture: PositionSpec | None = None) -> RuleSection:
        title, text = (Message(f"skirmish.rules_{name}_{part}", numbers) for part in ("title", "text"))
        return RuleSection(title=title, text=text, picture=picture)

    return Rulebook(
        sections=(
            section("goal", small(DEPLOYED)),
            section("place", small("", show_legal=True)),
            section("turn"),
            section("move", small(f"{DEPLOYED} activate/01", show_legal=True)),
            section("shoot", small(f"{MOVED} activate/01", show_legal=True)),
            section("charge", small(f"{SHOT} activate/03", show_legal=True)),
            section("fight", small(f"{CHARGED} activate/03", show_legal=True)),
            section("dice"),
            section("objective", small(CONTESTED, "5.4")),
        ),
        terms=tuple(
            Term(name=name, title=Message(f"skirmish.word_{name}"), meaning=Message(f"skirmish.word_{name}_meaning"))
            for name in TERMS
        ),
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
