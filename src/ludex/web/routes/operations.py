"""The options of an operation, as a form shows them."""

from typing import Annotated

from fastapi import APIRouter, Path

from ludex.operations.description import OPERATIONS, Description, describe, job_names
from ludex.web.errors import UnknownOperation, problems
from ludex.web.schemas.base import Document, Texts
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api/operations", tags=["jobs"], route_class=StrictRoute)


class OperationLine(Document):
    """An operation that may be a job, in a list."""

    id: str
    help: Texts


class Operations(Document):
    """Every operation that may be a job."""

    operations: list[OperationLine]


@router.get("", responses=problems())
async def operations() -> Operations:
    """What can be a job, in the order of the laboratory."""
    described = map(describe, job_names())
    return Operations(operations=[OperationLine(id=operation.id, help=operation.help) for operation in described])


@router.get("/{name}", responses=problems("unknown_operation", "bad_request"))
def operation(name: Annotated[str, Path(max_length=64)]) -> Description:
    """An operation: its options with types, bounds, defaults and help texts, in their order."""
    if name not in OPERATIONS:
        raise UnknownOperation(f"no operation is called {name!r}; they are: {', '.join(OPERATIONS)}")
    return describe(name)
