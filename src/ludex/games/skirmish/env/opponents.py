"""Opponents of a learner in training: an agent of the contract, or a policy over many lanes at once."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import AnyAgent, HasBudget
from ludex.core.errors import AgentFault
from ludex.core.game import Action, Mask, Observation, Player
from ludex.core.limit import Limit
from ludex.core.registry import make_agent
from ludex.core.seeding import CHANCE, agent_stream, generator
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.game import Skirmish, open_game
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.games.skirmish.rules.position import Position, View


class SeatAdapter:
    """Rotates the board for player 2, see `engine.orientation`: both play from the same end, own slots first."""

    def __init__(self, game: Skirmish) -> None:
        self._game = game
        self._orientation = half_turn(game.scenario)

    def observe(self, view: View) -> Observation:
        """What the view's player sees, from its own end of the board."""
        return self._game.observe_at(view, self._orientation.hexes[view.player])

    def mask(self, player: Player, legal: Mask) -> Mask:
        """The engine's mask in a player's indices."""
        turned: Mask = legal[self._orientation.actions[player]]
        return turned

    def action(self, player: Player, action: Action) -> Action:
        """The engine's index of a player's index, and the other way round: the mapping is its own inverse."""
        return int(self._orientation.actions[player, action])


Policy: TypeAlias = Callable[[Observation, Mask], NDArray[np.int64]]
"""Observations and `bool[M, actions]` of the M lanes that wait, to int64[M], all from the mover's end of the board."""


@runtime_checkable
class Opponent(Protocol):
    """Chooses for one side of many lanes: the learner's opponent or, in an evaluation, the learner."""

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[M]: an action, in the turned batch's indices, for each of the lanes `int64[M]`."""
        ...


OpponentLike: TypeAlias = str | AnyAgent | Policy | Opponent
"""An opponent as a caller names it: an agent's text such as `"aggressive"`, an agent, a policy, or one of these."""


class Question(NamedTuple):
    """A position in which an agent has to choose, and the keys of its random generator."""

    packed: bytes
    seed: int
    lane: int
    episode: int
    ply: int


class Choice(NamedTuple):
    """An agent's action in a position, in the turned batch's index."""

    packed: bytes
    action: int


def questions(batch: SkirmishBatch, lanes: NDArray[np.int64]) -> list[Question]:
    """The decisions of some lanes `int64[M]` of a batch."""
    state = batch.lanes
    return [
        Question(batch.position(lane).packed, batch.seed, lane, int(state.episode[lane]), int(state.ply[lane]) + 1)
        for lane in lanes.tolist()
    ]


class AgentOpponent:
    """One agent in every lane, with the same generator as in a match. Resignation is ignored."""

    def __init__(self, game: Skirmish, agent: AnyAgent) -> None:
        self._game = game
        self._agent = agent
        self._seat = SeatAdapter(game)
        self._limit = agent.budget(Limit()) if isinstance(agent, HasBudget) else Limit()

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array([self.answer(question) for question in questions(batch, lanes)], np.int64)

    def answer(self, question: Question) -> int:
        """The agent's choice, in the turned batch's index."""
        position = Position(question.packed)
        return self._seat.action(position.to_move, self._decide(position, question))

    def turn(self, question: Question) -> list[Choice]:
        """The agent's choices until the other player moves or the game ends, with the dice of the batch's lane."""
        position = Position(question.packed)
        player, choices = position.to_move, list[Choice]()
        while position.to_move == player and self._game.outcome(position) is None:
            action = self._decide(position, question)
            choices.append(Choice(position.packed, self._seat.action(player, action)))
            _, seed, lane, episode, ply = question
            try:
                position = self._game.apply(position, action, generator(seed, ply, CHANCE, lane=lane, episode=episode))
            except DeploymentDeadlockError:
                # The batch raises it, and counts it, when it plays this action.
                break
            question = question._replace(packed=position.packed, ply=ply + 1)
        return choices

    def _decide(self, position: Position, question: Question) -> int:
        """The agent's choice, in the engine's index."""
        player, legal = position.to_move, self._game.legal(position)
        _, seed, lane, episode, ply = question
        rng = generator(seed, ply, agent_stream(player), lane=lane, episode=episode)
        limit = self._limit.renew()
        with limit.watch():
            action = self._agent.decide(self._game.view(position, player), legal, rng=rng, limit=limit).action
        if not 0 <= action < len(legal) or not legal[action]:
            where = f"lane {lane}, episode {episode}, ply {ply} of seed {seed}"
            raise AgentFault(f"agent {self._agent.name!r} chose illegal action {action} in {where}")
        return action


