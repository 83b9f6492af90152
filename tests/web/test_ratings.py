"""A person's rating and the next difficulty for them: what counts, what does not and why, and that it is private."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import ludex
from ludex.arena.performance_rating import Encounter, performance
from ludex.arena.statistics import wilson95
from ludex.core import registry
from ludex.core.clock import Clock
from ludex.core.game import Outcome
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.record import Record, match_file
from ludex.core.seeding import generator
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing
from ludex.web.leaderboard import Leaderboards
from ludex.web.people import ROWS_SECONDS, People
from ludex.web.ratings import _offer, personal_ratings
from tests.web.playing import View, Visitor, path

WON, DRAWN, LOST = 1.0, 0.0, -1.0


@pytest.mark.parametrize(
    ("results", "offered"),
    [
        ([WON], "casual"),
        ([WON, WON], "casual"),
        ([WON, WON, LOST], "casual"),
        ([WON, LOST, WON], "casual"),
        ([LOST], None),
        ([LOST, LOST], None),
        ([LOST, LOST, LOST], "newcomer"),
        ([DRAWN, WON, WON], None),
    ],
)
def test_wins_in_a_row_lead_up_and_losses_down(results: list[float], offered: str | None) -> None:
    offer = _offer(registry.spec("tictactoe"), [("beginner", score, "3x3x3") for score in results])
    assert (offer and offer.offer) == offered


def test_the_ends_of_the_ladder_lead_nowhere() -> None:
    spec = registry.spec("tictactoe")
    for level, score in (("unbeatable", WON), ("newcomer", LOST)):
        offer = _offer(spec, [(level, score, "3x3x3")] * 3)
        assert offer is not None
        assert (offer.offer, offer.text, abs(offer.streak)) == (None, None, 3)


def test_other_levels_end_a_streak_and_agents_are_no_level() -> None:
    spec = registry.spec("tictactoe")
    offer = _offer(spec, [("beginner", WON, "3x3x3"), ("newcomer", WON, "3x3x3")])
    assert offer is not None
    assert (offer.streak, offer.offer) == (1, "casual")
    assert offer.text is not None
    assert offer.text["en"] == "Next level: Casual"
    assert _offer(spec, [("perfect", WON, "3x3x3")] * 2) is None
    assert _offer(spec, []) is None


def test_alone_the_difficulty_is_the_board() -> None:
    offer = _offer(registry.spec("minesweeper"), [("beginner_9x9_10", WON, "beginner_9x9_10")] * 2)
    assert offer is not None
    assert offer.offer == "small_8x8_10"
    assert offer.text == {
        "en": "2 wins in a row: try Dense · 8×8, 10 mines",
        "fr": "2 victoires de suite\u00a0: essayez Dense · 8×8, 10 mines",
    }


NONE = {"people": 0, "practice": 0, "unrated": 0, "altered": 0, "helped": 0}


def ratings(visitor: Visitor, match: View | None = None) -> dict[str, Any]:
    query = {} if match is None else {"match": match["id"]}
    document: dict[str, Any] = visitor.ask("GET", "/api/me/ratings", **query).json()
    return document


def board(visitor: Visitor, game: str = "tictactoe", preset: str = "3x3x3") -> dict[str, Any]:
    (rating,) = (one for one in ratings(visitor)["boards"] if (one["game"], one["preset"]) == (game, preset))
    assert isinstance(rating, dict)
    return rating


def verdict(visitor: Visitor, match: View) -> str | None:
    answer: str | None = ratings(visitor, match)["match"]
    return answer


def level(visitor: Visitor, agent: str) -> float:
    """What the leaderboard says of a machine."""
    games = visitor.ask("GET", "/api/leaderboard").json()["games"]
    (card,) = (game for game in games if game["game"] == "tictactoe")
    (rating,) = (row["elo"] for row in card["boards"][0]["standings"] if row["agent"] == agent)
    return float(rating)


def resigned(visitor: Visitor, *seats: str, game: str = "tictactoe", **terms: Any) -> View:
    """A match given up when it is one's turn: a machine that begins may move at any moment before."""
    return visitor.change(visitor.on_turn(visitor.begin(game, *seats, **terms)), "resign")


