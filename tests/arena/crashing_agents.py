"""A third party's package: the game of the pile with players that end their process, and a board that does."""

import ctypes
import os
import signal
from dataclasses import replace
from pathlib import Path

from pile.game import Pile, PileGame, PileOptions, Remainder
from pile.spec import SPEC as PILE

from ludex.core.decision import Decision
from ludex.core.game import Action, Mask
from ludex.core.limit import Limit
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.core.spec import AgentSpec

MARK = "CRASH_MARK"
"""Where it is noted that a death has happened which may happen once."""


class CrashingGame(PileGame):
    def __init__(self, options: PileOptions, preset: str) -> None:
        super().__init__(options, preset)
        self.info = replace(self.info, id="crashing")

    def apply(self, state: Pile, action: Action, rng: Rng) -> Pile:
        if self.info.preset == "deadly" and state.left == 3:
            os._exit(9)
        return super().apply(state, action, rng)


class CrashingAgent(Remainder):
    """Takes one, and dies at its second move in the way its name says."""

    def __init__(self, game: PileGame, options: NoOptions, services: Services, name: str) -> None:
        super().__init__(game, options, services, name)
        self.asked = 0

    def decide(self, view: Pile, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        self.asked += 1
        if self.asked % 2 == 0:
            getattr(self, self.name)()
        return Decision(0)

    def exits(self) -> None:
        os._exit(3)

    def crashes(self) -> None:
        ctypes.string_at(0)

    def kills(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def unlucky(self) -> None:
        mark = Path(os.environ[MARK])
        if not mark.exists():
            mark.touch()
            os._exit(1)


def unborn(game: PileGame, options: NoOptions, services: Services, name: str) -> Remainder:
    """Dies in a worker before it has sat down, but not where the command looks whether it can be made."""
    if "spawn_main" in Path("/proc/self/cmdline").read_text():
        os._exit(4)
    return Remainder(game, options, services, name)


def _agent(name: str, factory: str) -> AgentSpec:
    return AgentSpec(summary=name, factory=factory, options=NoOptions)


SPEC = replace(
    PILE,
    id="crashing",
    factory="crashing_agents:CrashingGame",
    presets={"seven": {"size": 7}, "deadly": {"size": 7}},
    agents={
        "remainder": PILE.agents["remainder"],
        "patient": _agent("patient", "pile.game:Remainder"),
        **{name: _agent(name, "crashing_agents:CrashingAgent") for name in ("exits", "crashes", "kills", "unlucky")},
        "unborn": _agent("unborn", "crashing_agents:unborn"),
    },
    tools=replace(PILE.tools, verbs={}),
)
