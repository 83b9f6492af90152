"""What the shelf is to a server that starts."""

import os
import subprocess
import sys
from pathlib import Path

from ludex.core import registry
from ludex.kernels.warmup import PLAYED
from ludex.web.workers.preparation import _list_kernels


def test_its_kernels_are_compiled_after_those_of_other_games() -> None:
    shelved = {spec.id for spec in registry.available()[0] if spec.screen.shelf is not None}
    listed = [(kernels.game in shelved, kernels.group) for kernels in _list_kernels()]
    assert list(dict.fromkeys(listed)) == [(is_shelved, group) for is_shelved in (False, True) for group in PLAYED]
    assert listed.count((True, PLAYED[0])) == len(shelved)


FIRST_CARDS = """
import asyncio
from numba.core import event
from ludex.core import registry
from ludex.web.cards import Cards
from ludex.web.schemas.base import GamePreparation

class Listener(event.Listener):
    def on_start(self, event): print(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event): pass

class Waiting:
    async def games(self):
        ids = [spec.id for spec in registry.available()[0]]
        return {game: GamePreparation(game=game, state="waiting", done=0, total=1) for game in ids}

event.register("numba:compile", Listener())
assert len(asyncio.run(Cards(Waiting()).games()).games) > 4
"""


def test_the_first_home_page_compiles_nothing(tmp_path: Path) -> None:
    cards = subprocess.run(
        [sys.executable, "-c", FIRST_CARDS],
        env={**os.environ, "LUDEX_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert cards.stdout == ""
