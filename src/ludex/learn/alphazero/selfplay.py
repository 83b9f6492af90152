"""Many games of the network against itself: moves of the batched search, and samples once a game is over.

A game under way when an iteration ends goes on in the next one; its positions wait until its result is known.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import GameInfo
from ludex.core.limit import Limit
from ludex.core.seeding import generator
from ludex.learn.alphazero.config import SelfPlayConfig, require_value
from ludex.learn.runs import Row
from ludex.search.batched import BatchedSearch, CompiledPositions, Evaluate, SearchResult, Submits
from ludex.search.compiled_mcts import CompiledSearch
from ludex.search.spec import MctsOptions

DEMONSTRATIONS_STREAM = 87


class Demonstrator:
    """Searches the next moves of a batched search's games with `mcts`; `run` stands for that search's own."""

    def __init__(self, search: BatchedSearch, simulations: int, seed: int) -> None:
        """The games of `search` must have compiled rules."""
        assert isinstance(search.positions, CompiledPositions)
        self._search, self._positions, self._seed, self._turn = search, search.positions, seed, 0
        self._options = MctsOptions(simulations=simulations)
        self._simulations = simulations
        self._threads = ThreadPoolExecutor(search.options.threads)
        games, actions = search.games, search.action_size
        self._policy, self._values = np.zeros((games, actions)), np.zeros(games)
        self._observations = np.zeros((games, *search.observation_shape), np.float32)
        self._masks = np.zeros((games, actions), np.uint8)

    def run(self, turn: int) -> SearchResult:
        """Search a move of every game; `turn` is the number of the ply in the run."""
        self._turn = turn
        players = self._positions.players()
        # The kernel runs without Python's lock.
        [*self._threads.map(self._search_game, range(self._search.games))]
        targets = np.zeros_like(self._policy)
        outputs = self._search.orientation[players]
        np.put_along_axis(targets, outputs, self._policy, 1)
        legal = np.zeros_like(self._masks)
        np.put_along_axis(legal, outputs, self._masks, 1)
        none = np.zeros(self._policy.shape, np.int64)
        return SearchResult(
            actions=self._policy.argmax(1),
            policy=self._policy,
            targets=targets,
            values=self._values,
            visits=none,
            q=np.zeros_like(self._policy),
            observations=self._observations,
            masks=legal,
        )

    def _search_game(self, lane: int) -> None:
        rules, root = self._positions.rules, self._positions.packed(lane)
        rng = generator(self._seed, self._turn, DEMONSTRATIONS_STREAM, lane=lane)
        search = CompiledSearch(rules, self._options, Limit(), rng, root)
        done = 0
        while done < self._simulations and not search.finished:
            done += search.simulate(self._simulations - done)
        self._policy[lane], self._values[lane] = search.shares()
        rules.observe(rules.constants, root, self._observations[lane].reshape(-1))
        rules.legal(rules.constants, root, self._masks[lane])


DRAWS_STREAM = 80
MOVE, EXEMPT, OPENING, OPENING_LENGTH = 0, 1, 4, 5
"""What is drawn at a ply, each from a stream of its own after `DRAWS_STREAM`: early moves, the games that may not be
given up, random moves, and how many of those a game begins with."""


class Scale(NamedTuple):
    """How the scores of a game become values in -1..1, which a network learns and a search adds up."""

    centre: float = 0.0
    spread: float = 1.0

    def scale(self, scores: Any) -> Any:
        """Scores, in an array or a tensor, as values; beyond the spread they count alike."""
        return ((scores - self.centre) / self.spread).clip(-1, 1)


SCORES: Final = Scale()
"""Values that are the scores themselves."""


class Samples(NamedTuple):
    """N positions of finished games, in the network's order of actions."""

    observations: NDArray[np.float16]
    """[N, C, H, W]"""
    policies: NDArray[np.float16]
    """[N, A]: the search's policy."""
    scores: NDArray[np.float32]
    """[N]: the result for the player to move, in -1..1."""
    searched: NDArray[np.float32]
    """[N]: the score that the search expected for the player to move, as results are, not as values."""
    moves_left: NDArray[np.float32]
    """[N]: plies until the game's end."""
    ownership: NDArray[np.int8]
    """[N, K, H, W]: what became of each cell for the player to move, `UNKNOWN` in games that were given up; K is 0
    where it is not learned."""

    @property
    def size(self) -> int:
        return len(self.scores)


