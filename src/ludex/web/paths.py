"""Documents and sentences that do not reveal where the server keeps its files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludex.core.errors import DataError
from ludex.core.folders import data_folder, jobs_folder, runs_folder, tournaments_folder


def scrub_paths(value: Any) -> Any:
    """A document whose texts do not reveal where the server keeps its files."""
    if isinstance(value, dict):
        return {key: scrub_paths(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [scrub_paths(inner) for inner in value]
    return without_folders(value) if isinstance(value, str) else value


@contextmanager
def hidden_folders() -> Iterator[None]:
    """Errors about damaged files that do not reveal where the server keeps them."""
    try:
        yield
    except DataError as error:
        raise type(error)(without_folders(error.message)) from error


def without_folders(text: str) -> str:
    """A sentence that does not reveal where the server keeps its files."""
    for folder in (jobs_folder(), runs_folder(), tournaments_folder(), data_folder(), Path.home()):
        for written in (folder, folder.absolute()):
            text = text.replace(f"{written}/", "")
    return text
