"""What the shelf is to a server that starts."""

from ludex.core import registry
from ludex.kernels.warmup import PLAYED
from ludex.web.workers.preparation import _list_kernels


def test_its_kernels_are_compiled_after_those_of_other_games() -> None:
    shelved = {spec.id for spec in registry.available()[0] if spec.screen.shelf is not None}
    listed = [(kernels.game in shelved, kernels.group) for kernels in _list_kernels()]
    assert list(dict.fromkeys(listed)) == [(is_shelved, group) for is_shelved in (False, True) for group in PLAYED]
    assert listed.count((True, PLAYED[0])) == len(shelved)
