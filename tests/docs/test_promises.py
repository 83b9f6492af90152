"""Pages for users describe positions, and name promises that the generated page alone ties to tests."""

import re
import tomllib
from pathlib import Path

import pytest

from ludex.core.compiled import compiled_rules
from ludex.core.registry import available, make
from ludex.core.seeding import Rng
from scripts.promises_reference import PAGE

ROOT = Path(__file__).parents[2]
PROMISES = tomllib.loads((ROOT / "tests" / "promises.toml").read_text(encoding="utf-8"))
USER_PAGES = [
    *(ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "examples" / "README.md"),
    *sorted(path for path in ROOT.glob("docs/*.md") if path != PAGE),
    *sorted(ROOT.glob("src/ludex/games/*/README.md")),
]


@pytest.mark.parametrize("page", USER_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_for_users_names_a_test_file(page: Path) -> None:
    assert re.findall(r"tests/\S+|\btest_\w+\.py|::test_\w+", page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", ["reliability", "third-party", "upgrading", "seeds"])
def test_every_row_of_a_page_of_promises_has_a_test(name: str) -> None:
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"<!-- measured.*?/measured -->", "", text, flags=re.DOTALL)
    tables = re.findall(r"^\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = {row.strip("|").split(" | ")[0].strip() for table in tables for row in table.splitlines()}
    assert rows <= {*PROMISES[f"docs/{name}.md"]}
    assert all(PROMISES[f"docs/{name}.md"].values())


def test_every_difference_from_the_founding_documents_has_a_test() -> None:
    """Each is an item of a list that begins with its name in italics; a promise begins with the same."""
    text = " ".join((ROOT / "docs" / "seeds.md").read_text(encoding="utf-8").split())
    items = [item for part in text.split("**Differences.**")[1:] for item in part.split(" ## ")[0].split(" - *")[1:]]
    promises = PROMISES["docs/seeds.md"]
    without = [item[:60] for item in items if not any(f"*{item}".startswith(name) for name in promises)]
    assert without == []
    assert len(items) > 50


def test_the_page_of_seeds_names_files_that_exist() -> None:
    """Paths are below `src/ludex/games/<game>/` of the heading above them, or below the root."""
    games = ROOT / "src" / "ludex" / "games"
    for section in (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        slice_ = games / section.split(":")[0].lower().replace("-", "")
        missing = [
            name
            for name in re.findall(r"`([\w/]+(?:\.py|/))`", section)
            if not (slice_ / name).exists() and not (ROOT / name).exists()
        ]
        assert missing == [], slice_.name


def test_the_way_leads_to_files_that_exist() -> None:
    text = (ROOT / "docs" / "finding-your-way.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:py|js))`", text)
    missing = [
        path for path in paths if not (ROOT / "src" / "ludex" / path).is_file() and not path.startswith("scripts/")
    ]
    assert missing == []
    assert len(paths) > 10


GAMES = [game.id for game in available()[0]]


def cells_below(text: str, heading: str) -> list[str]:
    """The first cell of each row of the table with this heading."""
    table = re.search(rf"^\| {heading} \|.*\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None, f"there is no table of {heading}"
    return [row.split(" | ")[0].strip("| ") for row in table[1].splitlines()]


def planes_of(cells: list[str]) -> list[int]:
    """The numbers that rows such as `2 - 5` name."""
    ends = [[int(end) for end in cell.split(" - ")] for cell in cells]
    return [plane for first, *last in ends for plane in range(first, (last or [first])[0] + 1)]


@pytest.mark.parametrize("name", GAMES)
def test_the_page_names_every_key_and_every_plane(name: str) -> None:
    text = (ROOT / "src" / "ludex" / "games" / name / "README.md").read_text().split("## Position and observations")[1]
    game = make(name)
    state = game.initial(Rng(0))
    dump = game.dump(state)
    assert isinstance(dump, dict)
    keys = re.findall(r"`(\w+)`", " ".join(cells_below(text, "key")))
    # One key is there on some boards only.
    assert [key for key in keys if key in dump] == [*dump]
    assert {*keys} - {*dump} <= {"start"}
    observed = game.observe(game.view(state, 0))["planes"]
    assert planes_of(cells_below(text, "plane")) == [*range(len(observed))]
    assert f"[{len(observed)}, " in text
    rules = compiled_rules(game)
    if rules is not None and rules.observation_shape[0] != len(observed):
        assert planes_of(cells_below(text, "compiled plane")) == [*range(rules.observation_shape[0])]
