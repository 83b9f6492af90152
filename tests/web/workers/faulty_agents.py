"""Players that misbehave, for workers of the pool: `plant` adds them to tic-tac-toe in the process that calls it."""

import os
import time
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import LudexError
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.options import NoOptions
from ludex.core.registry import GAME_GROUP
from ludex.core.seeding import Rng
from ludex.core.spec import AgentSpec
from ludex.games.tictactoe.spec import SPEC as TICTACTOE


class Sulk(LudexError):
    """An error whose constructor takes what does not travel between processes."""

    code = "sulk"

    def __init__(self, mood: str, depth: int) -> None:
        super().__init__(f"{mood} x{depth}")


class FaultyAgent:
    """Does what its name says."""

    built = 0
    stumbled: "FaultyAgent | None" = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.closed = False
        FaultyAgent.built += 1

    def close(self) -> None:
        self.closed = True

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return getattr(self, f"_{self.name}")(legal_actions(legal), limit)  # type: ignore[no-any-return]

    def _patient(self, moves: list[int], limit: Limit) -> Decision:
        """Searches until the stop flag is set."""
        limit.report(Decision(moves[0], explanation=(Message.plain("searching"),)))
        while not limit.stopped:
            time.sleep(0.005)
        return Decision(moves[-1], explanation=(Message.plain("stopped"),))

    def _deaf(self, moves: list[int], limit: Limit) -> Decision:
        """Never stops."""
        limit.report(Decision(moves[0]))
        while True:
            time.sleep(0.05)

    def _crash(self, moves: list[int], limit: Limit) -> Decision:
        os._exit(3)

    def _raises(self, moves: list[int], limit: Limit) -> Decision:
        raise ZeroDivisionError("by nothing")

    def _stumbles(self, moves: list[int], limit: Limit) -> Decision:
        """Fails once in a process, and reports then whether it is another one, and whether the first was closed."""
        first = FaultyAgent.stumbled
        if first is None:
            FaultyAgent.stumbled = self
            raise ZeroDivisionError("by nothing")
        return Decision(moves[0], stats={"replaced": first is not self, "closed": first.closed})

    def _sulks(self, moves: list[int], limit: Limit) -> Decision:
        raise Sulk("gloom", 3)

    def _cheats(self, moves: list[int], limit: Limit) -> Decision:
        return Decision(99)

    def _garbles(self, moves: list[int], limit: Limit) -> Decision:
        return Decision(moves[0], stats={"what": object()})  # type: ignore[dict-item]

    def _wanders(self, moves: list[int], limit: Limit) -> Decision:
        """Raises an error of a class that no other process can find."""

        class Hidden(LudexError):
            code = "hidden"

        raise Hidden("here only")

    def _talker(self, moves: list[int], limit: Limit) -> Decision:
        """Reports five hundred times in half a second, then says nothing for as long."""
        for number in range(500):
            limit.report(Decision(moves[0], stats={"number": number}))
            time.sleep(0.001)
        time.sleep(0.5)
        return Decision(moves[0])

    def _reads(self, moves: list[int], limit: Limit) -> Decision:
        """Reports the values of the clocks."""
        return Decision(moves[0], stats={"left": [clock.remaining_ms for clock in limit.clocks]})

    def _counts(self, moves: list[int], limit: Limit) -> Decision:
        """Reports its process, how many of its kind were made there, and the niceness of that process."""
        stats = {"pid": os.getpid(), "built": FaultyAgent.built, "nice": os.nice(0)}
        return Decision(moves[0], stats=stats)


def make(game: Any, options: NoOptions, services: Any, name: str) -> FaultyAgent:
    return FaultyAgent(name)


NAMES = [name[1:] for name in vars(FaultyAgent) if name.startswith("_") and not name.startswith("__")]
SPEC = replace(
    TICTACTOE,
    tools=replace(TICTACTOE.tools, warmup=None),
    agents={
        **TICTACTOE.agents,
        **{
            name: AgentSpec(summary=name, factory="tests.web.workers.faulty_agents:make", options=NoOptions)
            for name in NAMES
        },
    },
)


def game_points() -> dict[str, EntryPoint]:
    """Those of a process that knows them only."""
    return {"tictactoe": EntryPoint("tictactoe", "tests.web.workers.faulty_agents:SPEC", GAME_GROUP)}


def plant() -> None:
    """From here on this process knows them, and no other game, whose kernels would have to be loaded."""
    registry.game_points = game_points  # type: ignore[assignment]
    registry.spec.cache_clear()
