"""Copies of a run's metrics for other tools, by name: TensorBoard and Weights & Biases.

The run's own file stays the source of truth. A row's number in it is the step, so that a resumed run goes on where its
rows end.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from ludex.core.errors import BadOption
from ludex.core.packages import require_packages
from ludex.learn.config import parse_keys
from ludex.learn.curves import is_number
from ludex.learn.runs import Row, Run

PROJECT: Final = "ludex"
"""The project of Weights & Biases, unless `WANDB_PROJECT` names another."""
FINDINGS: Final = frozenset({"verdict"})
"""Texts of a row that say what was found; the others, such as an opponent, say of what."""


Log: TypeAlias = Callable[[Mapping[str, float], int], None]
"""`(values, step)`: what a tool does with the numbers of a row."""


@contextmanager
def tensorboard(run: Run, step: int) -> Iterator[Log]:
    """Event files in the run's folder, `tensorboard/`."""
    from torch.utils.tensorboard import SummaryWriter

    # Rows of a run that was killed are dropped and written again: so are their events.
    with closing(SummaryWriter(str(run.folder / "tensorboard"), purge_step=step)) as writer:

        def log(values: Mapping[str, float], step: int) -> None:
            for name, value in values.items():
                writer.add_scalar(name, value, step)

        yield log


@contextmanager
def weights_and_biases(run: Run, step: int) -> Iterator[Log]:
    """A run of Weights & Biases with the run's name, in its folder; nothing is sent unless `WANDB_MODE` is `online`."""
    import wandb

    session = wandb.init(
        project=os.environ.get("WANDB_PROJECT", PROJECT),
        id=run.name,
        name=run.name,
        group=run.group,
        dir=str(run.folder),
        config=parse_keys(run.config_text, f"{run.name}/config.yaml"),
        mode=os.environ.get("WANDB_MODE", "offline"),
        resume="allow",
    )
    try:
        yield lambda values, step: session.log(dict(values), step=step)
    finally:
        session.finish()


class LoggerSpec(NamedTuple):
    """A tool that can be named."""

    open: Callable[[Run, int], AbstractContextManager[Log]]
    """`(run, step of its next row)`"""
    requires: tuple[str, ...]
    """Modules that must be installed."""
    extra: str
    """The extra of Ludex that brings them."""


LOGGERS: Final = {
    "tensorboard": LoggerSpec(tensorboard, ("torch", "tensorboard"), "train"),
    "wandb": LoggerSpec(weights_and_biases, ("wandb",), "wandb"),
}


def check_loggers(names: Sequence[str]) -> None:
    """Raise `BadOption` for an unknown tool, and `MissingDependency` for one that is not installed."""
    for name in names:
        if name not in LOGGERS:
            raise BadOption(f"unknown logger {name!r}; known: {', '.join(LOGGERS)}")
        require_packages(*LOGGERS[name].requires, extra=LOGGERS[name].extra)


@contextmanager
def logging_to(run: Run, names: Sequence[str]) -> Iterator[Run]:
    """The run, whose rows go to these tools too."""
    check_loggers(names)
    with ExitStack() as tools:
        listeners = tuple(_listener(run, LOGGERS[name], tools) for name in dict.fromkeys(names))
        yield replace(run, listeners=listeners)


def _listener(run: Run, tool: LoggerSpec, tools: ExitStack) -> Callable[[Row], None]:
    """Opens a tool with the first row: only then is it known how many rows a resumed run has kept."""
    steps: Iterator[int] = count()
    log: Log | None = None

    def listen(row: Row) -> None:
        nonlocal steps, log
        if log is None:
            first = run.rows() - 1
            steps, log = count(first), tools.enter_context(tool.open(run, first))
        log(name_values(row), next(steps))

    return listen


def name_values(row: Row) -> dict[str, float]:
    """The numbers of a row, under names with the texts that distinguish it.

    >>> name_values({"stage": "ppo", "opponent": "random", "update": 3, "win_rate": 0.5, "verdict": "H1"})
    {'ppo/random/update': 3.0, 'ppo/random/win_rate': 0.5}
    """
    of = [value for key, value in row.items() if isinstance(value, str) and key not in FINDINGS]
    return {"/".join([*of, key]): float(value) for key, value in row.items() if is_number(value)}
