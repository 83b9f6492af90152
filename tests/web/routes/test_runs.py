"""Training runs with their curves, and what can be trained, over real HTTP."""

import json
from pathlib import Path

import httpx
import pytest

from ludex.core.errors import BadRun
from ludex.core.game import Json
from ludex.learn.runs import Run
from tests.web.playing import Visitor
from tests.web.running import RunningServer, server_fixture


def test_every_game_is_offered_a_training_of_a_minute(ann: Visitor) -> None:
    quick = ann.client.get("/api/trainings").json()["trainings"]
    assert {configuration["game"] for configuration in quick} >= {"tictactoe", "quoridor", "minesweeper", "skirmish"}
    assert all(configuration["name"] == "minute" and configuration["sentence"]["fr"] for configuration in quick)


def test_a_game_with_two_ways_to_learn_has_two_forms(ann: Visitor) -> None:
    trainings = ann.client.get("/api/trainings/quoridor").json()
    assert trainings["configurations"][0]["minutes"] == 2
    forms = {
        configuration["name"]: trainings["forms"][configuration["form"]]
        for configuration in trainings["configurations"]
    }
    assert forms["minute"] == forms["alphazero"] != forms["evaluation"]
    assert forms["minute"]["knobs"] == ["minutes", "preset", "search.simulations"]
    keys = {key["name"]: key for key in forms["minute"]["keys"]}
    assert keys["minutes"]["kind"] == "number"
    assert keys["preset"]["kind"] == "board"
    for configuration in trainings["configurations"]:
        assert configuration["values"].keys() <= {
            key["name"] for key in trainings["forms"][configuration["form"]]["keys"]
        }
    assert trainings["boards"]["5x5"]["fr"]


def test_a_game_that_does_not_exist_has_no_trainings(ann: Visitor) -> None:
    answer = ann.client.get("/api/trainings/chess")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_game")


server = server_fixture()


@pytest.fixture(scope="module")
def home(server: RunningServer) -> Path:
    return server.home


def test_a_run_is_shown_while_it_goes_on(visitor: httpx.Client, home: Path) -> None:
    runs = home / "runs"
    run = Run.create(runs, "tictactoe", "negamax", "games: 3\n")
    damaged = Run.create(runs, "tictactoe", "damaged", "")
    (damaged.folder / "run.json").write_text("{")
    for number in range(3):
        run.log({"games": number, "loss": float("nan") if number == 1 else 0.5})
    # A row that is still being written.
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write('{"games": 3')

    lines = {line["name"]: line for line in visitor.get("/api/runs").json()["runs"]}
    assert lines[run.name]["rows"] == 3
    assert (lines[run.name]["game"], lines[run.name]["finished"]) == ("tictactoe", False)
    assert (lines[run.name]["state"], lines[damaged.name]["state"]) == ("queued", None)
    assert "run.json: not valid JSON" in lines[damaged.name]["fault"]
    assert str(home) not in json.dumps(lines)

    page = visitor.get(f"/api/runs/{run.name}/metrics").json()
    assert page["rows"] == [{"games": 0, "loss": 0.5}, {"games": 1, "loss": None}, {"games": 2, "loss": 0.5}]
    assert (page["after"], page["finished"]) == (0, False)
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write(', "loss": 0.1}\n')
    run.finish({"games": 4, "ranking": str(run.folder / "ranking.json")})
    page = visitor.get(f"/api/runs/{run.name}/metrics", params={"after": 3}).json()
    assert (page["rows"], page["finished"]) == ([{"games": 3, "loss": 0.1}], True)
    assert visitor.get(f"/api/runs/{run.name}/metrics", params={"after": 99}).json()["rows"] == []
    detail = visitor.get(f"/api/runs/{run.name}").json()
    assert detail["config"] == "games: 3\n"
    assert detail["summary"] == {"games": 4, "ranking": f"{run.name}/ranking.json"}
    assert (detail["game_title"]["fr"], detail["label"]["fr"]) == ("Morpion", "La table livrée")
    assert lines[damaged.name]["label"]["en"] == damaged.name

    answer = visitor.get(f"/api/runs/{damaged.name}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_run")
    assert str(home) not in answer.text


def test_a_run_shows_its_state_and_why_it_failed(visitor: httpx.Client, home: Path) -> None:
    run = Run.create(home / "runs", "tictactoe", "negamax", "games: 3\n")

    def shown() -> list[tuple[str, str | None]]:
        line = next(one for one in visitor.get("/api/runs").json()["runs"] if one["name"] == run.name)
        detail = visitor.get(f"/api/runs/{run.name}").json()
        return [(one["state"], one["reason"]) for one in (line, detail)]

    with run.lock():
        assert shown() == 2 * [("running", None)]
    with pytest.raises(BadRun), run.lock():
        raise BadRun(f"{run.folder}/metrics.jsonl: 2 rows")
    assert shown() == 2 * [("failed", f"{run.name}/metrics.jsonl: 2 rows")]


def test_the_figures_of_a_run_are_those_of_its_game(visitor: httpx.Client, home: Path) -> None:
    without = Run.create(home / "runs", "tictactoe", "negamax", "")
    run = Run.create(home / "runs", "skirmish", "miniature", "")
    run.log({"loss": 1.0})
    slots: list[Json] = [5 * (slot == 17) for slot in range(20)]
    run.log({"preset": "small", "hex_slots": slots, "unit_slots": [1, 2, 2]})
    figures = visitor.get(f"/api/runs/{run.name}/figures").json()
    assert (figures["row"], [figure["kind"] for figure in figures["figures"]]) == (1, ["map", "bars", "table"])
    assert visitor.get(f"/api/runs/{without.name}/figures").json() == {"rows": [], "row": None, "figures": []}
    answer = visitor.get(f"/api/runs/{run.name}/figures", params={"row": 0})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_option")


@pytest.mark.parametrize("name", ["nothing", "..", "%2e%2e", "..%2Fdata", "run.json"])
def test_only_runs_are_runs(visitor: httpx.Client, name: str) -> None:
    assert visitor.get(f"/api/runs/{name}/metrics").status_code == 404


def test_rows_are_counted_from_none(visitor: httpx.Client) -> None:
    assert visitor.get("/api/runs/x/metrics", params={"after": -1}).status_code == 422
