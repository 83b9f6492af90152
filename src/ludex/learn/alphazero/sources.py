"""Where new positions come from: games in the learner's own process, or in workers that it does not wait for."""

import math
import secrets
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from ludex.core.errors import BadNet
from ludex.core.executor import Executor, Feed, LocalProcesses
from ludex.core.game import AnyGame
from ludex.core.registry import make
from ludex.learn.alphazero.config import AlphaZeroConfig, SearchConfig, require_value
from ludex.learn.alphazero.network import AlphaZeroNet, Evaluator, NetSizes
from ludex.learn.alphazero.selfplay import SCORES, Demonstrator, Played, Scale, SelfPlay
from ludex.learn.checkpoints import give_weights
from ludex.learn.runs import Row
from ludex.search.batched import BatchedSearch, SearchOptions, positions_of

WAITING = 64
"""Results of workers that may wait for the learner; a learner that is slower than that slows the workers down."""


TimeLeft = Callable[[], float]
"""The seconds until a run's time is over, infinite where only iterations end it."""


def endless() -> float:
    """The time that is left to what no clock ends."""
    return math.inf


class Source(Protocol):
    """What a learner collects from."""

    def collect(
        self, net: AlphaZeroNet, *, wait: bool, time_left: TimeLeft, demonstrates: bool = False, scale: Scale = SCORES
    ) -> tuple[list[Played], Row]:
        """New games of a network, at least some if `wait` and time allows, and metrics of how they were played.

        If it `demonstrates`, `mcts` plays in the network's place. The network's values have this scale.
        """

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps of games under way."""

    def restore(self, saved: dict[str, NDArray[Any]]) -> None: ...

    def close(self) -> None: ...


class LocalGames:
    """The games of one process, which plays, then learns: a search, its network and the self-play that uses both."""

    def __init__(
        self, game: AnyGame, config: AlphaZeroConfig, net: AlphaZeroNet, device: torch.device, seed: int
    ) -> None:
        search, games, on_gpu = config.search, require_value(config.self_play.games), device.type == "cuda"
        options = SearchOptions(
            simulations=require_value(search.simulations),
            draw_value=search.draw_value,
            threads=require_value(search.threads),
            cache_size=require_value(search.cache),
            double_buffer=on_gpu,
            # A GPU evaluates a few finished games beside the others faster than the CPU leaves them out.
            fixed_batches=on_gpu and not search.cache,
            **rule_options(search),
        )
        self._plies = require_value(config.self_play.plies)
        self._evaluator = Evaluator(net, device, config.precision, games)
        positions = positions_of(game, games, owning=config.learning.ownership_weight > 0)
        self._search = BatchedSearch(positions, games, options, seed, empty=self._evaluator.empty)
        self._self_play = SelfPlay(self._search, config.self_play, seed)
        self._demonstrator = None
        if require_value(config.self_play.demonstrations):
            simulations = require_value(config.self_play.demonstration_simulations)
            self._demonstrator = Demonstrator(self._search, simulations, seed)

    def collect(
        self,
        net: AlphaZeroNet,
        *,
        wait: bool = True,
        time_left: TimeLeft = endless,
        demonstrates: bool = False,
        scale: Scale = SCORES,
    ) -> tuple[list[Played], Row]:
        """Advance every game with a network's present weights."""
        evaluator = self._evaluator
        evaluator.refresh(net)
        self._search.clear_cache()
        self._self_play.rescale(scale)
        begin, waited = time.perf_counter(), evaluator.seconds
        leaves, positions, batches = self._search.leaves, evaluator.positions, evaluator.batches
        turn = self._self_play.turn
        player = require_value(self._demonstrator) if demonstrates else evaluator
        played = self._self_play.play(player, self._plies, lambda: time_left() <= 0)
        seconds = time.perf_counter() - begin
        return [played], {
            "moves_per_second": (self._self_play.turn - turn) * self._search.games / seconds,
            "leaves_per_second": (self._search.leaves - leaves) / seconds,
            "mean_batch": (evaluator.positions - positions) / max(1, evaluator.batches - batches),
            "playing_seconds": seconds,
            "network_seconds": evaluator.seconds - waited,
        }

    def snapshot(self) -> dict[str, NDArray[Any]]:
        return self._self_play.snapshot()

    def restore(self, saved: dict[str, NDArray[Any]]) -> None:
        self._self_play.restore(saved)

    def close(self) -> None:
        """Nothing is open."""


def compile_games(game: AnyGame, config: AlphaZeroConfig, net: AlphaZeroNet) -> None:
    """Have the kernels of a configuration's games compiled, or read from the cache, by a ply of one."""
    self_play = config.self_play.model_copy(update={"games": 1, "plies": 1})
    games = LocalGames(game, config.model_copy(update={"self_play": self_play}), net, torch.device("cpu"), 0)
    for demonstrates in (False, True) if self_play.demonstrations else (False,):
        games.collect(net, demonstrates=demonstrates)


def rule_options(search: SearchConfig) -> dict[str, Any]:
    """The options of the search's rule."""
    if search.rule == "gumbel":
        return {"rule": "gumbel", "considered": require_value(search.considered)}
    own = {key: require_value(getattr(search, key)) for key in ("c_puct", "noise_share", "noise_alpha")}
    # The schedule of many considered actions is for the other rule, and takes time to make.
    return {"rule": "puct", "considered": 1, **own}


