"""The options of an operation, as a form shows them."""

from typing import Annotated

from fastapi import APIRouter, Path

from ludex.operations.description import OPERATIONS, Description, describe
from ludex.web.errors import UnknownOperation, problems

router = APIRouter(prefix="/api/operations", tags=["jobs"])


@router.get("/{name}", responses=problems("unknown_operation", "bad_request"))
def operation(name: Annotated[str, Path(max_length=64)]) -> Description:
    """An operation: its options with types, bounds, defaults and help texts, in their order."""
    if name not in OPERATIONS:
        raise UnknownOperation(f"no operation is called {name!r}; they are: {', '.join(OPERATIONS)}")
    return describe(name)
