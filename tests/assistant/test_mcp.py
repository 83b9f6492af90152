"""`ludex mcp` with the client of the SDK, over both transports."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ludex.assistant.server import MOST_MATCHES, Session, make_server
from ludex.core.errors import BadOption, BadPosition, LudexError

COMMAND = [sys.executable, "-m", "ludex", "mcp"]
TOOLS = {
    *("list_games", "rules", "new_match", "state", "play", "hint", "analyse", "explain_move", "review"),
    *("puzzle_of_the_day", "answer_puzzle", "read_board"),
}


async def call(client: Any, name: str, **arguments: Any) -> Any:
    """What a tool gives, or the text of its error."""
    result = await client.call_tool(name, arguments)
    text = result.content[0].text
    if result.is_error:
        return text
    documents = [json.loads(part.text) for part in result.content]
    return documents[0] if len(documents) == 1 else documents


async def whole_match(client: Any) -> None:
    """A match from the first tool to the review."""
    listed = await client.list_tools()
    assert {tool.name for tool in listed.tools} == TOOLS
    assert all(tool.description and len(tool.description) < 200 for tool in listed.tools)
    games = await call(client, "list_games")
    assert [game["game"] for game in games][:2] == ["tictactoe", "quoridor"]
    assert "marks in a row" in (await call(client, "rules", game="tictactoe"))["rules"]
    state = await call(client, "new_match", game="tictactoe", level="newcomer", player=1)
    assert (len(state["moves"]), state["you"]) == (1, "O")
    match = state["match"]
    assert "malformed_action" in await call(client, "play", match=match, move="z9")
    assert "live" in await call(client, "review", match_or_line=match)
    while state["result"] is None:
        hint = await call(client, "hint", match=match)
        assert hint["move"] in state["legal_moves"]
        state = await call(client, "play", match=match, move=hint["move"])
    review = await call(client, "review", match_or_line=match)
    assert (review["game"], len(review["moves"])) == ("tictactoe", len(state["moves"]))
    assert "unknown_match" in await call(client, "state", match="other")


def run(work: Callable[[Any], Awaitable[None]], target: Any) -> None:
    from mcp import Client  # takes a second of every worker that collects the tests

    async def connected() -> None:
        async with Client(target) as client:
            await work(client)

    asyncio.run(connected())


def test_a_match_in_memory() -> None:
    run(whole_match, make_server())


@pytest.mark.slow
def test_a_match_over_stdio() -> None:
    from mcp import StdioServerParameters, stdio_client

    run(whole_match, stdio_client(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:])))


@pytest.mark.slow
def test_a_match_over_http() -> None:
    process = subprocess.Popen([*COMMAND, "--http", "--port", "0"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/mcp", process.stderr.readline())
        assert address is not None
        run(whole_match, address[0])
    finally:
        process.kill()
        process.communicate()


def test_lines_and_moves_are_judged() -> None:
    session = Session()
    best: Any = session.analyse("tictactoe 3x3x3: a1 b2 a2")
    assert best["move"] == "a3"
    blunder: Any = session.explain_move("tictactoe 3x3x3: a1 b2 a2 c3", 3)
    assert (blunder["class"], blunder["best"]) == ("blunder", "a3")
    with pytest.raises(BadOption, match="ply"):
        session.explain_move("tictactoe 3x3x3: a1", 7)


def test_a_pasted_board_is_read() -> None:
    advice: Any = Session().read_board("minesweeper", "mines 2\n1 # #\n1 # #\n. 1 #", None)
    assert advice["overlay"]["mine"][0] is None
    assert advice["position"].startswith("mines 2\n1 # #")
    assert advice["why"]
    forced: Any = Session().read_board("tictactoe", "X X .\nO O .\n. . .", "3x3x3")
    assert (forced["board"], forced["move"]) == ("3x3x3", "c3")
    with pytest.raises(BadPosition):
        Session().read_board("quoridor", "x", None)


def test_todays_puzzle_is_set_without_its_answer_and_judged() -> None:
    session = Session()
    puzzle: Any = session.puzzle_of_the_day("tictactoe")
    results: list[Any] = [session.answer_puzzle("tictactoe", puzzle["id"], move) for move in puzzle["legal_moves"]]
    # In a puzzle of several moves the right one is answered.
    assert 0 < sum(result["solved"] or "reply" in result for result in results) < len(results)
    assert all(result["why"] or result["reply"] for result in results)
    assert not {"accept", "answers", "solution"} & puzzle.keys()


def test_no_tool_reads_a_secret_of_a_live_match() -> None:
    """Two matches that differ only in where the mines are, look the same in every answer."""
    answers: list[str] = []
    for seed in (1, 2):
        session = Session()
        state: Any = session.new_match("minesweeper", "small", None, 0)
        name = state["match"]
        session._seats[name].match.seed = seed
        seen = [session.state(name), session.hint(name)]
        with pytest.raises(LudexError, match="live"):
            session.review(name)
        with pytest.raises(LudexError, match="live"):
            session.explain_move(name, 0)
        answers.append(json.dumps(seen).replace(name, "MATCH"))
    assert answers[0] == answers[1]
    assert "seed" not in answers[0]


@pytest.mark.parametrize("level", ["llm:m", 'http:"http://127.0.0.1:1"', 'ugi:"sh"', "py:os:system", "perfect", "mcts"])
def test_only_levels_are_opponents(level: str) -> None:
    with pytest.raises(BadOption, match="level: expected one of"):
        Session().new_match("tictactoe", None, level, 0)


def test_matches_and_texts_are_bounded() -> None:
    session = Session()
    names: list[Any] = [session.new_match("minesweeper", "small", None, 0) for _ in range(MOST_MATCHES + 1)]
    with pytest.raises(LudexError, match="there is no match"):
        session.state(names[0]["match"])
    session.state(names[1]["match"])
    with pytest.raises(BadOption, match="at most"):
        session.analyse("tictactoe 3x3x3: " + "a1 " * 10_000)
    session.close()
