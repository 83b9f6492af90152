"""Ranking files: what a round trip keeps, and what an import refuses."""

import inspect
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludex.core.errors import BadOption, BadRankings
from ludex.core.ranking import Entry, MemoryRankings, RankingStore
from ludex.games.tictactoe.agents.ranking_files import TicTacToeRankings, read_rankings, shipped_rankings
from ludex.games.tictactoe.learning.training import Learning
from ludex.games.tictactoe.rules.board import legal_moves, to_state_key
from tests.games.support import examples
from tests.games.tictactoe.support import canonical_entries, game_of, preset_of, shipped

STAMP = "2026-01-02T03:04:05+00:00"
GOOD = {"state": "EEEEEEEEE", "moveIndex": 4, "q": 0.5}
NEXT = {"state": "EEEEEEEEX", "moveIndex": 0, "q": -0.5}


def document(*values: Any, **changes: Any) -> dict[str, Any]:
    return {"version": 1, "createdUtc": STAMP, "qValues": list(values)} | changes


def read(data: Any) -> list[Entry]:
    return list(read_rankings(game_of(), json.dumps(data), "my.json"))


def refused(data: Any) -> str:
    """The message of a refused import, after a check that the store it was meant for is unchanged."""
    store = MemoryRankings([Entry("EEEEEEEEE", 0, 0.25)])
    text = data if isinstance(data, str) else json.dumps(data)
    with pytest.raises(BadRankings) as error:
        store.replace(read_rankings(game_of(), text, "my.json"))
    assert list(store.entries()) == [("EEEEEEEEE", 0, 0.25)]
    return error.value.message


def test_ruling_6_the_names_of_the_seed_exist() -> None:
    assert callable(to_state_key)
    assert callable(legal_moves)
    assert callable(Learning.update_q)
    assert list(inspect.signature(RankingStore.get).parameters) == ["self", "state_key", "move_index"]
    assert list(inspect.signature(RankingStore.set).parameters) == ["self", "state_key", "move_index", "q"]


def test_ruling_6_the_store_lists_its_entries_in_order() -> None:
    store = MemoryRankings()
    for state, move in (("XE", 1), ("EE", 3), ("EE", 0)):
        store.set(state, move, 1.0)
    assert [entry[:2] for entry in store.entries()] == [("EE", 0), ("EE", 3), ("XE", 1)]


def test_ruling_6_a_replacement_that_fails_midway_changes_nothing() -> None:
    store = MemoryRankings([Entry("EEEEEEEEE", 4, 0.5)])
    with pytest.raises(ZeroDivisionError):
        store.replace(Entry("EEEEEEEEE", move, 1 / (1 - move)) for move in range(3))
    assert list(store.entries()) == [("EEEEEEEEE", 4, 0.5)]


def test_ruling_6_an_export_has_the_seeds_form() -> None:
    exported = TicTacToeRankings(game_of()).export([Entry("EEEEEEEEE", 4, 0.5)], STAMP)
    assert exported == {"version": 1, "createdUtc": STAMP, "qValues": [GOOD]}


finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.slow
@examples(150)
@given(st.dictionaries(st.deferred(lambda: st.sampled_from(canonical_entries())), finite, max_size=30))
@example({("EEEEEEEEE", 0): 5e-324, ("EEEEEEEEE", 1): 1.7976931348623157e308, ("EEEEEEEEE", 4): 0.1 + 0.2})
def test_ruling_4_export_and_import_keep_every_bit(values: dict[tuple[str, int], float]) -> None:
    entries = [Entry(state, move, q) for (state, move), q in values.items()]
    imported = read(TicTacToeRankings(game_of()).export(entries, STAMP))
    assert [(state, move, q.hex()) for state, move, q in imported] == [(s, m, q.hex()) for s, m, q in entries]


def test_every_canonical_key_can_be_imported() -> None:
    values = [{"state": state, "moveIndex": move, "q": 1.0} for state, move in canonical_entries()]
    assert [entry[:2] for entry in read(document(*values))] == list(canonical_entries())


