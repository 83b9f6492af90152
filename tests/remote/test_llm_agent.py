"""A language model as an agent, against a real server that answers well, badly or not at all."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.arena.duel import duel
from ludex.arena.entrants import check_reference, make_entrant
from ludex.arena.journal import open_journal
from ludex.arena.terms import Terms
from ludex.core.errors import AgentFault, AgentTimeout, BadOption, IllegalChoice, Unsupported
from ludex.core.executor import InProcess
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make_agent
from ludex.operations.permissions import VISITOR, Permissions
from ludex.remote.address import LARGEST_ANSWER
from ludex.remote.llm_agent import reference_of
from tests.remote.chat_server import Answer, ChatServer, completion, serve_chat
from tests.remote.scripted import scripted

KEY = "sk-very-secret-0123456789"


def entrant(server: ChatServer, **options: object) -> Any:
    return make_entrant(ludex.make("tictactoe"), reference_of("m", url=server.url, **options))


def ask(answer: Answer, moves: str = "", **options: object) -> tuple[Any, list[Any]]:
    """The decision or fault of one move, and the transcript."""
    match = Match(ludex.make("tictactoe"), 1)
    for move in moves.split():
        match.play_text(move)
    with serve_chat(answer) as server:
        player = entrant(server, **options)
        try:
            outcome: Any = decide(match, player, Limit())
        except AgentFault as fault:
            outcome = fault
        finally:
            player.close()
        return outcome, player.take_transcript()


def refusals(transcript: list[Any]) -> list[str]:
    return [answer["refused"][0] for entry in transcript for answer in entry["answers"] if answer["refused"]]


def test_a_legal_answer_is_played_and_kept() -> None:
    decision, transcript = ask(lambda request: " b2\n")
    assert decision.action == 4
    (entry,) = transcript
    assert entry["move"] == "b2"
    assert entry["answers"][0]["answer"] == " b2\n"
    assert entry["answers"][0]["tokens"] == [100, 3]
    assert "You are X." in entry["prompt"][1]["content"]
    assert "X goes first" in entry["prompt"][0]["content"]


@pytest.mark.parametrize(
    ("reply", "kind", "fault"),
    [
        ((200, "text/html", b"<html>It works!</html>"), "not_json", AgentFault),
        ((200, "application/json", b'{"choices": []}'), "no_choice", AgentFault),
        ((200, "application/json", b'{"choices": [{"message": null}]}'), "no_choice", AgentFault),
        ((200, "application/json", b"[" * 100_000), "not_json", AgentFault),
        ((500, "text/plain", b"out of memory"), "status", AgentFault),
        ((302, "text/plain", b""), "status", AgentFault),
        (completion(None, refusal="I will not play."), "refusal", IllegalChoice),
        (completion("", finish_reason="content_filter"), "refusal", IllegalChoice),
        (completion(None), "empty", IllegalChoice),
        ("", "empty", IllegalChoice),
        (completion("b2", finish_reason="length"), "too_long", IllegalChoice),
        ("a1 " * 10_000, "too_long", IllegalChoice),
        ((200, "application/json", b" " * (LARGEST_ANSWER + 1)), "too_long", IllegalChoice),
        ("I play b2.", "prose", IllegalChoice),
        ("b2 ", None, None),
        ("\N{CYRILLIC SMALL LETTER A}1", "look_alike", IllegalChoice),
        ("\N{FULLWIDTH LATIN SMALL LETTER B}2", "look_alike", IllegalChoice),
        ("b2\N{ZERO WIDTH SPACE}", "look_alike", IllegalChoice),
        ("z9", "malformed", IllegalChoice),
        ("B2", "malformed", IllegalChoice),
        ("a1", "illegal", IllegalChoice),
    ],
)
def test_every_bad_answer_has_a_named_outcome(reply: Any, kind: str | None, fault: type[AgentFault] | None) -> None:
    outcome, transcript = ask(lambda request: reply, moves="a1 c3", retries=1)
    if kind is None:
        assert outcome.action == 4
        return
    assert type(outcome) is fault
    assert kind in outcome.message
    assert refusals(transcript) == [kind, kind]
    assert transcript[0]["move"] is None


def test_what_was_wrong_is_said_back_and_the_next_answer_counts() -> None:
    answers = iter(["a1", "b9", "c1"])
    requests: list[Any] = []

    def answer(request: dict[str, Any]) -> str:
        requests.append(request["messages"])
        return next(answers)

    decision, transcript = ask(answer, moves="a1")
    assert decision.action == 8
    assert refusals(transcript) == ["illegal", "malformed"]
    assert requests[1][-2] == {"role": "assistant", "content": "a1"}
    assert "a1 is a move that the rules forbid" in requests[1][-1]["content"]
    assert "b9" in requests[2][-1]["content"]


def test_a_server_that_is_down_is_a_fault_after_the_tries() -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{reserved.getsockname()[1]}/v1"
        player = make_entrant(ludex.make("tictactoe"), reference_of("m", url=url, retries=1))
        with pytest.raises(AgentFault, match="no move after 2 tries: unreachable") as error:
            decide(Match(ludex.make("tictactoe"), 1), player, Limit())
    assert error.value.code == "agent_fault"
    assert refusals(player.take_transcript()) == ["unreachable", "unreachable"]
    player.close()


def test_a_server_that_is_slow_is_a_timeout_and_is_not_asked_again() -> None:
    with serve_chat(lambda request: ("late", server.released.wait(30))[0]) as server:
        player = entrant(server, seconds=0.3)
        with pytest.raises(AgentTimeout, match="timeout: no answer within"):
            decide(Match(ludex.make("tictactoe"), 1), player, Limit())
        assert len(server.requests) == 1
        assert refusals(player.take_transcript()) == ["timeout"]
        player.close()


def test_the_common_limit_bounds_a_move_too() -> None:
    with serve_chat(lambda request: ("late", server.released.wait(30))[0]) as server:
        player = entrant(server)
        with pytest.raises(AgentTimeout):
            decide(Match(ludex.make("tictactoe"), 1), player, Limit(time_ms=300))
        player.close()


def test_a_server_that_drips_is_broken_off_in_time() -> None:
    """Each byte comes in time, the answer never: a time-out of the socket would wait for ever."""
    listener = socket.create_server(("127.0.0.1", 0))
    drips = _Drips(listener)
    player = make_entrant(
        ludex.make("tictactoe"), reference_of("m", url=f"http://127.0.0.1:{listener.getsockname()[1]}/v1", seconds=1)
    )
    with pytest.raises(AgentTimeout):
        decide(Match(ludex.make("tictactoe"), 1), player, Limit())
    player.close()
    drips.thread.join(30)
    assert not drips.thread.is_alive()


class _Drips:
    def __init__(self, listener: socket.socket) -> None:
        import threading

        self._listener = listener
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        connection, _ = self._listener.accept()
        with connection, self._listener:
            while b"messages" not in connection.recv(1 << 16):
                """The headers may come before the body."""
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            connection.settimeout(0.05)
            while True:
                try:
                    connection.sendall(b"1\r\n \r\n")
                    if connection.recv(1 << 16) == b"":
                        return
                except TimeoutError:
                    # The caller still waits.
                    continue
                except OSError:
                    return


def test_tokens_and_seconds_of_a_game_are_bounded() -> None:
    match = Match(ludex.make("tictactoe"), 1)
    answers = iter(["a1", "b1"])
    with serve_chat(lambda request: next(answers)) as server:
        player = entrant(server, game_tokens=103, retries=0)
        match.carry_out(decide(match, player, Limit()))
        match.play_text("c3")
        with pytest.raises(IllegalChoice, match="has used its 103 tokens"):
            decide(match, player, Limit())
        assert len(server.requests) == 1
        # A new game begins to count again.
        assert decide(Match(ludex.make("tictactoe"), 1), player, Limit()).action == 7
        player.close()


def test_no_key_is_in_any_file_or_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server repeats the key in an error, in an answer and as a move; the journal keeps all of them without it."""
    monkeypatch.setenv("MODEL_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    replies: Iterator[Any] = iter([(401, "application/json", json.dumps({"error": KEY}).encode()), KEY, f"{KEY}!"])
    journal = tmp_path / "journal.jsonl"
    with serve_chat(lambda request: next(replies, "no")) as server:
        reference = reference_of("m", url=server.url, api_key_env="MODEL_KEY", retries=2)
        board = ludex.make("tictactoe")
        terms = Terms.of(
            board,
            (reference, "perfect"),
            seed=1,
            limit=Limit(),
            clock=None,
            opening_plies=0,
            services=None,
            forfeits=True,
        )
        with open_journal(journal, terms) as opened:
            result = duel(terms, games=2, executor=InProcess(), journal=opened)
        assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
        assert all("sk-of-somebody-else" not in str(headers) for headers in server.headers)
    first = result.played[0]
    assert first.fault is not None
    assert KEY not in repr(result)
    assert "[key]" in repr(result)
    for file in tmp_path.rglob("*"):
        assert KEY.encode() not in file.read_bytes(), file
    with open_journal(journal, terms) as again:
        (pair,) = again.pairs.values()
    assert pair == result.pairs[0]
    answers: Any = pair[0].transcripts[0][0]
    assert [answer["refused"][0] for answer in answers["answers"]] == ["status", "malformed", "malformed"]


def test_a_key_that_is_missing_is_named() -> None:
    with pytest.raises(BadOption, match="no variable NO_SUCH_KEY"):
        make_agent("tictactoe", "llm:m:api_key_env=NO_SUCH_KEY")


@pytest.mark.parametrize(
    "url",
    ["ftp://127.0.0.1", "http://user:secret@127.0.0.1/v1", "http://127.0.0.1/v1?key=secret", "127.0.0.1", "http://"],
)
def test_an_address_that_is_none_or_holds_a_secret_is_refused(url: str) -> None:
    with pytest.raises(BadOption):
        check_reference(ludex.make("tictactoe"), reference_of("m", url=url), classes=True)


def test_visitors_and_job_queues_name_no_model() -> None:
    board, reference = ludex.make("tictactoe"), reference_of("m", url="http://127.0.0.1:1/v1")
    for permissions in (VISITOR, Permissions(engines=True, agents_from=("mine.py",))):
        with pytest.raises(BadOption, match="only the administrator's browser may name"):
            permissions.check_agent(board, reference)
    Permissions(network=True).check_agent(board, reference)
    with pytest.raises(BadOption):
        check_reference(board, reference)


@pytest.mark.parametrize("naming", [None, 5])
def test_a_scripted_perfect_player_loses_nothing_behind_the_protocol(naming: int | None) -> None:
    """Every game of a duel is the one that `perfect` itself plays, in own names and in others."""
    board = ludex.make("tictactoe")
    options = {} if naming is None else {"names": naming}
    with serve_chat(scripted(board, "perfect", naming)) as server:
        played = [
            duel(
                Terms.of(board, (agent, "random"), seed=4, limit=Limit(), clock=None, opening_plies=2, services=None),
                games=12,
                executor=InProcess(),
            )
            for agent in ("perfect", reference_of("m", url=server.url, **options))
        ]
    assert [game.actions for game in played[0].played] == [game.actions for game in played[1].played]
    assert played[0].score == played[1].score


def test_the_prompt_lists_what_it_is_set_to() -> None:
    _, transcript = ask(lambda request: "c1", moves="a1 b2", legal="listed", board="json", history=1)
    said = json.loads(transcript[0]["prompt"][1]["content"])
    assert said["moves_so_far"] == ["b2"]
    assert sorted(said["legal_moves"]) == sorted(["b1", "c1", "a2", "c2", "a3", "b3", "c3"])
    assert said["position"]["squares"]["a1"] == "X"


def test_a_prompt_of_other_names_holds_none_of_the_game() -> None:
    board = ludex.make("tictactoe")
    with serve_chat(scripted(board, "perfect", 5)) as server:
        match, player = Match(board, 1), entrant(server, names=5)
        for _ in range(3):
            match.carry_out(decide(match, player, Limit()))
        player.close()
        content = " ".join(message["content"] for request in server.requests for message in request["messages"])
    for word in ("tictactoe", " X ", " O ", " a1", " b2", "c3"):
        assert word not in content


def test_a_game_without_texts_of_its_own_is_played_and_not_renamed() -> None:
    board = ludex.make("skirmish", "small")
    with pytest.raises(Unsupported, match="declares no texts"):
        make_agent(board, "llm:m:names=1")
    match = Match(board, 1)
    with serve_chat(lambda request: request["messages"][-1]["content"].split("Legal moves: ")[1].split()[0]) as server:
        player = make_entrant(board, reference_of("m", url=server.url, legal="listed"))
        assert match.legal()[decide(match, player, Limit()).action]
        player.close()


def test_a_quoted_reference_stands_in_a_list_of_agents() -> None:
    from ludex.arena.entrants import split_entrants

    first, second = split_entrants('llm:"a,b:c":url="http://127.0.0.1:8080/v1":movetime=300,easy')
    assert second == "easy"
    with serve_chat(lambda request: "e2") as server:
        player = make_entrant(ludex.make("quoridor", "5x5"), first.replace("http://127.0.0.1:8080/v1", server.url))
        assert player.budget(Limit(time_ms=50)).time_ms == 300
        player.close()