class PlayTask(NamedTuple):
    """What a worker does next: advance its games with these weights."""

    run: str
    """Games of one process go on from task to task of the same run."""
    game: str
    config: AlphaZeroConfig
    sizes: NetSizes
    weights: bytes
    seed: int
    demonstrates: bool
    scale: Scale
    until: float
    """The seconds of `time.time` at which the run's games end."""


class WorkerGames:
    """Games in workers of this machine or of a cluster, with the latest weights; a lost worker is replaced.

    Workers start with the first `collect`: by then a learner that resumes has its weights.
    """

    def __init__(self, config: AlphaZeroConfig, game: AnyGame, sizes: NetSizes) -> None:
        self._config, self._game = config, game
        self._run = secrets.token_hex(8)
        self._sizes, self._weights, self._demonstrates, self._scale = sizes, b"", False, SCORES
        self._until = math.inf
        self._since = time.perf_counter()
        self._feed: Feed[Played] | None = None

    def _tasks(self) -> Iterator[PlayTask]:
        while time.time() < self._until:
            # Asked for when a worker is free: with the newest weights.
            config, seed = self._config, secrets.randbits(62)
            yield PlayTask(
                self._run,
                self._game.info.id,
                config,
                self._sizes,
                self._weights,
                seed,
                self._demonstrates,
                self._scale,
                self._until,
            )

    def collect(
        self, net: AlphaZeroNet, *, wait: bool, time_left: TimeLeft, demonstrates: bool = False, scale: Scale = SCORES
    ) -> tuple[list[Played], Row]:
        self._weights, self._demonstrates, self._scale = _dump(net), demonstrates, scale
        self._until = time.time() + time_left()
        if self._feed is None:
            self._since = time.perf_counter()
            self._feed = Feed(worker_executor(self._config), play, self._tasks(), WAITING)
        games: list[Played] = []
        # Time is over if nothing comes: then there is nothing new to learn from.
        ready = self._feed.take(wait, _patience(time_left()))
        while ready is not None:
            games.append(ready[1])
            ready = self._feed.take(wait=False)
        now = time.perf_counter()
        moves = sum(result.samples.size for result in games)
        seconds, self._since = now - self._since, now
        return games, {"moves_per_second": moves / seconds, "results": len(games)} if games else {}

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Nothing: games of workers start over when a run is resumed."""
        return {}

    def restore(self, saved: dict[str, NDArray[Any]]) -> None:
        """Nothing was kept."""

    def close(self) -> None:
        if self._feed is not None:
            self._feed.close()


_GAMES: dict[str, tuple[LocalGames, AlphaZeroNet]] = {}
"""In a worker: the games of the run that it plays for."""


def play(task: PlayTask) -> Played:
    """In a worker: advance its games."""
    cpu = torch.device("cpu")
    if task.run not in _GAMES:
        torch.set_num_threads(1)
        _GAMES.clear()
        config = task.config
        search = config.search.model_copy(update={"threads": 1})
        alone = config.model_copy(update={"search": search, "precision": "fp32"})
        net = AlphaZeroNet(task.sizes)
        _GAMES[task.run] = LocalGames(make(task.game, config.preset), alone, net, cpu, task.seed), net
    games, net = _GAMES[task.run]
    weights = torch.load(BytesIO(task.weights), map_location=cpu, weights_only=True)
    give_weights(net, weights, "a worker's network", BadNet)

    def time_left() -> float:
        return task.until - time.time()

    return games.collect(net, time_left=time_left, demonstrates=task.demonstrates, scale=task.scale)[0][0]


def source_of(config: AlphaZeroConfig, game: AnyGame, net: AlphaZeroNet, device: torch.device, seed: int) -> Source:
    """Workers if the configuration has some, else games of this process."""
    return WorkerGames(config, game, net.sizes) if config.plays_apart else LocalGames(game, config, net, device, seed)


def worker_executor(config: AlphaZeroConfig) -> Executor:
    """Where a configuration's workers run: processes of this machine, or a Ray cluster."""
    if config.executor == "local":
        return LocalProcesses(require_value(config.workers))
    from ludex.arena.cluster import RayCluster

    return RayCluster(config.address)


def _patience(seconds: float) -> float | None:
    """How long to wait for a result when so many seconds are left; None: until one comes."""
    return None if seconds == math.inf else max(0.0, seconds)


def _dump(net: AlphaZeroNet) -> bytes:
    data = BytesIO()
    torch.save({name: weights.cpu() for name, weights in net.state_dict().items()}, data)
    return data.getvalue()


def pack_arrays(saved: dict[str, NDArray[Any]]) -> torch.Tensor:
    """Arrays as one tensor of bytes, which a checkpoint can hold."""
    data = BytesIO()
    arrays: dict[str, Any] = saved
    np.savez(data, **arrays)
    return torch.from_numpy(np.frombuffer(data.getvalue(), np.uint8).copy())


def unpack_arrays(data: torch.Tensor) -> dict[str, NDArray[Any]]:
    """The arrays that `saved_arrays` made a tensor of."""
    with np.load(BytesIO(data.cpu().numpy().tobytes()), allow_pickle=False) as archive:
        return dict(archive)
