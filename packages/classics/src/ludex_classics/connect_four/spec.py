"""Connect Four as the tutorial makes it, with the board of 6x5, measured levels, puzzles and its place on the shelf."""

from dataclasses import replace

from connect_four.spec import SPEC as EXAMPLE

from ludex.core.levels import level_title
from ludex.core.messages import Message
from ludex.core.spec import LevelSpec, PuzzlesSpec, ThemeSpec

MORE = {
    name: LevelSpec(
        title=level_title(name), description=Message(f"ludex.level_{name}_about"), agent=agent, options=options
    )
    for name, agent, options in (("skilled", "mcts", {"simulations": 200}), ("expert", "zero", {"simulations": 100}))
}
RATINGS = {"newcomer": -400, "casual": -159, "skilled": 28, "strong": 133, "expert": 398}
SPEC = replace(
    EXAMPLE,
    analyst="mcts",
    presets={"7x6": {"cols": 7, "rows": 6}, "6x5": {"cols": 6, "rows": 5}, "5x4": {"cols": 5, "rows": 4}},
    levels={name: replace({**EXAMPLE.levels, **MORE}[name], rating=rating) for name, rating in RATINGS.items()},
    screen=replace(
        EXAMPLE.screen,
        messages="ludex_classics.connect_four:messages",
        effects="ludex_classics.connect_four.effects:effects",
        shelf="ludex_classics:SHELF",
    ),
    tools=replace(EXAMPLE.tools, leaderboard="ludex_classics.connect_four"),
    puzzles=PuzzlesSpec(
        themes={
            "win": ThemeSpec(
                boards=("7x6", "6x5"),
                make="ludex_classics.connect_four.puzzles:make",
                prove="ludex_classics.connect_four.puzzles:prove",
            ),
        },
        data="ludex_classics.connect_four.data",
    ),
)
