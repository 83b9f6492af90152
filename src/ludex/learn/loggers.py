"""Copies of a run's metrics for other tools, by name: TensorBoard and Weights & Biases.

The run's own file stays the source of truth. A row's number in it is the step, so that a resumed run goes on where its
rows end.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Final, Protocol

from ludex.core.errors import BadOption, MissingDependency
from ludex.learn.config import parse_keys
from ludex.learn.curves import is_number
from ludex.learn.runs import Row, Run

PROJECT: Final = "ludex"
"""The project of Weights & Biases, unless `WANDB_PROJECT` names another."""
FINDINGS: Final = frozenset({"verdict"})
"""Texts of a row that say what was found; the others, such as an opponent, say of what."""


class MetricLogger(Protocol):
    """What a tool does with the numbers of a row."""

    def log(self, values: Mapping[str, float], step: int) -> None: ...

    def close(self) -> None: ...


class TensorBoard:
    """Event files in the run's folder, `tensorboard/`."""

    def __init__(self, run: Run, step: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        # Rows of a run that was killed are dropped and written again: so are their events.
        self._writer = SummaryWriter(str(run.folder / "tensorboard"), purge_step=step)

    def log(self, values: Mapping[str, float], step: int) -> None:
        for name, value in values.items():
            self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        self._writer.close()


class WeightsAndBiases:
    """A run of Weights & Biases with the run's name, in its folder; nothing is sent unless `WANDB_MODE` is `online`."""

    def __init__(self, run: Run, step: int) -> None:
        import wandb

        self._run = wandb.init(
            project=os.environ.get("WANDB_PROJECT", PROJECT),
            id=run.name,
            name=run.name,
            group=run.group,
            dir=str(run.folder),
            config=parse_keys(run.config_text, f"{run.name}/config.yaml"),
            mode=os.environ.get("WANDB_MODE", "offline"),
            resume="allow",
        )

    def log(self, values: Mapping[str, float], step: int) -> None:
        self._run.log(dict(values), step=step)

    def close(self) -> None:
        self._run.finish()


@dataclass(frozen=True)
class LoggerSpec:
    """A tool that can be named."""

    make: Callable[[Run, int], MetricLogger]
    """`(run, step of its next row) -> logger`"""
    requires: tuple[str, ...]
    """Modules that must be installed."""
    extra: str
    """The extra of Ludex that brings them."""


LOGGERS: Final = {
    "tensorboard": LoggerSpec(TensorBoard, ("torch", "tensorboard"), "train"),
    "wandb": LoggerSpec(WeightsAndBiases, ("wandb",), "wandb"),
}


def check_loggers(names: Sequence[str]) -> None:
    """Raise `BadOption` for an unknown tool, and `MissingDependency` for one that is not installed."""
    for name in names:
        if name not in LOGGERS:
            raise BadOption(f"unknown logger {name!r}; known: {', '.join(LOGGERS)}")
        missing = [module for module in LOGGERS[name].requires if find_spec(module) is None]
        if missing:
            raise MissingDependency(
                f"{name} needs {', '.join(missing)}, not installed: pip install 'ludex[{LOGGERS[name].extra}]'"
            )


@contextmanager
def logging_to(run: Run, names: Sequence[str]) -> Iterator[Run]:
    """The run, whose rows go to these tools too."""
    check_loggers(names)
    copies = [_Copy(run, LOGGERS[name]) for name in dict.fromkeys(names)]
    try:
        yield replace(run, listeners=tuple(copies))
    finally:
        for copy in copies:
            copy.close()


class _Copy:
    """Opens a tool with the first row: only then is it known how many rows a resumed run has kept."""

    def __init__(self, run: Run, tool: LoggerSpec) -> None:
        self._run, self._tool = run, tool
        self._logger: MetricLogger | None = None
        self._step = 0

    def __call__(self, row: Row) -> None:
        if self._logger is None:
            self._step = self._run.rows() - 1
            self._logger = self._tool.make(self._run, self._step)
        self._logger.log(name_values(row), self._step)
        self._step += 1

    def close(self) -> None:
        if self._logger is not None:
            self._logger.close()


def name_values(row: Row) -> dict[str, float]:
    """The numbers of a row, under names with the texts that distinguish it.

    >>> name_values({"stage": "ppo", "opponent": "random", "update": 3, "win_rate": 0.5, "verdict": "H1"})
    {'ppo/random/update': 3.0, 'ppo/random/win_rate': 0.5}
    """
    of = [value for key, value in row.items() if isinstance(value, str) and key not in FINDINGS]
    return {"/".join([*of, key]): float(value) for key, value in row.items() if is_number(value)}
