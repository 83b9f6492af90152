"""The whole game in one file."""

from typing import NamedTuple

import numpy as np

from ludex.core.decision import Decision
from ludex.core.errors import BadPosition, IllegalAction, MalformedAction
from ludex.core.game import Action, GameInfo, Json, Mask, Observation, Outcome, Player
from ludex.core.limit import Limit
from ludex.core.options import NoOptions, Options
from ludex.core.seeding import Rng
from ludex.core.services import Services


class PileOptions(Options):
    size: int = 7


class Pile(NamedTuple):
    left: int
    turn: int


class PileGame:
    def __init__(self, options: PileOptions, preset: str) -> None:
        self.size = options.size
        self.info = GameInfo(
            id="pile",
            version=1,
            preset=preset,
            players=2,
            num_actions=3,
            max_plies=options.size,
            chance="none",
            information="perfect",
            zero_sum=True,
            phases=("play",),
        )

    def initial(self, rng: Rng) -> Pile:
        return Pile(self.size, 0)

    def to_move(self, state: Pile) -> Player:
        return state.turn

    def phase(self, state: Pile) -> str:
        return "play"

    def legal(self, state: Pile) -> Mask:
        return np.arange(1, 4) <= state.left

    def apply(self, state: Pile, action: Action, rng: Rng) -> Pile:
        if not 0 <= action < 3 or action + 1 > state.left:
            raise IllegalAction(f"cannot take {action + 1} of {state.left}")
        return Pile(state.left - action - 1, 1 - state.turn)

    def outcome(self, state: Pile) -> Outcome | None:
        if state.left:
            return None
        return Outcome((-1.0, 1.0) if state.turn == 0 else (1.0, -1.0), "last one taken")

    def view(self, state: Pile, player: Player) -> Pile:
        return state

    def observe(self, view: Pile) -> Observation:
        return {"pile": np.array([view.left, view.turn], np.int32)}

    def action_text(self, state: Pile, action: Action) -> str:
        return f"take{action + 1}"

    def parse_action(self, state: Pile, text: str) -> Action:
        if text not in ("take1", "take2", "take3"):
            raise MalformedAction(f"{text!r}: expected take1, take2 or take3")
        return int(text[-1]) - 1

    def dump(self, state: Pile) -> Json:
        return {"left": state.left, "turn": state.turn}

    def load(self, data: Json) -> Pile:
        if not isinstance(data, dict) or set(data) != {"left", "turn"}:
            raise BadPosition(f"expected left and turn, found {data!r}")
        left, turn = data["left"], data["turn"]
        if type(left) is not int or type(turn) is not int or not 0 <= left <= self.size or turn not in (0, 1):
            raise BadPosition(f"expected 0..{self.size} left and turn 0 or 1, found {data!r}")
        return Pile(left, turn)


class Remainder:
    """Leaves a multiple of four behind whenever it can."""

    def __init__(self, game: PileGame, options: NoOptions, services: Services, name: str) -> None:
        self.name = name

    def decide(self, view: Pile, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        take = view.left % 4
        return Decision(action=take - 1 if take else 0, value=1.0 if take else -1.0)


def draw(game: PileGame, view: Pile, decision: Decision | None) -> str:
    return "o" * view.left
