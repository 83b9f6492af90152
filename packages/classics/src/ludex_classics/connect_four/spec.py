"""Connect Four as the tutorial makes it, with the board of 6x5, two more levels and its place on the shelf."""

from dataclasses import replace

from connect_four.spec import SPEC as EXAMPLE

from ludex.core.levels import level_title
from ludex.core.messages import Message
from ludex.core.spec import LevelSpec

MORE = {
    name: LevelSpec(
        title=level_title(name), description=Message(f"ludex.level_{name}_about"), agent=agent, options=options
    )
    for name, agent, options in (("skilled", "mcts", {"simulations": 200}), ("expert", "zero", {"simulations": 100}))
}
SPEC = replace(
    EXAMPLE,
    presets={"7x6": {"cols": 7, "rows": 6}, "6x5": {"cols": 6, "rows": 5}, "5x4": {"cols": 5, "rows": 4}},
    levels={
        "newcomer": EXAMPLE.levels["newcomer"],
        "casual": EXAMPLE.levels["casual"],
        "skilled": MORE["skilled"],
        "strong": EXAMPLE.levels["strong"],
        "expert": MORE["expert"],
    },
    screen=replace(EXAMPLE.screen, web="ludex_classics.connect_four:web", shelf="ludex_classics:SHELF"),
)
