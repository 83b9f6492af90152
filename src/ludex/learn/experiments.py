"""Several runs of one configuration: more seeds, and a sweep over some values. Each of them can be repeated alone.

The runs of an experiment carry its name as their group. `plan` says which changes of the configuration each run has;
the command that trains one of them alone sets the same changes. A person may write a note about each.
"""

import json
import re
import secrets
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from pydantic import BaseModel

from ludex.core.documents import read_text, write_text
from ludex.core.errors import BadConfig, BadOption, BadRun
from ludex.core.folders import make_folder, runs_folder
from ludex.core.registry import resolve
from ludex.core.seeding import generator
from ludex.core.spec import GameSpec, TrainingSpec
from ludex.learn.config import dump_config, load_config, parse_value, split_keys
from ludex.learn.runs import Run, list_runs

Changes: TypeAlias = dict[str, Any]
"""Values by dotted key, over those of the named configuration."""

MOST_RUNS: Final = 100
GROUP: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
SEED: Final = "seed"
SEEDS_STREAM: Final = 90
"""Stream from which the seeds of further runs are drawn."""
SEED_BOUND: Final = 1 << 31


def seeds_of(seed: int, count: int) -> list[int]:
    """The seeds of so many runs: the configuration's own, then distinct numbers drawn from it.

    Fewer runs have the first of them, so that `--seeds 5` goes on where `--seeds 3` ended.

    >>> seeds_of(1, 3) == seeds_of(1, 5)[:3], seeds_of(1, 1)
    (True, [1])
    """
    seeds = [seed]
    draws = generator(seed, 0, SEEDS_STREAM)
    while len(seeds) < count:
        drawn = draws.below(SEED_BOUND)
        if drawn not in seeds:
            seeds.append(drawn)
    return seeds


def plan(
    training: TrainingSpec,
    config: str | None,
    changes: Mapping[str, Any],
    *,
    seeds: int = 1,
    sweep: Mapping[str, Sequence[Any]] | None = None,
) -> list[Changes]:
    """The changes of every run: each combination of the sweep's values, and of each as many seeds.

    All are checked before the first begins. Raises `BadConfig` and `BadOption`.
    """
    sweep = sweep or {}
    _check(changes, seeds, sweep)
    planned: list[Changes] = []
    for values in product(*sweep.values()):
        combination = {**changes, **dict(zip(sweep, values, strict=True))}
        loaded = load_config(training.config, training.configs, config or training.default, combination)
        if seeds == 1:
            planned.append(combination)
            continue
        first = getattr(loaded, SEED, None)
        if not isinstance(first, int):
            raise BadOption(f"several seeds need a configuration with the key {SEED!r}, found none")
        planned.extend({**combination, SEED: seed} for seed in seeds_of(first, seeds))
    for values_of_run in planned:
        load_config(training.config, training.configs, config or training.default, values_of_run)
    return planned


def _check(changes: Mapping[str, Any], seeds: int, sweep: Mapping[str, Sequence[Any]]) -> None:
    if seeds < 1:
        raise BadOption(f"expected at least 1 seed, found {seeds}")
    if seeds > 1 and SEED in sweep:
        raise BadOption(f"key {SEED!r} is swept already: no further seeds fit beside it")
    for key, values in sweep.items():
        if key in changes:
            raise BadConfig(f"key {key!r} is both set and swept")
        if not values or any(value in values[:at] for at, value in enumerate(values)):
            raise BadConfig(f"{key}: expected different values to sweep, found {list(values)!r}")
    count = seeds
    for values in sweep.values():
        count *= len(values)
    if count > MOST_RUNS:
        raise BadOption(f"expected at most {MOST_RUNS} runs, found {count}: sweep fewer values or seeds")


def parse_sweep(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Values to sweep as written on a command line.

    >>> parse_sweep(["ppo.lr=1e-3,1e-4", "boards=[a,b],[c]"])
    {'ppo.lr': [0.001, 0.0001], 'boards': [['a', 'b'], ['c']]}
    """
    swept = split_keys(texts, "key=value,value", "swept")
    return {key: parse_value(key, f"[{values}]") for key, values in swept.items()}


def new_group(game: str, config: str) -> str:
    """A name for an experiment that was given none."""
    return f"{game}-{Path(config).stem}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


def check_group(group: str) -> str:
    """The name of an experiment. Raises `BadOption`."""
    if GROUP.fullmatch(group) is None:
        raise BadOption(f"expected a name of letters, digits, '.', '_' and '-', 100 at most, found {group!r}")
    return group


def runs_of(base: Path, group: str) -> list[Run]:
    """The runs of an experiment, oldest first."""
    return [run for run in list_runs(base) if _group(run) == group]


def groups(base: Path) -> list[str]:
    """The names of the experiments that have runs, the oldest first."""
    return [*dict.fromkeys(group for run in list_runs(base) if (group := _group(run)) is not None)]


def _group(run: Run) -> str | None:
    try:
        return run.group
    except BadRun:
        # A damaged run belongs to no experiment; listings say what is wrong with it.
        return None


def begin(
    spec: GameSpec, training: TrainingSpec, config: str | None, changes: Changes, group: str | None = None
) -> tuple[Run, BaseModel]:
    """The run of these changes with its configuration: the one that the group has already, to be resumed, or a new one.

    Raises `BadConfig`, and `BadOption` if the group is of another game.
    """
    name = training.default if config is None else config
    configuration = load_config(training.config, training.configs, name, changes)
    if training.complete is not None:
        configuration = resolve(training.complete)(spec, configuration)
    base = runs_folder()
    for run in [] if group is None else runs_of(base, check_group(group)):
        if run.game != spec.id:
            raise BadOption(f"experiment {group!r} is of {run.game}, not of {spec.id}: choose another name")
        if (run.config_name, run.changes) == (name, changes):
            return run, configuration
    return Run.create(base, spec.id, name, dump_config(configuration), group=group, changes=changes), configuration


def command_of(run: Run) -> str | None:
    """The command that trains a run alone, with the same seed and values; None for a run that did not record them."""
    if run.changes is None:
        return None
    parts = ["ludex", "train", run.game, "--config", run.config_name]
    for key, value in run.changes.items():
        # JSON is YAML, which `--set` reads.
        parts += ["--set", f"{key}={json.dumps(value, ensure_ascii=False)}"]
    return shlex.join(parts)


LONGEST_NOTE: Final = 20_000


def read_note(base: Path, name: str) -> str:
    """The note of a run or an experiment, empty if there is none. Raises `BadRun`."""
    path = _path(base, name)
    return read_text(path, BadRun) if path.exists() else ""


def write_note(base: Path, name: str, text: str) -> None:
    """Replace the note of a run or an experiment. Raises `BadRun` and `BadOption`."""
    if len(text) > LONGEST_NOTE:
        raise BadOption(f"expected a note of at most {LONGEST_NOTE} characters, found {len(text)}")
    path = _path(base, name)
    make_folder(path.parent, "LUDEX_RUNS")
    write_text(path, text)


def _path(base: Path, name: str) -> Path:
    """`notes.md` in a run's folder, and for an experiment, which has none, `notes/NAME.md` beside the runs."""
    return base / "notes" / f"{name}.md" if runs_of(base, name) else Run.open(base, name).folder / "notes.md"
