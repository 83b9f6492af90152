"""The `GameSpec` of Quoridor."""

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
from ludex.games import quoridor
from ludex.games.quoridor.learning.config import EvaluationConfig
from ludex.games.quoridor.options import LevelOptions, MasterOptions, QuoridorOptions

_LEVELS = {
    "normal": ("looks at your answer and errs a little", 1, 8),
    "easy": ("looks at your answer and errs a lot", 1, 40),
    "hard": ("looks two plies beyond its move and hardly errs", 2, 3),
    "hell": ("looks four plies beyond its move, without noise", 4, 0),
}

SPEC = GameSpec(
    id="quoridor",
    title="Quoridor",
    summary=str(quoridor.__doc__),
    order=quoridor.ORDER,
    options=QuoridorOptions,
    presets={
        "9x9": {"size": 9, "walls": 10},
        "7x7": {"size": 7, "walls": 8},
        "5x5": {"size": 5, "walls": 4},
        "3x3": {"size": 3, "walls": 2},
        "11x11": {"size": 11, "walls": 12},
    },
    factory="ludex.games.quoridor.game:Quoridor",
    compiled="ludex.games.quoridor.env.compiled:compiled",
    agents={
        **{
            name: AgentSpec(
                summary=summary,
                factory="ludex.games.quoridor.agents.minimax:LevelAgent",
                options=LevelOptions,
                defaults={"depth": depth, "noise": noise},
            )
            for name, (summary, depth, noise) in _LEVELS.items()
        },
        "master": AgentSpec(
            summary="the engine: searches as deep as its limit allows",
            factory="ludex.games.quoridor.agents.master.agent:MasterAgent",
            options=MasterOptions,
        ),
        "perfect": AgentSpec(
            summary="the exact best move on boards that are solved in a second",
            factory="ludex.games.quoridor.agents.perfect:PerfectAgent",
            check="ludex.games.quoridor.agents.perfect:check_perfect",
            options=NoOptions,
            presets=("3x3",),
            kernels="agents",
        ),
        "walker": AgentSpec(
            summary="walks its shortest way and never puts a wall",
            factory="ludex.games.quoridor.agents.walker:WalkerAgent",
            options=NoOptions,
        ),
    },
    levels=ladder(
        "quoridor",
        newcomer=("walker", {"mistakes": 0.5}, -925),
        novice=("walker", {"mistakes": 0.37}, -743),
        beginner=("walker", {"mistakes": 0.25}, -598),
        casual=("normal", {"mistakes": 0.24}, -409),
        regular=("normal", {"mistakes": 0.14}, -215),
        skilled=("normal", {"mistakes": 0.03}, -12),
        strong=("master", {"effort": 150, "mistakes": 0.03}, 99),
        expert=("master", {"effort": 1000, "mistakes": 0.035}, 222),
        champion=("master", {"effort": 5000, "mistakes": 0.05}, 483),
        unbeatable=("master", {"effort": 20_000}, 777),
    ),
    analyst="master",
    evaluation="ludex.games.quoridor.env.compiled:expected_score",
    screen=ScreenSpec(
        terminal="ludex.games.quoridor.screen.terminal:draw",
        text="ludex.games.quoridor.screen.text:text",
        reason="ludex.games.quoridor.screen.review:reason",
        web="ludex.games.quoridor.screen:web",
        editor="ludex.games.quoridor.tools.editor:EDITOR",
        messages="ludex.games.quoridor.screen:messages",
        board_title="ludex.games.quoridor.options:board_title",
        board_model="ludex.games.quoridor.screen.scene:stage",
        scene="ludex.games.quoridor.screen.scene:scene",
        rules="ludex.games.quoridor.screen.teaching:rulebook",
        tutorial="ludex.games.quoridor.screen.teaching:TUTORIAL",
        coach="ludex.games.quoridor.screen.teaching:coach",
    ),
    learning=LearningSpec(
        example="ludex.games.quoridor.data:example-quoridor",
        training=TrainingSpec(
            config=EvaluationConfig,
            configs="ludex.games.quoridor.learning.configs",
            default="evaluation",
            run="ludex.games.quoridor.learning.training:train",
            requires=("torch",),
            headline="held_out_loss",
            metrics=("epoch", "loss", "held_out_loss"),
            knobs=("games", "nodes", "epochs"),
            documentation="ludex.games.quoridor.learning.configs",
            positions="ludex.games.quoridor.learning.positions:TELLING",
            trained=TrainedAgentSpec(agent="master", option="net", format="safetensors"),
        ),
        nets="ludex.nets",
    ),
    tools=ToolsSpec(
        verbs={
            "solve": "ludex.games.quoridor.tools.verbs:solve",
            "selfplay": "ludex.games.quoridor.tools.verbs:selfplay",
        },
        perft="ludex.games.quoridor.tools.counting:count",
        signature="ludex.games.quoridor.tools.counting:signature",
        warmup="ludex.games.quoridor.tools.warmup:warmup",
        leaderboard="ludex.games.quoridor.data",
    ),
    review=ReviewSpec(
        analysts=("perfect", "master"),
        nodes=60_000,
        shallow=1_500,
        alternatives="master:multipv=2",
        curves="ludex.games.quoridor.data",
        reasons="ludex.games.quoridor.screen.review:reasons",
    ),
    puzzles=PuzzlesSpec(
        themes={
            theme: ThemeSpec(
                boards=boards,
                make=f"ludex.games.quoridor.tools.puzzles:make_{theme}",
                prove=f"ludex.games.quoridor.tools.puzzles:prove_{theme}",
            )
            # On 7x7 the two walls that can be solved seldom allow several moves of which each is the only one.
            for theme, boards in (("win", ("5x5", "7x7")), ("hold", ("5x5", "7x7")), ("combination", ("5x5",)))
        },
        data="ludex.games.quoridor.data",
    ),
)
