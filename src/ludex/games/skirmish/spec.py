"""What the house needs to know about Skirmish."""

from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec, GameSpec, TrainingSpec
from ludex.games.skirmish.learning.config import CONFIGS, SkirmishConfig
from ludex.games.skirmish.options import NetOptions, SkirmishOptions

NET_PRESETS = ("default", "mirror", "small")
"""The boards that a network ships for."""

_LEVELS = {
    "normal": ("a network that has learned where to stand and what to do there, and errs now and then", 2.0),
    "easy": ("the same network, which often errs", 4.0),
    "hard": ("the same network, which always plays its first choice", 0.0),
}
"""The default first; by temperature, since all of them see the same."""

SPEC = GameSpec(
    id="skirmish",
    title="Skirmish",
    summary="A hex wargame: place your force hex by hex, then move, shoot, charge and fight for five turns.",
    options=SkirmishOptions,
    presets={name: {"scenario": name} for name in ("default", "mirror", "small", "people", "cramped")},
    factory="ludex.games.skirmish.game:Skirmish",
    agents={
        **{
            name: AgentSpec(
                summary=summary,
                factory="ludex.games.skirmish.agents.net:net",
                check="ludex.games.skirmish.agents.net:check_net",
                options=NetOptions,
                defaults={"temperature": temperature},
                presets=NET_PRESETS,
            )
            for name, (summary, temperature) in _LEVELS.items()
        },
        "objective": AgentSpec(
            summary="a planner: weighs every hex by points, exact expected damage and risk",
            factory="ludex.games.skirmish.agents.objective:objective",
            options=NoOptions,
        ),
        "aggressive": AgentSpec(
            summary="deploys at the front, closes in, charges when it is likely to arrive",
            factory="ludex.games.skirmish.agents.aggressive:aggressive",
            options=NoOptions,
        ),
        "defensive": AgentSpec(
            summary="keeps its distance, shoots from cover, holds the objectives on its own half",
            factory="ludex.games.skirmish.agents.defensive:defensive",
            options=NoOptions,
        ),
        "greedy": AgentSpec(
            summary="the first free hexes by column and row, then the best blow at hand and the nearest goal",
            factory="ludex.games.skirmish.agents.greedy:greedy",
            options=NoOptions,
        ),
        "random": AgentSpec(
            summary="any legal action, each equally likely",
            factory="ludex.games.skirmish.agents.random:random",
            options=NoOptions,
        ),
    },
    analyst="objective",
    draw="ludex.games.skirmish.draw:draw",
    tell="ludex.games.skirmish.telling:event_texts",
    renderer="skirmish",
    stage="ludex.games.skirmish.stage:stage",
    scene="ludex.games.skirmish.screen:scene",
    history="ludex.games.skirmish.screen:history",
    counters="ludex.games.skirmish.counters:counters",
    batch="ludex.games.skirmish.batch:SkirmishBatch",
    training=TrainingSpec(
        config=SkirmishConfig,
        configs=CONFIGS,
        default="shipped",
        run="ludex.games.skirmish.learning.training:train",
        amount="amount",
        requires=("torch", "sb3_contrib"),
    ),
    bench="ludex.games.skirmish.bench:bench",
    peers=("sb3-contrib", "stable-baselines3", "torch"),
    gym="ludex.games.skirmish.registration:register",
    leaderboard="ludex.games.skirmish",
    warmup="ludex.games.skirmish.warmup:warmup",
    verbs={
        "check": "ludex.games.skirmish.verbs:check",
        "soak": "ludex.games.skirmish.verbs:soak",
        "export": "ludex.games.skirmish.learning.export_verb:export",
        "measure": "ludex.games.skirmish.learning.measure_verb:measure",
        "deployments": "ludex.games.skirmish.study_verb:deployments",
    },
)
