"""Tensors in files: beside a run's checkpoint, so that a killed run resumes, and as networks with their sizes."""

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import torch
from pydantic import BaseModel, ValidationError
from torch import nn

from ludex.core.documents import read_bytes, write_bytes
from ludex.core.errors import BadNet, BadRun, DataError
from ludex.core.options import complaint
from ludex.learn.runs import Row, Run

C = TypeVar("C", bound=BaseModel)
N = TypeVar("N", bound=nn.Module)

NET = "net"


def save_tensors(path: Path, held: dict[str, Any]) -> None:
    """Write state dictionaries to a file atomically."""
    data = BytesIO()
    torch.save(held, data)
    write_bytes(path, data.getvalue())


def load_tensors(path: Path, device: torch.device) -> dict[str, Any]:
    """Read them back. Raises `BadRun` if the file is not one of these."""
    try:
        found = torch.load(BytesIO(read_bytes(path, BadRun)), map_location=device, weights_only=True)
    except (RuntimeError, EOFError, ValueError, OSError) as error:
        raise BadRun(f"{path}: not a whole file of tensors: {error}") from error
    if not isinstance(found, dict):
        raise BadRun(f"{path}: expected state dictionaries by name, found {type(found).__name__}")
    return found


def save_checkpoint(run: Run, state: Row, held: dict[str, Any]) -> None:
    """Write a checkpoint of a state and its tensors; the previous one is removed only when this one is complete."""
    earlier = set((run.folder / "checkpoints").glob("*.pt"))
    path = _path(run, str(state["at"]))
    save_tensors(path, held)
    # The state names its file, so whenever the run is killed, state and tensors belong together.
    run.checkpoint(state)
    for other in earlier - {path}:
        other.unlink()


def load_checkpoint(run: Run, device: torch.device) -> tuple[Row, dict[str, Any]] | None:
    """The last checkpoint, if there is one; metrics written after it are dropped."""
    state = run.resume()
    if state is None:
        return None
    return state, load_tensors(_path(run, str(state["at"])), device)


def _path(run: Run, at: str) -> Path:
    return run.folder / "checkpoints" / f"{at}.pt"


def save_sized(path: Path, net: nn.Module, key: str, sizes: BaseModel) -> None:
    """Write weights, and the sizes under a key."""
    save_tensors(path, {key: sizes.model_dump(), NET: net.state_dict()})


def load_sized(
    path: Path, device: torch.device, key: str, kind: type[C], build: Callable[[C], N], expected: C | None = None
) -> N:
    """The network that `build` makes of the sizes, with its weights. Raises `BadNet` if it is another than expected."""
    found, weights = _read(path, device, key, kind)
    if expected is not None and found != expected:
        raise BadNet(f"{path}: a network of {found!r}, expected {expected!r}")
    net = build(found).to(device)
    give_weights(net, weights, str(path), BadNet)
    return net


def sizes_of(path: Path, key: str, kind: type[C]) -> C:
    """The sizes that a file holds. Raises `BadNet`."""
    return _read(path, torch.device("cpu"), key, kind)[0]


def _read(path: Path, device: torch.device, key: str, kind: type[C]) -> tuple[C, dict[str, Any]]:
    held: dict[str, Any] = load_tensors(path, device)
    if set(held) != {key, NET}:
        raise BadNet(f"{path}: expected {key!r} and {NET!r}, found {', '.join(sorted(held)) or 'nothing'}")
    try:
        return kind.model_validate(held[key]), held[NET]
    except ValidationError as error:
        raise BadNet(f"{path}: the sizes of another network: {complaint(error, kind)}") from error


def give_weights(net: nn.Module, weights: Mapping[str, Any], source: str, fault: type[DataError]) -> None:
    """Put weights into a network. Raises a `fault` that names the first that does not fit."""
    try:
        net.load_state_dict(weights)
    except RuntimeError as error:
        _, *lines = str(error).splitlines()
        reason = lines[0].strip() if lines else str(error)
        raise fault(f"{source}: weights of another network than this Ludex makes: {reason}; train again") from error
