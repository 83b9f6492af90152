"""The rows of both trainers at work, on the small scenario."""

from collections.abc import Iterator

import pytest
import torch

from benchmarks.skirmish_speed import learning_rows
from ludex.core.registry import make
from ludex.games.skirmish.game import Skirmish
from ludex.learn.runs import Run


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.full
def test_both_trainers_learn_and_the_first_update_is_no_part_of_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"stepping_seconds": 0.5, "seconds": 100.0},
        {"stepping_seconds": 1.0, "seconds": 4.0},
        {"stepping_seconds": 2.0, "seconds": 8.0},
    ]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(Run, "metrics", lambda _: rows)
    game = make("skirmish", "small")
    assert isinstance(game, Skirmish)
    learned, share = learning_rows(game, 0.01)
    assert learned.peer is not None
    assert learned.ours > 0 < learned.peer
    assert share.ours == 25.0
