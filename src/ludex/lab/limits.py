"""How much jobs may use of a machine: settings that the server and the command line share."""

import os
from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ludex.core.errors import BadOption
from ludex.core.options import complaint


class JobLimits(BaseModel):
    """The limits. Each field is a variable, `LUDEX_FIELD_NAME`, and a flag of `ludex serve`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    jobs_at_once: int = Field(1, ge=0, le=256, description="jobs of the laboratory that run at once; 0 runs none")
    jobs_waiting: int = Field(16, ge=0, le=10_000, description="jobs that may wait for their turn")
    job_niceness: int = Field(10, ge=0, le=19, description="how far jobs stand back behind other processes, 0 to 19")
    job_memory_mb: int = Field(8_192, ge=256, description="megabytes that the processes of a job may hold together")
    job_minutes: int = Field(1_440, ge=1, description="minutes after which a job is stopped; it can be resumed")
    job_workers: int = Field(4, ge=1, le=256, description="processes that one job may ask for")
    job_engines: bool = Field(False, description="whether the administrator's browser may start engines by ugi:")
    lab_mb: int = Field(20_480, ge=1, description="megabytes of runs, tournaments and jobs, beyond which no job runs")
    lab_days: int | None = Field(
        None, ge=1, description="days after which jobs that ended are deleted with what they made; kept if not given"
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """From variables, else the defaults. Raises `BadOption` for what is ill-typed."""
        variables = os.environ if environment is None else environment
        given = {
            name: variables[limit_variable(name)] for name in cls.model_fields if variables.get(limit_variable(name))
        }
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise BadOption(f"limits of jobs: {complaint(error, cls)}") from None

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
