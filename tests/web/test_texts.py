"""What people read instead of identifiers and errors: titles, names of metrics, and sentences in both languages."""

import asyncio
import json
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.core import registry
from ludex.core.errors import BadOption, IllegalAction, LudexError, MoveError, UnknownMatch
from ludex.core.match import Match
from ludex.core.messages import LANGUAGES, Language, catalogue
from ludex.core.spec import TrainingSpec
from ludex.games.skirmish.rules.illegal_actions import RULES, WrongDeployer
from ludex.learn.runs import Run
from ludex.learn.trainings import trainings
from ludex.web.boards import agent_title
from ludex.web.errors import STATUSES, Refused, error_texts, problem_of, refuse
from ludex.web.routes.pages import STATIC
from ludex.web.schemas.base import Problem
from ludex.web.security.protocol import HEADERS_TOO_LARGE, REFUSAL
from tests.web.matches.test_agreements import seated
from tests.web.playing import Visitor, path


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("tictactoe", ("ranking", "perfect", "minimax", "mcts:simulations=50")),
        ("quoridor", ("easy", "master:nodes=200")),
        ("minesweeper", ("expert", "rules")),
        ("skirmish", ("greedy",)),
    ],
)
def test_every_figure_of_a_decision_has_a_title_in_both_languages(
    ann: Visitor, game: str, agents: tuple[str, ...]
) -> None:
    seats = ("you",) if game == "minesweeper" else ("you", "you")
    match = ann.begin(game, *seats, practice=True)
    for agent in agents:
        analysis = ann.ask("POST", path(match, "analysis"), {"agent": agent}).json()
        words = {value for value in analysis["stats"].values() if isinstance(value, str)}
        named = {
            *analysis["stats"],
            *words,
            *(term for candidate in analysis["candidates"] for term in candidate["terms"]),
        }
        assert named - {"because"} == {*analysis["titles"]}, agent
        assert all(texts.keys() == {"en", "fr"} for texts in analysis["titles"].values())


