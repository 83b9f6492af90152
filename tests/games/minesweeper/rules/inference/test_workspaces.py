"""Workspaces of the solver among threads: none is shared, and few are kept."""

from ludex.games.minesweeper.rules.inference.probabilities import borrowed_workspace


def test_one_workspace_is_kept_however_many_are_used_at_once() -> None:
    with borrowed_workspace() as outer, borrowed_workspace() as middle, borrowed_workspace() as inner:
        used = [outer, middle, inner]
        assert len({id(work) for work in used}) == 3
    with borrowed_workspace() as first, borrowed_workspace() as second:
        assert first is outer
        assert not any(second is work for work in used)
