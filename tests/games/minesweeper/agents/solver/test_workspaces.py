"""Workspaces of the solver among threads: none is shared, and few are kept."""

from ludex.games.minesweeper.agents.solver.probabilities import desk


def test_one_workspace_is_kept_however_many_are_used_at_once() -> None:
    with desk() as outer, desk() as middle, desk() as inner:
        used = [outer, middle, inner]
        assert len({id(work) for work in used}) == 3
    with desk() as first, desk() as second:
        assert first is outer
        assert not any(second is work for work in used)
