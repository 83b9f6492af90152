"""Other people's games in a folder that Python finds, as `pip install` would leave them."""

import os
import shutil
from pathlib import Path

PILE = Path(__file__).parent.parent / "core" / "thirdparty" / "src" / "pile"

GLOOMY = '''
"""The game of the pile with players that fail."""
import os
from dataclasses import replace
from pathlib import Path

from ludex.core.decision import Decision
from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec, ToolsSpec
from pile.game import PileGame
from pile.spec import SPEC as PILE


class Gloomy(PileGame):
    def __init__(self, options, preset):
        super().__init__(options, preset)
        self.info = replace(self.info, id="gloomy")


class Moody:
    """Fails in its own way as long as there is a file of that name; writes the id of its process beside it."""

    def __init__(self, game, options, services, name):
        self.name = name
        with open(os.environ["GLOOM"] + ".made", "a") as made:
            made.write(f"{os.getpid()}\\n")

    def decide(self, view, legal, *, rng, limit):
        if Path(os.environ["GLOOM"]).exists():
            if self.name == "dies":
                os._exit(1)
            if self.name == "cheats":
                return Decision(2)
            raise RuntimeError("what a day")
        return Decision(0)


agents = {
    name: AgentSpec(summary=name, factory="gloomy:Moody", options=NoOptions) for name in ("dies", "cheats", "raises")
}
presets = {"two": {"size": 2}}
SPEC = replace(PILE, id="gloomy", factory="gloomy:Gloomy", presets=presets, agents=agents, tools=ToolsSpec())
'''

GATED = '''
"""The game of the pile with kernels that compile as long as a test wants."""
import os
from dataclasses import replace
from pathlib import Path

from ludex.kernels.warmup import Warmup
from pile.game import PileGame
from ludex.core.spec import ToolsSpec
from pile.spec import SPEC as PILE


class Gated(PileGame):
    def __init__(self, options, preset):
        super().__init__(options, preset)
        self.info = replace(self.info, id="gated")


def kernel(name):
    """Block until a pipe of this name is written to; once compiled, it is in the cache."""
    gate = Path(os.environ["GATES"], name)
    compiled = gate.with_suffix(".compiled")
    if not compiled.exists():
        if reason := gate.read_text():
            raise OSError(reason)
        compiled.touch()


def warmup():
    return Warmup(player={name: lambda name=name: kernel(name) for name in ("rules", "search")})


SPEC = replace(PILE, id="gated", title="Gated", factory="gated:Gated", tools=ToolsSpec(warmup="gated:warmup"))
'''


SMUDGED = '''
"""The game of the pile with a mistake in the name of its folder."""
from dataclasses import replace

from pile.drawn import SPEC as DRAWN

SPEC = replace(DRAWN, id="smudged", screen=replace(DRAWN.screen, web="pile:wbe"))
'''


def gates(folder: Path) -> Path:
    """The pipes that the kernels of the gated game wait for."""
    folder.mkdir()
    for name in ("rules", "search"):
        os.mkfifo(folder / name)
    return folder


def installed(site: Path, *, gated: bool = False) -> str:
    """Fill the folder, and give the PYTHONPATH with it; with `gated` the game that waits for `gates`."""
    shutil.copytree(PILE, site / "pile", ignore=shutil.ignore_patterns("__pycache__"))
    (site / "gloomy.py").write_text(GLOOMY)
    (site / "smudged.py").write_text(SMUDGED)
    points = ["pile = pile.spec:SPEC", "drawn = pile.drawn:SPEC", "gloomy = gloomy:SPEC"]
    points += ["torn = nowhere:SPEC", "smudged = smudged:SPEC"]
    if gated:
        (site / "gated.py").write_text(GATED)
        points = ["pile = pile.spec:SPEC", "gated = gated:SPEC"]
    about = site / "ludex_others-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ludex-others\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("\n".join(["[ludex.games]", *points, ""]))
    return os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
