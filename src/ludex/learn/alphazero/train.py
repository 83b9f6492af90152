"""`ludex train GAME --config alphazero`: self-play, learning and evaluation of any game that can be learned."""

import math
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ludex.core.errors import BadRun, RunPaused
from ludex.core.folders import make_folder
from ludex.core.game import AnyGame
from ludex.core.registry import make
from ludex.core.seeding import generator
from ludex.learn.alphazero.config import AlphaZeroConfig, require_value
from ludex.learn.alphazero.evaluation import judge_pairs, play_pairs
from ludex.learn.alphazero.export import export_net, load_net, playing_net, save_net
from ludex.learn.alphazero.learning import Augmentation, brier_scores, learn, learning_rate, move_average
from ludex.learn.alphazero.network import AlphaZeroNet, Evaluator
from ludex.learn.alphazero.replay import Replay, delete_chunks
from ludex.learn.alphazero.selfplay import SCORES, Samples, Scale, outcomes_of
from ludex.learn.alphazero.setup import net_sizes, share_config, with_threads
from ludex.learn.alphazero.sources import compile_games, pack_arrays, source_of, unpack_arrays
from ludex.learn.checkpoints import load_tensors, save_tensors
from ludex.learn.device import device_name, select_device
from ludex.learn.distributed import ALONE, Group, current
from ludex.learn.export import playable
from ludex.learn.launch import read_launch
from ludex.learn.runs import Row, Run, float_value, int_value
from ludex.learn.stages import NetworkStage
from ludex.learn.trainer import StagePlan, Trainer
from ludex.search.batched import know_nothing, positions_of
from ludex.search.model import require_learnable

NET = "net.pt"
ONNX = "net.onnx"
REPLAY = "replay"
NETWORKS = "networks"
"""Where every network that was evaluated stays, so that its progress can be measured later."""
EVALUATION_STREAM = 83
FORESEEN = 512
"""New positions of an iteration whose results are compared with the network's, at most."""
CLOCK_STEPS = 4
"""Steps of learning between two looks at the clock."""
MOST_STEPS = 16
"""Steps of learning between two looks at what workers have played."""
DEVIATIONS = 3.0
"""The standard deviations of the scores on either side of their mean that a value tells apart, in games of one."""
LEAST_SPREAD = 1e-3
FIRST_RESERVE, MOST_RESERVE = 0.1, 0.25
"""The share of the minutes that is left to the last evaluation before one was timed, and at most."""
ENDLESS = 1_000_000_000
"""The iterations of a run that only time ends."""


