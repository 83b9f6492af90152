"""The documentation site: every page is in its navigation, every link leads somewhere, nothing comes from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.site_pages import pages, rewritten, site_path

ROOT = Path(__file__).parents[2]
DOCS = sorted(path.name for path in (ROOT / "docs").glob("*.md"))


@pytest.fixture(scope="module")
def navigation() -> list[str]:
    def leaves(entry: Any) -> list[str]:
        if isinstance(entry, dict):
            return [leaf for value in entry.values() for leaf in leaves(value)]
        return [leaf for child in entry for leaf in leaves(child)] if isinstance(entry, list) else [entry]

    return leaves(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])


def test_every_page_has_its_place(navigation: list[str]) -> None:
    games = [path for path in pages().values() if path.startswith("games/")]
    assert sorted([*navigation, *games]) == sorted([*DOCS, *pages().values()])
    specs = [*ROOT.glob("src/ludex/games/*/spec.py"), *ROOT.glob("packages/classics/src/ludex_classics/*/spec.py")]
    assert len(games) == len(specs)


@pytest.mark.parametrize("source", [*(f"docs/{name}" for name in DOCS), *pages()])
def test_links_lead_to_files(source: str) -> None:
    page = site_path(source)
    assert page is not None
    rewritten((ROOT / source).read_text(encoding="utf-8"), source, page)


def test_links_lead_to_pages_of_the_site() -> None:
    text = "[a](../CHANGELOG.md#x) [b](../src/ludex/core/game.py) ![c](pictures/quoridor.png) [d](https://semver.org)\n"
    expected = "[a](changelog.md#x) b (`src/ludex/core/game.py`) ![c](pictures/quoridor.png) [d](https://semver.org)\n"
    assert rewritten(text, "docs/web.md", "web.md") == expected
    assert rewritten("[w](../../../../docs/web.md)", "src/ludex/games/quoridor/README.md", "games/quoridor.md") == (
        "[w](../web.md)"
    )
    code = "```\n[a](nowhere.md)\n```"
    assert rewritten(code, "docs/web.md", "web.md") == code
    with pytest.raises(ValueError, match=r"docs/web\.md: nowhere\.md leads to no file"):
        rewritten("[a](nowhere.md)", "docs/web.md", "web.md")


@pytest.mark.full
def test_it_builds_strictly_and_asks_no_other_site(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    built = [*(tmp_path / "site").rglob("*.html")]
    assert len(built) > len(DOCS)
    for page in built:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(
            r'<(?:script|img|iframe|link rel="(?:stylesheet|preconnect)")[^>]*(?:src|href)="([^"]+)"', text
        )
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], page
        assert " style=" not in text, page
        assert "<style" not in text, page
    contract = (tmp_path / "site" / "contract" / "index.html").read_text(encoding="utf-8")
    assert "legal_actions" in contract
    assert "sample_state" in contract
    tutorial = (tmp_path / "site" / "tutorial" / "index.html").read_text(encoding="utf-8")
    assert '<span class="filename">src/connect_four/game.py</span>' in tutorial
