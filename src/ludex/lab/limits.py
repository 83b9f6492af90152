"""How much jobs may use of a machine: settings that the server and the command line share."""

import os
from pathlib import Path
from typing import Any, Self

from pydantic import Field

from ludex.core.errors import BadOption, LudexError
from ludex.core.folders import jobs_folder, runs_folder, tournaments_folder
from ludex.core.options import StrictModel, validate


class JobLimits(StrictModel):
    """The limits. Each field is a variable, `LUDEX_FIELD_NAME`, and a flag of `ludex serve`."""

    jobs_at_once: int = Field(1, ge=0, le=256, description="jobs of the laboratory that run at once; 0 runs none")
    jobs_waiting: int = Field(16, ge=0, le=10_000, description="jobs that may wait for their turn")
    job_niceness: int = Field(10, ge=0, le=19, description="how far jobs stand back behind other processes, 0 to 19")
    job_memory_mb: int = Field(8_192, ge=256, description="megabytes that the processes of a job may hold together")
    job_minutes: int = Field(1_440, ge=1, description="minutes after which a job is stopped; it can be resumed")
    job_workers: int = Field(4, ge=1, le=256, description="processes that one job may ask for")
    lab_mb: int = Field(20_480, ge=1, description="megabytes of runs, tournaments and jobs, beyond which no job runs")
    lab_days: int | None = Field(
        None, ge=1, description="days after which jobs that ended are deleted with what they made; kept if not given"
    )

    @classmethod
    def from_environment(cls) -> Self:
        """From variables, else the defaults. Raises `BadOption` for what is ill-typed."""
        values = {name: os.environ.get(limit_variable(name)) for name in cls.model_fields}
        return validate(cls, {name: value for name, value in values.items() if value}, "limits of jobs", BadOption)

    def variables(self) -> dict[str, str]:
        """The environment that `from_environment` reads these limits from."""
        values: dict[str, Any] = {name: getattr(self, name) for name in JobLimits.model_fields}
        return {limit_variable(name): "" if value is None else str(value) for name, value in values.items()}


def limit_variable(field: str) -> str:
    """The environment variable of a field.

    >>> limit_variable("jobs_at_once")
    'LUDEX_JOBS_AT_ONCE'
    """
    return f"LUDEX_{field.upper()}"


class DiskQuota(LudexError):
    """Runs, tournaments and jobs fill as much of the disk as they may."""


def used_bytes() -> int:
    """The size of all runs, tournaments and jobs."""
    return sum(map(folder_bytes, (runs_folder(), tournaments_folder(), jobs_folder())))


def folder_bytes(folder: Path) -> int:
    """The size of the files below a folder; 0 if there is none."""
    return sum(_bytes(os.path.join(parent, name)) for parent, _, names in os.walk(folder) for name in names)


def require_disk(limits: JobLimits) -> None:
    """Raise `DiskQuota` if the laboratory has filled its share of the disk."""
    used = used_bytes()
    if used >= limits.lab_mb << 20:
        raise DiskQuota(
            f"runs, tournaments and jobs fill {used >> 20:,} of {limits.lab_mb:,} MB, LUDEX_LAB_MB: delete some of them"
        )


def _bytes(file: str) -> int:
    try:
        return os.lstat(file).st_size
    except FileNotFoundError:
        # It was deleted meanwhile.
        return 0
