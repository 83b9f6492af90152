"""The next difficulty for a person: the level above after wins in a row, the one below after losses."""

from typing import Final

from ludex.core.messages import LANGUAGES, Message
from ludex.core.record import PERSON
from ludex.core.registry import available, levels
from ludex.core.spec import GameSpec
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.matches import StoredMatch
from ludex.web.boards import agent_title, board, board_title
from ludex.web.schemas.arena import LevelOffer, LevelOffers
from ludex.web.schemas.base import Texts

WINS: Final = 2
LOSSES: Final = 3
RECENT: Final = 50
"""How many of a person's newest finished matches are read."""


def level_offers(database: Database, person: str) -> LevelOffers:
    """By game, the difficulty of the person's last match and the one that its results suggest.

    Alone, the difficulty is the board. Practice and matches with help say nothing about a person's strength.
    """
    page, hostings = database.hostings.finished(person, RECENT)
    found = [
        (match.record.game, *played)
        for match in page
        if isinstance(match, StoredMatch) and match.id in hostings
        for played in [_played(match, hostings[match.id], person)]
        if played is not None
    ]
    offers = []
    for spec in available()[0]:
        results = [(level, score, preset) for game, level, score, preset in found if game == spec.id]
        offer = _offer(spec, results)
        if offer is not None:
            offers.append(offer)
    return LevelOffers(offers=offers)


def _played(match: StoredMatch, hosting: Hosting, person: str) -> tuple[str, float, str] | None:
    """The difficulty, the person's score and the board of a match; None where it says nothing about their strength."""
    agents, outcome = match.record.agents, match.record.outcome
    if agents.count(PERSON) != 1 or hosting.practice or hosting.help or outcome is None:
        return None
    (player,) = (player for player, holder in hosting.seats.items() if holder == person)
    level = next((name for name in agents if name != PERSON), match.record.preset)
    return level, outcome.scores[player], match.record.preset


def _offer(spec: GameSpec, results: list[tuple[str, float, str]]) -> LevelOffer | None:
    """What the newest results, all at one difficulty and of one kind, suggest."""
    if not results:
        return None
    level, score, preset = results[0]
    alone = level == preset
    ladder = [*spec.offered_presets] if alone else [*levels(board(spec.id, preset))]
    if level not in ladder or score == 0:
        return None
    run = 0
    for other, other_score, _ in results:
        if other != level or other_score * score <= 0:
            break
        run += 1
    place = ladder.index(level) + (score > 0 and run >= WINS) - (score < 0 and run >= LOSSES)
    offered = ladder[place] if 0 <= place < len(ladder) and ladder[place] != level else None
    streak = run if score > 0 else -run
    if offered is None:
        return LevelOffer(game=spec.id, level=level, streak=streak, offer=None, text=None)
    titles = board_title(spec.id, offered) if alone else agent_title(spec.id, offered)
    sentence = "ludex.offer_up" if score > 0 else "ludex.offer_down"
    text: Texts = {
        language: Message(sentence, {"count": run, "level": titles[language]}).text(language) for language in LANGUAGES
    }
    return LevelOffer(game=spec.id, level=level, streak=streak, offer=offered, text=text)