def played(visitor: Visitor, match: View) -> View:
    """The rest of a match, with the moves of the one that never loses."""
    game = ludex.make("tictactoe")
    player = ludex.make_agent("tictactoe", "perfect")
    while (match := visitor.on_turn(match))["live"]:
        here = Match(game, 0)
        for move in match["moves"]:
            here.play(move["action"])
        view, legal = game.view(here.state, here.to_move), game.legal(here.state)
        best = player.decide(view, legal, rng=generator(0, here.ply), limit=Limit()).action
        match = visitor.move(match, game.action_text(here.state, best))
    return match


def brought(visitor: Visitor, *texts: str) -> View:
    """A match against a level that was begun elsewhere, and may be over there."""
    match = Match(ludex.make("tictactoe"), 0)
    for text in texts:
        match.play_text(text)
    return visitor.bring(match_file(match, ("you", "random")))


def test_who_has_played_nothing_has_no_rating(ann: Visitor) -> None:
    assert ratings(ann) == {"boards": [], "match": None}
    ann.begin("tictactoe", "you", "random")
    assert ratings(ann)["boards"] == [], "a live match has no result"


def test_all_losses_are_below_something(ann: Visitor) -> None:
    for _ in range(3):
        match = resigned(ann, "you", "random")
    rating = level(ann, "random")
    high = performance([Encounter(rating, 3, 0.0)]).high
    with_a_draw = performance([Encounter(rating, 3, 0.0), Encounter(rating, 1, 0.5)]).elo
    assert high is not None
    assert with_a_draw is not None
    newcomer = registry.spec("tictactoe").levels["newcomer"].rating
    assert newcomer is not None
    way = max(0.0, 100 * (with_a_draw - newcomer + 200) / 200)
    assert board(ann) == {
        "game": "tictactoe",
        "preset": "3x3x3",
        "games": 3,
        "wins": 0,
        "draws": 0,
        "losses": 3,
        "score": 0.0,
        "ci95": None,
        "elo": None,
        "elo_ci95": [None, high],
        "estimate": with_a_draw,
        "provisional": True,
        "next_level": {"en": "Newcomer", "fr": "Premiers pas"},
        "progress": pytest.approx(way / 100),
        "sentence": {
            "en": f"Your rating: {1500 + with_a_draw:.0f}? (provisional), {way:.0f}% of the way to Newcomer",
            "fr": f"Votre classement\u00a0: {1500 + with_a_draw:.0f}? (provisoire), {way:.0f}\u00a0% du chemin vers "
            "Premiers pas",
        },
        "details": {
            "en": f"95% sure: below {1500 + high:.0f}, from 3 games against machines whose ratings are known.",
            "fr": f"Sûr à 95\u00a0%\u00a0: au-dessous de {1500 + high:.0f}, d’après 3 parties contre des machines "
            "dont le classement est connu.",
        },
        "left_out": NONE,
    }
    assert verdict(ann, match) == "counted"


def test_a_draw_is_worth_the_opponents_rating_from_either_seat(ann: Visitor) -> None:
    assert played(ann, ann.begin("tictactoe", "you", "perfect"))["outcome"]["scores"] == [0, 0]
    rating = board(ann)
    assert rating["elo"] == pytest.approx(level(ann, "perfect"), abs=0.06)
    assert rating["elo_ci95"] == [None, None]
    played(ann, ann.begin("tictactoe", "perfect", "you"))
    resigned(ann, "random", "you")
    rating = board(ann)
    assert (rating["games"], rating["draws"], rating["losses"]) == (3, 2, 1)
    expected = performance([Encounter(level(ann, "perfect"), 2, 1.0), Encounter(level(ann, "random"), 1, 0.0)])
    assert (rating["elo"], rating["elo_ci95"]) == (expected.elo, [expected.low, expected.high])