UNKNOWN: Final = -128
"""What became of a cell of a game that was not played to its end."""
SAVED: Final = ("begun", "opening", "despair", "lost", "exempt")
"""The arrays of `SelfPlay` that a checkpoint keeps."""
FIRST: Final = 0
"""The player whose score results are written for."""


def movers_scores(results: NDArray[np.float32], players: NDArray[np.int64]) -> NDArray[np.float32]:
    """Results `[N]` for player 0 as scores of the players to move `[N]`.

    >>> movers_scores(np.float32([1, 1, -1]), np.array([0, 1, 1])).tolist()
    [1.0, -1.0, 1.0]
    """
    return np.where(players == FIRST, results, -results).astype(np.float32)


def join_samples(parts: list[Samples], empty: Samples) -> Samples:
    """All of them, in order; `empty` if there is none."""
    return Samples(*map(np.concatenate, zip(*parts, strict=True))) if parts else empty


class Ply(NamedTuple):
    """One ply of all games."""

    observations: NDArray[np.float16]
    policies: NDArray[np.float16]
    players: NDArray[np.int64]
    values: NDArray[np.float32]


class Played(NamedTuple):
    """What an iteration of self-play gave."""

    samples: Samples
    results: NDArray[np.float32]
    """Of the games that ended, for player 0."""
    lengths: NDArray[np.int64]
    """Their plies."""
    resigned: int
    """How many were given up."""
    aborted: int
    """How many ended without a score: they are in no other number, and nothing is learned from them."""
    wrongly: tuple[int, int]
    """Of the games that a side wished to give up and played on: how many it did not lose, and how many there were."""


def outcomes_of(played: list[Played], info: GameInfo) -> Row:
    """What the games that ended tell, if any did."""
    results = np.concatenate([np.zeros(0, np.float32), *(games.results for games in played)])
    aborted: Row = {"aborted": sum(games.aborted for games in played)} if info.aborts else {}
    if not len(results):
        return aborted
    saved, doubted = (sum(games.wrongly[kind] for games in played) for kind in (0, 1))
    outcomes: Row = {
        "game_length": float(np.concatenate([games.lengths for games in played]).mean()),
        **aborted,
    }
    if info.players == 1:
        return outcomes | {"score": float(results.mean())}
    outcomes |= {
        "first_player_score": float((results.mean() + 1) / 2),
        "draws": float((results == 0).mean()),
        "resigned": sum(games.resigned for games in played) / len(results),
    }
    return outcomes | ({"wrongly_resigned": saved / doubted} if doubted else {})


