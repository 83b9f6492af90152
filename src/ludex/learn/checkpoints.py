"""Tensors in files: beside a run's checkpoint, so that a killed run resumes, and as networks with their sizes."""

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar

import torch
from pydantic import BaseModel
from torch import nn

from ludex.core.documents import read_bytes, write_bytes
from ludex.core.errors import BadNet, BadRun, DataError
from ludex.core.options import validate
from ludex.learn.runs import Row, Run, text_value

C = TypeVar("C", bound=BaseModel)
N = TypeVar("N", bound=nn.Module)

NET = "net"


def save_tensors(path: Path, tensors: dict[str, Any]) -> None:
    """Write state dictionaries to a file atomically."""
    data = BytesIO()
    torch.save(tensors, data)
    write_bytes(path, data.getvalue())


def load_tensors(path: Path, device: torch.device) -> dict[str, Any]:
    """Read them back. Raises `BadRun` if the file is not one of these."""
    try:
        tensors = torch.load(BytesIO(read_bytes(path, BadRun)), map_location=device, weights_only=True)
    except (RuntimeError, EOFError, ValueError, OSError) as error:
        raise BadRun(f"{path}: not a whole file of tensors: {error}") from error
    except (UnpicklingError, LookupError, TypeError, AttributeError) as error:
        # What torch says of these is how to load the file without its protection.
        raise BadRun(f"{path}: not a whole file of tensors") from error
    if not isinstance(tensors, dict):
        raise BadRun(f"{path}: expected state dictionaries by name, found {type(tensors).__name__}")
    return tensors


def save_checkpoint(run: Run, state: Row, tensors: dict[str, Any]) -> None:
    """Write a checkpoint of a state and its tensors; the previous one is removed only when this one is complete."""
    earlier = set((run.folder / "checkpoints").glob("*.pt"))
    path = _path(run, state)
    save_tensors(path, tensors)
    # The state names its file, so whenever the run is killed, state and tensors belong together.
    run.checkpoint(state)
    for other in earlier - {path}:
        other.unlink()


def load_state_tensors(run: Run, state: Row, device: torch.device) -> dict[str, Any]:
    """The tensors that belong to a checkpoint's state."""
    return load_tensors(_path(run, state), device)


def _path(run: Run, state: Row) -> Path:
    return run.folder / "checkpoints" / f"{text_value(state, 'at', f'run {run.name!r}')}.pt"


def save_sized(path: Path, net: nn.Module, key: str, sizes: BaseModel) -> None:
    """Write weights, and the sizes under a key."""
    save_tensors(path, {key: sizes.model_dump(), NET: net.state_dict()})


def load_sized(
    path: Path, device: torch.device, key: str, kind: type[C], build: Callable[[C], N], expected: C | None = None
) -> N:
    """The network that `build` makes of the sizes, with its weights. Raises `BadNet` if it is another than expected."""
    sizes, weights = _read(path, device, key, kind)
    if expected is not None and sizes != expected:
        raise BadNet(f"{path}: a network of {sizes!r}, expected {expected!r}")
    net = build(sizes).to(device)
    give_weights(net, weights, str(path), BadNet)
    return net


def sizes_of(path: Path, key: str, kind: type[C]) -> C:
    """The sizes that a file holds. Raises `BadNet`."""
    return _read(path, torch.device("cpu"), key, kind)[0]


def _read(path: Path, device: torch.device, key: str, kind: type[C]) -> tuple[C, dict[str, Any]]:
    content = load_tensors(path, device)
    if set(content) != {key, NET}:
        raise BadNet(f"{path}: expected {key!r} and {NET!r}, found {', '.join(sorted(content)) or 'nothing'}")
    return validate(kind, content[key], f"{path}: the sizes of another network", BadNet), content[NET]


def give_weights(net: nn.Module, weights: Mapping[str, Any], source: str, fault: type[DataError]) -> None:
    """Put weights into a network. Raises a `fault` that names the first that does not fit."""
    try:
        net.load_state_dict(weights)
    except RuntimeError as error:
        _, *lines = str(error).splitlines()
        reason = lines[0].strip() if lines else str(error)
        raise fault(f"{source}: weights of another network than this Ludex makes: {reason}; train again") from error
