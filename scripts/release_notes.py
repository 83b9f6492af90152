"""Print the changelog's section of a version: `python scripts/release_notes.py v0.2.0`."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def notes(changelog: str, version: str) -> str:
    """The section of a version, without its heading. Raises `ValueError` if there is none, or nothing in it."""
    section = re.search(
        rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|^\[|\Z)", changelog, re.DOTALL | re.MULTILINE
    )
    if section is None or not section.group(1).strip():
        raise ValueError(f"CHANGELOG.md has no section [{version}]")
    return section.group(1).strip() + "\n"


def checked_version(tag: str, package: str) -> str:
    """The version of a tag. Raises `ValueError` if the package has another one."""
    declared = re.search(r'^__version__ = "([^"]+)"', package, re.MULTILINE)
    version = tag.removeprefix("v")
    if declared is None or declared.group(1) != version:
        raise ValueError(f"the tag is {tag}, the package has version {declared and declared.group(1)}")
    return version


def main() -> None:
    """Print the notes of the tag that is named."""
    (tag,) = sys.argv[1:]
    try:
        version = checked_version(tag, (ROOT / "src" / "ludex" / "__init__.py").read_text(encoding="utf-8"))
        print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version), end="")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
