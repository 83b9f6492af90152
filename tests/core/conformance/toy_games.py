"""Tiny games, agents and a batch environment that keep the contract. The planted bugs are made from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.decision import Candidate, Decision
from ludex.core.errors import BadPosition, DeclaredAbort, IllegalAction, MalformedAction
from ludex.core.game import Action, AnyGame, GameInfo, Json, Mask, Observation, Outcome, Player, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import CHANCE, Rng, generator


def require_int(data: dict[str, Any], key: str, allowed: range) -> int:
    value = data[key]
    if type(value) is not int or value not in allowed:
        raise BadPosition(f"{key!r} is {value!r}, expected a whole number in {allowed}")
    return value


def require_keys(data: Json, keys: Sequence[str]) -> dict[str, Any]:
    if not isinstance(data, dict) or set(data) != set(keys):
        raise BadPosition(f"found {data!r}, expected an object with the keys {list(keys)}")
    return data


@dataclass(frozen=True)
class Heap:
    pile: int
    turn: Player


class Nim:
    """Take one, two or three from the pile; the player who takes the last wins."""

    START = 7
    info = GameInfo("nim", 1, "7", 2, 3, 7, "none", "perfect", True, ("play",))

    def initial(self, rng: Rng) -> Heap:
        return Heap(self.START, 0)

    def to_move(self, state: Heap) -> Player:
        return state.turn

    def phase(self, state: Heap) -> str:
        return "play"

    def legal(self, state: Heap) -> Mask:
        return np.arange(1, 4) <= state.pile

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        if not 0 <= action < 3 or action >= state.pile:
            raise IllegalAction(f"cannot take {action + 1} of {state.pile}")
        return Heap(state.pile - action - 1, 1 - state.turn)

    def outcome(self, state: Heap) -> Outcome | None:
        if state.pile:
            return None
        return Outcome((1.0, -1.0) if state.turn == 1 else (-1.0, 1.0), "last taken")

    def view(self, state: Heap, player: Player) -> Heap:
        return state

    def observe(self, view: Heap) -> Observation:
        return {"pile": np.array([view.pile], np.float32), "turn": np.array(view.turn, np.int8)}

    def action_text(self, state: Heap, action: Action) -> str:
        return f"take{action + 1}"

    def parse_action(self, state: Heap, text: str) -> Action:
        texts = ["take1", "take2", "take3"]
        if text not in texts:
            raise MalformedAction(f"{text!r}: expected one of {texts}")
        return texts.index(text)

    def dump(self, state: Heap) -> Json:
        return {"pile": state.pile, "turn": state.turn}

    def load(self, data: Json) -> Heap:
        known = require_keys(data, ("pile", "turn"))
        return Heap(require_int(known, "pile", range(self.START + 1)), require_int(known, "turn", range(2)))


class OddAbort(DeclaredAbort):
    code = "odd"


class AbortingNim(Nim):
    """A pile of one is left alone: the match ends without a score."""

    info = replace(Nim.info, aborts=("odd",))

    def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
        after = super().apply(state, action, rng)
        if after.pile == 1:
            raise OddAbort("nobody takes the last one")
        return after


@dataclass(frozen=True)
class Side(Heap):
    me: Player


class SidedNim(Nim):
    """Players know on which side they sit."""

    def view(self, state: Heap, player: Player) -> Heap:
        return Side(state.pile, state.turn, player)

    def observe(self, view: Heap) -> Observation:
        assert isinstance(view, Side)
        return {**super().observe(view), "mine": np.array(view.turn == view.me)}


@dataclass(frozen=True)
class Riddle:
    secret: int
    tried: tuple[bool, ...]
    luck: int
    turn: Player


@dataclass(frozen=True)
class Clues:
    """What everyone knows: not the secret."""

    tried: tuple[bool, ...]
    luck: int
    turn: Player
    found: int
    """The secret once it was found, else -1."""


class UnsampledGuess:
    """Find the secret number, in turns; a die is rolled at every guess. Alone, three guesses must do."""

    NUMBERS = 5

    def __init__(self, players: int = 2) -> None:
        self.info = GameInfo(
            id="guess",
            version=1,
            preset=str(players),
            players=1 if players == 1 else 2,
            num_actions=self.NUMBERS,
            max_plies=3 if players == 1 else self.NUMBERS,
            chance="sampled",
            information="hidden",
            zero_sum=players == 2,
            phases=("begin", "guess"),
        )

    def initial(self, rng: Rng) -> Riddle:
        return Riddle(rng.below(self.NUMBERS), (False,) * self.NUMBERS, 0, 0)

    def to_move(self, state: Riddle) -> Player:
        return state.turn

    def phase(self, state: Riddle) -> str:
        return "guess" if any(state.tried) else "begin"

    def legal(self, state: Riddle) -> Mask:
        if self.outcome(state) is not None:
            return np.zeros(self.NUMBERS, np.bool_)
        return ~np.array(state.tried)

    def apply(self, state: Riddle, action: Action, rng: Rng) -> Riddle:
        if not 0 <= action < self.NUMBERS or not self.legal(state)[action]:
            raise IllegalAction(f"{action} cannot be guessed")
        tried = tuple(known or number == action for number, known in enumerate(state.tried))
        turn = (state.turn + 1) % self.info.players
        return Riddle(state.secret, tried, state.luck + 1 + rng.below(6), turn)

    def outcome(self, state: Riddle) -> Outcome | None:
        if self.info.players == 1:
            if state.tried[state.secret]:
                return Outcome((1.0,), "found")
            return Outcome((-1.0,), "not found") if sum(state.tried) == 3 else None
        if state.tried[state.secret]:
            return Outcome((-1.0, 1.0) if state.turn == 0 else (1.0, -1.0), "found")
        return None

    def view(self, state: Riddle, player: Player) -> Clues:
        return Clues(state.tried, state.luck, state.turn, state.secret if state.tried[state.secret] else -1)

    def observe(self, view: Clues) -> Observation:
        return {"tried": np.array(view.tried), "numbers": np.array([view.luck, view.turn, view.found], np.int32)}

    def action_text(self, state: Riddle, action: Action) -> str:
        return f"n{action}"

    def parse_action(self, state: Riddle, text: str) -> Action:
        if len(text) != 2 or text[0] != "n" or text[1] not in "01234":
            raise MalformedAction(f"{text!r}: expected n0..n4")
        return int(text[1])

    def dump(self, state: Riddle) -> Json:
        return {"secret": state.secret, "tried": list(state.tried), "luck": state.luck, "turn": state.turn}

    def load(self, data: Json) -> Riddle:
        known = require_keys(data, ("secret", "tried", "luck", "turn"))
        tried = known["tried"]
        if not isinstance(tried, list) or len(tried) != self.NUMBERS or not all(type(one) is bool for one in tried):
            raise BadPosition(f"'tried' is {tried!r}, expected {self.NUMBERS} truths")
        return Riddle(
            require_int(known, "secret", range(self.NUMBERS)),
            tuple(tried),
            require_int(known, "luck", range(6 * self.NUMBERS + 1)),
            require_int(known, "turn", range(self.info.players)),
        )


class Guess(UnsampledGuess):
    """The same for searches too, which draw the secret again."""

    def sample_state(self, view: Clues, rng: Rng) -> Riddle:
        untried = [number for number, known in enumerate(view.tried) if not known]
        return Riddle(rng.choice(untried) if view.found < 0 else view.found, view.tried, view.luck, view.turn)


class OpenGuess(Guess):
    """The secret is always the last number: the dice change nothing but the luck."""

    def initial(self, rng: Rng) -> Riddle:
        return replace(super().initial(rng), secret=self.NUMBERS - 1)


def vary_secret(game: AnyGame, state: Riddle, player: Player, rng: Rng) -> Riddle:
    """Another number that could still be it."""
    others = [number for number, known in enumerate(state.tried) if not known and number != state.secret]
    return replace(state, secret=rng.choice(others)) if others else state


class Master:
    """Plays Nim perfectly, and says why."""

    name = "master"

    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        actions = legal_actions(legal)
        scores = {action: 1.0 if (view.pile - action - 1) % 4 == 0 else -1.0 for action in actions}
        best = max(actions, key=lambda action: scores[action])
        candidates = tuple(Candidate(action, scores[action], line=(action,)) for action in actions)
        overlay = {"heat": (0.5, None)}
        decision = Decision(
            best, scores[best], candidates, {"nodes": len(actions)}, (Message.plain("modulo four"),), overlay
        )
        limit.report(decision)
        return decision


class Quitter(Master):
    """Gives up where Nim is lost."""

    def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        decision = super().decide(view, legal, rng=rng, limit=limit)
        return replace(decision, resigns=decision.value == -1.0)


class Shuffler:
    """Plays anything legal of any game."""

    name = "shuffler"

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        actions = legal_actions(legal)
        prob = 1.0 / len(actions)
        return Decision(rng.choice(actions), 0.25, tuple(Candidate(action, prob=prob) for action in actions))


class GameLanes:
    """Lanes of any game, in NumPy buffers over single positions. Each step is taken apart for the planted bugs."""

    shaped = False

    def __init__(self, game: AnyGame, num_lanes: int) -> None:
        self.game = game
        self.num_lanes = num_lanes
        self.num_actions = game.info.num_actions
        self.obs: dict[str, NDArray[Any]] = {}
        self.final_obs: dict[str, NDArray[Any]] = {}
        self.mask = np.zeros((num_lanes, self.num_actions), np.bool_)
        self.player = np.zeros(num_lanes, np.int8)
        self.episode = np.zeros(num_lanes, np.int64)
        self.reward = np.zeros(num_lanes, np.float32)
        self.terminated = np.zeros(num_lanes, np.bool_)
        self.truncated = np.zeros(num_lanes, np.bool_)
        self.plies = [0] * num_lanes
        self.states: list[Any] = [None] * num_lanes

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self.seed = seed
        self.episode[:] = 0
        for lane in range(self.num_lanes):
            self.begin(lane)
        return self.obs, self.info()

    def step(self, actions: NDArray[np.int64]) -> Step:
        self.refuse_illegal(actions)
        for lane, action in enumerate(actions):
            self.move(lane, int(action))
        return self.obs, self.reward, self.terminated, self.truncated, self.info() | {"final_obs": self.final_obs}

    def refuse_illegal(self, actions: NDArray[np.int64]) -> None:
        for lane, action in enumerate(actions):
            if not 0 <= action < self.num_actions or not self.mask[lane, action]:
                raise IllegalAction(f"lane {lane}: action {action} is illegal")

    def rng(self, lane: int) -> Rng:
        return generator(self.seed, self.plies[lane], CHANCE, lane=lane, episode=int(self.episode[lane]))

    def begin(self, lane: int) -> None:
        self.plies[lane] = 0
        self.states[lane] = self.game.initial(self.rng(lane))
        self.show(lane)

    def move(self, lane: int, action: Action) -> None:
        mover = self.game.to_move(self.states[lane])
        self.plies[lane] += 1
        self.states[lane] = self.game.apply(self.states[lane], action, self.rng(lane))
        outcome = self.game.outcome(self.states[lane])
        self.terminated[lane] = outcome is not None
        self.reward[lane] = 0.0 if outcome is None else outcome.scores[mover]
        if outcome is None:
            self.show(lane)
        else:
            self.end(lane, mover)

    def end(self, lane: int, mover: Player) -> None:
        self.keep(self.final_obs, lane, self.game.observe(self.game.view(self.states[lane], mover)))
        self.episode[lane] += 1
        self.begin(lane)

    def show(self, lane: int) -> None:
        self.player[lane] = self.game.to_move(self.states[lane])
        self.mask[lane] = self.game.legal(self.states[lane])
        self.keep(self.obs, lane, self.game.observe(self.game.view(self.states[lane], int(self.player[lane]))))

    def keep(self, buffers: dict[str, NDArray[Any]], lane: int, observation: Observation) -> None:
        for name, array in observation.items():
            buffers.setdefault(name, np.zeros((self.num_lanes, *array.shape), array.dtype))[lane] = array

    def info(self) -> Info:
        return {"mask": self.mask, "player": self.player, "episode": self.episode}


@dataclass(frozen=True)
class Dash:
    points: tuple[int, int]
    gained: int
    turn: Player
    plies: int


class Pig:
    """Roll a die of three sides as often as you dare: a 1 loses what the turn gained; six points win."""

    GOAL, SIDES, PLIES = 6, 3, 12
    info = GameInfo("pig", 1, "6", 2, 2, PLIES, "sampled", "perfect", True, ("play",))

    def initial(self, rng: Rng) -> Dash:
        return Dash((0, 0), 0, 0, 0)

    def to_move(self, state: Dash) -> Player:
        return state.turn

    def phase(self, state: Dash) -> str:
        return "play"

    def legal(self, state: Dash) -> Mask:
        return np.array([True, state.gained > 0]) if self.outcome(state) is None else np.zeros(2, np.bool_)

    def apply(self, state: Dash, action: Action, rng: Rng) -> Dash:
        if not 0 <= action < 2 or not self.legal(state)[action]:
            raise IllegalAction(f"action {action} is not legal")
        return self._held(state) if action else self._rolled(state, rng.below(self.SIDES) + 1)

    def chance_outcomes(self, state: Dash, action: Action) -> Sequence[tuple[float, Dash]]:
        if action:
            return [(1.0, self._held(state))]
        return [(1 / self.SIDES, self._rolled(state, side + 1)) for side in range(self.SIDES)]

    def _held(self, state: Dash) -> Dash:
        points = list(state.points)
        points[state.turn] += state.gained
        return Dash((points[0], points[1]), 0, 1 - state.turn, state.plies + 1)

    def _rolled(self, state: Dash, side: int) -> Dash:
        if side == 1:
            return Dash(state.points, 0, 1 - state.turn, state.plies + 1)
        return replace(state, gained=state.gained + side, plies=state.plies + 1)

    def outcome(self, state: Dash) -> Outcome | None:
        if max(state.points) < self.GOAL and state.plies < self.PLIES:
            return None
        first = float(np.sign(state.points[0] - state.points[1]))
        return Outcome((first, -first), "points")

    def view(self, state: Dash, player: Player) -> Dash:
        return state

    def observe(self, view: Dash) -> Observation:
        return {"numbers": np.array([*view.points, view.gained, view.turn, view.plies], np.float32)}

    def action_text(self, state: Dash, action: Action) -> str:
        return "hold" if action else "roll"

    def parse_action(self, state: Dash, text: str) -> Action:
        if text not in ("roll", "hold"):
            raise MalformedAction(f"{text!r}: expected roll or hold")
        return ("roll", "hold").index(text)

    def dump(self, state: Dash) -> Json:
        return [*state.points, state.gained, state.turn, state.plies]

    def load(self, data: Json) -> Dash:
        if not isinstance(data, list) or len(data) != 5 or not all(type(number) is int for number in data):
            raise BadPosition(f"found {data!r}, expected five whole numbers")
        known: list[Any] = [*data]
        most = self.SIDES * self.PLIES
        highest = (most, most, most, 1, self.PLIES)
        if any(not 0 <= number <= bound for number, bound in zip(known, highest, strict=True)):
            raise BadPosition(f"found {data!r}, expected numbers of at most {list(highest)}")
        return Dash((known[0], known[1]), known[2], known[3], known[4])
