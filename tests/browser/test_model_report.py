"""The page of a language model's evaluation: the table, its mistakes with the better moves, and its games."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from ludex.remote.llm_agent import reference_of
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen
from tests.remote.chat_server import ChatServer, serve_chat
from tests.waiting import until
from tests.web.playing import GENEROUS, Visitor
from tests.web.running import RunningServer, server_fixture

KEY = "sk-very-secret-9876543210"
PROSE = "I think b2 is best."

server = server_fixture(*GENEROUS, "--network-agents", "true", MODEL_KEY=KEY)


@pytest.fixture(scope="module")
def chat() -> Iterator[ChatServer]:
    """A model that says one of three things; one of them is the key, as a server in trouble may."""
    answers = iter([PROSE, f"the key {KEY} is wrong", "b3"] * 10_000)
    with serve_chat(lambda body: next(answers)) as server:
        yield server


@pytest.fixture(scope="module")
def job(chrome: Browser, server: RunningServer, chat: ChatServer) -> str:
    """An evaluation that the administrator has started by the form of the laboratory."""
    with Screen(chrome, server) as screen:
        screen.log_in()
        page = screen.open("/lab/new/eval-llm")
        page.get_by_role("combobox", name="Game", exact=True).select_option("tictactoe")
        page.get_by_label("the agent, such as").fill(model(chat))
        page.locator(".entrants input[type=checkbox]").first.check()
        page.get_by_label("number of games").fill("2")
        page.get_by_label("number of positions").fill("6")
        page.get_by_label("measure it a second time").check()
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**/lab/jobs/*")
        name = page.url.rpartition("/")[2]
    with server.client() as client:
        ended = ("finished", "failed", "cancelled")
        until(lambda: client.get(f"/api/jobs/{name}").json()["state"] in ended, "the job")
        assert client.get(f"/api/jobs/{name}").json()["state"] == "finished"
    return name


def model(chat: ChatServer) -> str:
    return reference_of("small-model", url=chat.url, retries=1, api_key_env="MODEL_KEY")


def report(screen: Screen, job: str, done: str) -> Page:
    page = screen.open(f"/lab/jobs/{job}")
    expect(page.get_by_role("heading", name=done)).to_be_visible()
    return page


def test_a_report_shows_figures_mistakes_and_games(chrome: Browser, server: RunningServer, job: str) -> None:
    with Screen(chrome, server, DESKTOP) as screen:
        page = report(screen, job, "Mistakes and better moves")
        figures = page.get_by_role("table")
        expect(figures.get_by_role("row", name="Refused answers")).to_contain_text("more than one word")
        expect(figures.get_by_role("columnheader")).to_have_text(["In the game’s own words", "With other names"])
        first = page.locator(".model-mistake").first
        first.locator("summary").click()
        expect(first.locator("pre")).to_contain_text("It is your turn.")
        game = page.locator(".model-games li").first
        expect(game).to_contain_text("small-model")
        assert page.locator(".model-mistake", has_text="Better").count() > 0
        assert grave(page) == []
        page.get_by_role("button", name="With other names").click()
        expect(page.get_by_role("button", name="With other names")).to_have_attribute("aria-pressed", "true")
        page.locator(".model-mistake").first.locator("summary").click()
        expect(page.locator(".model-mistake pre").first).not_to_contain_text(" O ")
    with Screen(chrome, server, PHONE, "dark", "fr") as screen:
        page = report(screen, job, "Erreurs et meilleurs coups")
        expect(page.get_by_role("row", name="Réponses refusées")).to_contain_text("plus d’un mot")
        assert screen.overflow() <= 0


def test_the_answers_of_another_job_are_refused(server: RunningServer, job: str) -> None:
    with server.client() as client:
        assert client.get(f"/api/jobs/{job}/answers").status_code == 200
        assert client.get(f"/api/jobs/{job}/answers", params={"names": "others"}).status_code == 422
        assert client.get("/api/jobs/nothing-1/answers").status_code == 404


def test_a_game_is_shown_on_the_board_with_the_better_moves(chrome: Browser, server: RunningServer, job: str) -> None:
    with Screen(chrome, server) as screen:
        page = report(screen, job, "Games")
        page.locator(".model-games li").first.get_by_role("link", name="Review").click()
        page.wait_for_url("**/review/*")
        expect(page.locator(".board-frame, .review-board").first).to_be_visible()
        page = report(screen, job, "Games")
        page.locator(".model-games li").first.get_by_role("link", name="Show on the board").click()
        page.wait_for_url("**/match/*")
        expect(page.locator(".origin a")).to_have_attribute("href", f"/lab/jobs/{job}")


def test_no_file_of_a_job_holds_the_key(server: RunningServer, job: str, chat: ChatServer) -> None:
    assert all(headers["authorization"] == f"Bearer {KEY}" for headers in chat.headers)
    files = [path for path in server.home.rglob("*") if path.is_file()]
    contents = b"".join(path.read_bytes() for path in files if path.suffix == ".jsonl")
    assert b"the key [key] is wrong" in contents
    assert {"jobs", "data"} <= {path.relative_to(server.home).parts[0] for path in files}
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    with server.client() as client:
        for path in ("", "/answers"):
            assert KEY not in client.get(f"/api/jobs/{job}{path}").text


def test_a_program_and_a_visitor_start_no_evaluation_of_a_model(
    server: RunningServer, job: str, chat: ChatServer
) -> None:
    body = {"kind": "eval-llm", "game": "tictactoe", "agent": model(chat)}
    request_count = len(chat.requests)
    with server.administrator() as program:
        answer = program.post("/api/jobs", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_option")
        assert "only the administrator's browser may name it" in answer.json()["message"]
    with Visitor(server) as visitor:
        visitor.refused(403, "administrator_only", "POST", "/api/jobs", body)
    assert len(chat.requests) == request_count
