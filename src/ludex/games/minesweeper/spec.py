"""The declaration of Minesweeper for the registry."""

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
from ludex.games import minesweeper
from ludex.games.minesweeper.learning.config import CONFIGS, METRICS, MinesweeperConfig
from ludex.games.minesweeper.options import BoardOptions, ExpertOptions, NetOptions, RandomOptions, RulesOptions

SPEC = GameSpec(
    id="minesweeper",
    title="Minesweeper",
    summary=str(minesweeper.__doc__),
    order=minesweeper.ORDER,
    options=BoardOptions,
    presets={
        "small_8x8_10": {"rows": 8, "cols": 8, "mines": 10},
        "beginner_9x9_10": {"rows": 9, "cols": 9, "mines": 10},
        "med_16x16_40": {"rows": 16, "cols": 16, "mines": 40},
        "expert_16x30_99": {"rows": 16, "cols": 30, "mines": 99},
    },
    aliases={
        "small": "small_8x8_10",
        "beginner": "beginner_9x9_10",
        "med": "med_16x16_40",
        "expert": "expert_16x30_99",
        "beginner_no_guess": "beginner_9x9_10:no_guess=true",
        "med_no_guess": "med_16x16_40:no_guess=true",
        "expert_no_guess": "expert_16x30_99:no_guess=true",
    },
    factory="ludex.games.minesweeper.game:Minesweeper",
    agents={
        "expert": AgentSpec(
            summary="exact probabilities, the exact end of the game, and one guess ahead before it",
            factory="ludex.games.minesweeper.agents.expert:expert",
            options=ExpertOptions,
            kernels="agents",
        ),
        "exact": AgentSpec(
            summary="exact probabilities, the safest cell",
            factory="ludex.games.minesweeper.agents.solving:exact",
            options=NoOptions,
        ),
        "net": AgentSpec(
            summary="a network that has learned from the solvers, and searches nothing",
            factory="ludex.games.minesweeper.agents.network:net",
            options=NetOptions,
        ),
        "heuristic": AgentSpec(
            summary="rules, else what the nearest numbers suggest",
            factory="ludex.games.minesweeper.agents.solving:heuristic",
            options=NoOptions,
        ),
        "rules": AgentSpec(
            summary="only what the original document's two rules prove; gives up where it must guess",
            factory="ludex.games.minesweeper.agents.solving:rules",
            options=RulesOptions,
        ),
        "random": AgentSpec(
            summary="any hidden cell, each equally likely",
            factory="ludex.games.minesweeper.agents.solving:random",
            options=RandomOptions,
        ),
    },
    levels=ladder(
        "minesweeper",
        newcomer=("rules", {"guess": "uniform", "pairs": True, "mistakes": 0.6}, None),
        beginner=("rules", {"guess": "uniform", "pairs": True, "mistakes": 0.22}, None),
        skilled=("heuristic", {"mistakes": 0.08}, None),
        unbeatable=("expert", {}, None),
    ),
    evaluation="ludex.games.minesweeper.game:expected_score",
    slow_start="ludex.games.minesweeper.game:slow_start",
    vary_secret="ludex.games.minesweeper.game:vary_secret",
    screen=ScreenSpec(
        terminal="ludex.games.minesweeper.screen.terminal:draw",
        text="ludex.games.minesweeper.screen.text:text",
        web="ludex.games.minesweeper.screen:web",
        messages="ludex.games.minesweeper.screen:messages",
        board_title="ludex.games.minesweeper.screen.scene:board_title",
        board_model="ludex.games.minesweeper.screen.scene:board_model",
        scene="ludex.games.minesweeper.screen.scene:scene",
        rules="ludex.games.minesweeper.screen.teaching:rulebook",
        tutorial="ludex.games.minesweeper.screen.teaching:TUTORIAL",
        coach="ludex.games.minesweeper.screen.teaching:coach",
        facts="ludex.games.minesweeper.screen.review:facts",
        timing="ludex.games.minesweeper.screen.timing:figures",
        first_presets=("beginner_9x9_10", "small_8x8_10"),
        composite="ludex.games.minesweeper.rules.notation:expand",
        explain="ludex.games.minesweeper.screen.explanation:explain",
        editor="ludex.games.minesweeper.tools.editor:EDITOR",
    ),
    learning=LearningSpec(
        example="ludex.games.minesweeper.data:example-minesweeper",
        batch="ludex.games.minesweeper.env.lanes:MinesweeperBatch",
        gym="ludex.games.minesweeper.env:register",
        training=TrainingSpec(
            config=MinesweeperConfig,
            configs=CONFIGS,
            default="shipped",
            run="ludex.games.minesweeper.learning.training:train",
            amount="amount",
            requires=("torch", "onnx", "onnxscript"),
            shared=True,
            headline="win_rate",
            metrics=METRICS,
            knobs=("imitation.steps", "imitation.lr", "model.width"),
            documentation=CONFIGS,
            positions="ludex.games.minesweeper.learning.positions:TELLING",
            trained=TrainedAgentSpec(agent="net", option="net", format="onnx", board="preset", any_board=True),
        ),
    ),
    tools=ToolsSpec(
        verbs={
            "hint": "ludex.games.minesweeper.tools.hint:hint",
            "board": "ludex.games.minesweeper.tools.board_verbs:board_",
            "convert": "ludex.games.minesweeper.tools.board_verbs:convert",
            "start": "ludex.games.minesweeper.tools.board_verbs:start",
            "luck": "ludex.games.minesweeper.tools.board_verbs:luck",
            "calibrate": "ludex.games.minesweeper.tools.network_verbs:calibrate",
            "examples": "ludex.games.minesweeper.tools.network_verbs:examples",
            "profile": "ludex.games.minesweeper.tools.profile:profile",
        },
        export="ludex.games.minesweeper.tools.network_verbs:export",
        measure="ludex.games.minesweeper.tools.network_verbs:measure",
        evaluate="ludex.games.minesweeper.tools.evaluation:evaluate_agent",
        warmup="ludex.games.minesweeper.tools.warmup:warmup",
        metrics="ludex.games.minesweeper.game:counters",
        leaderboard="ludex.games.minesweeper.data",
    ),
    review=ReviewSpec(
        factory="ludex.games.minesweeper.agents.reviewer:reviewer",
        curves="ludex.games.minesweeper.data",
        reasons="ludex.games.minesweeper.screen.review:reasons",
        luck="ludex.games.minesweeper.screen.review:luck",
        is_mark="ludex.games.minesweeper.screen.review:is_mark",
    ),
    puzzles=PuzzlesSpec(
        themes={
            theme: ThemeSpec(
                boards=("small_8x8_10", "beginner_9x9_10"),
                make=f"ludex.games.minesweeper.tools.puzzles:make_{theme}",
                prove=f"ludex.games.minesweeper.tools.puzzles:prove_{theme}",
                answers="*[0-9]",
                notes="*!",
            )
            for theme in ("safe", "risk")
        },
        data="ludex.games.minesweeper.data",
    ),
)
