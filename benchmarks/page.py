"""docs/benchmarks.md, its charts, and every marked table of the project's Markdown, from the results."""

from collections.abc import Mapping
from pathlib import Path

from benchmarks.charts import all_charts
from benchmarks.documents import RESULTS, ROOT
from benchmarks.tables import filled

MARKED = (
    "README.md",
    "docs/alphazero.md",
    "docs/benchmarks.md",
    "docs/language-models.md",
    "docs/minesweeper-milestones.md",
    "docs/reliability.md",
    "docs/scale.md",
    "docs/threat-model.md",
    "src/ludex/games/tictactoe/README.md",
    "src/ludex/games/quoridor/README.md",
    "src/ludex/games/skirmish/README.md",
    "src/ludex/games/minesweeper/README.md",
)
"""Files whose marked tables are made from the results."""
PICTURES = "docs/pictures"


def rendered(root: Path = ROOT, results: Path = RESULTS) -> Mapping[Path, str]:
    """Every file that follows from the results, as it should be."""
    files = {root / name: filled((root / name).read_text(), results) for name in MARKED}
    page = root / "docs/benchmarks.md"
    for chart in all_charts(results):
        files[root / PICTURES / f"{chart.name}.svg"] = chart.svg
        files[page] = _described(files[page], chart.name, chart.words)
    return files


def stale(root: Path = ROOT, results: Path = RESULTS) -> list[Path]:
    """Files that say something else than the results."""
    return [path for path, text in rendered(root, results).items() if not path.exists() or path.read_text() != text]


def write_all(root: Path = ROOT, results: Path = RESULTS) -> None:
    """Write them."""
    for path, text in rendered(root, results).items():
        path.write_text(text)


def _described(page: str, name: str, words: str) -> str:
    """The page with a chart's text alternative."""
    begin = f"![{name}: "
    lines = [f"{begin}{words}](pictures/{name}.svg)" if line.startswith(begin) else line for line in page.split("\n")]
    if not any(line.startswith(begin) for line in lines):
        raise ValueError(f"docs/benchmarks.md does not show the chart {name}: expected a line that begins {begin!r}")
    return "\n".join(lines)