def train(config: AlphaZeroConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Learn a game; the run's folder then holds `net.pt`, and `net.onnx` with a card, which the agent `zero` plays.

    Raises `BadRun` if nothing was learned.
    """
    game = make(run.game, config.preset)
    require_learnable(game)
    group = current()
    device = select_device(config.device, read_launch().place)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("highest" if config.precision == "fp32" else "high")
        if config.precision == "fp32":
            # Convolutions would otherwise round their inputs to TF32.
            torch.backends.cudnn.allow_tf32 = False
    torch.manual_seed(config.seed)
    learners: list[Learner] = []

    def make_stage() -> Learner:
        learners.append(Learner(config, run.folder, game, device, group, run.began))
        return learners[0]

    try:
        Trainer(run, advance, group).train([StagePlan(Learner.name, config.iterations or ENDLESS, make_stage)])
    except RunPaused:
        # So that a paused run's network can play.
        if group.is_main:
            learners[0].export(run)
        raise
    return learners[0].export(run) if group.is_main else {}


class Learner(NetworkStage[list[Samples]]):
    """Plays games against itself, and learns from them.

    Several processes share games, window and batches: each plays and remembers its part, and gradients are averaged.
    """

    name = "alphazero"
    counter = "iteration"

    def __init__(
        self,
        config: AlphaZeroConfig,
        folder: Path,
        game: AnyGame,
        device: torch.device,
        group: Group = ALONE,
        began: float | None = None,
    ) -> None:
        """`began` is when its minutes begin, by `time.perf_counter`; now if None."""
        self.seconds, self._since = 0.0, time.perf_counter() if began is None else began
        config = share_config(config, group)
        self._config, self._folder, self._game, self._device, self._group = config, folder, game, device, group
        learning = config.learning
        positions = positions_of(game, 1, owning=learning.ownership_weight > 0)
        self.sizes = net_sizes(config, positions)
        net = AlphaZeroNet(self.sizes).to(device)
        if device.type == "cuda":
            net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        config = self._config = with_threads(config, net, device)
        super().__init__(
            net,
            torch.optim.AdamW(net.parameters(), lr=learning.learning_rate, weight_decay=learning.weight_decay),
            steps=config.iterations or ENDLESS,
            checkpoint_every=config.checkpoint_every,
            eval_every=require_value(config.evaluation.every),
            generator=torch.Generator().manual_seed(config.seed),
            group=group,
        )
        self.learner = net
        self.average = deepcopy(net)
        self._reference = deepcopy(net)
        """The last network that was clearly stronger than the one before it."""
        self._rating = 0.0
        """Its Elo points above the first one."""
        self._source = source_of(config, game, self.average, device, config.seed + group.rank)
        self.replay = Replay(
            positions.observation_shape,
            positions.action_size,
            require_value(learning.window),
            learning.window_growth,
            device,
            owned_planes=self.sizes.ownership,
        )
        self._augmentation = None
        if learning.symmetries and positions.symmetries is not None:
            owned_cells = None if positions.ownership is None else positions.ownership.cells
            self._augmentation = Augmentation(positions.symmetries, device, owned_cells)
        self._saved_chunks: dict[str, int] = {"first": 0}
        """The chunks of positions that the last checkpoint needs."""
        self._replay_folder = folder / (REPLAY if group.is_main else f"{REPLAY}-{group.rank}")
        self._part: Path | None = None
        """What a process that is not the main one added to the last checkpoint."""
        self.learned_steps, self._owed, self.games = 0, 0.0, 0
        self._over = 0.0
        """The share of the run that was over when an update began, the same in all processes."""
        self._reserve = FIRST_RESERVE
        """The share of the minutes that the last evaluation needs."""
        self._export_seconds = 0.0
        """How long the network's files take at the end."""
        self._metrics: Row = {}

    def open(self, log: Callable[[Row], None]) -> None:
        if self.step == 0 and self._config.start_from is not None:
            weights = load_net(Path(self._config.start_from), self._device, self.sizes).state_dict()
            for net in (self.learner, self.average, self._reference):
                net.load_state_dict(weights)
        if self._device.type == "cpu":
            compile_games(self._game, self._config, self.average)
        if self._config.minutes is not None and self._group.is_main:
            self.agent_file()
            begin = time.perf_counter()
            self.agent_file()
            # The last checkpoint has one too.
            self._export_seconds = 2 * (time.perf_counter() - begin)

    @property
    def elapsed(self) -> float:
        """Seconds of training, those before an interruption included."""
        return self.seconds + time.perf_counter() - self._since

    def _time_left(self, share: float = 1.0) -> float:
        """Seconds until this share of the minutes is over, infinite where iterations alone end the run."""
        minutes = self._config.minutes
        return math.inf if minutes is None else share * 60 * minutes - self._export_seconds - self.elapsed

    def _training_left(self) -> float:
        """Seconds until the last evaluation begins."""
        return self._time_left(1.0 - self._reserve)

    def close(self) -> None:
        self._source.close()

    def collect(self) -> list[Samples]:
        """Games of the averaged network; of workers only those that are ready, unless nothing is left to learn from."""
        wait = self._owed < 1.0 or self.replay.size < require_value(self._config.learning.batch)
        demonstrates = self._group.broadcast_object(self._demonstrates)
        played, metrics = self._source.collect(
            self.average, wait=wait, time_left=self._training_left, demonstrates=demonstrates, scale=self._scale()
        )
        self.games += sum(len(games.results) for games in played)
        self._metrics = {"games": self.games, **outcomes_of(played, self._game.info), **metrics}
        return [games.samples for games in played]

    def _scale(self) -> Scale:
        """Scores of two players are values; those of one are measured by the scores that are learned from."""
        if self._game.info.players == 2:
            return SCORES
        count, total, squares = self._group.mean(self.replay.score_moments()).tolist()
        if count == 0:
            return SCORES
        mean, square = total / count, squares / count
        return Scale(mean, max(LEAST_SPREAD, DEVIATIONS * math.sqrt(max(0.0, square - mean**2))))

    def update(self, batch: list[Samples]) -> Row:
        """Learn from the window, as often as new positions allow.

        Raises `BadRun` if the run ends before the first step of learning.
        """
        config = self._config.learning
        size, begin = require_value(config.batch), time.perf_counter()
        brier = self._brier(batch)
        for samples in batch:
            self.replay.add(samples)
        enough = self.replay.size >= min(size, self.replay.window)
        new, ready = self._group.mean(torch.tensor([float(sum(part.size for part in batch)), float(enough)])).tolist()
        self._owed += require_value(config.passes) * new / size
        self._over = self._group.broadcast_object(self._progress)
        # With workers new games arrive meanwhile: steps are few enough to look for them.
        most = MOST_STEPS if self._config.plays_apart else self._owed
        steps = int(min(self._owed, most)) if ready == 1.0 else 0
        losses: list[dict[str, torch.Tensor]] = []
        rate, scale = 0.0, self._scale()
        for number in range(steps):
            if number % CLOCK_STEPS == 0 and number and self._group.broadcast_object(self._is_over):
                break
            rate = learning_rate(config, self.learned_steps, self._over)
            for parameters in self.optimizer.param_groups:
                parameters["lr"] = rate
            losses.append(self._learn(scale))
        self._owed -= len(losses)
        self._average_statistics()
        if self._group.broadcast_object(self._is_over):
            # The trainer counts the step under way, then evaluates, writes a checkpoint and ends.
            self.steps = self.step + 1
        if self.step + 1 == self.steps and not self.learned_steps:
            raise BadRun(
                f"nothing was learned: in {self.elapsed:.0f} s {self.games} games with {self.replay.total} positions "
                f"ended, and a step needs {size} positions; begin a run with more minutes, or fewer self_play.games"
            )
        names = [*(losses or [{}])[0]]
        means: Row = {
            name: float(self._group.mean(torch.stack([part[name] for part in losses]).mean())) for name in names
        }
        learning = {"learning_rate": rate, "steps": self.learned_steps, "window": self.replay.size}
        seconds = {"learning_seconds": time.perf_counter() - begin, "minutes": self.elapsed / 60}
        return {**self._metrics, **means, **brier, **learning, **seconds}

    def _brier(self, batch: list[Samples]) -> Row:
        """How well the averaged network foresees the results of the new positions, of at most `FORESEEN` of them."""
        new = next((samples for samples in batch if samples.size), None)
        length = self._metrics.get("game_length")
        if new is None or not isinstance(length, float):
            return {}
        drawn = slice(None, None, max(1, -(-new.size // FORESEEN)))
        observations, scores, left = (
            torch.from_numpy(np.asarray(array[drawn], np.float32)).to(self._device)
            for array in (new.observations, new.scores, new.moves_left)
        )
        return brier_scores(self.average, observations, self._scale().scale(scores), left, length)

    def _learn(self, scale: Scale) -> dict[str, torch.Tensor]:
        config = self._config.learning
        draws = require_value(self.generator)
        batch = self.replay.sample(require_value(config.batch), draws)
        batch = batch._replace(**{name: scale.scale(getattr(batch, name)) for name in ("scores", "searched")})
        if self._augmentation is not None:
            batch = self._augmentation(batch, draws)
        half = self._config.precision == "bf16"
        losses = learn(self.learner, self.optimizer, batch, config, half=half, group=self._group)
        move_average(self.average, self.learner, config.average, self.learned_steps)
        self.learned_steps += 1
        return losses

    def _progress(self) -> float:
        minutes = self._config.minutes
        return self._config.done(self.step, 0.0 if minutes is None else self.elapsed / (1.0 - self._reserve))

    def _demonstrates(self) -> bool:
        """Whether `mcts` still plays in place of the network."""
        return self._progress() < require_value(self._config.self_play.demonstrations)

    def _is_over(self) -> bool:
        """Whether the minutes of training are over; iterations are the trainer's to count."""
        return self._training_left() <= 0

    def _average_statistics(self) -> None:
        """Give every process the same statistics of batch normalisation: each has seen other positions."""
        if self._group.size == 1:
            return
        for net in (self.learner, self.average):
            for statistics in net.buffers():
                if statistics.is_floating_point():
                    statistics.copy_(self._group.mean(statistics))

    def evaluate(self) -> Iterator[Row]:
        """Play the last network that was clearly stronger, and a search without a network."""
        config, assessed = self._config.evaluation, deepcopy(self.average)
        save_net(make_folder(self._folder / NETWORKS, "LUDEX_RUNS") / f"{self.step:06d}.pt", assessed)
        seed = generator(self._config.seed, self.step, EVALUATION_STREAM).bits()
        new = Evaluator(assessed, self._device, self._config.precision, require_value(config.games))
        old = Evaluator(self._reference, self._device, self._config.precision, require_value(config.games))
        begin, threads = self.elapsed, require_value(self._config.search.threads)
        play = partial(
            play_pairs,
            self._game,
            new,
            threads=threads,
            seed=seed,
            scale=self._scale(),
            is_late=lambda: self._time_left() <= 0,
        )
        pairs = play(old, config)
        if not pairs:
            return
        row = judge_pairs(pairs, config, "earlier network")
        rating = self._rating + float_value(row, "elo", "the evaluation")
        yield {**row, "rating": rating, "minutes": self.elapsed / 60}
        if row["verdict"] == "H1":
            self._reference, self._rating = assessed, rating
        if pairs := play(know_nothing, config):
            yield {**judge_pairs(pairs, config, "no network"), "minutes": self.elapsed / 60}
        if self._config.minutes is not None:
            self._reserve = min(MOST_RESERVE, (self.elapsed - begin) / (60 * self._config.minutes))

    def agent(self) -> bytes:
        return playable(playing_net(self.average, self._scale()))

    def state(self) -> Row:
        """Counters, and which files hold the window."""
        previous = self._saved_chunks
        self._saved_chunks = self.replay.save(self._replay_folder)
        # What the checkpoint before this one needs stays until this one is complete.
        delete_chunks(self._replay_folder, previous["first"])
        return {
            "learned_steps": self.learned_steps,
            "owed": self._owed,
            "games": self.games,
            "seconds": self.elapsed,
            "rating": self._rating,
            "replay": dict(self._saved_chunks),
            "processes": self._group.size,
        }

    def tensors(self) -> dict[str, Any]:
        nets = {"average": self.average.state_dict(), "reference": self._reference.state_dict()}
        games = pack_arrays(self._source.snapshot())
        if not self._group.is_main:
            earlier, self._part = self._part, self._part_after(self.step)
            save_tensors(self._part, {"replay": dict(self._saved_chunks), "games": games})
            # The checkpoint before this one needs its part until this one is complete.
            for other in {*self._replay_folder.glob("checkpoint-*.pt")} - {earlier, self._part}:
                other.unlink()
        return {**super().tensors(), **nets, "games": games}

    def _part_after(self, step: int) -> Path:
        return self._replay_folder / f"checkpoint-{step:06d}.pt"

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        size = self._group.size
        if (before := state["processes"]) != size:
            raise BadRun(
                f"{source}: its checkpoint is of a group of {before}, found a group of {size}: "
                "resume it with as many processes, each of which has its part of games and positions"
            )
        super().restore(state, tensors, source)
        self.average.load_state_dict(tensors["average"])
        self._reference.load_state_dict(tensors["reference"])
        part: dict[str, Any] = {"replay": state["replay"], "games": tensors["games"]}
        if not self._group.is_main:
            self._part = self._part_after(self.step)
            part = load_tensors(self._part, torch.device("cpu"))
        self._source.restore(unpack_arrays(part["games"]))
        self._saved_chunks = part["replay"]
        self.replay.load(self._replay_folder, self._saved_chunks)
        self.learned_steps, self.games = (int_value(state, key, source) for key in ("learned_steps", "games"))
        self._owed, self._rating, self.seconds = (
            float_value(state, key, source) for key in ("owed", "rating", "seconds")
        )
        if self._config.minutes is not None and self.seconds >= 60 * self._config.minutes:
            self.steps = self.step

    def export(self, run: Run) -> Row:
        """Write the averaged network; returns the run's summary."""
        save_net(self._folder / NET, self.average)
        summary: Row = {
            "game": self._game.info.id,
            "preset": self._game.info.preset,
            "device": device_name(self._device),
            "precision": self._config.precision,
            "demonstrations": self._config.self_play.demonstrations,
            "parameters": sum(weights.numel() for weights in self.average.parameters()),
            "iterations": self.step,
            "steps": self.learned_steps,
            "games": self.games,
            "positions": self.replay.total,
            "seconds": self.elapsed,
            "net": str(self._folder / ONNX),
        }
        export_net(self.average, self._folder / ONNX, self._game, summary, run, self._scale())
        return summary