def test_moves_taken_back_do_not_hide_that_a_match_was_forked(ann: Visitor) -> None:
    """Each adds a version without a ply, and a fork has plies without versions of its own: they must not cancel out."""
    begun = brought(ann, "a3", "b3", "a2", "c1")
    match = ann.ask("POST", path(begun, "fork"), {"ply": 4, "seats": ["you", "random"]}).json()
    for _ in range(2):
        match = ann.change(ann.on_turn(ann.move(match, "c3")), "undo")
    match = ann.move(match, "a1")
    assert match["outcome"]["scores"] == [1.0, -1.0]
    assert verdict(ann, match) == "altered"


def test_what_does_not_count_is_counted_by_its_reason(ann: Visitor) -> None:
    won_elsewhere = brought(ann, "a3", "b3", "a2", "b2", "a1")
    cases = [
        ("practice", resigned(ann, "you", "random", practice=True)),
        ("people", resigned(ann, "you", "you")),
        ("unrated", resigned(ann, "you", "random", movetime_ms=50)),
        ("altered", taken_back(ann)),
        ("altered", won_elsewhere),
        ("altered", forked(ann, won_elsewhere)),
        ("altered", ann.change(brought(ann, "a3", "b3"), "resign")),
    ]
    for reason, match in cases:
        assert not match["live"]
        assert verdict(ann, match) == reason
    rating = board(ann)
    assert rating["left_out"] == {"people": 1, "practice": 1, "unrated": 1, "altered": 4, "helped": 0}
    assert (rating["games"], rating["elo"], rating["elo_ci95"]) == (0, None, None)
    match = resigned(ann, "you", "random", preset="3x3x3:cols=4")
    assert verdict(ann, match) == "unrated", "the leaderboard has no such board"
    assert board(ann, preset=match["preset"])["left_out"] == {**NONE, "unrated": 1}


def taken_back(visitor: Visitor) -> View:
    """A resignation was."""
    return visitor.change(visitor.change(resigned(visitor, "you", "random"), "undo"), "resign")


def forked(visitor: Visitor, match: View) -> View:
    fork = visitor.ask("POST", path(match, "fork"), {"ply": 2, "seats": ["you", "random"]}).json()
    return visitor.change(fork, "resign")


def test_each_person_sees_only_their_own_matches(ann: Visitor, bob: Visitor) -> None:
    match = resigned(ann, "you", "random")
    assert ratings(bob, match) == {"boards": [], "match": None}
    resigned(bob, "you", "perfect")
    assert board(bob)["games"] == board(ann)["games"] == 1
    assert board(bob)["elo_ci95"] != board(ann)["elo_ci95"]


def test_a_match_against_a_person_does_not_count_for_either(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "open")
    joined(ann, bob, match)
    over = ann.change(ann.view(match), "resign")
    assert verdict(ann, over) == verdict(bob, over) == "people"
    assert board(ann)["games"] == board(bob)["games"] == 0


def joined(ann: Visitor, bob: Visitor, match: View) -> View:
    """The match in which the second visitor has taken the seat that the first left open."""
    bob.join(match, ann.invite(match))
    return bob.view(match)


def test_a_match_against_a_machine_counts_for_the_person_who_was_invited(ann: Visitor, bob: Visitor) -> None:
    invited = joined(ann, bob, ann.begin("tictactoe", "open", "random"))
    assert verdict(bob, bob.change(bob.on_turn(bob.move(invited, "b2")), "resign")) == "counted"
    second = joined(ann, bob, ann.begin("tictactoe", "open", "random"))
    taken_back = bob.change(bob.on_turn(bob.move(second, "b2")), "undo")
    assert verdict(bob, bob.change(taken_back, "resign")) == "altered"
    begun = brought(ann, "a3", "b3")
    fork = ann.ask("POST", path(begun, "fork"), {"ply": 2, "seats": ["open", "random"]}).json()
    assert verdict(bob, bob.change(joined(ann, bob, fork), "resign")) == "altered"