def test_a_line_of_the_list_says_how_a_match_ended_for_its_reader(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    ann.change(match, "resign")
    alone = ann.begin("tictactoe", "you", "perfect")
    for visitor, result in ((ann, "Vous avez perdu"), (bob, "Vous avez gagné")):
        lines = {line["id"]: line for line in visitor.ask("GET", "/api/matches", yours=True).json()["matches"]}
        assert lines[match["id"]]["result"]["fr"] == result
    assert lines.get(alone["id"]) is None
    others = {line["id"]: line for line in bob.ask("GET", "/api/matches").json()["matches"]}
    assert others[alone["id"]]["result"] == {"en": "In progress", "fr": "En cours"}


def test_the_values_of_board_options_have_titles(ann: Visitor) -> None:
    cards = {card["id"]: card for card in ann.ask("GET", "/api/games").json()["games"]}
    values = cards["minesweeper"]["options"]["properties"]["start"]["enum"]
    assert {*cards["minesweeper"]["option_values"]["start"]} == {*values}


def test_the_leaderboard_names_boards_agents_and_the_machine(ann: Visitor) -> None:
    games = {game["game"]: game for game in ann.ask("GET", "/api/leaderboard").json()["games"]}
    quoridor, minesweeper = games["quoridor"], games["minesweeper"]
    assert quoridor["machine"]["fr"].count("cœurs") == 1
    assert quoridor["agent_titles"]["random"]["fr"] == catalogue("ludex", "fr")["agent_random"]
    assert {*minesweeper["board_titles"]} == {board["preset"] for board in minesweeper["boards"]}
    assert all(note["fr"].startswith("Le réseau") for note in minesweeper["notes"].values())


def test_a_refused_connection_is_told_in_both_languages() -> None:
    for refusal, code in ((REFUSAL, "too_many_connections"), (HEADERS_TOO_LARGE, "headers_too_large")):
        problem = json.loads(refusal.partition(b"\r\n\r\n")[2])
        assert problem["text"] == {language: catalogue("ludex", language)[f"error_{code}"] for language in ("en", "fr")}


def test_an_agent_of_a_run_is_called_by_what_was_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_RUNS", str(tmp_path))
    runs = [Run.create(tmp_path, "tictactoe", config, "") for config in ("minute", "minute", "mine.yaml")]
    marks = [run.name.rpartition("-")[2] for run in runs]
    assert agent_title("tictactoe", f"run:{runs[0].name}@200")["en"] == f"A first ranking {marks[0]}, step 200"
    assert agent_title("tictactoe", f"run:{runs[1].name}")["fr"].endswith(f" {marks[1]}")
    assert agent_title("tictactoe", f"run:{runs[2].name}@7")["en"] == f"{runs[2].name}, step 7", "a file of one's own"
    assert agent_title("tictactoe", "run:gone@7")["en"] == "gone, step 7"


TRAININGS = {
    f"{spec.id} {training.default}": training for spec in registry.available()[0] for training in trainings(spec)
}
each_training = pytest.mark.parametrize("training", TRAININGS.values(), ids=TRAININGS)


def metric_texts(section: str, language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((STATIC / "texts" / language / "metrics.json").read_text())[section]
    return texts


@each_training
def test_what_a_training_logs_is_declared_with_the_metric_that_matters(training: TrainingSpec) -> None:
    assert training.headline in training.metrics


@pytest.mark.parametrize("language", LANGUAGES)
@each_training
def test_declared_metrics_have_a_name_and_a_sentence(training: TrainingSpec, language: str) -> None:
    names, sentences = metric_texts("names", language), metric_texts("sentences", language)
    for metric in training.metrics:
        assert names.get(metric), metric
        assert sentences.get(metric, "").endswith("."), metric


def test_no_metric_is_named_that_nothing_logs() -> None:
    logged = {metric for training in TRAININGS.values() for metric in training.metrics}
    opponents = {"earlier_network", "no_network"}
    for section in ("names", "sentences"):
        english, french = (metric_texts(section, language) for language in LANGUAGES)
        assert set(english) == set(french) == logged | opponents


@pytest.mark.parametrize("code", STATUSES)
def test_every_code_of_the_api_has_a_french_sentence(code: str) -> None:
    assert catalogue("ludex", "fr")[f"error_{code}"]


@pytest.mark.parametrize("code", ["too_large", "not_json", "wrong_origin", "too_many_requests"])
def test_refusals_of_the_guards_are_french_too(code: str) -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(dict(message))

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    asyncio.run(refuse({"type": "http"}, receive, send, Problem(code=code, message="no")))
    document = json.loads(sent[-1]["body"])
    assert document["text"] == {language: catalogue("ludex", language)[f"error_{code}"] for language in LANGUAGES}


def test_every_refusal_of_a_placement_has_a_french_sentence() -> None:
    refusals: list[type[LudexError]] = [*RULES, WrongDeployer]
    codes = {refusal.code for refusal in refusals}
    assert {"deploy_on_wall", "deploy_occupied", "deploy_outside_pool"} <= codes
    assert all(f"error_{code}" in catalogue("skirmish", "fr") for code in codes)


def test_a_refused_wall_names_the_other_wall_in_french_too() -> None:
    match = Match(ludex.make("quoridor", "5x5"), 0)
    match.play_text("b2h")
    with pytest.raises(IllegalAction) as error:
        match.play_text("b2v")
    assert error_texts(error.value) == {
        "en": "The wall b2h already stands across this place",
        "fr": "Le mur b2h est déjà en travers de cet endroit",
    }
    problem = problem_of(Refused(error.value, ["c2"]))
    assert problem.text is not None
    assert (problem.code, problem.legal) == ("illegal_action", ["c2"])
    assert problem.text["fr"].startswith("Le mur b2h")


def test_a_refused_order_of_skirmish_says_why_in_french_too() -> None:
    match = Match(ludex.make("skirmish", "small"), 0)
    with pytest.raises(IllegalAction) as error:
        match.play_text("shoot/04")
    assert error.value.message.startswith("shoot/04 cannot be played: that is for the shoot phase")
    assert error_texts(error.value) == {
        "en": "That is for the shoot phase, and this is the deployment phase",
        "fr": "Cela se fait en phase de tir, et c\u2019est la phase de déploiement",
    }


def test_a_code_stands_for_its_kind_and_the_server_speaks_english() -> None:
    class Own(MoveError):
        code = "own_code"

    assert error_texts(Own("not there")) == {"en": "not there", "fr": catalogue("ludex", "fr")["error_move"]}
    texts = error_texts(UnknownMatch("no match has the id 'x'"))
    assert texts["en"].startswith("There is no match at this address")
    assert texts["fr"].startswith("Il n\u2019y a pas de partie")


def test_options_that_do_not_fit_say_what_to_do_in_both_languages() -> None:
    with pytest.raises(BadOption) as error:
        ludex.make("minesweeper", "small:rows=5:cols=5:mines=20")
    texts = error_texts(error.value)
    assert texts["en"].startswith("At most 16 mines fit on 5×5 cells")
    assert texts["fr"].startswith("Au plus 16 mines tiennent sur 5×5 cases")
    assert all("start=" not in text and "Value error" not in text for text in texts.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_that_a_line_does_not_fit_says_what_to_do(language: Language) -> None:
    with pytest.raises(BadOption) as error:
        ludex.make("tictactoe", "3x3x3:k=5")
    assert {"en": "choose fewer marks", "fr": "choisissez moins de marques"}[language] in error_texts(error.value)[
        language
    ]


def test_a_request_that_does_not_validate_is_explained_without_the_words_of_the_validator(ann: Visitor) -> None:
    body = {"game": "tictactoe", "seats": ["you", "random"], "movetime_ms": "soon"}
    text = ann.refused(422, "bad_request", "POST", "/api/matches", body)["text"]
    assert text["en"] == "movetime_ms must be a whole number, found 'soon'"
    assert text["fr"].startswith("movetime_ms doit être un nombre entier")
