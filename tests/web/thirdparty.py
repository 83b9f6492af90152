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

from ludex.core.agent import Decision
from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec
from pile.game import PileGame
from pile.spec import SPEC as PILE


class Gloomy(PileGame):
    def __init__(self, options, preset):
        super().__init__(options, preset)
        self.info = replace(self.info, id="gloomy")


class Moody:
    """Fails in its own way as long as there is a file of that name; tells beside it in which process it was made."""

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
SPEC = replace(PILE, id="gloomy", factory="gloomy:Gloomy", presets={"two": {"size": 2}}, agents=agents, verbs={})
'''


def installed(site: Path) -> str:
    """Fill the folder, and give the PYTHONPATH with it."""
    shutil.copytree(PILE, site / "pile", ignore=shutil.ignore_patterns("__pycache__"))
    (site / "gloomy.py").write_text(GLOOMY)
    about = site / "ludex_others-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ludex-others\nVersion: 1.0\n")
    points = ["pile = pile.spec:SPEC", "gloomy = gloomy:SPEC", "torn = nowhere:SPEC"]
    (about / "entry_points.txt").write_text("\n".join(["[ludex.games]", *points, ""]))
    return os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
