"""Where Ludex keeps what outlives a process. Each folder has its environment variable."""

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from ludex.core.errors import FolderUnwritable


def data_folder() -> Path:
    """The person's matches and rankings: `LUDEX_DATA`, else the platform's data folder."""
    return _folder("LUDEX_DATA", user_data_path("ludex", appauthor=False))


def cache_folder() -> Path:
    """Compiled kernels: `LUDEX_CACHE`, else the platform's cache folder."""
    return _folder("LUDEX_CACHE", user_cache_path("ludex", appauthor=False))


def runs_folder() -> Path:
    """Training runs: `LUDEX_RUNS`, else `./runs`."""
    return _folder("LUDEX_RUNS", Path("runs"))


def tournaments_folder() -> Path:
    """Tournaments that were given a name: `LUDEX_TOURNAMENTS`, else `./tournaments`."""
    return _folder("LUDEX_TOURNAMENTS", Path("tournaments"))


def jobs_folder() -> Path:
    """Jobs of the laboratory: `LUDEX_JOBS`, else `./jobs`."""
    return _folder("LUDEX_JOBS", Path("jobs"))


def make_folder(folder: Path, variable: str, *, private: bool = False) -> Path:
    """The folder, created if need be, `private` for its owner alone; an error names the variable that moves it."""
    try:
        folder.mkdir(0o700 if private else 0o777, parents=True, exist_ok=True)
    except OSError as error:
        raise FolderUnwritable(
            f"cannot create {folder}: {error.strerror}; set {variable} to a writable folder"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FolderUnwritable(f"cannot write in {folder}: permission denied; set {variable} to a writable folder")
    return folder


def _folder(variable: str, default: Path) -> Path:
    value = os.environ.get(variable)
    return Path(value).expanduser() if value else default
