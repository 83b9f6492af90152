"""Reviews and facts of finished matches over the API: computed once, the same for everybody, never of a live match."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, cast

import pytest

import ludex
from ludex.coach.analyst import Glance
from ludex.core.errors import AgentFault
from ludex.core.record import Record, match_file, match_of
from ludex.games.minesweeper.agents.luck import luck_of
from ludex.store.database import Database
from ludex.store.matches import StoredMatch
from ludex.web.errors import ServerFault
from ludex.web.matches.model import MatchSnapshot
from ludex.web.matches.reviews import PER_ADDRESS, PER_PERSON, MatchReviews
from ludex.web.schemas.base import Problem
from ludex.web.workers.task import TooBusy
from tests.waiting import PATIENCE
from tests.web.playing import View, Visitor, path


def test_a_view_has_no_luck_and_its_facts_do(ann: Visitor) -> None:
    game = ludex.make("minesweeper", "small_8x8_10")
    played = ludex.play(game, [ludex.make_agent(game, "random")], seed=3)
    match = ann.bring(match_file(played, ("random",)))
    assert "luck" not in match["scene"]
    luck = ann.ask("GET", path(match, "facts")).json()["facts"]["luck"]
    match_luck = luck_of(played)
    assert luck == {"spent": match_luck.spent, "guesses": len(match_luck.guesses), "needless": len(match_luck.needless)}
    assert ann.ask("GET", path(match, "facts")).json()["facts"]["luck"] == luck


def test_live_matches_and_games_without_facts_have_none(ann: Visitor) -> None:
    for game, seats in (("minesweeper", ("you",)), ("tictactoe", ("you", "you"))):
        match = ann.begin(game, *seats)
        assert ann.ask("GET", path(match, "facts")).json() == {"facts": None}
    assert ann.ask("GET", path(ann.change(match, "resign"), "facts")).json() == {"facts": None}


LOST = "tictactoe 3x3x3: a1 b1 b2 c2 c3"


def imported(visitor: Visitor, line: str = LOST) -> View:
    match = match_of(line)
    # Waits until the server has the kernels of the game.
    visitor.begin(match.game.info.id, *("you" for _ in range(match.game.info.players)))
    names = tuple("random" for _ in range(match.game.info.players))
    view: View = visitor.ask("POST", "/api/matches/import", json.loads(match_file(match, names))).json()
    return view


def finished(visitor: Visitor, match: View) -> View:
    """The whole review; the server announces each of its steps."""
    with visitor.watch(match) as socket:
        review: View = visitor.ask("GET", path(match, "review")).json()
        while not review["complete"]:
            message = json.loads(socket.recv(timeout=PATIENCE))
            review = message["review"] if message["type"] == "review" else review
    return review


def test_a_review_is_streamed_and_the_same_for_everybody(ann: Visitor, bob: Visitor) -> None:
    match = imported(ann)
    with bob.watch(match) as socket:
        begun = ann.ask("GET", path(match, "review")).json()
        assert (begun["total"], begun["complete"]) == (5, False)
        heard: list[View] = []
        while not heard or not heard[-1]["complete"]:
            message = json.loads(socket.recv(timeout=PATIENCE))
            if message["type"] == "review":
                heard.append(message["review"])
    assert [report["done"] for report in heard] == sorted(report["done"] for report in heard)
    assert None not in heard[0]["probabilities"], "the first picture is of glances"
    review = finished(ann, match)
    assert review == finished(bob, match) == heard[-1]
    blunder = review["moves"][1]
    assert (blunder["class"], blunder["best"], review["key_moments"]) == ("blunder", "b2", [1])
    assert blunder["reasons"][0]["text"]["en"].startswith("b1 loses to a fork")
    assert set(blunder["reasons"][0]["text"]) == {"en", "fr"}


def test_a_live_match_is_not_reviewed(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    for answer in (
        ann.ask("GET", path(match, "review")),
        ann.ask("GET", path(match, "review/0")),
        ann.ask("GET", path(match, "review/text")),
        ann.ask("POST", path(match, "review/try"), {"ply": 0, "text": "b2"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "match_live")


def test_a_finished_review_is_saved_as_text_in_either_language(ann: Visitor) -> None:
    match = imported(ann)
    finished(ann, match)
    english, french = (
        ann.ask("GET", path(match, f"review/text?language={language}")).text for language in ("en", "fr")
    )
    for text in (english, french):
        assert text.startswith('[Game "tictactoe"]')
        assert "2. b1?? {" in text
    assert "b1 loses to a fork" in english
    assert "fourchette" in french
    ann.refused(422, "bad_request", "GET", path(match, "review/text?language=de"))


def test_another_move_is_tried_and_judged(ann: Visitor) -> None:
    match = imported(ann)
    shown = ann.ask("GET", path(match, "review/1")).json()["position"]
    assert (shown["to_move"], len(shown["moves"])) == (1, 1)
    verdicts = {
        text: ann.ask("POST", path(match, "review/try"), {"ply": 1, "text": text}).json() for text in ("b2", "c3")
    }
    assert [verdicts[text]["accepted"] for text in ("b2", "c3")] == [True, False]
    assert verdicts["c3"]["class"] == "blunder"
    answer = ann.ask("POST", path(match, "review/try"), {"ply": 1, "text": "a1"})
    assert (answer.status_code, answer.json()["code"]) == (422, "illegal_action")
    assert ann.ask("POST", path(match, "review/try"), {"ply": 5, "text": "a1"}).status_code == 422


def test_a_game_with_secrets_has_luck(ann: Visitor) -> None:
    # Waits until the server has its kernels.
    ann.begin("minesweeper", "you")
    game = ludex.make("minesweeper", "small_8x8_10")
    played = ludex.play(game, [ludex.make_agent(game, "random")], seed=3)
    match = ann.ask("POST", "/api/matches/import", json.loads(match_file(played, ("random",)))).json()
    review = finished(ann, match)
    assert len(review["moves"]) == played.ply
    assert review["luck"][0] is not None
    assert review["outcome"]["reason"] == "mine"
    flag = review["moves"][1]["text"] + "!"
    ann.refused(422, "unsupported", "POST", path(match, "review/try"), {"ply": 1, "text": flag})


MATCH = match_of("tictactoe 3x3x3: a1 b1 b2 c2 c3")


class Endless:
    """Stands for a search, the pool that begins it, the book of addresses, and threads that run at once."""

    @property
    def addresses(self) -> "Endless":
        return self

    def begin(self, *_: Any, **__: Any) -> "Endless":
        return self

    async def facts(self) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    def abandon(self) -> None:
        """Nothing waits."""

    def of(self, person: str) -> str:
        return "one address"

    async def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return call(*arguments)


class Nonsense(Endless):
    """Answers at once with what is no part of a review, and is the hub that hears of it."""

    def __init__(self) -> None:
        self.faults: list[tuple[str, Problem]] = []

    async def facts(self) -> dict[str, Any]:
        return {"found": [{"nonsense": 1}]}

    def fault(self, match_id: str, problem: Problem) -> None:
        self.faults.append((match_id, problem))


def snapshot(match_id: str) -> MatchSnapshot:
    record = Record.of(MATCH, ("one", "two"))
    return MatchSnapshot(StoredMatch(match_id, 1, "", "", record), None, MATCH)


async def test_a_person_and_an_address_have_so_many_reviews_and_share_each() -> None:
    everything = cast(Any, Endless())
    with Database.open("sqlite://") as database:
        reviews = MatchReviews(everything, database, everything, everything)
        for number in range(PER_PERSON):
            await reviews.of(snapshot(f"m{number}"), "ann")
        with pytest.raises(TooBusy, match="of yours"):
            await reviews.of(snapshot("another"), "ann")
        # What is under way is nobody's own.
        assert (await reviews.of(snapshot("m0"), "bob")).total == 5
        for number in range(PER_PERSON, PER_ADDRESS):
            await reviews.of(snapshot(f"m{number}"), f"person {number}")
        with pytest.raises(TooBusy, match="try again"):
            await reviews.of(snapshot("another"), "bob")
        await reviews.close()


async def test_a_failed_review_is_remembered_until_it_is_begun_again() -> None:
    everything = Nonsense()
    fake = cast(Any, everything)
    with Database.open("sqlite://") as database:
        reviews = MatchReviews(fake, database, fake, fake)
        await reviews.of(snapshot("m"), "ann")
        while not everything.faults:
            await asyncio.sleep(0)
        ((match_id, problem),) = everything.faults
        assert (match_id, problem.code) == ("m", "internal")
        assert problem.message == "the server failed (KeyError); its log says why"
        for person in ("ann", "bob", "ann"):
            with pytest.raises(ServerFault, match="KeyError") as caught:
                await reviews.of(snapshot("m"), person)
        assert len(everything.faults) == 1, "nothing is searched again"
        assert len(caught.traceback) < 10, "no frames of earlier requests"
        assert not (await reviews.of(snapshot("m"), "bob", again=True)).complete
        while len(everything.faults) == 1:
            await asyncio.sleep(0)
        with pytest.raises(ServerFault, match="KeyError"):
            await reviews.of(snapshot("m"), "ann")
        # Another match has nothing to do with it.
        assert not (await reviews.of(snapshot("other"), "ann")).complete
        await reviews.close()


class Stumbling(Endless):
    """Glances at positions, once fails to assess one, and hears what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[int, ...]]] = []
        self.failed = asyncio.Event()

    def begin(self, task: Any, *_: Any, **__: Any) -> "Stumbling":
        self.asked.append((task.review.kind, task.review.plies))
        return self

    async def facts(self) -> dict[str, Any]:
        kind, plies = self.asked[-1]
        if kind != "glance":
            raise AgentFault("it took too long")
        return {"positions": [asdict(Glance(ply, ply % 2, 0.5, 0)) for ply in plies]}

    def send_review(self, *_: Any) -> None:
        """No person looks on."""

    def fault(self, *_: Any) -> None:
        self.failed.set()


async def test_a_review_that_begins_again_goes_on_from_what_it_had() -> None:
    stumbling = Stumbling()
    fake = cast(Any, stumbling)
    with Database.open("sqlite://") as database:
        reviews = MatchReviews(fake, database, fake, fake)
        await reviews.of(snapshot("m"), "ann")
        await stumbling.failed.wait()
        with pytest.raises(AgentFault, match="too long"):
            await reviews.of(snapshot("m"), "ann")
        stumbling.asked, stumbling.failed = [], asyncio.Event()
        await reviews.of(snapshot("m"), "ann", again=True)
        await stumbling.failed.wait()
        assert {kind for kind, _ in stumbling.asked} == {"assess"}
        await reviews.close()
