"""The `GameSpec` of Skirmish."""

from ludex.core.levels import ladder
from ludex.core.options import NoOptions
from ludex.core.spec import (
    AgentSpec,
    GameSpec,
    LearningSpec,
    PuzzlesSpec,
    ReviewSpec,
    ScreenSpec,
    ThemeSpec,
    ToolsSpec,
    TrainedAgentSpec,
    TrainingSpec,
)
from ludex.games import skirmish
from ludex.games.skirmish.learning.config import CONFIGS, METRICS, SkirmishConfig
from ludex.games.skirmish.options import SHIPPED, NetOptions, SkirmishOptions

NET_PRESETS = tuple(name for name in SHIPPED if name != "cramped")
"""The boards that a network ships for."""

_LEVELS: dict[str, tuple[str, dict[str, float | str]]] = {
    "normal": (
        "a network that has learned where to stand and what to do there, and errs in battle now and then",
        {"temperature": 3.0},
    ),
    "easy": (
        "the same network, which often errs in battle and places its units on the first free hexes",
        {"temperature": 4.0, "deployment": "first"},
    ),
    "hard": ("the same network, which always plays its first choice", {"temperature": 0.0}),
}
"""The default first. A temperature applies to the battle; placements follow from the position at every level."""

_SCRIPTED = {
    "objective": "a planner: weighs every hex by points, exact expected damage and risk",
    "aggressive": "deploys at the front, closes in, charges when it is likely to arrive",
    "defensive": "keeps its distance, shoots from cover, holds the objectives on its own half",
    "greedy": "the first free hexes by column and row, then the best blow at hand and the nearest goal",
}

SPEC = GameSpec(
    id="skirmish",
    title="Skirmish",
    summary=str(skirmish.__doc__),
    order=skirmish.ORDER,
    options=SkirmishOptions,
    presets={name: {"scenario": name} for name in SHIPPED},
    factory="ludex.games.skirmish.game:Skirmish",
    agents={
        **{
            name: AgentSpec(
                summary=summary,
                factory="ludex.games.skirmish.agents.network:NetAgent",
                check="ludex.games.skirmish.agents.network:check_net",
                options=NetOptions,
                defaults=defaults,
                presets=NET_PRESETS,
            )
            for name, (summary, defaults) in _LEVELS.items()
        },
        **{
            name: AgentSpec(summary=summary, factory=f"ludex.games.skirmish.agents.scripted:{name}", options=NoOptions)
            for name, summary in _SCRIPTED.items()
        },
    },
    levels=ladder(
        "skirmish",
        newcomer=("greedy", {"mistakes": 1.0}, -337),
        beginner=("greedy", {"mistakes": 0.65}, -69),
        casual=("greedy", {"mistakes": 0.35}, 112),
        skilled=("greedy", {"mistakes": 0.08}, 288),
        expert=("hard", {}, 407),
    ),
    # Units are placed without chance at every level, and never taken back.
    mistake_phases=("command", "move", "shoot", "charge", "fight"),
    analyst="objective",
    evaluation="ludex.games.skirmish.game:expected_score",
    compiled="ludex.games.skirmish.env.compiled:compiled",
    screen=ScreenSpec(
        terminal="ludex.games.skirmish.screen.terminal:draw",
        describe_ply="ludex.games.skirmish.screen.descriptions:event_texts",
        describe_move="ludex.games.skirmish.screen.descriptions:move_words",
        effects="ludex.games.skirmish.screen.effects:effects",
        web="ludex.games.skirmish.screen:web",
        messages="ludex.games.skirmish.screen:messages",
        board_title="ludex.games.skirmish.options:board_title",
        board_model="ludex.games.skirmish.screen.scene:stage",
        scene="ludex.games.skirmish.screen.scene:scene",
        editor="ludex.games.skirmish.tools.editor:EDITOR",
        rules="ludex.games.skirmish.screen.teaching:rulebook",
        tutorial="ludex.games.skirmish.screen.teaching:TUTORIAL",
        coach="ludex.games.skirmish.screen.teaching:coach",
        history="ludex.games.skirmish.screen.scene:history",
        composite="ludex.games.skirmish.screen.orders:expand",
        # It deadlocks: for tests, and for who wants to see that.
        hidden_presets=("cramped",),
        first_presets=("small",),
    ),
    learning=LearningSpec(
        example="ludex.games.skirmish.data:example-skirmish",
        batch="ludex.games.skirmish.env.batch:SkirmishBatch",
        gym="ludex.games.skirmish.env:register",
        figures="ludex.games.skirmish.screen.run_figures:figures",
        training=TrainingSpec(
            config=SkirmishConfig,
            configs=CONFIGS,
            default="shipped",
            run="ludex.games.skirmish.learning.training:train",
            amount="amount",
            headline="win_rate",
            metrics=METRICS,
            knobs=("imitation.games", "imitation.steps", "net.width"),
            documentation=CONFIGS,
            positions="ludex.games.skirmish.learning.positions:TELLING",
            requires=("torch", "sb3_contrib", "onnx", "onnxscript"),
            trained=TrainedAgentSpec(agent="hard", option="net", format="onnx", board="first_preset"),
        ),
    ),
    tools=ToolsSpec(
        verbs={"check": "ludex.games.skirmish.screen.terminal:check"},
        export="ludex.games.skirmish.tools.verbs:export",
        measure="ludex.games.skirmish.tools.verbs:measure",
        warmup="ludex.games.skirmish.tools.warmup:warmup",
        metrics="ludex.games.skirmish.game:counters",
        leaderboard="ludex.games.skirmish.data",
    ),
    review=ReviewSpec(
        analysts=("hard", "mcts:simulations=100"),
        samples=12,
        curves="ludex.games.skirmish.data",
        reasons="ludex.games.skirmish.screen.review:reasons",
        is_mark="ludex.games.skirmish.screen.review:is_mark",
        dice="ludex.games.skirmish.screen.review:dice_units",
        dice_text="ludex.games.skirmish.screen.review:dice_text",
    ),
    puzzles=PuzzlesSpec(
        themes={
            theme: ThemeSpec(
                boards=("small", "people"),
                make=f"ludex.games.skirmish.tools.puzzles:make_{theme}",
                prove=f"ludex.games.skirmish.tools.puzzles:prove_{theme}",
                answers=answers,
            )
            for theme, answers in (("target", "shoot/*"), ("place", "move/*"))
        },
        data="ludex.games.skirmish.data",
    ),
)
