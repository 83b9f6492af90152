"""Trained agents kept under a name: levels that outlive a process, and go when they are removed."""

import json
from pathlib import Path

import pytest

from ludex.core import kept_agents
from ludex.core.errors import BadNet, BadOption, UnknownAgent, Unsupported
from ludex.core.kept_agents import KeptAgent, find_kept, keep, remove
from ludex.core.registry import choose_agent, kept_levels, make, make_agent, spec
from ludex.core.spec import TrainedAgentSpec

RANKING = TrainedAgentSpec(agent="ranking", option="file", format="json")
EMPTY = json.dumps({"version": 1, "createdUtc": "2026-01-31T12:00:00Z", "qValues": []}).encode()


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path))
    return tmp_path


def kept(title: str = "My 1st net!", board: str = "3x3x3") -> KeptAgent:
    return keep(title=title, game="tictactoe", board=board, trained=RANKING, data=EMPTY, origin="run:mine@200")


def test_a_kept_agent_is_a_level_of_its_board_until_it_is_removed() -> None:
    one = kept()
    assert one.reference == "kept:my-1st-net"
    assert find_kept("my-1st-net") == one
    levels = kept_levels(make("tictactoe"))
    assert levels["kept:my-1st-net"].title.text("fr") == "My 1st net!"
    assert "run:mine@200" in levels["kept:my-1st-net"].description.text()
    assert make_agent("tictactoe", "kept:my-1st-net:mistakes=0.5").name == "kept:my-1st-net:mistakes=0.5"
    assert kept_levels(make("tictactoe", "4x4x4")) == {} == kept_levels(make("quoridor"))
    assert "kept:my-1st-net" not in spec("tictactoe").levels
    remove("my-1st-net")
    assert kept_levels(make("tictactoe")) == {}
    with pytest.raises(UnknownAgent, match="known: none"):
        make_agent("tictactoe", "kept:my-1st-net")


def test_titles_may_be_alike_and_must_be_titles() -> None:
    assert len({kept().name, kept().name, kept("Mein Netz").name, kept("网络").name}) == 4
    for title in ("", " ", "x" * 41, "two\nlines"):
        with pytest.raises(BadOption, match="1 to 40 printable"):
            kept(title)


def test_another_game_board_or_name_is_refused() -> None:
    name = kept().reference
    with pytest.raises(UnknownAgent, match="plays tictactoe, not quoridor"):
        choose_agent(make("quoridor"), name)
    with pytest.raises(Unsupported, match="has learned 3x3x3 only, not 4x4x4"):
        choose_agent(make("tictactoe", "4x4x4"), name)
    for bad in ("kept:../../etc", "kept:.", "kept:-", "kept:UP"):
        with pytest.raises(UnknownAgent, match="no agent is kept"):
            choose_agent(make("tictactoe"), bad)
    with pytest.raises(BadOption, match="expected run:NAME@STEP, kept:NAME"):
        choose_agent(make("tictactoe"), "kept:")


def test_there_is_a_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_agents, "MOST_KEPT", 2)
    kept(), kept()
    with pytest.raises(BadOption, match="remove one first"):
        kept()
    monkeypatch.setattr(kept_agents, "LARGEST_FILE", 10)
    with pytest.raises(BadNet, match="at most 10 bytes"):
        kept()


def test_one_damaged_card_hides_no_other(data: Path) -> None:
    good, bad = kept(), kept("Bad")
    card = data / "agents" / bad.name / "card.json"
    for text in ("{", '{"name": "bad"}', good.model_dump_json()):
        card.write_text(text)
        agents, broken = kept_agents.kept_agents()
        assert agents == [good]
        assert len(broken) == 1
        assert "card.json" in broken[0].message
    (data / "agents" / good.name / "agent.json").unlink()
    with pytest.raises(BadNet, match="is missing"):
        choose_agent(make("tictactoe"), good.reference)
