"""Skirmish as a `Game` of the contract. The rules themselves are kernels in `engine`."""

import math
from collections.abc import Mapping
from functools import cached_property
from operator import index
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadPosition, IllegalAction, MalformedAction
from ludex.core.game import Action, GameInfo, Json, Mask, Observation, Outcome, Player, legal_actions
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.games.skirmish.options import SkirmishOptions
from ludex.games.skirmish.rules.actions import ActionTable, ConfirmDeployment, DeployUnit, Meaning, PassDeployment
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.observation import PLANES, observe, vector_length
from ludex.games.skirmish.rules.engine.play import DEADLOCK, begin, fill_mask, play
from ludex.games.skirmish.rules.engine.records import (
    Constants,
    build_constants,
    carried_weapons,
    event_bytes,
    require_capacity,
    thread_scratch,
)
from ludex.games.skirmish.rules.illegal_actions import (
    SHOWN,
    DeploymentDeadlockError,
    Reasons,
    WrongDeployer,
    deadlock,
    join_names,
    refusal,
    refuse_deployment,
)
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.rules.scenario import load_scenario
from ludex.games.skirmish.rules.serialization import position_of, text_of

POINTS: Final = 15.0
HALF_LOST: Final = 2.0
"""A lead of so many points is nearly a won game; so is one of half a force's wounds."""


class Skirmish:
    """The game of one scenario. Both players see everything; a view also names its player."""

    def __init__(self, options: SkirmishOptions, preset: str) -> None:
        self.scenario = load_scenario(options.scenario)
        require_capacity(self.scenario)
        self.table = ActionTable(self.scenario)
        self._unturned = np.arange(self.scenario.grid.size)
        self.units = self.scenario.units
        units = len(self.units)
        self.weapons = tuple(carried_weapons(self.units))
        # Every unit is placed once, and once more for each time it was taken back; passes come between placements.
        deployment = 2 * units + 4 * self.scenario.config.max_undeploys + 2
        # A unit's turn has at most three actions to move, two to shoot, three to charge; and two to fight in any turn.
        battle = self.scenario.game.turns * (8 * units + 2 * 2 * units)
        self.info = GameInfo(
            id="skirmish",
            version=1,
            preset=preset,
            players=2,
            num_actions=self.table.num_actions,
            max_plies=deployment + battle,
            # Where a pool is too small for its force, the deployment deadlocks before the first die.
            chance="none" if self.scenario.doomed else "sampled",
            information="perfect",
            zero_sum=True,
            phases=layout.PHASES,
            aborts=(DeploymentDeadlockError.code,),
        )

    @cached_property
    def constants(self) -> Constants:
        """The scenario for kernels, made when a match needs it: listing games must not compile kernels."""
        return build_constants(self.scenario)

    @cached_property
    def sees(self) -> NDArray[np.uint8]:
        """uint8[hexes, hexes]: 1 where one hex sees the other."""
        size = self.scenario.grid.size
        return cast(NDArray[np.uint8], cast(Any, self.constants)["sight"][:size, :size])

    def initial(self, rng: Rng) -> Position:
        words, work = np.zeros(layout.STATE_WORDS, np.int16), thread_scratch()
        begin(self.constants, words, work)
        return Position(words.tobytes(), event_bytes(work))

    def to_move(self, state: Position) -> Player:
        return state.to_move

    def phase(self, state: Position) -> str:
        return state.phase

    def legal(self, state: Position) -> Mask:
        mask = np.zeros(self.info.num_actions, np.bool_)
        # A copy can be written, as in `apply` and in lanes: one form of the kernels is compiled.
        fill_mask(self.constants, state.words.copy(), mask, thread_scratch())
        return mask

    def apply(self, state: Position, action: Action, rng: Rng) -> Position:
        action = index(action)
        if not 0 <= action < self.info.num_actions:
            raise IllegalAction(f"action {action} does not exist: expected 0..{self.info.num_actions - 1}")
        mask = self.legal(state)
        if not mask[action]:
            raise self._refusal(state, action, mask)
        dice = self.info.chance == "sampled"
        words, work = state.words.copy(), thread_scratch()
        generator = cast(Any, work)["generator"]
        generator[0] = rng.state if dice else 0
        if play(self.constants, words, action, work) == DEADLOCK:
            raise deadlock(self.scenario, state)
        if dice:
            rng.state = int(generator[0])
        return Position(words.tobytes(), event_bytes(work))

    def outcome(self, state: Position) -> Outcome | None:
        result = int(state.words[layout.RESULT])
        if result == layout.LIVE:
            return None
        reason = layout.reason_of(result)
        if result == layout.DRAWN:
            return Outcome((0.0, 0.0), reason)
        return Outcome((-1.0, 1.0) if result & layout.WON_BY_SECOND else (1.0, -1.0), reason)

    def view(self, state: Position, player: Player) -> View:
        return View(state, player)

    def sample_state(self, view: View, rng: Rng) -> Position:
        return view.position

    def observe(self, view: View) -> Observation:
        """`planes` float32[planes, cols, rows] and `vector`, as its player sees them; see `engine.observation`."""
        return self.observe_at(view, self._unturned)

    def observe_at(self, view: View, mapping: NDArray[np.int64]) -> Observation:
        """The same with each hex where `mapping: int64[hexes]` says."""
        grid = self.scenario.grid
        planes = np.zeros((PLANES, grid.size), np.float32)
        vector = np.zeros(vector_length(self.table.unit_slots), np.float32)
        observe(self.constants, view.position.words.copy(), view.player, mapping, planes, vector, thread_scratch())
        return {"planes": planes.reshape(PLANES, grid.cols, grid.rows), "vector": vector}

    def action_text(self, state: Position, action: Action) -> str:
        meaning = self.table.decode(state, action)
        assert meaning is not None, f"action {action} means nothing here"
        return meaning.text

    def parse_action(self, state: Position, text: str) -> Action:
        meaning = self.table.parse(text)
        action = self.table.encode(state, meaning)
        if action is None:
            if isinstance(meaning, DeployUnit):
                refuse_deployment(self.scenario, self.constants, state, meaning)
            if isinstance(meaning, ConfirmDeployment):
                player, expected = meaning.player, state.to_move + 1
                raise WrongDeployer(f"confirm_deployment of player {player}: player {expected} is to move")
            raise MalformedAction(f"{text!r} names no action of player {state.to_move + 1} here")
        return action

    def dump(self, state: Position) -> Json:
        return text_of(self.scenario, state)

    def load(self, data: Json) -> Position:
        position = position_of(self.scenario, data, self.info.max_plies)
        if self.outcome(position) is None and not self.legal(position).any():
            raise BadPosition(f"'to_move': player {position.to_move + 1} has nothing to do in this position")
        return position

    def _refusal(self, state: Position, action: Action, mask: Mask) -> IllegalAction:
        meaning: Meaning | None = self.table.decode(state, action)
        if meaning is None:
            return IllegalAction(f"action {action} is an unused slot of this scenario")
        if isinstance(meaning, DeployUnit):
            refuse_deployment(self.scenario, self.constants, state, meaning)
        over = self.outcome(state) is not None
        reason = refusal("over") if over else Reasons(self.scenario, self.constants, state).reason(meaning)
        legal = legal_actions(mask)
        examples = [self.action_text(state, legal_action) for legal_action in legal[:SHOWN]]
        rest = "" if over else f"; legal: {join_names(examples, len(legal))}"
        error = IllegalAction(f"{meaning.text} cannot be played: {reason.text()}{rest}")
        error.explanation = reason
        return error


