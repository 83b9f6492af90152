"""`check_text`: what a game says to players that read is made of views alone, and says all that decides legal moves."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from ludex.core.conformance.report import Report
from ludex.core.conformance.walk import Play, Trial, VarySecret, Visit, answer_of
from ludex.core.game import AnyGame, Player
from ludex.core.registry import spec
from ludex.core.text import GameText, game_text

NAMINGS = (None, 1, 2)
"""The game's own names, and two others."""


def check_text(
    game: AnyGame, *, plays: int = 2, seed: int = 1, every: int = 1, vary_secret: VarySecret | None = None
) -> None:
    """Raise `ConformanceError` for texts that hold a secret, leave out what matters, or name moves twice.

    A game that declares no texts is checked in its own names alone. Of long games, each `every`th position is.

    >>> from ludex.core import registry
    >>> check_text(registry.make("tictactoe"))
    """
    own = spec(game.info.id).screen.text is not None
    for naming in NAMINGS if own else NAMINGS[:1]:
        names = "own names" if naming is None else f"naming {naming}"
        report, text = Report(f"the text of {game.info.id} {game.info.preset}, {names}"), game_text(game, naming)
        known: dict[tuple[Player, str], frozenset[str]] = {}
        for number in range(plays):
            for visit in Play(Trial(game, vary_secret), seed + number).walk():
                if visit.ply % every:
                    continue
                texts = Texts(visit, text, known)
                for check in (text_of_view, text_hides, text_decides, text_moves):
                    report.run(check, texts, visit.where)
        report.conclude()


@dataclass(frozen=True)
class Texts:
    """What is said of a position."""

    visit: Visit
    text: GameText
    known: dict[tuple[Player, str], frozenset[str]] = field(default_factory=dict)
    """The legal moves of every text so far, by the player to move."""

    def of(self, state: object, player: Player) -> tuple[str, str]:
        """The text and the JSON of a player's view."""
        view = answer_of(self.visit.game.view, state, player)
        return self.text.board(view), json.dumps(self.text.document(view), sort_keys=True, allow_nan=False)


def text_of_view(texts: Texts) -> Iterator[str]:
    """The same view gives the same text again."""
    for player in texts.visit.players:
        if texts.of(texts.visit.state, player) != texts.of(texts.visit.state, player):
            yield f"the text of player {player} changes from call to call"


def text_hides(texts: Texts) -> Iterator[str]:
    """A text does not change with what its reader may not know."""
    visit = texts.visit
    if visit.info.information != "hidden" or visit.trial.vary_secret is None or not visit.live:
        return
    for player in visit.players:
        varied = visit.trial.vary_secret(visit.game, visit.state, player, visit.probe())
        if texts.of(varied, player) != texts.of(visit.state, player):
            yield f"the text shows player {player} a secret: it changed with what this player may not know"


def text_decides(texts: Texts) -> Iterator[str]:
    """Positions with different legal moves have different texts."""
    visit = texts.visit
    if not visit.live:
        return
    legal = frozenset(visit.texts.values())
    for form in texts.of(visit.state, visit.mover):
        if texts.known.setdefault((visit.mover, form), legal) != legal:
            other = sorted(texts.known[visit.mover, form] ^ legal)[:3]
            yield f"two positions have one text, and different legal moves, such as {', '.join(other)}"


def text_moves(texts: Texts) -> Iterator[str]:
    """Every legal move has a text of its own, one ASCII token, which means that move."""
    written: dict[str, str] = {}
    for move in texts.visit.texts.values():
        name = texts.text.write(move)
        if not name.isascii() or not name or len(name.split()) != 1 or written.setdefault(name, move) != move:
            yield f"{move} is called {name!r}, expected one ASCII token that no other move has"
            return
        if texts.text.read(name) != move:
            yield f"{name!r}, which {move} is called, is read as {texts.text.read(name)!r}"
            return
