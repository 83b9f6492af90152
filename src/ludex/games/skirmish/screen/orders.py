"""Orders that stand for several actions: a phase ended at once, and a force that the machine places."""

from functools import lru_cache
from typing import Final

from ludex.core.agent import AnyAgent
from ludex.core.errors import IllegalAction
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.registry import make, make_agent
from ludex.core.seeding import Rng
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import DeployUnit, Wait
from ludex.games.skirmish.rules.illegal_actions import refusal
from ludex.games.skirmish.rules.position import Position, View, unit_states
from ludex.games.skirmish.screen.descriptions import unit_words

END_PHASE: Final = "end_phase"
PLACE_FORCE: Final = "place_force"
ENDED: Final = ("move", "shoot", "charge")
"""The phases in which a unit may do nothing."""
PLANNER: Final = "objective"
"""Who places a force: it looks for ways to the objectives."""


def expand(game: Skirmish, view: View, text: str) -> list[str] | None:
    """The actions that an order stands for, in their order; None for any other text."""
    if text == END_PHASE:
        return _end_phase(game, view)
    return _place_force(game, view) if text == PLACE_FORCE else None


def against_end_phase(game: Skirmish, position: Position, legal: Mask) -> Message | None:
    """The reason why a phase cannot be ended now; None if it can."""
    if position.phase not in ENDED:
        known = position.phase if position.phase in ("deployment", "fight") else "other"
        return Message(f"skirmish.end_phase_{known}")
    wait = None if position.active is None else game.table.encode(position, Wait())
    if wait is None or legal[wait]:
        return None
    assert position.active is not None
    return Message("skirmish.end_phase_acting", {"unit": unit_words(game, game.units[position.active].id)})


def _end_phase(game: Skirmish, view: View) -> list[str]:
    """Every unit that could still act does nothing."""
    position = view.position
    if (reason := against_end_phase(game, position, game.legal(position))) is not None:
        raise IllegalAction.of(reason)
    states = unit_states(position, len(game.units))
    ready = [
        unit.id
        for number, (unit, state) in enumerate(zip(game.units, states, strict=True))
        if state.ready and number != position.active and unit.player == position.to_move + 1
    ]
    others = [word for unit in ready for word in (f"activate/{unit}", "wait")]
    return others if position.active is None else ["wait", *others]


def _place_force(game: Skirmish, view: View) -> list[str]:
    """The placements of the mover's units, up to the other player's turn."""
    position, agent, texts = view.position, _planner(game.info.preset), []
    mover = position.to_move
    while position.phase == "deployment" and position.to_move == mover:
        legal = game.legal(position)
        action = agent.decide(game.view(position, mover), legal, rng=Rng(0), limit=Limit()).action
        if not isinstance(game.table.decode(position, action), DeployUnit):
            break
        texts.append(game.action_text(position, action))
        position = game.apply(position, action, Rng(0))
    if not texts:
        raise IllegalAction.of(refusal("no_placement"))
    return texts


@lru_cache(maxsize=8)
def _planner(preset: str) -> AnyAgent:
    return make_agent(make("skirmish", preset), PLANNER)
