"""What a person writes about a run or an experiment: a text beside the runs."""

from pathlib import Path
from typing import Final

from ludex.core.documents import read_text, write_text
from ludex.core.errors import BadOption, BadRun
from ludex.core.folders import make_folder
from ludex.learn.experiments import runs_of
from ludex.learn.runs import Run

LONGEST_NOTE: Final = 20_000


def read_note(base: Path, name: str) -> str:
    """The note of a run or an experiment, empty if there is none. Raises `BadRun`."""
    path = _path(base, name)
    return read_text(path, BadRun) if path.exists() else ""


def write_note(base: Path, name: str, text: str) -> None:
    """Replace the note of a run or an experiment. Raises `BadRun` and `BadOption`."""
    if len(text) > LONGEST_NOTE:
        raise BadOption(f"expected a note of at most {LONGEST_NOTE} characters, found {len(text)}")
    path = _path(base, name)
    make_folder(path.parent, "LUDEX_RUNS")
    write_text(path, text)


def _path(base: Path, name: str) -> Path:
    """`notes.md` in a run's folder, and for an experiment, which has none, `notes/NAME.md` beside the runs."""
    return base / "notes" / f"{name}.md" if runs_of(base, name) else Run.open(base, name).folder / "notes.md"
