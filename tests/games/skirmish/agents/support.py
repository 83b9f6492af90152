"""The scripted players and games of the tests in this folder."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from ludex.core.agent import AnyAgent
from ludex.core.options import NoOptions
from ludex.core.services import Services
from ludex.games.skirmish.agents.objective import objective
from ludex.games.skirmish.agents.scripted import aggressive, defensive, greedy
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.options import SkirmishOptions
from ludex.search.random import random

Factory: TypeAlias = Callable[..., Any]

SCRIPTED: dict[str, Factory] = {
    "greedy": greedy,
    "aggressive": aggressive,
    "defensive": defensive,
    "objective": objective,
}


@lru_cache
def game_of(scenario: str) -> Skirmish:
    return Skirmish(SkirmishOptions(scenario=scenario), scenario)


def agent_of(game: Skirmish, name: str) -> AnyAgent:
    agent: AnyAgent = {**SCRIPTED, "random": random}[name](game, NoOptions(), Services(), name)
    return agent
