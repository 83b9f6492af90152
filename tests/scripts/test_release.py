"""Generated pages are what the code says, locks have hashes, and releases take their notes from the changelog."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.lock import lock_text
from scripts.release_notes import checked_version, notes

ROOT = Path(__file__).parents[2]
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n- b\n\n## [0.1.0]\n\n- a\n"


def workflow(name: str) -> dict[str, Any]:
    document = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())
    assert isinstance(document, dict)
    return document


def commands(name: str) -> list[str]:
    return [step["run"] for job in workflow(name)["jobs"].values() for step in job["steps"] if "run" in step]


def test_workflows_run_what_people_type() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = [target for run in commands("ci") for target in re.findall(r"make (\S+)", run)]
    assert targets == ["lint", "test", "lock", "docs"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    for run in [*commands("ci"), *commands("release")]:
        for script in re.findall(r"python (scripts/\S+)", run):
            assert (ROOT / script).is_file(), script


def test_the_tested_versions_are_those_that_the_package_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [
        classifier.rpartition(" ")[2]
        for classifier in project["classifiers"]
        if classifier.startswith("Programming Language")
    ]
    assert workflow("ci")["jobs"]["tests"]["strategy"]["matrix"]["python"] == named
    assert all(version in (ROOT / "docs" / "support.md").read_text() for version in named)


def test_notes_are_the_section_of_the_version() -> None:
    assert notes(CHANGELOG, "0.2.0") == "### Added\n- b\n"
    assert notes(CHANGELOG, "0.1.0") == "- a\n"
    for missing in ("0.3.0", "Unreleased"):
        with pytest.raises(ValueError, match=re.escape(missing)):
            notes(CHANGELOG, missing)


def test_a_tag_of_another_version_is_refused() -> None:
    assert checked_version("v0.2.0", '__version__ = "0.2.0"\n') == "0.2.0"
    with pytest.raises(ValueError, match=r"the tag is v0\.2\.0, the package has version 0\.2\.0\.dev0"):
        checked_version("v0.2.0", '__version__ = "0.2.0.dev0"\n')


def test_the_changelog_of_a_release_can_be_read() -> None:
    assert notes((ROOT / "CHANGELOG.md").read_text(), "Unreleased")


GENERATED = ("cli", "api", "contract", "promises")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the scripts write, by a process of their own in another folder."""
    program = (
        f"import json; print(json.dumps({{name: __import__(name + '_reference').page() for name in {GENERATED}}}))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "scripts"), *sys.path])}
    folder = tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    written: dict[str, str] = json.loads(result.stdout)
    return written


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATED)
def test_the_reference_is_current(name: str, pages: dict[str, str]) -> None:
    current = (ROOT / "docs" / f"{name}.md").read_text()
    assert current == pages[name], f"run `python scripts/{name}_reference.py`"


@pytest.mark.parametrize("page", ["api", "contract"])
def test_every_public_name_has_a_meaning(page: str) -> None:
    """No heading of a name is followed by the next one, or by nothing but its members."""
    lines = [line for line in (ROOT / "docs" / f"{page}.md").read_text().splitlines() if line]
    bare = [
        line
        for line, following in zip(lines, [*lines[1:], "#"], strict=True)
        if line[:4] == "### " and following[0] in "#-"
    ]
    assert bare == []


def entry(name: str, **source: Any) -> dict[str, Any]:
    """A package of pip's report."""
    return {"metadata": {"name": name, "version": "1.0"}, "download_info": source}


def test_every_package_has_its_hash_and_the_project_is_left_out() -> None:
    report = {
        "install": [
            entry("ludex", url="file:///source", dir_info={}),
            entry("Numpy", url="https://host/numpy.whl", archive_info={"hashes": {"sha256": "b" * 64}}),
            entry("anyio", url="https://host/anyio.whl", archive_info={"hashes": {"sha256": "a" * 64}}),
        ]
    }
    assert lock_text(report) == f"anyio==1.0 --hash=sha256:{'a' * 64}\nNumpy==1.0 --hash=sha256:{'b' * 64}\n"


def test_a_package_without_a_hash_is_named() -> None:
    with pytest.raises(SystemExit, match=r"anyio==1\.0: pip reports no SHA-256"):
        lock_text({"install": [entry("anyio", url="https://host/anyio.whl", archive_info={})]})