def test_a_whole_number_is_a_value_too() -> None:
    imported = read(document(GOOD | {"q": -1}))
    assert imported == [("EEEEEEEEE", 4, -1.0)]
    assert isinstance(imported[0].q, float)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        pytest.param({"state": "XEEEEEEEE"}, "XEEEEEEEE is not canonical, expected EEEEEEEEX", id="non-canonical-key"),
        pytest.param({"state": "EEEEOOXXX"}, "EEEEOOXXX is terminal", id="terminal-state"),
        pytest.param({"state": "OOXXXOOXX", "moveIndex": 0}, "OOXXXOOXX is terminal", id="full-board"),
        pytest.param({"state": "EEEEEEEEX", "moveIndex": 8}, "cell 8 of EEEEEEEEX is occupied", id="occupied-cell"),
        pytest.param({"moveIndex": 9}, "move 9 is not on the board, expected 0..8", id="beyond-the-board"),
        pytest.param({"moveIndex": -1}, "move -1 is not on the board, expected 0..8", id="before-the-board"),
        pytest.param({"moveIndex": 8}, "move 8 of EEEEEEEEE is not canonical, expected 0", id="non-canonical-move"),
        pytest.param({"q": float("nan")}, "q must be a finite number, found nan", id="nan"),
        pytest.param({"q": float("inf")}, "q must be a finite number, found inf", id="infinity"),
        pytest.param({"q": float("-inf")}, "q must be a finite number, found -inf", id="minus-infinity"),
        pytest.param({"q": True}, "q must be a finite number, found True", id="bool-value"),
        pytest.param({"q": "0.5"}, "q must be a finite number, found '0.5'", id="text-value"),
        pytest.param({"q": None}, "q must be a finite number, found None", id="null-value"),
        pytest.param({"moveIndex": 4.0}, "expected a text and a whole number", id="float-move"),
        pytest.param({"moveIndex": True}, "expected a text and a whole number", id="bool-move"),
        pytest.param({"moveIndex": "4"}, "expected a text and a whole number", id="text-move"),
        pytest.param({"state": 7}, "expected a text and a whole number", id="number-state"),
        pytest.param({"state": "EEEEEEEE"}, "expected 9 cells of E, O and X, found 8", id="too-short"),
        pytest.param({"state": "E" * 12}, "expected 9 cells of E, O and X, found 12", id="too-long"),
        pytest.param({"state": "EEEEEEEE."}, "expected only E, O and X, found '.'", id="foreign-mark"),
        pytest.param({"state": "EEEEEEEXX"}, "found 2 X and 0 O", id="unreachable"),
        pytest.param({"extra": 1}, "expected an object with state, moveIndex and q", id="unknown-key"),
    ],
)
def test_ruling_6_a_bad_entry_is_named_and_nothing_changes(bad: dict[str, Any], said: str) -> None:
    message = refused(document(NEXT, GOOD | bad, GOOD))
    assert message.startswith("my.json: qValues[1]: ")
    assert said in message


@pytest.mark.parametrize("bad", [None, 3, ["EEEEEEEEE", 4, 0.5], {"state": "EEEEEEEEE", "moveIndex": 4}])
def test_ruling_6_an_entry_that_is_no_whole_object_is_named(bad: Any) -> None:
    assert "qValues[1]: expected an object with state, moveIndex and q" in refused(document(NEXT, bad))


def test_ruling_6_an_entry_given_twice_is_named() -> None:
    assert "qValues[2]: EEEEEEEEE move 4 is given twice" in refused(document(GOOD, NEXT, GOOD | {"q": 1.0}))


@pytest.mark.parametrize("version", [0, 2, "1", None, True, [1]])
def test_ruling_6_an_unknown_version_is_refused(version: Any) -> None:
    assert f"version {version!r} is unknown, expected 1" in refused(document(GOOD, version=version))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "expected an object"),
        ({"version": 1, "createdUtc": STAMP}, "expected an object with version, createdUtc and qValues"),
        (document(GOOD, more=1), "expected an object with version, createdUtc and qValues"),
        (document(GOOD, createdUtc=5), "createdUtc must be a time such as 2026-01-31T12:00:00+00:00, found 5"),
        (document(GOOD, createdUtc="yesterday"), "createdUtc must be a time"),
        (document(qValues={}), "qValues must be a list, found dict"),
    ],
)
def test_ruling_6_an_ill_typed_document_is_refused(data: Any, said: str) -> None:
    assert said in refused(data)


def test_the_shipped_file_passes_its_own_import() -> None:
    exported = TicTacToeRankings(game_of()).export(shipped().entries(), STAMP)
    assert read(exported) == list(shipped().entries())


def test_the_shipped_ranking_is_copied_for_each_player() -> None:
    first, second = shipped_rankings(game_of()), shipped_rankings(game_of())
    first.set("EEEEEEEEE", 4, -1.0)
    assert second.get("EEEEEEEEE", 4) == 0.0


@pytest.mark.parametrize("preset", ["3x4x3", "4x4x4", "3x3x3:k=2"])
def test_no_ranking_ships_for_other_boards(preset: str) -> None:
    with pytest.raises(BadOption, match=f"no ranking ships for tictactoe {preset}, only for 3x3x3"):
        shipped_rankings(preset_of(preset))


def test_a_ranking_of_another_board_is_read_with_its_symmetries() -> None:
    wide = preset_of("3x4x3")
    values = document({"state": "E" * 12, "moveIndex": 4, "q": 0.5})
    assert read_rankings(wide, json.dumps(values), "wide.json") == [("E" * 12, 4, 0.5)]
