"""Where compiled kernels lie."""

from pathlib import Path

import pytest

from ludex.core import jit


def test_other_sources_have_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "kernels.py"
    monkeypatch.setattr(jit, "kernel_sources", lambda: [source])
    monkeypatch.setenv("LUDEX_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    source.write_text("one")
    first = jit.cache_home()
    source.write_text("another")
    second = jit.cache_home()
    source.write_text("one")
    assert first != second
    assert jit.cache_home() == first
    assert first.parent == second.parent == tmp_path / "cache" / "kernels"
    assert first.is_dir()


def test_the_sources_are_those_that_are_compiled() -> None:
    names = {path.name for path in jit.kernel_sources()}
    assert {"jit.py", "seeding.py"} <= names
    assert "folders.py" not in names
