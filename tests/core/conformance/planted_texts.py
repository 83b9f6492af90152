"""Planted bugs of games: actions as texts."""

from ludex.core.errors import IllegalAction
from ludex.core.game import Action
from tests.core.conformance.planted_bug import Plant, altered
from tests.core.conformance.toy_games import Heap, Nim


class TextWithSpace(Nim):
    def action_text(self, state: Heap, action: Action) -> str:
        return f"take {action + 1}"

    def parse_action(self, state: Heap, text: str) -> Action:
        return super().parse_action(state, text.replace("take ", "take", 1))


class TextNotAscii(Nim):
    def action_text(self, state: Heap, action: Action) -> str:
        return f"prendr\u00e9{action + 1}"

    def parse_action(self, state: Heap, text: str) -> Action:
        return super().parse_action(state, text.replace("prendr\u00e9", "take", 1))


class GarbageAccepted(Nim):
    def parse_action(self, state: Heap, text: str) -> Action:
        return super().parse_action(state, text) if text.strip() else 0


class OtherDigits(Nim):
    """`int` reads digits of every script."""

    def parse_action(self, state: Heap, text: str) -> Action:
        if text.startswith("take") and len(text) == 5 and text[4].isdecimal() and int(text[4]) in (1, 2, 3):
            return int(text[4]) - 1
        return super().parse_action(state, text)


class ParseJudges(Nim):
    def parse_action(self, state: Heap, text: str) -> Action:
        action = super().parse_action(state, text)
        if action >= state.pile:
            raise IllegalAction("not now")
        return action


class ParseRemembers(Nim):
    """Texts mean what they meant when they were first read."""

    def __init__(self) -> None:
        self.read: dict[str, Action] = {}

    def action_text(self, state: Heap, action: Action) -> str:
        return f"left{state.pile - action - 1}"

    def parse_action(self, state: Heap, text: str) -> Action:
        if len(text) != 5 or text[:4] != "left" or text[4] not in "0123456":
            return super().parse_action(state, "no")
        return self.read.setdefault(text, max(0, min(2, state.pile - 1 - int(text[4]))))


PLANTS = {
    "text with a space": Plant(TextWithSpace, {"text_form"}),
    "text not ASCII": Plant(TextNotAscii, {"text_form"}),
    "texts collide": Plant(
        altered(Nim, action_text=lambda game, state, action: f"take{min(action, 1) + 1}"), {"text_unique", "file_equal"}
    ),
    "text unread": Plant(
        altered(Nim, action_text=lambda game, state, action: f"T{action + 1}"), {"text_parsed", "file_equal"}
    ),
    "text misread": Plant(
        altered(Nim, parse_action=lambda game, state, text: (Nim.parse_action(game, state, text) + 1) % 3),
        {"text_parsed", "file_equal"},
    ),
    "text remembered": Plant(ParseRemembers, {"text_parsed", "file_equal"}),
    "garbage raises another error": Plant(
        altered(Nim, parse_action=lambda game, state, text: ["take1", "take2", "take3"].index(text)),
        {"garbage_refused"},
    ),
    "garbage accepted": Plant(GarbageAccepted, {"garbage_refused"}),
    "digits of other scripts": Plant(OtherDigits, {"garbage_refused"}),
    "parse judges": Plant(ParseJudges, {"legality_unparsed"}),
}
