"""Requests of every operation that may be a job: the one document of the browser, the terminal and a job's folder."""

from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from ludex.arena.entrants import UGI
from ludex.core.options import PY
from ludex.core.registry import resolve
from ludex.operations.description import OPERATIONS, job_names
from ludex.operations.fields import JobRequest
from ludex.operations.operation import Context, Operation, Result

KIND: Final = "kind"
"""The key that tells requests apart: the id of the operation."""


def operation_of(request: JobRequest) -> Operation[Any, Result]:
    """The operation that a request asks for."""
    operation: Operation[Any, Result] = resolve(OPERATIONS[request.kind])
    return operation


def run_request(request: JobRequest, **context: Any) -> Result:
    """Run the operation of a checked request, with its executor and the rest of a context."""
    operation = operation_of(request)
    return operation.run(request, Context(executor=request.make_executor(isolated=operation.isolated), **context))


def job_request_type() -> Any:
    """The union of all requests that may be jobs, as a body of HTTP has it."""
    return _union(_references())


def job_requests() -> TypeAdapter[JobRequest]:
    """Reads the request of a job."""
    return _adapter(_references())


def programs_of(request: JobRequest) -> list[str]:
    """The agents of a request that run a program or a class of this machine."""
    return [agent for agent in request.players if agent.startswith((PY, UGI))]


def _references() -> tuple[str, ...]:
    return tuple(OPERATIONS[name] for name in job_names())


@cache
def _union(references: tuple[str, ...]) -> Any:
    models = [resolve(reference).request for reference in references]
    return Annotated[reduce(or_, models), Field(discriminator=KIND)]


@cache
def _adapter(references: tuple[str, ...]) -> TypeAdapter[JobRequest]:
    return TypeAdapter(_union(references))
