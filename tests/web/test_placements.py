"""Over HTTP as in the engine: a machine answers the same placement with the same one, at every level."""

import pytest

from ludex.core import registry
from tests.web.playing import Visitor

MATCHES = 3


@pytest.mark.parametrize("preset", ["small", "people"])
def test_the_same_first_placement_has_the_same_answer(ann: Visitor, preset: str) -> None:
    for level in registry.spec("skirmish").levels:
        answers = set()
        for seed in range(MATCHES):
            match = ann.begin("skirmish", "you", level, preset=preset, practice=True, seed=seed)
            first = ann.legal(match)[0]
            match = ann.on_turn(ann.move(match, first))
            placed, answer = match["moves"][:2]
            assert placed["text"] == first
            assert answer["text"].startswith("deploy/")
            answers.add(answer["text"])
        assert len(answers) == 1, (level, answers)