def test_a_deleted_match_counts_no_more(ann: Visitor) -> None:
    match = resigned(ann, "you", "random")
    ann.ask("DELETE", f"/api/matches/{match['id']}")
    assert ratings(ann, match) == {"boards": [], "match": None}


def test_alone_it_is_the_share_won(ann: Visitor) -> None:
    for _ in range(2):
        match = resigned(ann, "you", game="minesweeper", preset="small_8x8_10")
    assert verdict(ann, match) == "counted"
    rating = board(ann, "minesweeper", "small_8x8_10")
    assert (rating["games"], rating["wins"], rating["losses"], rating["score"]) == (2, 0, 2, 0.0)
    assert rating["ci95"] == [*wilson95(0.0, 2)]
    assert (rating["elo"], rating["elo_ci95"]) == (None, None)
    match = resigned(ann, "you", game="minesweeper", preset="small_8x8_10:start=safe")
    assert verdict(ann, match) == "unrated", "another start is another board"


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.open("sqlite://") as opened:
        yield opened


def test_a_match_with_clocks_counts_whose_turns_began_again_with_a_server(database: Database) -> None:
    begun = Record("tictactoe", 1, "3x3x3", 1, (), ("you", "random"), None)
    match = database.hostings.create(begun, Hosting("ann", {0: "ann"}), Timing(Clock(60_000, 0)))
    assert database.hostings.renew_turns() == [match]
    over = replace(begun, outcome=Outcome((-1.0, 1.0), "resignation"))
    database.hostings.update(match, over, 2, Timing(Clock(60_000, 0), (50_000,)))
    assert personal_ratings(database, asyncio.run(Leaderboards().games()), "ann", match).match == "counted"


def test_people_with_a_nickname_stand_beside_the_machines(database: Database) -> None:
    record = Record("minesweeper", 1, "small_8x8_10", 1, (0,), ("you",), Outcome((1.0,), "cleared"))
    for person in ("ann", "bob", "eve"):
        match = database.hostings.create(replace(record, actions=(), outcome=None), Hosting(person, {0: person}))
        database.matches.update(match, record, 1)
    database.nicknames.set("ann", "Ann")
    database.nicknames.set("bob", "Bob")
    clock = [0.0]
    people = People(database, Leaderboards(), lambda: clock[0])
    rows = asyncio.run(people.besides("bob")).people
    assert [(row.name, row.board.games) for row in rows] == [("Ann", 1)], "no stranger, not Bob"
    # Reading everybody's matches takes time: the answer is kept for a while.
    database.nicknames.set("eve", "Eve")
    assert len(asyncio.run(people.besides("bob")).people) == 1
    clock[0] = ROWS_SECONDS
    assert {row.name for row in asyncio.run(people.besides("bob")).people} == {"Ann", "Eve"}


RESIGNED, EXPLODED = Outcome((-1.0,), "resignation"), Outcome((-1.0,), "mine")


@pytest.mark.parametrize(
    ("outcome", "plies", "changes", "expected"),
    [
        (EXPLODED, 5, 5, "counted"),
        (EXPLODED, 5, 2, "counted"),
        (RESIGNED, 5, 6, "counted"),
        (RESIGNED, 0, 1, "counted"),
        (EXPLODED, 5, 0, "altered"),
        (EXPLODED, 5, 6, "altered"),
        (RESIGNED, 5, 7, "altered"),
    ],
)
def test_where_a_text_stands_for_several_moves_plies_share_a_version(
    database: Database, outcome: Outcome, plies: int, changes: int, expected: str
) -> None:
    record = Record("minesweeper", 1, "small_8x8_10", 1, tuple(range(plies)), ("you",), outcome)
    begun = record if changes == 0 else replace(record, actions=(), outcome=None)
    match = database.hostings.create(begun, Hosting("ann", {0: "ann"}))
    for version in range(1, changes + 1):
        database.matches.update(match, record, version)
    assert personal_ratings(database, asyncio.run(Leaderboards().games()), "ann", match).match == expected
