"""Over HTTP as in the engine: a machine answers the same placement with the same one, at every level."""

import pytest

from ludex.core import registry
from ludex.games.skirmish.options import SHIPPED
from tests.web.playing import Visitor

MATCHES = 3


@pytest.mark.parametrize("preset", SHIPPED)
def test_the_same_first_placement_has_the_same_answer(ann: Visitor, preset: str) -> None:
    for level in registry.levels(registry.make("skirmish", preset)):
        answers = set()
        for seed in range(MATCHES):
            match = ann.begin("skirmish", "you", level, preset=preset, practice=True, seed=seed)
            # Where players deploy one after the other, the first places everything before it is answered.
            while len(match["moves"]) == len(ours := [move for move in match["moves"] if move["player"] == 0]):
                match = ann.on_turn(ann.move(match, ann.legal(match)[0]))
            answer = match["moves"][len(ours)]["text"]
            assert answer.startswith("deploy/")
            answers.add(answer)
        assert len(answers) == 1, (level, answers)