class SelfPlay:
    """Games that go on from iteration to iteration."""

    def __init__(self, search: BatchedSearch, config: SelfPlayConfig, seed: int) -> None:
        self._search, self._config, self._seed = search, config, seed
        self._early = require_value(config.temperature_plies)
        games = search.games
        self._plies: list[Ply] = []
        self._begun = np.zeros(games, np.int64)
        """Each game's first ply in `_plies` that is learned from."""
        self._opening = np.zeros(games, np.int64)
        """The random plies at the start of each game; nothing is learned from them."""
        self._despair = np.zeros((games, 2), np.int64)
        """Turns in a row in which each player of each game expected to lose."""
        self._lost = np.full(games, -1, np.int64)
        """The player who would have given up first, or -1."""
        self._exempt = np.zeros(games, np.bool_)
        self._turn = 0
        """Plies played since the beginning of the run: each has draws of its own."""
        self._scale = SCORES
        self._begin(np.ones(games, np.bool_))

    def rescale(self, scale: Scale) -> None:
        """Search for values of another scale from now on."""
        self._scale = scale
        self._search.rescale(*scale)

    @property
    def turn(self) -> int:
        """The plies played since the beginning of the run."""
        return self._turn

    def play(
        self, evaluate: Evaluate | Submits | Demonstrator, plies: int, is_late: Callable[[], bool] = lambda: False
    ) -> Played:
        """Advance every game by so many plies, fewer if it gets late; returns the samples of those that ended."""
        results: list[NDArray[np.float32]] = []
        lengths: list[NDArray[np.int64]] = []
        parts: list[Samples] = []
        resigned, doubts, saved, aborted = 0, 0, 0, 0
        for _ in range(plies):
            search = self._search
            searched = evaluate.run(self._turn) if isinstance(evaluate, Demonstrator) else search.run(evaluate)
            players, done = search.players.copy(), search.plies
            self._plies.append(
                Ply(
                    searched.observations.astype(np.float16),
                    searched.targets.astype(np.float16),
                    players,
                    (searched.values * self._scale.spread + self._scale.centre).astype(np.float32),
                )
            )
            given_up = self._gives_up(players, searched.values)
            moves = self._moves(searched.actions, searched.policy, done < self._early)
            if (opening := done < self._opening).any():
                legal = np.take_along_axis(searched.masks[opening], search.orientation[players[opening]], 1)
                moves[opening] = _draw(legal.astype(np.float64), self._uniform(len(moves), OPENING)[opening])
            advanced = search.advance(moves)
            ended = advanced.finished | given_up
            if given_up.any():
                search.restart(given_up & ~advanced.finished)
            if not ended.any():
                self._turn += 1
                if is_late():
                    break
                continue
            score = np.where(advanced.finished, advanced.outcomes, np.where(players == 0, -1.0, 1.0))
            scored = ended & ~advanced.aborted
            aborted += int(advanced.aborted.sum())
            doubted = scored & (self._lost >= 0) & self._exempt
            doubts += int(doubted.sum())
            saved += int((doubted & (score * np.where(self._lost == 0, 1, -1) >= 0)).sum())
            resigned += int((given_up & ~advanced.finished).sum())
            results.append(score[scored].astype(np.float32))
            lengths.append(done[scored] + 1)
            if search.ownership is not None:
                advanced.ownership[~advanced.finished] = UNKNOWN
            parts += self._samples(scored, score.astype(np.float32), advanced.ownership)
            self._turn += 1
            self._begin(ended)
            if is_late():
                break
        self._forget()
        none = np.zeros(0, np.float32)
        return Played(
            join_samples(parts, self._empty()),
            np.concatenate([none, *results]),
            np.concatenate([none.astype(np.int64), *lengths]),
            resigned,
            aborted,
            (saved, doubts),
        )

    def _moves(self, best: NDArray[Any], policy: NDArray[np.float64], early: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Early moves are drawn from the search's policy, later ones are the search's own."""
        moves = best.astype(np.int64)
        if self._config.temperature == 0 or not early.any():
            return moves
        chances = policy[early]
        # Of the greatest, because powers of small numbers are rounded to 0.
        weights = (chances / chances.max(1, keepdims=True)) ** (1 / self._config.temperature)
        moves[early] = _draw(weights, self._uniform(len(best), MOVE)[early])
        return moves

    def _gives_up(self, players: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which games the player to move gives up; in exempt ones it is only noted."""
        config, games = self._config, np.arange(len(players))
        resign_below = require_value(config.resign_below)
        if resign_below <= -1:
            return np.zeros(len(players), np.bool_)
        hopeless = values < resign_below
        self._despair[games, players] = np.where(hopeless, self._despair[games, players] + 1, 0)
        wishes = self._despair[games, players] >= config.resign_turns
        self._lost = np.where(wishes & (self._lost < 0), players, self._lost)
        return wishes & ~self._exempt

    def _samples(
        self, ended: NDArray[np.bool_], score: NDArray[np.float32], ownership: NDArray[np.int8]
    ) -> list[Samples]:
        """The positions of the games that end with the last ply."""
        parts, last = [], len(self._plies)
        for at in range(int(self._begun[ended].min(initial=last)), last):
            games = np.flatnonzero(ended & (self._begun <= at))
            ply = self._plies[at]
            players = ply.players[games]
            parts.append(
                Samples(
                    ply.observations[games],
                    ply.policies[games],
                    movers_scores(score[games], players),
                    ply.values[games],
                    np.full(len(games), last - at, np.float32),
                    ownership[games, players] if ownership.size else ownership[: len(games), 0],
                )
            )
        return parts

    def _begin(self, ended: NDArray[np.bool_]) -> None:
        """Games that start over."""
        most = self._config.opening_plies
        lengths = (self._uniform(len(ended), OPENING_LENGTH) * (most + 1)).astype(np.int64)
        self._opening = np.where(ended, lengths, self._opening)
        self._begun = np.where(ended, len(self._plies) + self._opening, self._begun)
        self._despair[ended] = 0
        self._lost[ended] = -1
        self._choose_exempt(ended)

    def _choose_exempt(self, begun: NDArray[np.bool_]) -> None:
        exempt = self._uniform(len(begun), EXEMPT) < self._config.resign_exempt
        self._exempt = np.where(begun, exempt, self._exempt)

    def _uniform(self, count: int, kind: int) -> NDArray[np.float64]:
        """Uniform numbers `[count]` of this ply."""
        state = generator(self._seed, self._turn, DRAWS_STREAM + kind).bits()
        return np.random.Generator(np.random.Philox(key=state)).random(count)

    def _forget(self) -> None:
        """Drop the plies that no game under way began before."""
        first = min(int(self._begun.min()), len(self._plies))
        self._plies = self._plies[first:]
        self._begun -= first

    def _empty(self) -> Samples:
        search = self._search
        half, single = np.float16, np.float32
        planes = 0 if search.ownership is None else search.ownership.planes
        return Samples(
            np.zeros((0, *search.observation_shape), half),
            np.zeros((0, search.action_size), half),
            np.zeros(0, single),
            np.zeros(0, single),
            np.zeros(0, single),
            np.zeros((0, planes, *search.observation_shape[1:]), np.int8),
        )

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Everything that `restore` needs, as arrays."""
        waiting = Ply(*map(np.stack, zip(*self._plies, strict=True)))._asdict() if self._plies else {}
        return {
            **{name: getattr(self, f"_{name}") for name in SAVED},
            "turn": np.array(self._turn),
            **{f"plies.{name}": array for name, array in waiting.items()},
            **{f"search.{name}": array for name, array in self._search.snapshot().items()},
        }

    def restore(self, saved: dict[str, NDArray[Any]]) -> None:
        """Go on where a snapshot was taken."""
        for name in SAVED:
            setattr(self, f"_{name}", saved[name].copy())
        self._turn = int(saved["turn"])
        names = [f"plies.{name}" for name in Ply._fields]
        waiting = [saved[name] for name in names if name in saved]
        self._plies = [Ply(*row) for row in zip(*waiting, strict=True)]
        prefix = "search."
        self._search.restore({name.removeprefix(prefix): array for name, array in saved.items() if prefix in name})


def _draw(weights: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.int64]:
    """An index of each row of `weights [G, A]`, as likely as its weight."""
    rising = np.cumsum(weights, 1)
    indices: NDArray[np.int64] = (rising <= (uniform * rising[:, -1])[:, None]).sum(1)
    return indices