class PolicyOpponent:
    """A function over all lanes that wait, such as a network."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        mask = batch.lanes.mask[lanes]
        actions = self._policy({name: array[lanes] for name, array in batch.obs.items()}, mask)
        if actions.shape != lanes.shape or actions.dtype != np.int64:
            returned = f"{actions.dtype}{list(actions.shape)}"
            raise AgentFault(f"the policy returned {returned}, expected int64[{len(lanes)}]")
        inside = (actions >= 0) & (actions < mask.shape[1])
        illegal = ~inside | ~mask[np.arange(len(lanes)), np.where(inside, actions, 0)]
        if illegal.any():
            first = int(illegal.argmax())
            raise AgentFault(f"the policy chose illegal action {actions[first]} in lane {lanes[first]}")
        return actions


def opponent_of(game: Skirmish, opponent: OpponentLike) -> Opponent:
    """The opponent that a caller names."""
    if isinstance(opponent, str):
        return AgentOpponent(game, make_agent(game, opponent))
    if isinstance(opponent, Opponent):
        return opponent
    return PolicyOpponent(opponent) if callable(opponent) else AgentOpponent(game, opponent)


ScriptedPlayer: TypeAlias = tuple[str, str]
"""A scenario and the name of a scripted player."""
Questions: TypeAlias = dict[ScriptedPlayer, list[Question]]
Answers: TypeAlias = dict[ScriptedPlayer, list[int]]
"""Choices, in the order of the questions."""

LEAST = 4
"""Fewer questions than this are answered in this process."""


@lru_cache(maxsize=32)
def scripted_opponent(preset: str, name: str) -> AgentOpponent:
    """A scripted player of a scenario, cached per process."""
    game = open_game(preset)
    return AgentOpponent(game, make_agent(game, name))


def answers(preset: str, name: str, pending: list[Question]) -> list[int]:
    """The choices of a scripted player; runs in worker processes."""
    return [scripted_opponent(preset, name).answer(question) for question in pending]


def turn(preset: str, name: str, question: Question) -> list[Choice]:
    """The choices of a scripted player until it is the other player's turn; runs in worker processes."""
    return scripted_opponent(preset, name).turn(question)


class OpponentWorkers:
    """Worker processes for scripted players; with 0 workers they decide in this process. Close it, or use `with`."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        if workers > 0:
            # Spawn, never fork: forked threads of Numba and torch hang.
            self._pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def submit(self, pending: Questions) -> Callable[[], Answers]:
        """Start the decisions; the returned function waits for the choices."""
        total = sum(map(len, pending.values()))
        if self._pool is None or total < LEAST:
            return lambda: {key: answers(*key, some) for key, some in pending.items()}
        size = max(LEAST // 2, -(-total // self._workers))
        under_way = [
            (key, self._pool.submit(answers, *key, some[first : first + size]))
            for key, some in pending.items()
            for first in range(0, len(some), size)
        ]

        def wait() -> Answers:
            choices: Answers = {key: [] for key in pending}
            for key, future in under_way:
                choices[key] += future.result()
            return choices

        return wait

    def turns(self, pending: list[tuple[ScriptedPlayer, Question]]) -> list[list[Choice]]:
        """Whole turns, each decided by one process."""
        if self._pool is None:
            return [turn(*player, question) for player, question in pending]
        under_way = [self._pool.submit(turn, *player, question) for player, question in pending]
        return [future.result() for future in under_way]


class PlannedTurns:
    """Scripted players that decide whole turns.

    Where a step of many lanes ends with the slowest opponent's turn, it waits for worker processes once, not per ply.
    """

    def __init__(self, workers: OpponentWorkers) -> None:
        self._workers = workers
        self._planned: dict[int, list[Choice]] = {}
        """By lane: the choices to come."""

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64], players: list[ScriptedPlayer]) -> list[int]:
        """The choices of each lane's player, for lanes `int64[M]` of the batch."""
        pending = questions(batch, lanes)
        missing = [index for index, question in enumerate(pending) if not self._is_planned(question)]
        turns = self._workers.turns([(players[index], pending[index]) for index in missing])
        for index, choices in zip(missing, turns, strict=True):
            self._planned[pending[index].lane] = choices
        return [self._planned[question.lane].pop(0).action for question in pending]

    def _is_planned(self, question: Question) -> bool:
        planned = self._planned.get(question.lane, [])
        return len(planned) > 0 and planned[0].packed == question.packed


class ScriptedOpponent:
    """One scripted player in every lane, decided by worker processes."""

    def __init__(self, workers: OpponentWorkers, preset: str, name: str) -> None:
        self._workers = workers
        self._key = (preset, name)

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array(self._workers.submit({self._key: questions(batch, lanes)})()[self._key], np.int64)
