"""The table of docs/reliability.md names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_promise_names_a_test_that_exists() -> None:
    table = (ROOT / "docs" / "reliability.md").read_text()
    rows = [row for row in table.splitlines() if row.startswith("| ")][1:]
    named = 0
    for row in rows:
        file = ""
        for path, test in re.findall(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`", row):
            file = path or file
            if not file:
                continue
            text = (ROOT / file).read_text()
            assert not test or f"def {test}(" in text, f"{file} has no {test}"
            named += 1
    assert named > 20
