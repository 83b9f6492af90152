"""The names of boards, units and weapons."""

from ludex.core.messages import Message, catalogue
from ludex.games.skirmish.rules.options import SkirmishOptions

SHIPPED = ("default", "mirror", "small", "people", "cramped")
"""The scenarios that ship."""


def board_title(options: SkirmishOptions, preset: str) -> Message:
    """A scenario in a few words; one from a folder by its name."""
    if preset in SHIPPED:
        return Message(f"skirmish.board_{preset}")
    return Message("skirmish.board_own", {"scenario": options.scenario})


def name_title(name: str) -> Message:
    """A unit or a weapon that ships in every language; one of another scenario keeps the name it has there."""
    entry = f"name_{name.lower().replace(' ', '_')}"
    known = catalogue("skirmish", "en").get(entry) == name
    return Message(f"skirmish.{entry}") if known else Message.plain(name)
