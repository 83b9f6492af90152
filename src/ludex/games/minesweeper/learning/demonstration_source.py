"""Sources of demonstrations: chunks of games in a fixed order, made here, made by workers, or read from files."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from ludex.core.errors import BadConfig
from ludex.core.executor import Feed, LocalProcesses
from ludex.core.seeding import generator
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.demonstrations import Examples, ExampleTask, make_examples
from ludex.learn.runs import Row
from ludex.learn.shards import Shards, load_arrays

CHUNK_STREAM = 131
"""Stream from which the seeds of chunks are drawn."""


class Chunk(NamedTuple):
    """Examples of one board."""

    number: int
    board: int
    examples: Examples


class ExampleSource:
    """Chunk n is the same in every process; chunks alternate among boards and start rules by the boards' weights."""

    def __init__(self, config: MinesweeperConfig) -> None:
        self._config = config
        self._boards = _turns([board.weight for board in config.all_boards])
        self._order: list[int] = []

    def board_of(self, number: int) -> int:
        """The board of a chunk."""
        while len(self._order) <= number:
            self._order.append(next(self._boards))
        return self._order[number]

    def task_of(self, number: int) -> ExampleTask:
        config, board = self._config, self.board_of(number)
        starts = config.all_starts
        earlier = self._order[:number].count(board)
        # Of each start rule, every other chunk has the board's own number of mines.
        spread = config.imitation.density_spread if earlier // len(starts) % 2 else 0.0
        cfg = config.environment(config.all_boards[board], starts[earlier % len(starts)], spread)
        seed = generator(config.seed, number, CHUNK_STREAM).bits()
        return ExampleTask(cfg, seed, config.imitation.games_per_chunk, config.imitation.teacher)

    def make(self, number: int) -> Chunk:
        """Make a chunk here and now."""
        return Chunk(number, self.board_of(number), make_examples(self.task_of(number)))


def recipe_of(config: MinesweeperConfig) -> Row:
    """The configuration that determines the chunks."""
    return {
        "game": "minesweeper",
        "seed": config.seed,
        "teacher": config.imitation.teacher,
        "boards": [board.model_dump(mode="json") for board in config.all_boards],
        "starts": list(config.all_starts),
        "env": config.env.model_dump(mode="json"),
        "density_spread": config.imitation.density_spread,
        "games_per_chunk": config.imitation.games_per_chunk,
    }


class StoredSource(ExampleSource):
    """Chunks of a folder that `ludex minesweeper examples` filled, over and over."""

    def __init__(self, config: MinesweeperConfig, folder: Path) -> None:
        """Raises `BadConfig` if the chunks are of other boards than the configuration's; the seed may be another."""
        super().__init__(config)
        self._shards = Shards.read(folder)
        self._count = self._shards.count()
        expected, recipe = recipe_of(config), self._shards.recipe
        keys = sorted(key for key in expected if key != "seed" and expected[key] != recipe.get(key))
        if keys:
            raise BadConfig(f"imitation.dataset: {folder} was made by a configuration with other {', '.join(keys)}")

    def board_of(self, number: int) -> int:
        return super().board_of(number % self._count)

    def make(self, number: int) -> Chunk:
        """Read a chunk."""
        return Chunk(number, self.board_of(number), load_arrays(Examples, self._shards.path(number % self._count)))


class WorkingSource:
    """Workers that make the chunks `first`, `first + every`, ... of a source, until it is closed."""

    def __init__(self, source: ExampleSource, first: int, workers: int, every: int = 1) -> None:
        self._source, self._first, self._every = source, first, every
        tasks = (source.task_of(number) for number in count(first, every))
        self._feed = Feed(LocalProcesses(workers), make_examples, tasks, 4 * workers)

    def take(self, wait: bool) -> Chunk | None:
        """The next chunk that is ready, in no fixed order; None if none is ready and `wait` is false."""
        ready = self._feed.take(wait)
        if ready is None:
            return None
        index, examples = ready
        number = self._first + index * self._every
        return Chunk(number, self._source.board_of(number), examples)

    def close(self) -> None:
        """End the workers."""
        self._feed.close()


def _turns(weights: list[float]) -> Iterator[int]:
    """Boards in turn, each as often as its weight says."""
    counts = [0] * len(weights)
    while True:
        board = min(range(len(weights)), key=lambda which: (counts[which] / weights[which], which))
        counts[board] += 1
        yield board
