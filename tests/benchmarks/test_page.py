"""The tables and charts say what the results say, and nothing else."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import page
from benchmarks.charts import Chart, all_charts
from benchmarks.documents import RESULTS, ROOT
from benchmarks.plan import ELSEWHERE, MEASUREMENTS
from benchmarks.tables import MARKED, TABLES, UnknownTable, filled

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Everything that follows from the results, somewhere else."""
    for name in (*page.MARKED, *(f"{page.PICTURES}/{chart.name}.svg" for chart in all_charts(RESULTS))):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_table_and_chart_is_current() -> None:
    assert page.stale() == [], "run `python -m benchmarks page`"


def test_every_measured_table_of_the_readme_is_marked() -> None:
    section = re.search(r"^## Measured\n(.*?)^## ", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert section is not None
    assert MARKED.findall(section[1])[0][0] == "headlines"
    assert "\n|" not in MARKED.sub("", section[1])


def test_a_figure_that_is_not_in_the_results_is_found(copied: Path) -> None:
    readme = copied / "README.md"
    text = readme.read_text()
    assert page.stale(copied) == []
    readme.write_text(text.replace("2,542,881", "2,542,882", 1))
    assert page.stale(copied) == [readme]
    page.write_all(copied)
    assert readme.read_text() == text


def test_a_marker_that_names_no_table_is_an_error() -> None:
    with pytest.raises(UnknownTable, match="no table is called 'speeed'; there are headlines"):
        filled("<!-- measured: speeed -->\n<!-- /measured -->")


def test_every_table_is_shown_somewhere() -> None:
    names = {name for file in page.MARKED for name, _ in MARKED.findall((ROOT / file).read_text())}
    assert names == set(TABLES)


def test_every_document_has_its_command() -> None:
    documents = {path.stem for path in RESULTS.glob("*.json")}
    assert {measurement.name for measurement in MEASUREMENTS} | set(ELSEWHERE) == documents


@pytest.mark.parametrize("chart", all_charts(RESULTS), ids=lambda chart: chart.name)
def test_charts_can_be_read_in_the_dark_and_without_eyes(chart: Chart) -> None:
    root = ElementTree.fromstring(chart.svg)
    assert root.get("role") == "img"
    titled = {element.get("id"): element.text for element in root if element.tag in (f"{SVG}title", f"{SVG}desc")}
    assert titled["desc"] == chart.words
    assert root.get("aria-labelledby") == "title desc"
    assert set(titled) == {"title", "desc"}
    style = root.find(f"{SVG}style")
    assert style is not None
    assert style.text is not None
    light, dark = style.text.split("@media (prefers-color-scheme: dark)")
    assert all(f".{kind} {{" in mode for kind in ("page", "text", "faint", "a", "b", "c") for mode in (light, dark))
    width, height = map(int, (root.get("viewBox") or "").split()[2:])
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x", "-1")) <= width
        assert 0 <= float(text.get("y", "-1")) <= height
    assert f"{chart.words}](pictures/{chart.name}.svg)" in (ROOT / "docs/benchmarks.md").read_text()
