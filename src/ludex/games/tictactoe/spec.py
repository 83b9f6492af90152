"""The declaration of tic-tac-toe for the registry."""

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
from ludex.games import tictactoe
from ludex.games.tictactoe.agents.ranking_files import SHIPPED
from ludex.games.tictactoe.learning.training import TrainingConfig
from ludex.games.tictactoe.options import BoardOptions, PerfectOptions, RankingOptions

SPEC = GameSpec(
    id="tictactoe",
    title="Tic-tac-toe",
    summary=str(tictactoe.__doc__),
    order=tictactoe.ORDER,
    options=BoardOptions,
    presets={
        "3x3x3": {"rows": 3, "cols": 3, "k": 3},
        "3x4x3": {"rows": 3, "cols": 4, "k": 3},
        "4x4x4": {"rows": 4, "cols": 4, "k": 4},
    },
    factory="ludex.games.tictactoe.game:TicTacToe",
    compiled="ludex.games.tictactoe.env.compiled:compiled",
    agents={
        "ranking": AgentSpec(
            summary="win in one, block in one, else the greatest learned Q",
            factory="ludex.games.tictactoe.agents.ranking:ranking",
            check="ludex.games.tictactoe.agents.ranking:check_ranking",
            options=RankingOptions,
            presets=SHIPPED,
        ),
        "perfect": AgentSpec(
            summary="the exact best move on boards of up to 16 cells",
            factory="ludex.games.tictactoe.agents.solver:perfect",
            check="ludex.games.tictactoe.agents.solver:check_perfect",
            options=PerfectOptions,
        ),
        "tactical": AgentSpec(
            summary="win in one, block in one, else the lowest index, on boards of any size",
            factory="ludex.games.tictactoe.agents.ranking:ranking",
            check="ludex.games.tictactoe.agents.ranking:check_ranking",
            options=RankingOptions,
            defaults={"ranking": "empty"},
        ),
        "flawless": AgentSpec(
            summary="the learned ranking where one ships, the exact solver on other boards of up to 16 cells",
            factory="ludex.games.tictactoe.agents.ranking:flawless",
            check="ludex.games.tictactoe.agents.ranking:check_flawless",
            options=NoOptions,
        ),
    },
    levels=ladder(
        "tictactoe",
        newcomer=("random", {}, -343),
        beginner=("tactical", {"mistakes": 0.6}, -213),
        casual=("tactical", {"mistakes": 0.25}, -98),
        skilled=("perfect", {"mistakes": 0.22}, 39),
        unbeatable=("flawless", {}, 161),
    ),
    screen=ScreenSpec(
        terminal="ludex.games.tictactoe.screen.terminal:draw",
        text="ludex.games.tictactoe.screen.text:text",
        reason="ludex.games.tictactoe.screen.review:reason",
        web="ludex.games.tictactoe.screen:web",
        messages="ludex.games.tictactoe.screen:messages",
        board_title="ludex.games.tictactoe.options:board_title",
        scene="ludex.games.tictactoe.screen.scene:scene",
        editor="ludex.games.tictactoe.tools.editor:EDITOR",
        rules="ludex.games.tictactoe.screen.teaching:rulebook",
        tutorial="ludex.games.tictactoe.screen.teaching:TUTORIAL",
        coach="ludex.games.tictactoe.screen.teaching:coach",
    ),
    learning=LearningSpec(
        example="ludex.games.tictactoe.data:example-tictactoe",
        batch="ludex.games.tictactoe.env.batch:TicTacToeBatch",
        training=TrainingSpec(
            config=TrainingConfig,
            configs="ludex.games.tictactoe.learning.configs",
            default="v1_01",
            run="ludex.games.tictactoe.learning.training:train",
            headline="losing_lines",
            metrics=("games", "losing_lines", "losing_lines_X", "losing_lines_O", "keys", "wins_X", "wins_O", "draws"),
            knobs=("games", "epsilon", "preset"),
            documentation="ludex.games.tictactoe.learning.configs",
            positions="ludex.games.tictactoe.learning.positions:TELLING",
            trained=TrainedAgentSpec(agent="ranking", option="file", format="json"),
        ),
        measured_against="perfect",
        rankings="ludex.games.tictactoe.agents.ranking_files:TicTacToeRankings",
        nets="ludex.nets",
    ),
    tools=ToolsSpec(
        warmup="ludex.games.tictactoe.tools.warmup:warmup",
        metrics="ludex.games.tictactoe.screen.scene:counters",
        leaderboard="ludex.games.tictactoe.data",
    ),
    review=ReviewSpec(
        analysts=("perfect", "mcts"),
        reasons="ludex.games.tictactoe.screen.review:reasons",
    ),
    puzzles=PuzzlesSpec(
        themes={
            theme: ThemeSpec(
                boards=boards,
                make=f"ludex.games.tictactoe.tools.puzzles:make_{theme}",
                prove=f"ludex.games.tictactoe.tools.puzzles:prove_{theme}",
            )
            for theme, boards in (
                ("fork", ("4x4x4", "3x4x3", "4x4x4:k=3")),
                ("combination", ("4x4x4", "3x4x3", "4x4x4:k=3", "3x4x3:cols=5")),
            )
        },
        data="ludex.games.tictactoe.data",
    ),
)
