"""The names of boards."""

from ludex.core.messages import Message
from ludex.games.skirmish.rules.options import SkirmishOptions

SHIPPED = ("default", "mirror", "small", "people", "cramped")
"""The scenarios that ship."""


def board_title(options: SkirmishOptions, preset: str) -> Message:
    """A scenario in a few words; one from a folder by its name."""
    if preset in SHIPPED:
        return Message(f"skirmish.board_{preset}")
    return Message("skirmish.board_own", {"scenario": options.scenario})
