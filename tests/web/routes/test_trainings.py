"""What can be trained, over real HTTP."""

from tests.web.playing import Visitor


def test_every_game_is_offered_a_training_of_a_minute(ann: Visitor) -> None:
    quick = ann.client.get("/api/trainings").json()["trainings"]
    assert {one["game"] for one in quick} >= {"tictactoe", "quoridor", "minesweeper", "skirmish"}
    assert all(one["name"] == "minute" and one["sentence"]["fr"] for one in quick)


def test_a_game_with_two_ways_to_learn_has_two_forms(ann: Visitor) -> None:
    found = ann.client.get("/api/trainings/quoridor").json()
    assert found["configurations"][0]["minute"]
    forms = {one["name"]: found["forms"][one["form"]] for one in found["configurations"]}
    assert forms["minute"] == forms["alphazero"] != forms["evaluation"]
    assert forms["minute"]["knobs"] == ["minutes", "preset", "search.simulations"]
    keys = {key["name"]: key for key in forms["minute"]["keys"]}
    assert keys["minutes"]["kind"] == "number"
    assert keys["preset"]["kind"] == "board"
    for one in found["configurations"]:
        assert one["values"].keys() <= {key["name"] for key in found["forms"][one["form"]]["keys"]}
    assert found["boards"]["5x5"]["fr"]


def test_a_game_that_does_not_exist_has_no_trainings(ann: Visitor) -> None:
    answer = ann.client.get("/api/trainings/chess")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_game")
