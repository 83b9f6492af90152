"""Other people's games in a folder that Python finds, as `pip install` would leave them."""

import json
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
    calls = {name: lambda name=name: kernel(name) for name in ("rules", "search", "planner")}
    return Warmup(player={name: calls[name] for name in ("rules", "search")}, agents={"planner": calls["planner"]})


SPEC = replace(
    PILE,
    id="gated",
    title="Gated",
    factory="gated:Gated",
    agents={**PILE.agents, "planner": replace(PILE.agents["remainder"], kernels="agents")},
    tools=ToolsSpec(warmup="gated:warmup"),
)
'''


SMUDGED = '''
"""The game of the pile with a mistake in the name of its folder."""
from dataclasses import replace

from pile.drawn import SPEC as DRAWN

SPEC = replace(DRAWN, id="smudged", screen=replace(DRAWN.screen, web="pile:wbe"))
'''


SCENED = '''
"""The game of the pile on hexagons: one is taken by a cell, two by two cells, three by an edge or a button."""
from dataclasses import replace

from ludex.core.scene import Board, Cell, Edge, Layer, Move, Panel, Piece, Scene
from pile.game import PileGame
from pile.spec import SPEC as PILE


class Scened(PileGame):
    def __init__(self, options, preset):
        super().__init__(options, preset)
        self.info = replace(self.info, id="scened")


WAYS = {"take1": {"cells": (0,)}, "take2": {"cells": (1, 2)}, "take3": {"edge": 0}}


def scene(game, view, legal):
    stone = (Piece(symbol="star", colour="warn", text="S", label="stone"),)
    cells = tuple(
        Cell(row=row, col=col, name=f"h{2 * row + col}", colour="p1-soft", hover="a cell", text=str(row),
             pieces=stone if 2 * row + col < view.left else ())
        for row in range(3) for col in range(2)
    )
    texts = [game.action_text(view, action) for action in range(3) if legal[action]]
    moves = [Move(text=text, **WAYS[text]) for text in texts]
    moves += [Move(text=text, label="Take three") for text in texts if text == "take3"]
    heat = (0.5, -0.5, None, None, None, None)
    return Scene(
        board=Board(label="Six hexagons", shape="hex", cells=cells, edges=(Edge(cell=3, side="sw", colour=None),)),
        moves=tuple(moves),
        layers=(Layer(name="own", format="percent", values=heat),),
        panels=(Panel(title="Left", lines=(f"{view.left} stones",)),),
        players=("First", "Second"),
    )


def broken(game, view, legal):
    raise RuntimeError("the paint is dry")


SPEC = replace(
    PILE, id="scened", title="Scened", factory="scened:Scened", screen=replace(PILE.screen, scene="scened:scene")
)


class Dry(Scened):
    def __init__(self, options, preset):
        super().__init__(options, preset)
        self.info = replace(self.info, id="dry")


CRUMBLED = replace(PILE.screen, scene="scened:broken", coach="scened:broken")
DRY = replace(SPEC, id="dry", title="Dry", factory="scened:Dry", screen=CRUMBLED)
'''

CRACKED = '''
"""The drawn pile with a renderer that fails, where it says so in its name."""
from dataclasses import replace

from ludex.core.illustration import PositionSpec
from ludex.core.tutorial import StepSpec, Tutorial, TurnSpec
from pile.drawn import SPEC as DRAWN
from pile.game import PileGame

TUTORIAL = Tutorial(
    steps=(StepSpec(name="take", position=PositionSpec(board="seven"), turns=(TurnSpec(accept=("take3",)),)),)
)


def cracked(options, preset):
    game = PileGame(options, preset)
    game.info = replace(game.info, id=__name__)
    return game


SPEC = replace(
    DRAWN,
    id=__name__,
    title=__name__,
    factory=f"{__name__}:cracked",
    screen=replace(
        DRAWN.screen, web=f"{__name__}:web", messages=f"{__name__}:messages", tutorial=f"{__name__}:TUTORIAL"
    ),
)
'''
SENTENCES = ("title", "tutorial_take_title", "tutorial_take_task", "tutorial_take_done", "tutorial_take_wrong")


def crack(site: Path, game: str, renderer: str) -> None:
    """Install a game with this text as its renderer."""
    web = site / game / "web"
    web.mkdir(parents=True)
    (web.parent / "__init__.py").write_text(CRACKED)
    for file in (PILE / "web").iterdir():
        shutil.copy(file, web)
    messages = site / game / "messages"
    messages.mkdir()
    for language in ("en", "fr"):
        (messages / f"{language}.json").write_text(json.dumps({name: f"{name} {language}" for name in SENTENCES}))
    (web / "renderer.js").write_text(renderer)
    with (site / "ludex_others-1.0.dist-info" / "entry_points.txt").open("a") as points:
        points.write(f"{game} = {game}:SPEC\n")


def gates(folder: Path) -> Path:
    """The pipes that the kernels of the gated game wait for."""
    folder.mkdir()
    for name in ("rules", "search", "planner"):
        os.mkfifo(folder / name)
    return folder


def installed(site: Path, *, gated: bool = False) -> str:
    """Fill the folder, and give the PYTHONPATH with it; with `gated` the game that waits for `gates`."""
    shutil.copytree(PILE, site / "pile", ignore=shutil.ignore_patterns("__pycache__"))
    (site / "gloomy.py").write_text(GLOOMY)
    (site / "smudged.py").write_text(SMUDGED)
    (site / "scened.py").write_text(SCENED)
    points = ["pile = pile.spec:SPEC", "drawn = pile.drawn:SPEC", "gloomy = gloomy:SPEC"]
    points += ["torn = nowhere:SPEC", "smudged = smudged:SPEC", "scened = scened:SPEC", "dry = scened:DRY"]
    if gated:
        # Kernels that were prepared for one test are not for another one.
        (site / "gated.py").write_text(f"{GATED}# {site}\n")
        points = ["pile = pile.spec:SPEC", "gated = gated:SPEC"]
    about = site / "ludex_others-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ludex-others\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("\n".join(["[ludex.games]", *points, ""]))
    return os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
