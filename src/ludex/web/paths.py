"""Documents and sentences that do not reveal where the server keeps its files."""

from pathlib import Path
from typing import Any

from ludex.core.folders import data_folder, jobs_folder, runs_folder, tournaments_folder


def scrub_paths(value: Any) -> Any:
    """A document whose texts do not reveal where the server keeps its files."""
    if isinstance(value, dict):
        return {key: scrub_paths(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [scrub_paths(inner) for inner in value]
    return without_folders(value) if isinstance(value, str) else value


def without_folders(text: str) -> str:
    """A sentence that does not reveal where the server keeps its files."""
    folders = [jobs_folder(), runs_folder(), tournaments_folder(), data_folder(), Path.home()]
    for folder in folders:
        for written in (folder, folder.absolute()):
            text = text.replace(f"{written}/", "")
    return text
