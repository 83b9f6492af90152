"""The lock of what the container installs."""

from typing import Any

import pytest

from scripts.lock import lock_text


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