def open_game(preset: str | None = None) -> Skirmish:
    """The game on the board of a preset; the default one without."""
    game = make("skirmish", preset)
    assert isinstance(game, Skirmish)
    return game


def expected_score(game: Skirmish, state: Position, player: Player) -> float:
    """The score that a player may expect, for generic searches: its lead in points and in wounds left, in -1..1."""
    first = len(game.scenario.forces[0])
    wounds = state.words[layout.UNITS + layout.WOUNDS :: layout.UNIT_WORDS][: len(game.units)].tolist()
    whole = [unit.type.wounds for unit in game.units]
    shares = [sum(wounds[part]) / sum(whole[part]) for part in (slice(first), slice(first, None))]
    points = state.words[layout.POINTS : layout.POINTS + 2].tolist()
    lead = (points[0] - points[1]) / POINTS + HALF_LOST * (shares[0] - shares[1])
    return math.tanh(lead if player == 0 else -lead)


def counters(game: Skirmish, state: Position, action: Action, stats: Mapping[str, Any]) -> dict[str, int]:
    """One for the action that was played, under its name in the deployment contract or the word of its text."""
    meaning = game.table.decode(state, action)
    assert meaning is not None, f"action {action} was played and means nothing"
    return {"deployment_pass" if isinstance(meaning, PassDeployment) else meaning.contract_name or meaning.word: 1}
