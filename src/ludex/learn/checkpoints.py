"""Tensors beside a run's checkpoint, so that a killed run resumes where it was."""

from io import BytesIO
from pathlib import Path
from typing import Any

import torch

from ludex.core.documents import read_bytes, write_bytes
from ludex.core.errors import BadRun
from ludex.learn.runs import Row, Run


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
