"""The documents that name tests as proof name tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REFERENCE = re.compile(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`")


@pytest.mark.parametrize(
    ("document", "least"),
    [("reliability", 20), ("upgrading", 20), ("data", 8), ("seeds", 60), ("third-party", 20), ("lab", 3)],
)
def test_every_promise_names_a_test_that_exists(document: str, least: int) -> None:
    text = (ROOT / "docs" / f"{document}.md").read_text()
    named, file = 0, ""
    for path, test in REFERENCE.findall(text):
        if not path and not test:
            continue
        file = path or file
        assert file, f"{test}: no file is named before it"
        assert not test or f"def {test}(" in (ROOT / file).read_text(), f"{file} has no {test}"
        named += 1
    assert named >= least


def test_the_page_of_seeds_names_files_that_exist() -> None:
    """Paths are below `src/ludex/games/<game>/` of the heading above them, or below the root."""
    games, checked = ROOT / "src" / "ludex" / "games", 0
    for section in (ROOT / "docs" / "seeds.md").read_text().split("\n## ")[1:]:
        slice_ = games / section.split(":")[0].lower().replace("-", "")
        assert slice_.is_dir(), slice_
        for name in re.findall(r"`([\w/]+(?:\.py|/))`", section):
            assert (slice_ / name).exists() or (ROOT / name).exists(), f"{slice_.name}: {name}"
            checked += 1
    assert checked > 60


def test_what_is_told_of_upgrades_ends_with_the_schema_of_this_version() -> None:
    from ludex.store.schema import MIGRATIONS

    listed = re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "upgrading.md").read_text(), re.MULTILINE)
    assert listed == [str(version) for version in range(1, len(MIGRATIONS) + 1)]


def test_the_table_of_third_party_games_has_no_empty_cell() -> None:
    table = (ROOT / "docs" / "third-party.md").read_text().partition("|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert len(rows) >= 20
    assert all(len(row) == 3 and all(row) and row[2].startswith("`tests/") for row in rows)
